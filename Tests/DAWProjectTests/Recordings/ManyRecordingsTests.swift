import DAWErrors
import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import Foundation
import Testing

@Suite("Many recordings")
struct ManyRecordingsTests {
  private let song: RecordedProject

  init() throws { song = try RecordedProject() }

  /// Another program adds them in one transaction.
  private func add(_ count: Int) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "sqlite3", song.folder.database,
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO recording (id, createdAt, startTime, endTime, isCompleted, duration, sampleRate, folder)
        SELECT i, 1700000000000 + i, 1700000000000 + i, 1700000001000 + i, 1, 48000, 48000, 'Audio/Recordings/R' || i
        FROM n
      """,
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
