import CSQLiteSession
import DAWModel
import Foundation
import GRDB

/// The SQL of an entity's table, generated from its fields.
struct TableSQL: Sendable {
  /// The id is first.
  let columnNames: [String]
  /// Separated by commas.
  let columns: String
  /// The statement up to `FROM`; columns are qualified by the table's name.
  let select: String
  let insert: String
  /// The id is the first parameter.
  let update: String
  let delete: String

  fileprivate init<E: Entity>(_ entity: E.Type) {
    columnNames = ["id"] + E.fields.map(\.name)
    columns = columnNames.joined(separator: ", ")
    select = "SELECT \(columnNames.map { "\(E.table).\($0)" }.joined(separator: ", ")) FROM"
    insert = "INSERT INTO \(E.table) (\(columns)) VALUES (\(columnNames.map { _ in "?" }.joined(separator: ", ")))"
    let settings = columnNames.enumerated().dropFirst().map { "\($1) = ?\($0 + 1)" }.joined(separator: ", ")
    update = "UPDATE \(E.table) SET \(settings) WHERE id = ?1"
    delete = "DELETE FROM \(E.table) WHERE id = ?"
  }

  fileprivate static let made = MadeOnce<EntityKind, TableSQL>()
}

extension Entity {
  static var sql: TableSQL { TableSQL.made.value(for: kind) { TableSQL(Self.self) } }

  /// The id, and every field's value.
  var arguments: StatementArguments {
    StatementArguments([id.rawValue.databaseValue] + storedValues.map(\.databaseValue))
  }
}

extension StoredValue {
  var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let number): number.databaseValue
    case .real(let number): number.databaseValue
    case .text(let text): text.databaseValue
    case .bytes(let bytes): Data(bytes).databaseValue
    }
  }
}

extension Entity {
  /// The rows of a query.
  /// - Parameters:
  ///   - source: the tables of the query, if there are several.
  ///   - rest: the query after its tables.
  /// - Throws: `BrokenRow` of the first row that breaks a rule of its own.
  static func fetch(
    from source: String? = nil, _ rest: String = "", _ arguments: StatementArguments = [], in database: Database
  ) throws -> [Self] {
    var rows: [Self] = []
    try StatementRow.forEach("\(sql.select) \(source ?? table) \(rest)", arguments, in: database) { columns in
      do throws(RuleViolation) {
        let row = try Self(columns)
        try row.validate()
        rows.append(row)
      } catch {
        throw BrokenRow(violation: error, table: table, id: columns.integer(0))
      }
    }
    return rows
  }

  static func fetchOne(_ id: Identifier<Self>, in database: Database) throws -> Self? {
    try fetch("WHERE id = ?", [id.rawValue], in: database).first
  }
}

/// A stored row that breaks a rule of its own although the schema forbids it: checks were turned off, or the file is
/// damaged. Such rows are never returned.
struct BrokenRow: Error {
  var violation: RuleViolation
  var table: String
  var id: Int64
}
