import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWTestSupport
import Foundation
import Testing

@Suite("Left recordings whose files, or whose project, have other names")
struct LinkedSegmentTests {
  private let song: RecordedProject

  init() throws { song = try RecordedProject() }

  private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

  private func linkCount(_ path: String) throws -> UInt {
    var status = stat()
    let result = lstat(path, &status)
    try #require(result == 0)
    return UInt(status.st_nlink)
  }

  @Test("A file with another name is finished as a copy, and what has the other name stays as it is")
  func segment() throws {
    try song.record(7, isRecovered: false)
    let recordings = song.session.folder.path + "/Audio/Recordings"
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: recordings).first)
    let folder = recordings + "/" + name
    let (path, other) = (folder + "/Vox.0003.wav", song.scratch.path("other.wav"))
    // A part of a frame is at its end, which is cut off.
    let byteCount = try bytes(path).count
    try #require(truncate(path, off_t(byteCount - 2)) == 0)
    try FileManager.default.linkItem(atPath: path, toPath: other)
    // What a killed process has left.
    try Data([1]).write(to: URL(fileURLWithPath: folder + "/.own-copy"))
    let before = try bytes(other)
    #expect(try song.session.recoverRecordings().recovered.map { try $0.outcome.get().takes.count } == [1])
    #expect(try bytes(other) == before && bytes(path) != before)
    #expect(try linkCount(other) == 1 && linkCount(path) == 1)
    #expect(try !FileManager.default.contentsOfDirectory(atPath: folder).contains { $0.hasPrefix(".") })
    #expect(try !song.session.check().findings.contains { ["changed", "missing"].contains($0.code) })
  }

  @Test("Where the project cannot be written, no file of a recording is touched")
  func project() throws {
    try song.record(7, isRecovered: false)
    let before = try song.files()
    let other = song.scratch.path("other.sqlite")
    try FileManager.default.linkItem(atPath: song.folder.database, toPath: other)
    let recovered = try song.session.recoverRecordings().recovered
    try #require(recovered.count == 1)
    let failure = song.failure { _ = try recovered[0].outcome.get() }
    #expect(failure?.kind == .io && failure?.code == "readOnly", "\(String(describing: failure))")
    #expect(try song.files() == before)
    try FileManager.default.removeItem(atPath: other)
    #expect(try song.session.recoverRecordings().recovered.map { try $0.outcome.get().takes.count } == [1])
  }
}
