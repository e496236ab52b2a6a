import DAWErrors
import DAWModel
import DAWStore
import DAWTestSupport
import Foundation
import Testing

@testable import DAWProject

@Suite("Many recordings")
struct ManyRecordingsTests {
  private let song: RecordedProject

  init() throws { song = try RecordedProject() }

  /// Another program adds them in one transaction.
  private func add(_ count: Int) throws {
    try insert(
      count,
      """
      INTO recording (id, createdAt, startTime, endTime, isCompleted, duration, sampleRate, folder)
        SELECT i, 1700000000000 + i, 1700000000000 + i, 1700000001000 + i, 1, 48000, 48000, 'Audio/Recordings/R' || i
        FROM n
      """)
  }

  /// Another program adds rows in one transaction.
  /// - Parameter rows: with the numbers from 1 to `count` as `i` of `n`.
  private func insert(_ count: Int, _ rows: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "sqlite3", song.folder.database,
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) INSERT \(rows)",
    ]
    try process.start()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test("A project of thousands is checked within the steps that its size allows")
  func check() throws {
    try add(5_000)
    #expect(try song.session.check().findings.filter { !$0.isNotice }.isEmpty)
    let entries = try song.session.read { view in
      try view.recordings.recordingIDs().compactMap { try view.recordingEntry($0) }
    }
    #expect(entries.count == 5_000)
  }

  @Test("Thousands are found by their ids, and by their titles, in the order in which they are named")
  func references() throws {
    try add(3_000)
    let ids = (Int64(1)...3_000).map(RecordingID.init(rawValue:))
    _ = try song.session.edit(song.origin) { editor in
      for id in ids[..<100] {
        try editor.apply(
          .add(RecordingNote(id: RecordingNoteID(rawValue: id.rawValue), title: "Take \(id.rawValue)")))
      }
    }
    let references = ids.reversed().map(\.uuidString) + ["take 7", "TAKE 99"]
    let found = try song.session.recordingIDs(calledBy: references, isTrashed: false)
    // To read what all are called for each of them would take minutes.
    #expect(found == Array(ids.reversed()) + [ids[6], ids[98]])
    let failure = song.failure {
      _ = try song.session.recordingIDs(calledBy: [references[0], "Tale 7"], isTrashed: false)
    }
    let said = "\(failure?.message ?? "") \(failure?.hint ?? "")"
    #expect(said.contains("'Take 7'"), "\(said)")
  }

  @Test("Thousands of takes are removed at once, by their ids and by their names")
  func takes() throws {
    try insert(
      3_000,
      """
      INTO take (id, track, name, nameKey, rating, tags)
        SELECT i, \(song.track.rawValue), 'Take ' || i, 'take ' || i, 0, '' FROM n
      """)
    let ids = (Int64(1)...2_998).map { TakeID(rawValue: $0).uuidString }
    let references = ids + ["Vox/Take 2999", "TAKE 3000", "Take 1"]
    let removed = try song.session.edit(song.origin) { try $0.removeTakes(references).takes }
    #expect(removed.value.count == 3_000)
    #expect(try song.session.read { try $0.all(Take.self).isEmpty })
  }

  @Test("'clean' takes no longer for each folder the more files are in use")
  func cleaning() throws {
    for number in 0..<500 {
      try FileManager.default.createDirectory(
        atPath: song.folder.audio + "/F\(number)/in", withIntermediateDirectories: true)
    }
    let used = (0..<60_000).map { "Audio/Recordings/R\($0)/Vox.0001.wav" } + ["Audio/F7/in/Vox.wav"]
    var cleaning = Cleaning(isTrial: false)
    // To look at all files for each folder would take half a minute.
    try cleaning.removeUnused(in: song.folder.place("Audio"), used: Set(used))
    #expect(try FileManager.default.subpathsOfDirectory(atPath: song.folder.audio).sorted() == ["F7", "F7/in"])
    #expect(cleaning.result.removed.isEmpty)
  }

  @Test("Recordings are forgotten one after the other, and nothing of them stays")
  func forgetting() throws {
    let numbers: [Int64] = [7, 8, 9]
    let ids = try numbers.map { try song.record($0, title: "Verse \($0)") }
    for id in ids { try song.removeTakes(of: id) }
    for id in ids { #expect(try song.session.forgetRecording(id).fileCount == 3) }
    let left = try song.session.read { (try $0.audioFiles(), try $0.all(Take.self), try $0.recordings.recordingIDs()) }
    #expect(left.0.isEmpty && left.1.isEmpty && left.2.isEmpty)
    #expect(try song.session.check().findings.filter { !$0.isNotice }.isEmpty)
  }

  @Test("A region that is back, by undo here or in another process, is found", arguments: [false, true])
  func backMeanwhile(isOther: Bool) throws {
    let (id, other) = (try song.record(7), try song.record(8, title: "Chorus"))
    try song.removeTakes(of: other)
    try song.removeTakes(of: id)
    for id in [id, other] { #expect(try song.session.removeRecording(id, isTrial: true).fileCount == 3) }
    let session = try isOther ? Session.open(song.folder) : song.session
    _ = try session.undo(1, origin: song.origin)
    if isOther { session.close() }
    #expect(song.failure { try song.session.removeRecording(id) }?.code == "recordingInUse")
    #expect(song.failure { _ = try song.session.forgetRecording(id) }?.code == "recordingInUse")
    #expect(try song.session.forgetRecording(other).fileCount == 3)
    #expect(song.failure { try song.session.removeRecording(id) }?.code == "recordingInUse")
  }
}
