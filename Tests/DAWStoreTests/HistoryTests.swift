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

  @Test("Redoing four times as many edits takes about four times as many steps of SQLite")
  func manyRedos() throws {
    func steps(redoing count: Int) throws -> Int {
      let folder = try TemporaryFolder()
      let store = try SampleProject.create(at: folder.project)
      for number in 0..<count {
        var track = SampleProject.track(12, "Bus", .bus)
        track.isMuted = number % 2 == 0
        let row = track
        _ = try store.edit(origin) { try $0.apply(.set(row)) }
      }
      let newest = try store.dump()
      #expect(try store.undo(count, origin: origin).value.count == count)
      #expect(try store.redo(count, origin: origin).value.count == count)
      let taken = store.connectionGuard.budget.taken
      #expect(try store.dump() == newest)
      return taken
    }
    let (few, many) = (try steps(redoing: 200), try steps(redoing: 800))
    #expect(many < 6 * few, "\(few), \(many)")
  }

  @Test("Each step of undo and redo may take as many steps of SQLite as the first")
  func budgetOfSteps() throws {
    func allowed(_ edit: () throws -> EditResult<[JournalEntry]>) throws -> Int {
      _ = try edit()
      return store.connectionGuard.budget.allowed
    }
    let one = try allowed { try store.undo(1, origin: origin) }
    #expect(try allowed { try store.undo(4, origin: origin) } >= one + 3 * StepBudget.ofTransaction)
    #expect(try allowed { try store.redo(5, origin: origin) } >= one + 4 * StepBudget.ofTransaction)
  }

  @Test("What was undone, redone and undone again is redone in the order of the edits")
  func redoneAgain() throws {
    let newest = try store.dump()
    let undone = try store.undo(4, origin: origin).value
    _ = try store.redo(2, origin: origin)
    _ = try store.undo(1, origin: origin)
    #expect(try store.redo(3, origin: origin).value == Array(undone.prefix(3).reversed()))
    #expect(try store.dump() == newest)
    #expect(throws: StoreError.nothingToRedo) { try store.redo(origin: origin) }
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
