import CSQLiteSession
import DAWModel
import DAWTime
import Foundation
import GRDB
import Testing

@testable import DAWStore

@Suite("Undo and redo")
struct HistoryTests {
  let folder: TemporaryFolder
  let store: ProjectStore

  init() throws {
    folder = try TemporaryFolder()
    store = try SampleProject.create(at: folder.project)
  }

  @Test("are refused unless the project is at the expected revision")
  func expectedRevision() throws {
    _ = try store.undo(origin: origin)
    let (revision, before) = (try store.read { try $0.revision() }, try store.dump())
    for expected in [revision - 1, revision + 1] {
      let error = StoreError.revisionChanged(expected: expected, found: revision)
      #expect(throws: error) { try store.undo(origin: origin, ifRevision: expected) }
      #expect(throws: error) { try store.redo(origin: origin, ifRevision: expected) }
      #expect(throws: error) { try store.undoNewest(of: origin.author, origin: origin, ifRevision: expected) }
    }
    #expect(try store.dump() == before)
    #expect(try store.redo(origin: origin, ifRevision: revision).revision == revision + 1)
    #expect(try store.undo(origin: origin, ifRevision: revision + 1).revision == revision + 2)
    #expect(
      try store.undoNewest(of: origin.author, origin: origin, ifRevision: revision + 2).revision == revision + 3)
  }

  @Test("A changeset changes only its own rows, deletions do not cascade, and foreign keys are on again afterwards")
  func noCascade() throws {
    let changeset = try changeset(of: .add(SampleProject.track(60, "New", .midi))).inverted()
    try store.write { database in
      try database.execute(sql: "UPDATE region SET track = 60 WHERE id = 21")
      let before = try Int.fetchOne(database, sql: "SELECT count(*) FROM midiNote")
      try changeset.apply(to: database, tables: store.migrator.modelTables)
      #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM region WHERE track = 60") == 1)
      #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM midiNote") == before)
      #expect(try Int.fetchOne(database, sql: "PRAGMA foreign_keys") == 1)
      let findings = try Audit(database: database).findings(touchedBy: changeset)
      #expect(findings.map(\.violation.rule) == [.referenceExists])
      #expect(findings.map(\.id) == [21])
      return (.rollback, ())
    }
  }

  @Test("A changeset whose table is missing is a conflict", arguments: ["marker", "keySignature"])
  func lostRows(table: String) throws {
    let changesets = try [
      changeset(
        of: .add(
          Marker(id: MarkerID(rawValue: 70), name: Name(literal: "End"), start: .musical(.zero), color: .blue))),
      changeset(of: .add(KeySignature(id: KeySignatureID(rawValue: 71), position: TickPosition(ticks: 9), fifths: 1))),
    ]
    let changeset = try Changeset.joining(changesets).inverted()
    try store.write { database in
      // SQLite skips tables that do not match, and only logs that.
      try database.execute(sql: "ALTER TABLE \(table) RENAME TO other")
      #expect(throws: ChangesetConflict.self) {
        try changeset.apply(to: database, tables: store.migrator.modelTables)
      }
      return (.rollback, ())
    }
  }

  private func changeset(of edit: Edit) throws -> Changeset {
    let revision = try store.edit(origin) { try $0.apply(edit) }.revision
    return try store.queue.read { try Journal(database: $0).changeset(ofRevision: revision) }
  }
}
