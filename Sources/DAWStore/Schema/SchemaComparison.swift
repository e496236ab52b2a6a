import GRDB

/// The differences between a file's schema and that of its version.
struct SchemaComparison: Sendable {
  enum Difference: Sendable {
    case missing(SchemaObject)
    /// An object of daw by name, with different SQL.
    case changed(SchemaObject)
    /// An object of another program that could affect what daw reads or writes, or run code.
    case foreign(SchemaObject)
    /// A table of another program with computed columns, or with references to daw's tables.
    case boundTable(SchemaObject)

    var description: String {
      switch self {
      case .missing(let object): "\(object.title) is missing"
      case .changed(let object): "\(object.title) was changed"
      case .foreign(let object): "\(object.title) is not daw's"
      case .boundTable(let object): "\(object.title) is not daw's, and refers to its tables or has values computed"
      }
    }
  }

  var differences: [Difference] = []
  /// Tables of other programs that only hold rows.
  var foreignTables: [String] = []
}

extension Migrator {
  /// The objects of a new file of a version, from a database made in memory.
  func expectedObjects(ofVersion version: Int) throws -> [SchemaObject] {
    try DatabaseQueue().write { database in
      try makeSchema(database, version: version)
      return try SchemaListing(of: database).objects
    }
  }

  /// Compares a file's schema with that of its version. Does not run SQL of the file.
  func comparison(_ listing: SchemaListing, version: Int, in database: Database) throws -> SchemaComparison {
    let tables = tables(ofVersion: version)
    if let fingerprint = fingerprint(ofVersion: version), fingerprint == listing.fingerprint(of: tables),
      listing.objects.allSatisfy({ tables.contains($0.table) })
    {
      return SchemaComparison()
    }
    let expected = try expectedObjects(ofVersion: version)
    let expectedByName = Dictionary(expected.map { ($0.kind + " " + $0.name, $0) }) { first, _ in first }
    var result = SchemaComparison()
    var found: Set<String> = []
    var others: [SchemaObject] = []
    for object in listing.objects {
      let key = object.kind + " " + object.name
      if let ours = expectedByName[key], found.insert(key).inserted {
        if !object.hasTextOf(ours) { result.differences.append(.changed(object)) }
      } else {
        others.append(object)
      }
    }
    result.differences += expected.filter { !found.contains($0.kind + " " + $0.name) }.map { .missing($0) }
    let foreignNames = Set(others.filter(\.isOrdinaryTable).map(\.name))
    for object in others where !Self.isOfSQLite(object) {
      let isHarmless = object.isOrdinaryTable || object.kind == "index" && foreignNames.contains(object.table)
      if !isHarmless { result.differences.append(.foreign(object)) }
    }
    // Only tables of rows are left, which SQLite can inspect safely.
    if result.differences.isEmpty {
      for object in others where object.isOrdinaryTable && !Self.isOfSQLite(object) {
        if try isBound(object.name, to: tables, in: database) { result.differences.append(.boundTable(object)) }
        result.foreignTables.append(object.name)
      }
      for object in others where object.kind == "index" {
        if try !isOfColumns(object, in: database) { result.differences.append(.foreign(object)) }
      }
    }
    return result
  }

  /// SQLite's own tables: statistics of `ANALYZE`, and the counter of another program's AUTOINCREMENT.
  private static func isOfSQLite(_ object: SchemaObject) -> Bool {
    object.isOrdinaryTable && object.name == object.table
      && ["sqlite_stat1", "sqlite_stat4", "sqlite_sequence"].contains(object.name)
  }

  /// Whether daw's edits would affect another program's table, or SQLite would compute its columns.
  private func isBound(_ name: String, to tables: Set<String>, in database: Database) throws -> Bool {
    let parents = try String.fetchAll(
      database, sql: "SELECT \"table\" FROM pragma_foreign_key_list(?)", arguments: [name])
    let ours = Set(tables.map { $0.lowercased() })
    if parents.contains(where: { ours.contains($0.lowercased()) }) { return true }
    return try Int.fetchOne(
      database, sql: "SELECT count(*) FROM pragma_table_xinfo(?) WHERE hidden <> 0", arguments: [name]) != 0
  }

  /// Whether an index consists of columns only, without expressions or a condition.
  func isOfColumns(_ index: SchemaObject, in database: Database) throws -> Bool {
    let expressions = try Int.fetchOne(
      database, sql: "SELECT count(*) FROM pragma_index_xinfo(?) WHERE cid = -2", arguments: [index.name])
    let conditions = try Int.fetchOne(
      database, sql: "SELECT count(*) FROM pragma_index_list(?) WHERE name = ? AND partial <> 0",
      arguments: [index.table, index.name])
    return expressions == 0 && conditions == 0
  }
}
