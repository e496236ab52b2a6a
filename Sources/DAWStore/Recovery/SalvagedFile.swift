import DAWModel
import GRDB

/// What can be read of a project file, table by table.
struct SalvagedFile {
  struct Table {
    /// By their keys.
    var rows: [[StoredValue]: [StoredValue]] = [:]
    /// Pages, or rows of a page, that could not be read; 0: it is whole.
    var lostCount = 0
  }

  /// The schema version; 0 if it is not known.
  var version: Int
  /// By name, of all tables of the version.
  var tables: [String: Table] = [:]
  /// Rows that no table could be found for.
  var unassignedCount = 0
  /// Whether an interrupted transaction could not be taken back as a whole.
  var isTorn: Bool
  /// Bytes of rows that are held in memory at most. The history is read last: what is beyond that is lost first.
  static let usualRoom = 2 << 30

  /// - Parameters:
  ///   - usualVersion: taken where the file's own is not known.
  ///   - names: of the tables that are read, where only they are: then only what their trees lead to; `nil`: all.
  ///   - room: bytes of rows that are read at most.
  ///   - found: called with each row that is of a table.
  /// - Throws: `StoreError`, `DatabaseError` if there is nothing to read.
  init(
    _ path: String, shapes: (_ version: Int) throws -> TableShapes, usualVersion: Int, tables names: Set<String>? = nil,
    room: Int = usualRoom, found: (_ table: String, SalvagedRow) -> Void = { _, _ in }
  ) throws {
    let pages = try DamagedPages(of: path)
    let known = 1...Migrator.released.currentVersion
    guard pages.version == 0 || known.contains(pages.version) else {
      throw StoreError.newer(path: path, found: pages.version, supported: known.upperBound)
    }
    version = pages.version == 0 ? usualVersion : pages.version
    isTorn = pages.isTorn
    let shapes = try shapes(version)
    var reader = DamagedTreeReader(pages, room: room)
    let roots = Self.roots(of: reader.tree(from: 1), pages)
    let sought = shapes.tables.filter { names?.contains($0.name) ?? true }
    let isHistoryCut = try readTables(sought, at: roots, with: &reader, path, room: room, found)
    let incomplete = Set(tables.filter { $0.value.lostCount > 0 }.keys)
    guard !incomplete.isEmpty, names == nil else { return }
    try readOrphans(of: incomplete, shapes, with: &reader, isHistoryCut: isHistoryCut, found)
    if reader.room <= 0 { throw Self.isTooLarge(path, room) }
  }

  /// Reads what the tables' trees lead to.
  /// - Returns: whether there was no room for all of the history.
  private mutating func readTables(
    _ shapes: [TableShapes.Shape], at roots: [String: Int], with reader: inout DamagedTreeReader, _ path: String,
    room: Int, _ found: (_ table: String, SalvagedRow) -> Void
  ) throws -> Bool {
    var isHistoryCut = false
    for shape in shapes {
      guard let root = roots[shape.name] else {
        tables[shape.name] = Table(lostCount: 1)
        continue
      }
      let tree = reader.tree(from: root)
      if reader.room <= 0 {
        guard Schema.journalTables.contains(shape.name) else { throw Self.isTooLarge(path, room) }
        isHistoryCut = true
        // For rows of the other tables that no tree leads to.
        reader.room = room / 4
      }
      var table = Table(lostCount: tree.lostCount)
      for row in tree.rows {
        if let values = shape.fitted(row) {
          table.rows[shape.key(of: values)] = values
          found(shape.name, row)
        } else {
          table.lostCount += 1
        }
      }
      tables[shape.name] = table
    }
    return isHistoryCut
  }

  /// Reads the rows that no tree leads to.
  /// - Parameters:
  ///   - incomplete: the tables that they may be of.
  ///   - isHistoryCut: whether rows of the history are left out.
  private mutating func readOrphans(
    of incomplete: Set<String>, _ shapes: TableShapes, with reader: inout DamagedTreeReader, isHistoryCut: Bool,
    _ found: (_ table: String, SalvagedRow) -> Void
  ) throws {
    let candidates = shapes.tables.filter { incomplete.contains($0.name) }
    let free = reader.pages.freePages()
    try reader.forEachOrphan(without: free) { rows in
      guard Self.roots(rows).isEmpty else { return false }
      guard let shape = try shapes.owner(of: rows, among: candidates) else {
        unassignedCount += rows.count
        return false
      }
      if isHistoryCut, Schema.journalTables.contains(shape.name) { return false }
      for row in rows {
        guard let values = shape.fitted(row) else { continue }
        let key = shape.key(of: values)
        if tables[shape.name]?.rows[key] == nil { tables[shape.name]?.rows[key] = values }
        found(shape.name, row)
      }
      return true
    }
  }

  private static func isTooLarge(_ path: String, _ room: Int) -> StoreError {
    .unsafeFile(
      path: path, detail: "holds more than \(room >> 20) MiB of rows beside its history, which is too much to recover")
  }

  /// The root pages of the tables that the schema names, where it is damaged also on pages that nothing leads to.
  private static func roots(of schema: DamagedTreeReader.Tree, _ pages: DamagedPages) -> [String: Int] {
    var found = roots(schema.rows)
    guard schema.lostCount > 0 else { return found }
    // The schema's own leaves are among the pages that nothing leads to; so are, until then, all others.
    var strays = DamagedTreeReader(pages)
    strays.forEachOrphan(without: []) { rows in
      found.merge(roots(rows)) { first, _ in first }
      return false
    }
    return found
  }

  /// The root pages of the tables that rows of `sqlite_schema` name; empty if the rows are others.
  private static func roots(_ rows: [SalvagedRow]) -> [String: Int] {
    var roots: [String: Int] = [:]
    for row in rows {
      guard row.values.count == 5, case .text(let kind) = row.values[0],
        ["table", "index", "trigger", "view"].contains(kind), case .text(let name) = row.values[1],
        case .text = row.values[2], case .integer(let root) = row.values[3]
      else { return [:] }
      if kind == "table", root > 1 { roots[name] = Int(clamping: root) }
    }
    return roots
  }
}

/// The columns of a version's tables, by which a row is told from others.
final class TableShapes {
  struct Column {
    var name: String
    var type: String
    var isRequired: Bool
    var hasDefault: Bool
  }

  struct Shape {
    var name: String
    var columns: [Column]
    /// The places of the key's columns.
    var keys: [Int]
    /// The place of the column that is the row's id.
    var idColumn: Int?

    func key(of values: [StoredValue]) -> [StoredValue] { keys.map { $0 < values.count ? values[$0] : .null } }

    /// The values of a row, its id among them; `nil` if they are not those of such a table.
    func fitted(_ row: SalvagedRow) -> [StoredValue]? {
      guard row.values.count <= columns.count else { return nil }
      var values = row.values
      if let idColumn, idColumn < values.count {
        guard values[idColumn] == .null else { return nil }
        values[idColumn] = .integer(row.rowID)
      }
      for (value, column) in zip(values, columns) where !column.accepts(value) { return nil }
      // A row that is older than a column does not have it.
      return columns.dropFirst(values.count).allSatisfy { $0.hasDefault || !$0.isRequired } ? values : nil
    }
  }

  /// Parents first.
  let tables: [Shape]
  private let memory: DatabaseQueue

  init(version: Int, _ migrator: Migrator = .released) throws {
    var configuration = ProjectStore.configuration()
    configuration.foreignKeysEnabled = false
    memory = try DatabaseQueue(configuration: configuration)
    let names = migrator.tablesInOrder(ofVersion: version)
    tables = try memory.write { database in
      try migrator.makeSchema(database, version: version)
      return try names.map { try Self.shape($0, in: database) }
    }
  }

  private static func shape(_ table: String, in database: Database) throws -> Shape {
    let rows = try Row.fetchAll(
      database,
      sql: "SELECT name, type, \"notnull\", dflt_value IS NOT NULL, pk FROM pragma_table_info(?) ORDER BY cid",
      arguments: [table])
    let columns = rows.map { row in
      Column(name: row[0], type: row[1], isRequired: row[2], hasDefault: row[3])
    }
    let keys = rows.indices.filter { rows[$0][4] as Int > 0 }.sorted { (rows[$0][4] as Int) < rows[$1][4] }
    let isID = keys.count == 1 && columns[keys[0]].type == "INTEGER"
    return Shape(name: table, columns: columns, keys: keys, idColumn: isID ? keys[0] : nil)
  }

  /// The one table that rows can be of.
  func owner(of rows: [SalvagedRow], among shapes: [Shape]) throws -> Shape? {
    var fitting = shapes.filter { shape in rows.allSatisfy { shape.fitted($0) != nil } }
    if fitting.count > 1 {
      let exact = fitting.filter { shape in rows.allSatisfy { $0.values.count == shape.columns.count } }
      if !exact.isEmpty { fitting = exact }
    }
    if fitting.count > 1 { fitting = try fitting.filter { try accepts(rows.prefix(16), $0) } }
    return fitting.count == 1 ? fitting[0] : nil
  }

  /// Whether the constraints of a table allow rows.
  private func accepts(_ rows: some Sequence<SalvagedRow>, _ shape: Shape) throws -> Bool {
    try memory.writeWithoutTransaction { database in
      var isAccepted = true
      try database.inTransaction {
        let writer = RowWriter(database, shape)
        isAccepted = try rows.allSatisfy { try shape.fitted($0).map(writer.write) ?? false }
        return .rollback
      }
      return isAccepted
    }
  }
}

extension TableShapes.Column {
  fileprivate func accepts(_ value: StoredValue) -> Bool {
    switch value {
    case .null: !isRequired
    case .integer: type == "INTEGER" || type == "REAL"
    case .real: type == "REAL"
    case .text(let text): type == "TEXT" && text.utf8.count <= ConnectionLimits.valueByteCount
    case .bytes(let bytes):
      type == "BLOB" && (name == "changeset" || bytes.count <= ConnectionLimits.valueByteCount)
    }
  }
}

extension Migrator {
  /// All tables of a version, parents first.
  func tablesInOrder(ofVersion version: Int) -> [String] {
    let model = modelTables(ofVersion: version)
    return model.reversed() + factTables(ofVersion: version).reversed() + Schema.journalTables
  }
}

/// Writes rows into a table; its triggers and references are off.
struct RowWriter {
  let database: Database
  let shape: TableShapes.Shape

  init(_ database: Database, _ shape: TableShapes.Shape) {
    self.database = database
    self.shape = shape
  }

  /// - Returns: whether the table's constraints allow it.
  func write(_ values: [StoredValue]) throws -> Bool {
    let columns = shape.columns.prefix(values.count).map(\.name).joined(separator: ", ")
    let places = values.map { _ in "?" }.joined(separator: ", ")
    do {
      try database.cachedStatement(sql: "INSERT INTO \(shape.name) (\(columns)) VALUES (\(places))")
        .execute(arguments: StatementArguments(values.map(\.databaseValue)))
      return true
    } catch let error as DatabaseError where [.SQLITE_CONSTRAINT, .SQLITE_TOOBIG].contains(error.resultCode) {
      return false
    }
  }
}
