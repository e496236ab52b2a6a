import DAWMedia
import DAWModel
import DAWStore
import Foundation
import Testing

@testable import DAWProject

@Suite("Segments in spill folders that are not where the project says")
struct SpilledFilesTests {
  private let project: RecordedProject
  private let recording: RecordingID
  private let spill: String

  init() throws {
    project = try RecordedProject()
    (recording, spill) = try project.recordSpilled(5)
  }

  /// Lets the row of a segment say something else.
  private func change(_ id: RecordingID, segment: Int, _ body: (inout RecordedSegment) -> Void) throws {
    var facts = try #require(try project.facts(id))
    body(&facts.segments[segment])
    try project.session.save(facts)
  }

  /// Where the project says that the lost ones are, and where they are known to be.
  private func lost() throws -> (paths: [String], known: [String]) {
    let spilled = try project.session.spilledFiles()
    let lost = spilled.lost
    return (lost.map(\.path), spilled.paths(of: lost).values.sorted())
  }

  /// The path of a file in the recording's folder, where the take is.
  private func beside(_ name: String) throws -> String {
    project.folder.absolute(try project.path(recording) + "/" + name)
  }

  @Test("One that is not where its row says is where its take says, unless the row has another hash")
  func otherRow() throws {
    #expect(try lost().paths.isEmpty)
    try change(recording, segment: 1) { $0.path = "/nowhere/Vox.0002.wav" }
    let found = try lost()
    #expect(found.paths == ["/nowhere/Vox.0002.wav"] && found.known == [spill + "/Vox.0002.wav"], "\(found)")
    try change(recording, segment: 1) { $0.sha256 = String(repeating: "0", count: 64) }
    #expect(try lost().paths.isEmpty)
  }

  @Test("One that lies beside its take is known to, though neither take nor row says so; one of other bytes is not")
  func besideTheTake() throws {
    let file = try beside("Vox.0002.wav")
    try FileManager.default.moveItem(atPath: spill + "/Vox.0002.wav", toPath: file)
    let found = try lost()
    #expect(found.paths == [spill + "/Vox.0002.wav"] && found.known == [file], "\(found)")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: URL(fileURLWithPath: file))
    let changed = try lost()
    #expect(changed.paths == [spill + "/Vox.0002.wav"] && changed.known.isEmpty, "\(changed)")
  }

  @Test("One that its take has beside it is lost where its row still names the spill folder")
  func takeIsAhead() throws {
    let file = try beside("Vox.0002.wav")
    try FileManager.default.moveItem(atPath: spill + "/Vox.0002.wav", toPath: file)
    let relinked = try project.session.relink(searching: [project.folder.path], project.origin).value
    #expect(relinked.found.map(\.file) == [file])
    #expect(try lost().paths.isEmpty)
    // As where the process ended between the two.
    try change(recording, segment: 1) { $0.path = spill + "/Vox.0002.wav" }
    let found = try lost()
    #expect(found.paths == [spill + "/Vox.0002.wav"] && found.known == [file], "\(found)")
  }

  @Test("A row that names a spill folder for what its ledger has in the recording's own folder tells of none")
  func neverSpilled() throws {
    let other = try project.record(7)
    try change(other, segment: 1) { $0.path = "/nowhere/Vox.0002.wav" }
    #expect(try lost().paths.isEmpty)
  }
}
