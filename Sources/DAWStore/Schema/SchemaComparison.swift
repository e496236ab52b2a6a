import GRDB

/// What of a file's schema is not as its version has it.
struct SchemaComparison: Sendable {
  enum Difference: Sendable {
    case missing(SchemaObject)
    /// Ours by its name, with another text.
    case changed(SchemaObject)
    /// Another program's, which could act on what we read or write, or have code run.
    case foreign(SchemaObject)
    /// Another program's table that SQLite computes something for, or that is bound to ours.
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
  /// Another program's tables, which hold rows and do nothing.
  var foreignTables: [String] = []
}

extension Migrator {
  /// What a new file of a version has, from one made in memory.
  func expectedObjects(ofVersion version: Int) throws -> [SchemaObject] {
    try DatabaseQueue().write { database in
      try makeSchema(database, version: version)
      return try SchemaListing(of: database).objects
    }
  }

  /// Compares a file's schema with that of its version. No text of the file is run.
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
    // Only what holds rows is left: SQLite may be asked about it.
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

  /// Statistics that `ANALYZE` has made, and the counter of another program's table.
  private static func isOfSQLite(_ object: SchemaObject) -> Bool {
    object.isOrdinaryTable && object.name == object.table
      && ["sqlite_stat1", "sqlite_stat4", "sqlite_sequence"].contains(object.name)
  }

  /// Whether our edits would act on another program's table, or SQLite compute its columns.
  private func isBound(_ name: String, to tables: Set<String>, in database: Database) throws -> Bool {
    let parents = try String.fetchAll(
      database, sql: "SELECT \"table\" FROM pragma_foreign_key_list(?)", arguments: [name])
    let ours = Set(tables.map { $0.lowercased() })
    if parents.contains(where: { ours.contains($0.lowercased()) }) { return true }
    return try Int.fetchOne(
      database, sql: "SELECT count(*) FROM pragma_table_xinfo(?) WHERE hidden <> 0", arguments: [name]) != 0
  }

  /// Whether an index is one of columns alone, without an expression and a condition.
  func isOfColumns(_ index: SchemaObject, in database: Database) throws -> Bool {
    let expressions = try Int.fetchOne(
      database, sql: "SELECT count(*) FROM pragma_index_xinfo(?) WHERE cid = -2", arguments: [index.name])
    let conditions = try Int.fetchOne(
      database, sql: "SELECT count(*) FROM pragma_index_list(?) WHERE name = ? AND partial <> 0",
      arguments: [index.table, index.name])
    return expressions == 0 && conditions == 0
  }
}
