import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import Foundation
import Testing

@Suite("Titles of recordings that have not ended in order")
struct RecordingTitleTests {
  private let song: RecordedProject

  init() throws { song = try RecordedProject() }

  /// Leaves a recording that is not complete, with the row that its process saves at the beginning.
  private func begin(_ number: Int64, title: String, isLeft: Bool = false) throws -> RecordingID {
    let id = try song.record(
      number, title: title, owner: isLeft ? RecordedProject.gone : .current, isRecovered: false)
    let place = Place(root: song.folder.path, ["Audio", "Recordings"])
    let ending = title.replacingOccurrences(of: "/", with: "_")
    let name = try #require(try place.open().names().first { $0.hasSuffix(ending) })
    let description = try RecordingFolder(opening: place.appending(name)).describe()
    try song.session.save(RecordingFacts(description, folder: "Audio/Recordings/\(name)"))
    return id
  }

  private func titles(_ filter: RecordingFilter = RecordingFilter()) throws -> [String] {
    try song.session.read { try $0.recordingEntries(filter).entries.map(\.title) }
  }

  private func id(of title: String, isTrashed: Bool? = false) throws -> RecordingID {
    try song.session.read { try $0.recordingEntries(calledBy: [title], isTrashed: isTrashed)[0].recording.id }
  }

  @Test(
    "A recording that runs, or was left by its process, has the title that it was begun with", arguments: [false, true])
  func unfinished(isLeft: Bool) throws {
    let id = try begin(7, title: "Song", isLeft: isLeft)
    #expect(try titles() == ["Song"] && titles(RecordingFilter(isRunning: true)) == ["Song"])
    #expect(try self.id(of: "song") == id)
    #expect(song.failure { _ = try self.id(of: "Sang") }?.hint?.contains("'Song'") == true)
    // Where the ledger, or the folder, is gone, the folder's name still has it.
    let folder = song.folder.absolute(try song.path(id))
    for path in [folder + "/ledger", folder] {
      try FileManager.default.removeItem(atPath: path)
      #expect(try titles() == ["Song"] && self.id(of: "song") == id)
    }
  }

  @Test("A recording that runs has the title of its own ledger, and of another's ledger none")
  func titleInLedger() throws {
    let id = try begin(7, title: "A/B")
    #expect(try titles() == ["A/B"] && self.id(of: "A/B") == id)
    let other = try begin(8, title: "Other")
    let (own, others) = (song.folder.absolute(try song.path(id)), song.folder.absolute(try song.path(other)))
    try FileManager.default.removeItem(atPath: own + "/ledger")
    try FileManager.default.copyItem(atPath: others + "/ledger", toPath: own + "/ledger")
    #expect(try Set(titles()) == ["A_B", "Other"] && self.id(of: "A_B") == id && self.id(of: "Other") == other)
  }

  @Test("A recording that was undone has the title of its folder, until the user says another or none")
  func undone() throws {
    let id = try song.record(7, title: "A/B")
    let other = try song.record(8, title: "A/B")
    #expect(try titles() == ["A/B", "A/B"])
    _ = try song.session.undo(1, origin: song.origin)
    // A name has no slash, and another number.
    #expect(try Set(titles()) == ["A/B", "A_B 2"] && self.id(of: "a_b 2") == other && self.id(of: "A/B") == id)
    try FileManager.default.removeItem(atPath: song.folder.absolute(try song.path(other)))
    #expect(try self.id(of: "A_B 2") == other)
    #expect(song.failure { _ = try self.id(of: "A_C 2") }?.hint?.contains("'A_B 2'") == true)
    func set(title: String? = nil, notes: String? = nil) throws -> String {
      try song.session.edit(song.origin) { try $0.setRecording("id:\(other)", title: title, notes: notes) }.value.title
    }
    #expect(try set(notes: "Loud") == "A_B 2" && set(title: "") == "" && set(notes: "") == "")
    _ = try song.session.undo(3, origin: song.origin)
    #expect(try self.id(of: "A_B 2") == other)
    #expect(try set(title: "") == "" && set(title: "Verse") == "Verse" && set(title: "") == "")
  }

  @Test("A note comes before a folder of the same name, and untitled ones stay so, however many a minute has")
  func untitled() throws {
    for number in 1...3 { try song.record(Int64(number), title: "") }
    #expect(try titles() == ["", "", ""] && song.path(RecordingID(rawValue: 3)).hasSuffix(" 3"))
    _ = try song.record(4, title: "Song")
    _ = try song.session.undo(1, origin: song.origin)
    let kept = try song.record(5, title: "Song", at: 1_795_364_580_000)
    #expect(try titles().filter { $0 == "Song" }.count == 2 && id(of: "Song") == kept)
  }

  @Test("What a user says of a recording that runs holds, and what is not said stays")
  func notes() throws {
    let id = try begin(7, title: "Song")
    func set(title: String? = nil, notes: String? = nil) throws -> RecordingEntry {
      try song.session.edit(song.origin) { try $0.setRecording("id:\(id)", title: title, notes: notes) }.value
    }
    #expect(try set(notes: "Loud").title == "Song")
    #expect(try set(title: "Verse").title == "Verse")
    _ = try set(notes: "")
    #expect(try set(title: "").title.isEmpty && titles() == [""])
    _ = try song.session.undo(4, origin: song.origin)
    #expect(try titles() == ["Song"])
    #expect(try set(title: "").title.isEmpty && titles() == [""])
  }

  @Test("A recording that was thrown away has its title in the trash, and when it comes back")
  func cancelled() throws {
    let id = try song.record(7, title: "Song", isCancelled: true)
    #expect(try titles(RecordingFilter(isTrashed: true)) == ["Song"])
    #expect(try song.session.restoreRecording(id).entry.title == "Song" && titles() == ["Song"])
    #expect(try song.session.historyLines(HistoryFilter()).first?.summary == "Recorded 'Song', without a take")
    // Then the folder's name has it.
    _ = try song.session.undo(1, origin: song.origin)
    #expect(try titles() == ["Song"])
  }

  @Test("A recording called id: and fewer than 6 digits is meant by just that, and nothing else is")
  func shortTitle() throws {
    let id = try song.record(7, title: "id:12")
    #expect(try self.id(of: "ID:12") == id)
    for title in ["id:", "id:1", "id:123"] {
      #expect(song.failure { _ = try self.id(of: title) }?.code == "usage", "\(title)")
    }
  }

  @Test("Of several with a title, those in the trash are meant only where that is asked for")
  func sameTitle() throws {
    let trashed = try song.record(7, title: "Song", isCancelled: true)
    let kept = try song.record(8, title: "Song", at: 1_795_364_580_000)
    #expect(try id(of: "Song") == kept && id(of: "Song", isTrashed: true) == trashed)
    #expect(song.failure { _ = try id(of: "Song", isTrashed: nil) }?.code == "ambiguous")
    _ = try song.session.restoreRecording(trashed)
    #expect(song.failure { _ = try id(of: "Song") }?.code == "ambiguous")
  }

  @Test("One in the trash that has its title from its folder alone is found there behind another's note")
  func trashedTitleOfFolder() throws {
    let trashed = try song.record(7, title: "Song")
    _ = try song.session.undo(1, origin: song.origin)
    try song.session.removeRecording(trashed)
    #expect(try titles(RecordingFilter(isTrashed: true)) == ["Song"])
    let kept = try song.record(8, title: "Song", at: 1_795_364_580_000)
    #expect(try id(of: "Song", isTrashed: true) == trashed && id(of: "Song") == kept)
  }
}
