import DAWModel
import DAWTime
import Foundation
import GRDB
import Testing

@testable import DAWStore

/// `Fixtures/version-1.sqlite` is a project of the first released schema, with a history. It is kept for ever: every later
/// version must open it, and undo and redo its edits. `DAW_MAKE_FIXTURES=1 swift test --filter MigrationTests` makes it
/// where it is missing.
@Suite("Migrations", .serialized)
struct MigrationTests {
  let folder: TemporaryFolder
  var path: String { folder.project }

  /// What a later version may do: append a column that has a default, and add a table of the model.
  private static let migrator = Migrator(migrations: [
    Migration(
      version: 2,
      sql: """
        ALTER TABLE midiNote ADD COLUMN releaseVelocity INTEGER NOT NULL DEFAULT 64;
        CREATE TABLE marker (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL) STRICT;
        """, tables: ["marker"])
  ])

  init() throws {
    folder = try TemporaryFolder()
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "Fixtures/version-1.sqlite")
    if ProcessInfo.processInfo.environment["DAW_MAKE_FIXTURES"] != nil,
      !FileManager.default.fileExists(atPath: source.path)
    {
      try Self.makeVersion1(at: source.path)
    }
    let fixture = try #require(
      Bundle.module.url(forResource: "version-1", withExtension: "sqlite", subdirectory: "Fixtures"))
    try Data(contentsOf: fixture).write(to: URL(fileURLWithPath: path))
  }

  /// Edits of every kind, some undone, a branch abandoned, another program's change, and an undo that redo can take back.
  private static func makeVersion1(at path: String) throws {
    let store = try SampleProject.create(at: path)
    func edit(_ edit: Edit) throws { _ = try store.edit(origin) { try $0.apply(edit) } }
    var track = SampleProject.track(10, "Drums and more", .audio)
    track.volume = Level(decibels: -6)
    try edit(.setTrack(track))
    try edit(.removeRegion(RegionID(rawValue: 22)))
    _ = try store.undo(2, origin: origin)
    var settings = ProjectSettings()
    settings.tempo = Tempo(bpm: 90)
    try edit(.setProject(settings))
    let notes = (0..<300).map { number in
      MIDINote(
        id: NoteID(rawValue: 100 + Int64(number)), region: RegionID(rawValue: 21), pitch: number % 128,
        start: TickCount(ticks: Int64(number) * 100), duration: TickCount(ticks: 100))
    }
    try edit(.addNotes(notes))
    try edit(.removeTrack(TrackID(rawValue: 11)))
    let other = try plainConnection(to: path)
    try other.write { try $0.execute(sql: "UPDATE track SET pan = 0.5 WHERE id = 13") }
    try other.close()
    try edit(.removeSoundFont(SoundFontID(rawValue: 1)))
    _ = try store.undo(origin: origin)
    try store.close()
  }

  @Test("The version 1 file opens, holds together, and its whole history is undone and redone to the byte")
  func version1() throws {
    let store = try ProjectStore.openForEditing(at: path, backupFolder: folder.path + "/Backups")
    try walkHistory(store)
  }

  @Test("After a migration the whole history of version 1 is undone and redone to the byte")
  func historyAfterMigration() throws {
    let original = try Data(contentsOf: URL(fileURLWithPath: path))
    let backups = folder.path + "/Backups"
    let store = try ProjectStore.openForEditing(at: path, backupFolder: backups, migrator: Self.migrator)
    #expect(try store.queue.read(Migrator.version) == 2)
    try walkHistory(store)
    let names = try FileManager.default.contentsOfDirectory(atPath: backups)
    #expect(names.count == 1)
    let backup = try ProjectStore.open(at: backups + "/" + (names.first ?? ""))
    let copy = folder.path + "/original.sqlite"
    try original.write(to: URL(fileURLWithPath: copy))
    #expect(try backup.dump() == ProjectStore.open(at: copy).dump())

    // The new column and table are recorded and undone as the old ones are.
    let before = try store.dump()
    _ = try store.edit(origin) { transaction in
      try transaction.database.execute(
        sql: "INSERT INTO marker VALUES (1, 'Verse'); UPDATE track SET pan = 1 WHERE id = 10")
    }
    _ = try store.undo(origin: origin)
    #expect(try store.dump() == before)
    let other = try plainConnection(to: path)
    try other.write { try $0.execute(sql: "INSERT INTO marker VALUES (2, 'Chorus')") }
    #expect(try store.edit(origin) { try $0.apply(.setTrack(SampleProject.track(12, "Sum", .bus))) }.entry != nil)
    #expect(try store.history().dropFirst().first?.entry.kind == .outside)
    try store.setJournalLimits(JournalLimits(count: 3, age: nil, bytes: nil))
    #expect(try store.verifyJournal() == [])
  }

  @Test("An older file is read from a migrated copy, and stays as it is")
  func readingDoesNotMigrate() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let store = try ProjectStore.open(at: path, migrator: Self.migrator)
    #expect(try store.read { try $0.tracks().count } == 4)
    #expect(try store.queue.read(Migrator.version) == 2)
    #expect(throws: StoreError.self) { try store.edit(origin) { try $0.apply(.removeTrack(TrackID(rawValue: 10))) } }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(try store.upgrade(backup: folder.path + "/backup.sqlite") == 1)
    let upgraded = try ProjectStore.open(at: path, migrator: Self.migrator)
    #expect(upgraded.access == .readWrite)
    #expect(try upgraded.upgrade(backup: folder.path + "/none.sqlite") == 2)
  }

  @Test("A migration that fails leaves the file at its version")
  func failedMigration() throws {
    let broken = Migrator(migrations: [
      Migration(version: 2, sql: "CREATE TABLE a (b INTEGER PRIMARY KEY) STRICT; CREATE TABLE a (b)")
    ])
    #expect(throws: StoreError.self) {
      try ProjectStore.openForEditing(at: path, backupFolder: folder.path + "/Backups", migrator: broken)
    }
    let store = try ProjectStore.open(at: path)
    #expect(store.access == .readWrite)
    #expect(try store.verifyJournal() == [])
  }

  private func walkHistory(_ store: ProjectStore) throws {
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
    #expect(states.count == 16)
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
