import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@Suite("What is left of recordings")
struct RecordingLeftoverTests {
  private let song: RecordedProject

  init() throws { song = try RecordedProject() }

  private func cleaned() throws -> [String] {
    try song.session.clean(includesCache: false, isTrial: false).removed
  }

  @Test("A pass that was thrown away stays thrown away when its process is killed before the end")
  func cancelled() throws {
    let id = try song.record(7, isCancelled: true)
    #expect(try song.session.read { try $0.all(Take.self).isEmpty && $0.all(Region.self).isEmpty })
    let facts = try #require(try song.facts(id))
    #expect(facts.recording.isCompleted && facts.recording.trashedAt != nil)
    #expect(try song.files("Audio/Recordings").isEmpty && !song.files("Audio/.trash/\(id)").isEmpty)
    #expect(try song.session.recoverRecordings().isEmpty)
    #expect(try song.session.restoreRecording(id).fileCount == 3)
  }

  @Test("'clean' removes all of a recording of which nothing is used, and its rows say so")
  func cleaning() throws {
    let (other, id) = (try song.record(8, title: "Other"), try song.record(7))
    let before = try song.files()
    _ = try song.session.undo(1, origin: song.origin)
    // Redo could bring it back.
    #expect(try cleaned().isEmpty)
    #expect(
      try song.files() == before && song.facts(id)?.segments.map(\.state) == [.recovered, .recovered, .recovered])
    _ = try song.session.edit(song.origin) { _ = try $0.addTrack(named: "Keys") }
    try song.session.pruneHistory(before: Timestamp(milliseconds: Timestamp.now().milliseconds + 86_400_000))
    let path = try song.path(id)
    let trial = try song.session.clean(includesCache: false, isTrial: true).removed
    #expect(try song.files() == before)
    let removed = try cleaned()
    #expect(removed.count == 5 && removed.allSatisfy { $0.hasPrefix(path + "/") } && Set(removed) == Set(trial))
    #expect(!FileManager.default.fileExists(atPath: song.folder.absolute(path)))
    #expect(try song.facts(id)?.segments.map(\.state) == [.missing, .missing, .missing])
    #expect(try song.facts(other)?.segments.map(\.state) == [.recovered, .recovered, .recovered])
    #expect(try song.files().count == 5)
    #expect(try song.session.recoverRecordings().isEmpty)
    #expect(try song.session.check().findings.isEmpty)
    #expect(try cleaned().isEmpty)
  }

  @Test("'clean' leaves the ledger of a recording that it cannot remove whole")
  func foreignFile() throws {
    let id = try song.record(7, isCancelled: true)
    _ = try song.session.restoreRecording(id)
    let folder = song.folder.absolute(try song.path(id))
    try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "/tmp")
    #expect(try cleaned().count == 3)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["ledger", "link"])
    #expect(try song.session.recoverRecordings().isEmpty)
  }
}
