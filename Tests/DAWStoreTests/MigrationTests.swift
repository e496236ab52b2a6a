import DAWModel
import DAWTime
import Foundation
import GRDB
import Testing

@testable import DAWStore

/// `Fixtures/version-1.sqlite` is a project of the first released schema with a history: edits of every kind, some
/// undone, an abandoned branch, a write by another program, and an undo that can be redone. It is kept for ever: every
/// later version must open it, and undo and redo its edits. `version-2.sqlite` is the same for the second schema, made
/// by commands, with events, changes of tempo and meter, markers, and an instrument with effects; `version-3.sqlite`
/// likewise, with a comment, `version-4.sqlite` with fades, a reversed region and a bus, `version-5.sqlite` with
/// outputs, sends and a group, `version-6.sqlite` with effects and lanes, `version-7.sqlite` with
/// takes and what was recorded, `version-8.sqlite` with a recording in the trash and how long others are kept,
/// `version-9.sqlite` with a transcript that a person has corrected, and jobs.
@Suite("Migrations")
struct MigrationTests {
  let folder: TemporaryFolder
  var path: String { folder.project }

  /// What a later version may do: append a column with a default, and add a table of the model.
  private static let migrator = Migrator(
    migrations: Migrator.released.migrations + [
      Migration(
        version: 11,
        sql: """
          ALTER TABLE midiNote ADD COLUMN articulation INTEGER NOT NULL DEFAULT 64;
          CREATE TABLE scene (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL) STRICT;
          """, tables: ["scene"] + Migrator.released.modelTables,
        factTables: Migrator.released.factTables(ofVersion: 10))
    ])

  init() throws {
    folder = try TemporaryFolder()
    let fixture = try #require(
      Bundle.module.url(forResource: "version-1", withExtension: "sqlite", subdirectory: "Fixtures"))
    try Data(contentsOf: fixture).write(to: URL(fileURLWithPath: path))
  }

  @Test("The version 1 file opens, holds together, and its whole history is undone and redone to the byte")
  func version1() throws {
    let store = try ProjectStore.openForEditing(at: path, backupFolder: folder.path + "/Backups")
    try walkHistory(store)
  }

  @Test("The version 2 file opens, and its whole history is undone and redone to the byte", arguments: [10, 11])
  func version2(schema: Int) throws {
    let project = try walkFixture(2, schema, stateCount: 13)
    #expect(project.events.values.joined().count == 7)
    #expect(project.tempoChanges.count == 2 && project.meterChanges.count == 1 && project.markers.count == 2)
  }

  @Test("The version 3 file opens, and its whole history is undone and redone to the byte", arguments: [10, 11])
  func version3(schema: Int) throws {
    let project = try walkFixture(3, schema, stateCount: 20)
    #expect(project.comments.count == 1 && project.instruments.count == 1)
    #expect(project.regions.values.allSatisfy { $0.fadeIn == .none && $0.audio?.isReversed != true })
    #expect(project.tracks.values.allSatisfy { $0.overlap == .sum })
  }

  @Test("The version 4 file opens, and its whole history is undone and redone to the byte", arguments: [10, 11])
  func version4(schema: Int) throws {
    let project = try walkFixture(4, schema, stateCount: 22)
    #expect(project.tracks.values.contains { $0.trackType == .bus })
    #expect(project.tracks.values.allSatisfy { $0.outputBus == nil && $0.isOutputConnected && $0.stereoWidth == 1 })
    #expect(project.sends.isEmpty && project.groups.isEmpty)
  }

  @Test("The version 5 file opens, and its whole history is undone and redone to the byte", arguments: [10, 11])
  func version5(schema: Int) throws {
    let project = try walkFixture(5, schema, stateCount: 21)
    #expect(project.groups.count == 1 && project.tracks.values.contains { $0.outputBus != nil })
    #expect(project.lanes.isEmpty && project.lanePoints.isEmpty && project.effects.isEmpty)
  }

  @Test("The version 6 file opens, and its whole history is undone and redone to the byte", arguments: [10, 11])
  func version6(schema: Int) throws {
    let project = try walkFixture(6, schema, stateCount: 20)
    #expect(project.effects.count == 1 && project.lanePoints.values.joined().count == 2)
    #expect(project.takes.isEmpty && project.recordingNotes.isEmpty)
    #expect(project.tracks.values.allSatisfy { $0.input1 == nil && $0.monitor == .auto && $0.recordOffset == .zero })
  }

  @Test("The version 7 file opens, and its whole history is undone and redone to the byte", arguments: [10, 11])
  func version7(schema: Int) throws {
    let project = try walkFixture(7, schema, stateCount: 14)
    #expect(project.takes.count == 2 && project.recordingNotes.count == 1)
    #expect(project.settings.retention == Retention() && !project.settings.retention.isOn)
    #expect(project.comments.values.map(\.recording) == [nil])
    let store = try ProjectStore.open(at: folder.path + "/older.sqlite", migrator: Self.migrator)
    let facts = try #require(try store.read { try $0.recordings.facts(of: RecordingID(rawValue: 7000)) })
    #expect(facts.passes.map(\.trackName) == [""] && facts.recording.trashedAt == nil)
    #expect(facts.segments.map(\.recordedSHA256) == [nil] && facts.gaps.count == 1)
  }

  @Test("The version 8 file opens, and its whole history is undone and redone to the byte", arguments: [10, 11])
  func version8(schema: Int) throws {
    let project = try walkFixture(8, schema, stateCount: 10)
    #expect(project.takes.count == 2 && project.recordingNotes.values.map(\.title) == ["Evening"])
    #expect(project.comments.values.map(\.recording) == [RecordingID(rawValue: 8000)])
    #expect(
      project.settings.retention
        == Retention(
          recordings: Days(30), transcripts: Days(60), newest: 5, thread: 4, compressAfter: Days(14), trash: Days(3),
          scope: .all))
    #expect(project.transcriptTexts.isEmpty)
    let store = try ProjectStore.open(at: folder.path + "/older.sqlite", migrator: Self.migrator)
    let facts = try #require(try store.read { try $0.recordings.facts(of: RecordingID(rawValue: 8000)) })
    #expect(facts.passes.map(\.trackName) == ["Vox"] && facts.gaps.count == 1 && facts.recording.trashedAt == nil)
    #expect(facts.segments.map(\.recordedSHA256) == [String(repeating: "cd", count: 32)])
    let trashed = try store.read { try $0.recordings.recording(RecordingID(rawValue: 8100)) }
    #expect(trashed?.trashedAt == Timestamp(milliseconds: 1_700_000_200_000))
    #expect(try store.work.jobIDs().isEmpty && store.work.transcriptIDs().isEmpty)
  }

  @Test("The version 9 file opens, and its whole history is undone and redone to the byte", arguments: [10, 11])
  func version9(schema: Int) throws {
    let project = try walkFixture(9, schema, stateCount: 12)
    #expect(project.takes.count == 2 && project.recordingNotes.values.map(\.title) == ["Morning"])
    #expect(project.transcriptTexts.values.map(\.text) == ["Good morning."])
    #expect(project.comments.values.map(\.recording) == [RecordingID(rawValue: 9000)])
    #expect(project.settings.retention == Retention(recordings: Days(90), newest: 3, trash: Days(2), scope: .all))
    let store = try ProjectStore.open(at: folder.path + "/older.sqlite", migrator: Self.migrator)
    let transcript = try #require(try store.work.transcript(TranscriptID(rawValue: 9010)))
    #expect(transcript.words.map(\.word) == ["good", "morning"] && transcript.engine == "pocketsphinx")
    #expect(try store.work.earlier(than: transcript).map(\.text) == ["wood mourning"])
    let jobs = try store.work.jobs(JobFilter()).jobs
    #expect(jobs.map(\.state) == [.completed, .pending] && jobs.allSatisfy { $0.recording == nil })
    #expect(try store.work.summaries(of: nil).isEmpty && project.comments.values.allSatisfy { $0.audioFile == nil })
    let facts = try #require(try store.read { try $0.recordings.facts(of: RecordingID(rawValue: 9000)) })
    #expect(facts.passes.map(\.trackName) == ["Vox"] && facts.segments.count == 1 && facts.gaps.count == 1)
  }

  private func walkFixture(_ version: Int, _ schema: Int, stateCount: Int) throws -> Project {
    let fixture = try #require(
      Bundle.module.url(forResource: "version-\(version)", withExtension: "sqlite", subdirectory: "Fixtures"))
    let copy = folder.path + "/older.sqlite"
    try Data(contentsOf: fixture).write(to: URL(fileURLWithPath: copy))
    let store = try ProjectStore.openForEditing(
      at: copy, backupFolder: folder.path + "/Backups",
      migrator: schema == Migrator.released.currentVersion ? .released : Self.migrator)
    try walkHistory(store, stateCount: stateCount)
    return try store.read { try $0.project() }
  }

  @Test("After a migration the whole history of version 1 is undone and redone to the byte")
  func historyAfterMigration() throws {
    let original = try Data(contentsOf: URL(fileURLWithPath: path))
    let backups = folder.path + "/Backups"
    let store = try ProjectStore.openForEditing(at: path, backupFolder: backups, migrator: Self.migrator)
    #expect(try store.queue.read(Migrator.version) == 11)
    try walkHistory(store)
    let names = try FileManager.default.contentsOfDirectory(atPath: backups)
    #expect(names.count == 1)
    let backup = try ProjectStore.open(at: backups + "/" + (names.first ?? ""))
    let copy = folder.path + "/original.sqlite"
    try original.write(to: URL(fileURLWithPath: copy))
    #expect(try backup.dump() == ProjectStore.open(at: copy).dump())

    // The new column and table are recorded and undone like the others.
    let before = try store.dump()
    _ = try store.edit(origin) { transaction in
      try transaction.database.execute(
        sql: "INSERT INTO scene VALUES (1, 'Verse'); UPDATE track SET pan = 1 WHERE id = 10")
    }
    _ = try store.undo(origin: origin)
    #expect(try store.dump() == before)
    let other = try plainConnection(to: path)
    try other.write { try $0.execute(sql: "INSERT INTO scene VALUES (2, 'Chorus')") }
    #expect(try store.edit(origin) { try $0.apply(.set(SampleProject.track(12, "Sum", .bus))) }.entry != nil)
    #expect(try store.history().dropFirst().first?.entry.kind == .externalWrite)
    try store.setJournalLimits(JournalLimits(count: 3, age: nil, bytes: nil))
    #expect(try store.verifyJournal() == [])
  }

  @Test("An older version's edit that was taken back alone is folded together with edits of the newer version")
  func revertIsFolded() throws {
    func note(_ id: Int64) -> MIDINote {
      MIDINote(
        id: NoteID(rawValue: id), region: RegionID(rawValue: 21), start: .zero, duration: TickCount(ticks: 960))
    }
    let project = folder.path + "/older.sqlite"
    let older = try SampleProject.create(at: project)
    _ = try older.edit(EditOrigin(author: "A", commandLine: "test")) { try $0.apply(.add(note(62))) }
    _ = try older.edit(EditOrigin(author: "B", commandLine: "test")) { try $0.apply(.add(note(63))) }
    try older.close()
    let store = try ProjectStore.openForEditing(
      at: project, backupFolder: folder.path + "/Backups", migrator: Self.migrator)
    // Its changes have the columns of the older version.
    #expect(try store.undoNewest(of: "A", origin: origin).entry?.kind == .revert)
    for id in Int64(70)..<80 { _ = try store.edit(origin) { try $0.apply(.add(note(id))) } }
    let before = try store.dump()
    try store.setJournalLimits(JournalLimits(count: 3, age: nil, bytes: nil))
    #expect(try store.history(includesAll: true).count { $0.entry.kind == .base } == 2)
    #expect(try store.dump() == before && store.verifyJournal() == [])
    _ = try store.undo(origin: origin)
    _ = try store.redo(origin: origin)
    #expect(try store.dump() == before)
  }

  @Test("An older file is read from a migrated copy, and stays as it is")
  func readingDoesNotMigrate() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let store = try ProjectStore.open(at: path, migrator: Self.migrator)
    #expect(try store.read { try $0.tracks().count } == 4)
    #expect(try store.queue.read(Migrator.version) == 11)
    #expect(throws: StoreError.self) { try store.edit(origin) { try $0.apply(.remove(TrackID(rawValue: 10))) } }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(try store.upgrade(backup: folder.path + "/backup.sqlite") == 1)
    let upgraded = try ProjectStore.open(at: path, migrator: Self.migrator)
    #expect(upgraded.access == .readWrite)
    #expect(try upgraded.upgrade(backup: folder.path + "/none.sqlite") == 11)
  }

  @Test("A table without columns in the history, or with hundreds, does not stop a migration", arguments: [0, 300])
  func strangeTables(columnCount: Int) throws {
    let header = [UInt8(ascii: "T")] + Changeset.lengthBytes(columnCount) + [UInt8](repeating: 0, count: columnCount)
    let changeset = Data(header + Array("tempoMark".utf8) + [0])
    let lawless = try lawlessConnection(to: path)
    try lawless.write { database in
      try database.execute(
        sql: """
          UPDATE journalEntry SET isCompressed = 0, changeset = ?
            WHERE revision = (SELECT max(revision) FROM journalEntry)
          """, arguments: [changeset])
    }
    try lawless.close()
    let store = try ProjectStore.openForEditing(at: path, backupFolder: folder.path + "/Backups")
    #expect(try !store.read { try $0.project() }.tracks.isEmpty)
  }

  @Test("A migration that fails leaves the file at its version")
  func failedMigration() throws {
    let broken = Migrator(migrations: [
      Migration(version: 2, sql: "CREATE TABLE a (b INTEGER PRIMARY KEY) STRICT; CREATE TABLE a (b)", tables: [])
    ])
    #expect(throws: StoreError.self) {
      try ProjectStore.openForEditing(at: path, backupFolder: folder.path + "/Backups", migrator: broken)
    }
    let store = try ProjectStore.open(at: path, migrator: Migrator(migrations: []))
    #expect(store.access == .readWrite)
    #expect(try store.verifyJournal() == [])
  }

  private func walkHistory(_ store: ProjectStore, stateCount: Int = 16) throws {
    #expect(try store.verifyJournal() == [])
    var states = [try store.dump()]
    _ = try store.redo(origin: origin)
    let newest = try store.dump()
    _ = try store.undo(origin: origin)
    #expect(try store.dump() == states[0])
    while true {
      do {
        _ = try store.undo(origin: origin)
        states.append(try store.dump())
      } catch StoreError.nothingToUndo { break }
    }
    #expect(states.count == stateCount)
    for state in states.dropLast().reversed() {
      _ = try store.redo(origin: origin)
      #expect(try store.dump() == state)
    }
    _ = try store.redo(origin: origin)
    #expect(try store.dump() == newest)
    _ = try store.undo(origin: origin)
    #expect(try store.verifyJournal() == [])
    #expect(try store.read { try $0.brokenRules() } == [])
  }
}
