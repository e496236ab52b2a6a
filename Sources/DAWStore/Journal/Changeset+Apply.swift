import CSQLiteSession
import DAWModel
import GRDB

/// Why a changeset could not be applied. The transaction must be rolled back.
struct ChangesetConflict: Error {
  var detail: String
}

extension Changeset {
  /// Applies exactly the recorded changes to the main schema, in a transaction.
  ///
  /// Triggers and foreign keys are off meanwhile: rows are not changed in the order of the edit, so rules may be broken
  /// in between; and a deletion must not cascade to rows that are not in the changeset, which no journal entry would
  /// record. The caller checks rules and references afterwards with `Audit.findings(touchedBy:)`.
  /// - Throws: `ChangesetConflict` if a row differs from the recorded one, or a change was not made. The caller rolls
  ///   back.
  func apply(to database: Database, tables: [String]) throws {
    guard !isEmpty else { return }
    let connection = database.sqliteConnection
    let expected = try operationCount()
    daw_enable_triggers(connection, 0)
    let hadForeignKeys = daw_enable_foreign_keys(connection, -1)
    _ = daw_enable_foreign_keys(connection, 0)
    defer {
      daw_enable_triggers(connection, 1)
      _ = daw_enable_foreign_keys(connection, hadForeignKeys)
    }
    let before = sqlite3_total_changes64(connection)
    let state = ApplyState(tables: Set(tables))
    var copy = bytes
    let code = copy.withUnsafeMutableBytes { buffer in
      sqlite3changeset_apply(
        connection, Int32(buffer.count), buffer.baseAddress,
        { context, table in
          guard let context, let table else { return 0 }
          return Unmanaged<ApplyState>.fromOpaque(context).takeUnretainedValue().tables.contains(String(cString: table))
            ? 1 : 0
        },
        { context, conflict, iterator in
          guard let context else { return SQLITE_CHANGESET_ABORT }
          Unmanaged<ApplyState>.fromOpaque(context).takeUnretainedValue().note(conflict, iterator)
          return SQLITE_CHANGESET_ABORT
        },
        Unmanaged.passUnretained(state).toOpaque())
    }
    if let conflict = state.conflict { throw ChangesetConflict(detail: conflict) }
    guard code == SQLITE_OK else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(connection)))
    }
    // SQLite skips tables or columns that do not match, and only logs a warning.
    let arrived = Int(sqlite3_total_changes64(connection) - before)
    guard arrived == expected else {
      throw ChangesetConflict(detail: "\(expected) rows should have changed, and \(arrived) did")
    }
    try database.notifyChanges(in: .fullDatabase)
  }
}

/// The tables to apply changes to, and the first conflict.
private final class ApplyState {
  let tables: Set<String>
  var conflict: String?

  init(tables: Set<String>) { self.tables = tables }

  func note(_ kind: Int32, _ iterator: OpaquePointer?) {
    var table: UnsafePointer<CChar>?
    var (columnCount, operation): (Int32, Int32) = (0, 0)
    if kind != SQLITE_CHANGESET_FOREIGN_KEY, let iterator {
      sqlite3changeset_op(iterator, &table, &columnCount, &operation, nil)
    }
    let name = table.map { String(cString: $0) } ?? "a reference"
    conflict =
      switch kind {
      case SQLITE_CHANGESET_DATA: "a row of \(name) has changed since"
      case SQLITE_CHANGESET_NOTFOUND: "a row of \(name) is gone"
      case SQLITE_CHANGESET_CONFLICT: "a row of \(name) exists already"
      case SQLITE_CHANGESET_CONSTRAINT: "a row of \(name) would break a rule"
      default: "\(name) would be broken"
      }
  }
}
