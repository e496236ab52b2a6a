import CNettle
import GRDB

/// A row of `sqlite_schema`.
struct SchemaObject: Sendable {
  var row: Int64
  /// `table`, `index`, `trigger` or `view`.
  var kind: String
  var name: String
  /// The table itself, or the one that it belongs to.
  var table: String
  /// `nil` for an index that SQLite created for a constraint.
  var sql: String?
  /// The number of the root page; 0 if there is none.
  var root: Int64

  /// What messages call the object.
  var title: String { "the \(kind.prefix(20)) '\(name.prefix(60))'" }

  /// Compares bytes. `==` of strings would consider canonically equivalent characters equal.
  func hasTextOf(_ other: SchemaObject) -> Bool {
    kind.utf8.elementsEqual(other.kind.utf8) && name.utf8.elementsEqual(other.name.utf8)
      && table.utf8.elementsEqual(other.table.utf8) && (sql ?? "").utf8.elementsEqual((other.sql ?? "").utf8)
  }

  /// A table that consists of rows: not a virtual table, which runs code.
  var isOrdinaryTable: Bool { kind == "table" && root > 1 && sql?.utf8.starts(with: "CREATE TABLE ".utf8) == true }
}

/// The contents of a file's `sqlite_schema`.
struct SchemaListing {
  let objects: [SchemaObject]

  /// - Throws: `DatabaseError` if SQLite cannot read it, or two objects have the same root page.
  init(of database: Database) throws {
    var objects: [SchemaObject] = []
    try StatementRow.forEach(
      "SELECT rowid, type, name, tbl_name, sql, rootpage FROM main.sqlite_schema ORDER BY type, name", in: database
    ) { row in
      objects.append(
        SchemaObject(
          row: try row.value(0), kind: try row.value(1), name: try row.value(2), table: try row.value(3),
          sql: try row.value(4), root: try row.value(5, as: Int64?.self) ?? 0))
    }
    var roots: Set<Int64> = []
    for object in objects where object.root != 0 && !(object.root > 1 && roots.insert(object.root).inserted) {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "\(object.title) begins where another one does")
    }
    self.objects = objects
  }

  /// SHA-256 of all objects that belong to tables, with their exact SQL.
  func fingerprint(of tables: Set<String>) -> String {
    var context = sha256_ctx()
    nettle_sha256_init(&context)
    for object in objects where tables.contains(object.table) {
      for text in [object.kind, object.name, object.table, object.sql ?? ""] {
        var text = text + "\0"
        text.withUTF8 { nettle_sha256_update(&context, $0.count, $0.baseAddress) }
      }
    }
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    nettle_sha256_digest(&context, digest.count, &digest)
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
