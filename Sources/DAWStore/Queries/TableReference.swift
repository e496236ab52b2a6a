import DAWModel
import GRDB

/// A column of a table that refers to the rows of one, by the file's schema. A table of another program refers to none
/// of daw's.
struct TableReference {
  var table: String
  var column: String
  /// The table that it refers to.
  var parent: String
}

extension Database {
  /// All references in the file.
  func references() throws -> [TableReference] {
    try Row.fetchAll(
      cachedStatement(
        sql: """
          SELECT child.name, reference."from", reference."table" FROM main.sqlite_schema AS child
            JOIN pragma_foreign_key_list(child.name) AS reference WHERE child.type = 'table'
          """)
    ).map { row in
      TableReference(
        table: try row.decode(atIndex: 0), column: try row.decode(atIndex: 1), parent: try row.decode(atIndex: 2))
    }
  }
}

extension ProjectView {
  /// Whether a row refers to an audio file: a region plays it, or a comment has its sound.
  package func isUsed(_ file: AudioFileID) throws -> Bool {
    for reference in try database.references() where reference.parent == AudioFile.table {
      let isThere = try Bool.fetchOne(
        database.cachedStatement(
          sql: "SELECT EXISTS (SELECT 1 FROM \(reference.table) WHERE \(reference.column) = ?)"),
        arguments: [file.rawValue])
      if isThere == true { return true }
    }
    return false
  }
}
