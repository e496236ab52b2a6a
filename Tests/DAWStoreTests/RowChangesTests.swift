import CSQLiteSession
import DAWModel
import DAWTestSupport
import DAWTime
import Foundation
import GRDB
import Testing

@testable import DAWStore

@Suite("Changes of rows")
struct RowChangesTests {
  @Test(
    "The difference between two revisions turns the rows of the one into those of the other, over undos and branches")
  func differences() throws {
    let seed = Seed.current()
    var edits = RandomEdits(seed: seed)
    let store = try ProjectStore.inMemory()
    var states = [try rows(of: store)]
    for _ in 0..<150 {
      let undoes = Int.random(in: 0..<4, using: &edits.generator) == 0
      if undoes {
        guard (try? store.undo(Int.random(in: 1...2, using: &edits.generator), origin: origin)) != nil else { continue }
      } else if Int.random(in: 0..<4, using: &edits.generator) == 0 {
        guard (try? store.redo(origin: origin)) != nil else { continue }
      } else {
        let project = try store.read { try $0.project() }
        guard let result = try? store.edit(origin, { try $0.apply(edits.next(for: project)) }), result.entry != nil
        else { continue }
      }
      let revision = try store.read { try $0.revision() }
      // Several steps of undo are several revisions.
      while states.count <= revision { states.append([:]) }
      states[Int(revision)] = try rows(of: store)
    }
    let revisions = states.indices.filter { !states[$0].isEmpty }
    #expect(revisions.count > 50, "seed \(seed)")
    for _ in 0..<100 {
      guard let first = revisions.randomElement(using: &edits.generator),
        let second = revisions.randomElement(using: &edits.generator)
      else { return }
      let changes = try store.read { try $0.changes(fromRevision: Int64(first), to: Int64(second)) }
      var rows = states[first]
      for change in changes { try apply(change, to: &rows) }
      #expect(rows == states[second], "seed \(seed): from \(first) to \(second)")
    }
  }

  /// The stored values of every row, by table and id.
  private func rows(of store: ProjectStore) throws -> [String: [StoredValue]] {
    try store.queue.read { database in
      var rows: [String: [StoredValue]] = [:]
      for (table, description) in RowDescription.all {
        let names = description.columns.map(\.name).joined(separator: ", ")
        try StatementRow.forEach("SELECT id, \(names) FROM \(table)", in: database) { row in
          rows["\(table) \(row.integer(0))"] = description.columns.indices.map { row.value(1 + $0) }
        }
      }
      return rows
    }
  }

  private func apply(_ change: RowChange, to rows: inout [String: [StoredValue]]) throws {
    let key = "\(change.table) \(change.id)"
    switch change.operation {
    case .added:
      #expect(rows[key] == nil)
      rows[key] = try #require(change.wholeRow).values.dropFirst().map(\.self)
    case .removed:
      #expect(rows[key] == change.wholeRow?.values.dropFirst().map(\.self))
      rows[key] = nil
    case .changed:
      for value in change.values {
        #expect(rows[key]?[value.column] == value.old)
        rows[key]?[value.column] = try #require(value.new)
      }
    }
  }

  @Test(
    "An edit of an older version has the defaults of the columns that were appended since, and is joined with later ones"
  )
  func appendedColumns() throws {
    let queue = try DatabaseQueue()
    try queue.write { database in
      try database.execute(sql: "CREATE TABLE marker (id INTEGER PRIMARY KEY NOT NULL, name TEXT, nameKey TEXT)")
      let (_, older) = try Changeset.recording(of: ["marker"], in: database) {
        try database.execute(sql: "INSERT INTO marker VALUES (1, 'Verse', 'verse'), (2, 'End', 'end')")
      }
      let (_, removal) = try Changeset.recording(of: ["marker"], in: database) {
        try database.execute(sql: "DELETE FROM marker WHERE id = 2; UPDATE marker SET name = 'Chorus'")
      }
      try database.execute(
        sql: """
          ALTER TABLE marker ADD COLUMN color TEXT DEFAULT 'red'; ALTER TABLE marker ADD COLUMN duration INTEGER;
          ALTER TABLE marker ADD COLUMN startTime REAL DEFAULT -0.5; UPDATE marker SET name = name
          """)
      let (_, newer) = try Changeset.recording(of: ["marker"], in: database) {
        try database.execute(sql: "UPDATE marker SET color = 'blue', duration = 7")
      }
      let layout = try TableLayout(of: database)
      let group = try ChangesetGroup()
      for changeset in [older, removal, newer] { try group.add(changeset.widened(to: layout)) }
      let rows = RowChanges(changeset: try group.joined(), layout: layout).map(\.self)
      #expect(rows.map(\.id) == [1])
      let description = try #require(RowDescription.all["marker"])
      let values = rows.flatMap(\.values).reduce(into: [:]) { $0[description.columns[$1.column].name] = $1.new }
      #expect(
        values == [
          "name": .text("Chorus"), "nameKey": .text("verse"), "color": .text("blue"), "duration": .integer(7),
          "startTime": .real(-0.5),
        ])
      // A file from elsewhere may have the count of a table's columns in two bytes.
      var longer = older
      longer.bytes.replaceSubrange(1..<2, with: [0x80, older.bytes[1]])
      #expect(try longer.widened(to: layout) == older.widened(to: layout))
      let alone = RowChanges(changeset: older, layout: layout).map(\.self)
      #expect(alone.count == 2)
      for row in alone {
        let color = row.values.first { description.columns[$0.column].name == "color" }
        #expect(color?.new == .text("red"))
      }
      #expect(throws: DatabaseError.self) {
        let group = try ChangesetGroup()
        for changeset in [older, newer] { try group.add(changeset) }
      }
    }
  }

  @Test("Every field of every entity is described with its unit, those that depend on other columns too")
  func fields() throws {
    let folder = try TemporaryFolder()
    let store = try SampleProject.create(at: folder.project)
    try store.queue.read { database in
      for (table, description) in RowDescription.all {
        let names = description.columns.map(\.name).joined(separator: ", ")
        var count = 0
        try StatementRow.forEach("SELECT id, \(names) FROM \(table)", in: database) { row in
          count += 1
          let stored = RowDescription.StoredRow(
            id: row.integer(0), description.columns.indices.map { row.value(1 + $0) })
          for (index, column) in description.columns.enumerated() {
            let value = description.value(index, stored.values[1 + index], in: stored)
            #expect((value == nil) == column.isDerived, "\(table).\(column.name)")
            #expect(column.isDerived || value?.stored == stored.values[1 + index], "\(table).\(column.name)")
            if column.dependsOnRow { #expect(description.value(index, stored.values[1 + index], in: nil) == nil) }
          }
        }
        #expect(count > 0, "\(table)")
      }
    }
  }

  @Test("A row is known as it was at each revision, and after it was removed")
  func lastRows() throws {
    let folder = try TemporaryFolder()
    let store = try SampleProject.create(at: folder.project)
    let id = MarkerID(rawValue: 53)
    var marker = try #require(try store.read { try $0.row(id) })
    var names: [Int64: String] = [try store.read { try $0.revision() }: marker.name.text]
    for name in ["One", "Two", "Three"] {
      marker.name = try Name(name)
      names[try store.edit(origin) { try $0.apply(.set(marker)) }.revision] = name
    }
    let last = try store.edit(origin) { try $0.apply(.remove(id)) }.revision
    try store.read { view in
      let rows = LastRows(view)
      let description = try #require(RowDescription.all[Marker.table])
      func name(_ row: RowDescription.StoredRow?) -> StoredValue? { row?.value(1) }
      for (revision, expected) in names.sorted(by: { $0.key > $1.key }) {
        #expect(try name(rows.row(id.rawValue, of: description, at: revision)) == .text(expected))
        #expect(try name(rows.row(id.rawValue, of: description, since: revision)) == .text("Three"))
      }
      #expect(try rows.row(id.rawValue, of: description, at: last) == nil)
      #expect(try rows.row(999, of: description, since: 0) == nil)
    }
  }
}
