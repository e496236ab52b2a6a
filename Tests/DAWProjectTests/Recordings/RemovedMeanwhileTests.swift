import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import Foundation
import Testing

@Suite("Files that are removed while they are recorded")
struct RemovedMeanwhileTests {
  private let song: RecordedProject

  init() throws { song = try RecordedProject() }

  /// What a process knows of a recording that has just ended, and its folder.
  private func ended(_ number: Int64) throws -> (description: RecordingDescription, folder: RecordingFolder) {
    try song.record(number, isEnded: true, isRecovered: false)
    let place = Place(root: song.folder.path, ["Audio", "Recordings"])
    let folder = try RecordingFolder(opening: place.appending(try #require(try place.open().names().first)))
    return (try folder.describe(), folder)
  }

  @Test("A file that is gone is named when the takes are made, and its segment is missing")
  func file() throws {
    let (description, folder) = try ended(7)
    try FileManager.default.removeItem(atPath: folder.place.appending("Vox.0002.wav").path)
    let recorded = try song.session.finish(description, in: folder, TakePlacement())
    #expect(recorded.missing == ["Audio/Recordings/\(folder.name)/Vox.0002.wav"] && recorded.takes.count == 1)
    #expect(try song.facts(RecordingID(rawValue: 7))?.segments.map(\.state) == [.sealed, .missing, .sealed])
    try expectNamedOnce("Vox.0002.wav")
  }

  /// That 'check' names a file once, and calls that a fault.
  private func expectNamedOnce(_ name: String) throws {
    let findings = try song.session.check().findings.filter { $0.message.contains(name) }
    #expect(findings.map(\.code) == ["missing"] && findings.allSatisfy { !$0.isNotice }, "\(findings)")
  }

  @Test("'check' names a file that is gone afterwards once, whether a take plays it or not", arguments: [true, false])
  func afterwards(isPlayed: Bool) throws {
    let id = try song.record(7)
    if !isPlayed {
      try song.removeTakes(of: id)
      _ = try song.session.edit(song.origin) { editor in
        for file in try editor.view.audioFiles() { try editor.apply(.remove(file.id)) }
      }
    }
    try FileManager.default.removeItem(atPath: song.folder.absolute(try song.path(id)) + "/Vox.0002.wav")
    try expectNamedOnce("Vox.0002.wav")
    _ = try song.session.repair(searching: [], song.origin)
    #expect(try song.session.check().findings.filter { !$0.isNotice }.isEmpty != isPlayed)
  }

  @Test("A folder that is gone is said, makes no take, and is a fault where something was in it")
  func folder() throws {
    let (description, folder) = try ended(7)
    try song.session.save(RecordingFacts(description, folder: "Audio/Recordings/\(folder.name)"))
    try FileManager.default.moveItem(atPath: folder.place.path, toPath: song.scratch.path("away"))
    let failure = song.failure { _ = try song.session.finish(description, in: folder, TakePlacement()) }
    #expect(failure?.kind == .io && failure?.message.contains("not there any more") == true)
    #expect(try song.session.read { try $0.all(Take.self).isEmpty })
    let findings = try song.session.check().findings.filter { $0.code == "missing" }
    #expect(findings.count == 1 && findings.allSatisfy { !$0.isNotice && $0.hint.contains("daw forget") })
    // It is put into the project when it is back.
    try FileManager.default.moveItem(atPath: song.scratch.path("away"), toPath: folder.place.path)
    #expect(try song.session.finish(description, in: folder, TakePlacement()).takes.count == 1)
  }
}
