import DAWModel
import DAWTime
import Foundation
import GRDB
import Testing

@testable import DAWStore

@Suite("Changes by another program")
struct ExternalWriteTests {
  let folder: TemporaryFolder
  let store: ProjectStore

  init() throws {
    folder = try TemporaryFolder()
    store = try SampleProject.create(at: folder.project)
  }

  @Test(
    "are an entry of their own before the next edit, and undo and redo go through both to the byte",
    arguments: [
      "UPDATE track SET volume = -3 WHERE id = 10",
      "UPDATE region SET gain = -3 WHERE id = 20",
      """
      INSERT INTO midiNote (id, region, startTime, duration, pitch, velocity, channel)
        VALUES (77, 21, 0, 10, 60, 80, 0), (78, 21, 5, 10, 61, 80, 0)
      """,
      "DELETE FROM track WHERE id = 11",
      "DELETE FROM track WHERE id = 10; UPDATE project SET name = 'Theirs'",
    ])
  func recorded(sql: String) throws {
    let revision = try store.read { try $0.revision() }
    let before = try store.dump()
    let other = try plainConnection(to: folder.project)
    try other.write { try $0.execute(sql: sql) }
    let theirs = try store.dump()
    #expect(theirs != before)
    #expect(try store.verifyJournal().contains { if case .unrecordedChanges(_, true) = $0 { true } else { false } })

    let result = try store.edit(origin) { try $0.apply(.add(SampleProject.track(40, "Ours", .bus))) }
    #expect(result.revision == revision + 2)
    let entries = try store.read { try $0.entries(after: revision) }
    #expect(entries.map(\.kind) == [.externalWrite, .do])
    #expect(try store.verifyJournal() == [])

    let ours = try store.dump()
    _ = try store.undo(origin: origin)
    #expect(try store.dump() == theirs)
    _ = try store.undo(origin: origin)
    #expect(try store.dump() == before)
    _ = try store.redo(2, origin: origin)
    #expect(try store.dump() == ours)
    #expect(try store.verifyJournal() == [])
  }

  @Test("are counted in every table", arguments: Migrator.released.modelTables)
  func noticed(table: String) throws {
    let other = try plainConnection(to: folder.project)
    let columns = try other.read { try $0.columns(in: table).map(\.name) }
    // Values with which a second row breaks no rule.
    var changed = [
      "id": "900", "nameKey": "nameKey || 'x'", "startTime": "startTime + 1", "bar": "bar + 1",
      "sha256": "'\(String(repeating: "f", count: 64))'", "bus": "12",
    ]
    if table == "groupMember" { changed["track"] = "13" }
    if table == "effect" { changed["number"] = "2" }
    if table.hasPrefix("lane") { changed["position"] = "position + 1" }
    if table == "effectSetting" { changed["parameter"] = "'knee'" }
    if table == "lane" { changed["parameter"] = "'pan'" }
    let values = columns.map { changed[$0] ?? $0 }.joined(separator: ", ")
    let source = table == "track" ? "track WHERE trackType = 'bus'" : table
    var statements = ["UPDATE \(table) SET id = id WHERE id = (SELECT max(id) FROM \(table))"]
    if table == "instrument" {
      // Its id is that of a track.
      try other.write { try $0.execute(sql: "CREATE TEMP TABLE saved AS SELECT * FROM instrument") }
      statements += ["DELETE FROM instrument", "INSERT INTO instrument SELECT * FROM saved"]
    } else if table != "project" {
      statements += [
        "INSERT INTO \(table) SELECT \(values) FROM \(source) LIMIT 1", "DELETE FROM \(table) WHERE id = 900",
      ]
    }
    for (count, sql) in statements.enumerated() {
      try other.write { try $0.execute(sql: sql) }
      let noticed = try store.queue.read { try Journal(database: $0).state().externalWrites }
      #expect(noticed == Int64(count + 1), "\(sql)")
    }
  }

  @Test("are recorded even where the edit is refused, so that --if-revision can be given the new revision")
  func recordedBeforeRefusal() throws {
    let revision = try store.read { try $0.revision() }
    let other = try plainConnection(to: folder.project)
    try other.write { try $0.execute(sql: "UPDATE track SET pan = 1 WHERE id = 10") }
    #expect(throws: StoreError.revisionChanged(expected: revision, found: revision + 1)) {
      try store.edit(origin, ifRevision: revision) { try $0.apply(.remove(TrackID(rawValue: 12))) }
    }
    #expect(try store.read { try $0.revision() } == revision + 1)
    _ = try store.edit(origin, ifRevision: revision + 1) { try $0.apply(.remove(TrackID(rawValue: 12))) }
  }

  @Test(
    "made with triggers, checks and foreign keys off are found, recorded and undone to the byte")
  func unnoticed() throws {
    let before = try store.dump()
    let other = try lawlessConnection(to: folder.project)
    // Leaves regions and notes without a track, and sets a pan that breaks a rule.
    try other.write { try $0.execute(sql: "DELETE FROM track WHERE id = 11; UPDATE track SET pan = 5 WHERE id = 10") }
    try other.close()
    let findings = try store.verifyJournal()
    #expect(findings == [.unrecordedChanges(rows: 2, isNoticed: false)])
    #expect(try store.recordExternalWrites()?.kind == .externalWrite)
    #expect(try store.recordExternalWrites() == nil)
    #expect(try store.verifyJournal() == [])
    _ = try store.undo(origin: origin)
    #expect(try store.dump() == before)
    #expect(try store.read { try $0.brokenRules() } == [])
  }

  @Test("that were not noticed and conflict with an undo are recorded and undone first")
  func undoOverUnnoticed() throws {
    let before = try store.dump()
    let other = try lawlessConnection(to: folder.project)
    try other.write { try $0.execute(sql: "UPDATE transcriptText SET text = 'Theirs'") }
    let undone = try store.undo(origin: origin).value
    #expect(undone.map(\.kind) == [.externalWrite])
    #expect(try store.dump() == before)
  }

  @Test("A trial with unrecorded external writes leaves nothing behind")
  func trialRecordsNothing() throws {
    let other = try plainConnection(to: folder.project)
    try other.write { try $0.execute(sql: "UPDATE track SET pan = 1 WHERE id = 10") }
    let (dump, revision) = (try store.dump(), try store.read { try $0.revision() })
    let result = try store.edit(origin, isTrial: true) { try $0.apply(.remove(TrackID(rawValue: 12))) }
    #expect(result.entry == nil)
    #expect(try store.dump() == dump)
    #expect(try store.read { try $0.revision() } == revision)
  }

  @Test("A journal whose entry was damaged is found, and the project can still be read")
  func damagedJournal() throws {
    let other = try plainConnection(to: folder.project)
    try other.write { try $0.execute(sql: "DELETE FROM journalEntry WHERE revision = 3") }
    #expect(try !store.verifyJournal().isEmpty)
    _ = try store.read { try $0.project() }
  }
}
