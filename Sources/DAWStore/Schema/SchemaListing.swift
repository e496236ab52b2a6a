import CNettle
import GRDB

/// A row of `sqlite_schema`.
struct SchemaObject: Sendable {
  var row: Int64
  /// `table`, `index`, `trigger` or `view`.
  var kind: String
  var name: String
  /// The table that it is, or belongs to.
  var table: String
  /// `nil` for an index that SQLite made for a constraint.
  var sql: String?
  /// The page where its rows begin; 0 for what has none.
  var root: Int64

  /// As a message names it.
  var title: String { "the \(kind.prefix(20)) '\(name.prefix(60))'" }

  /// To the byte, as `==` of strings is not: it takes different characters of Unicode for one.
  func hasTextOf(_ other: SchemaObject) -> Bool {
    kind.utf8.elementsEqual(other.kind.utf8) && name.utf8.elementsEqual(other.name.utf8)
      && table.utf8.elementsEqual(other.table.utf8) && (sql ?? "").utf8.elementsEqual((other.sql ?? "").utf8)
  }

  /// A table as any program makes it, of rows alone: no virtual one, behind which is a program.
  var isOrdinaryTable: Bool { kind == "table" && root > 1 && sql?.utf8.starts(with: "CREATE TABLE ".utf8) == true }
}

/// All that a file's `sqlite_schema` says.
struct SchemaListing {
  let objects: [SchemaObject]

  /// - Throws: `DatabaseError` where SQLite cannot read it, or two of its objects begin at one page.
  init(of database: Database) throws {
    var objects: [SchemaObject] = []
    try StatementRow.forEach(
      "SELECT rowid, type, name, tbl_name, sql, rootpage FROM main.sqlite_schema ORDER BY type, name", in: database
    ) { row in
      objects.append(
        SchemaObject(
          row: try row.integer(0), kind: try row.text(1), name: try row.text(2), table: try row.text(3),
          sql: try row.optionalText(4), root: try row.optionalInteger(5) ?? 0))
    }
    var roots: Set<Int64> = []
    for object in objects where object.root != 0 && !(object.root > 1 && roots.insert(object.root).inserted) {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "\(object.title) begins where another one does")
    }
    self.objects = objects
  }

  /// A SHA-256 of all that belongs to tables: equal only for texts that are equal to the byte.
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
