import DAWModel
import DAWTestSupport
import GRDB
import Testing

@testable import DAWStore

@Suite("Entities and their tables")
struct EntityTests {
  @Test("Every column of a table is a field of its entity, in the table's order", arguments: EntityKind.allCases)
  func columns(kind: EntityKind) throws {
    let store = try ProjectStore.inMemory()
    let table = kind.entity.table
    let columns = try store.queue.read {
      try String.fetchAll($0, sql: "SELECT name FROM pragma_table_info('\(table)')")
    }
    let fields = ["id"] + kind.entity.fieldNames
    // Columns were appended to these tables later; what writes their changes directly needs the table's own order.
    if kind.entity is any Content.Type { #expect(fields == columns) } else { #expect(Set(fields) == Set(columns)) }
    #expect(Set(fields).count == fields.count)
  }

  @Test("What refers to a parent is deleted with it", arguments: EntityKind.allCases)
  func parents(kind: EntityKind) throws {
    let store = try ProjectStore.inMemory()
    let table = kind.entity.table
    let cascades = try store.queue.read {
      try Row.fetchAll(
        $0, sql: "SELECT \"table\", \"from\" FROM pragma_foreign_key_list('\(table)') WHERE on_delete = 'CASCADE'")
    }.map { "\($0[0] as String).\($0[1] as String)" }
    let parents = kind.entity.parents.map { "\($0.kind.entity.table).\($0.column)" }
    #expect(Set(cascades) == Set(parents))
    let clearings = try store.queue.read {
      try Row.fetchAll(
        $0, sql: "SELECT \"table\", \"from\" FROM pragma_foreign_key_list('\(table)') WHERE on_delete = 'SET NULL'")
    }.map { "\($0[0] as String).\($0[1] as String)" }
    #expect(clearings == kind.entity.clearedReferences.map { "\($0.kind.entity.table).\($0.column)" })
  }

  @Test("A column for an audio file refers to the table of these, so that the file is known to be in use")
  func audioFiles() throws {
    let store = try ProjectStore.inMemory()
    let references = try store.queue.read { try $0.references() }.filter { $0.parent == AudioFile.table }
    let tables = EntityKind.allCases.map(\.entity).filter { $0.fieldNames.contains("audioFile") }.map { $0.table }
    #expect(Set(references.map(\.table)) == Set(tables) && references.allSatisfy { $0.column == "audioFile" })
    #expect(Set(tables) == ["comment", "region"])
  }

  @Test("Rows are read as they were written, by fields and in bulk: one or more of each entity, and random ones")
  func roundTrip() throws {
    let seed = Seed.current()
    var edits = RandomEdits(seed: seed)
    let store = try ProjectStore.inMemory()
    for edit in try SampleProject.edits() { _ = try store.edit(origin) { try $0.apply(edit) } }
    for kind in EntityKind.allCases {
      #expect(try store.queue.read { try Self.compare(kind.entity, in: $0, "the sample") } > 0, "no row of \(kind)")
    }
    var project = try store.read { try $0.project() }
    for _ in 0..<600 {
      let edit = edits.next(for: project)
      guard (try? store.edit(origin) { try $0.apply(edit) }) != nil else { continue }
      project = try store.read { try $0.project() }
    }
    for kind in EntityKind.allCases {
      try store.queue.read { _ = try Self.compare(kind.entity, in: $0, "seed \(seed)") }
    }
  }

  /// - Returns: how many rows there are.
  private static func compare<E: Entity>(_ entity: E.Type, in database: Database, _ seed: String) throws -> Int {
    let rows = try E.fetch("ORDER BY id", in: database)
    var index = 0
    try StatementRow.forEach("\(E.sql.select) \(E.table) ORDER BY id", in: database) { columns in
      var byFields = E(blank: rows[index].id)
      try Field.read(E.fields, of: columns, from: 1, into: &byFields)
      #expect(byFields == rows[index], "\(seed)")
      let stored = (1...E.fields.count).map(columns.value)
      #expect(stored == rows[index].storedValues, "\(seed): \(rows[index])")
      index += 1
    }
    #expect(index == rows.count)
    return rows.count
  }
}

extension Entity {
  fileprivate static var fieldNames: [String] { fields.map(\.name) }
}
