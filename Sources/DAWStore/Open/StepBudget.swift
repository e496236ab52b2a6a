import CSQLiteSession
import GRDB

/// Aborts statements that take more steps of SQLite's virtual machine than a file of its size can need: in a hostile
/// file a b-tree may contain itself, and so have endless rows.
///
/// Unchecked: used only on its connection's queue.
final class StepBudget: @unchecked Sendable {
  private var connection: OpaquePointer?
  private(set) var taken = 0
  private(set) var allowed = 0
  /// Steps that each command of a transaction may take in this file.
  private var ofCommand = 0
  private var changesBefore: Int64 = 0

  /// The interval of the progress handler, in steps.
  private static let interval = 1000
  /// Allowed to read a schema that is not verified yet: 120 objects take some 2,000.
  private static let ofSchema = 100_000
  /// Allowed for a small project: a tenth of a second.
  static let ofTransaction = 10_000_000
  /// Allowed for each byte of the file. daw's transactions need at most 2, for a project that is all notes.
  private static let perByte = 40
  /// Allowed for each changed row, since rows that an edit adds are not in the file when it begins.
  private static let perChangedRow = 5000

  /// Until `begin`, only the steps to read the schema are allowed.
  func install(on database: Database) {
    connection = database.sqliteConnection
    beginSchema()
    sqlite3_progress_handler(
      connection, Int32(Self.interval),
      { context in
        guard let context else { return 1 }
        return Unmanaged<StepBudget>.fromOpaque(context).takeUnretainedValue().isSpent() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  func beginSchema() {
    (taken, allowed) = (0, Self.ofSchema)
    changesBefore = sqlite3_total_changes64(connection)
  }

  /// Starts the budget of a transaction.
  /// - Parameter byteCount: the size of the file.
  func begin(byteCount: Int) {
    ofCommand = Self.ofTransaction + Self.perByte * byteCount
    (taken, allowed) = (0, ofCommand)
    changesBefore = sqlite3_total_changes64(connection)
  }

  /// Allows as much again: another command of the user's follows in the transaction, or another step of undo or redo,
  /// which may read as much as the first.
  func beginCommand() { allowed += ofCommand }

  private func isSpent() -> Bool {
    taken += Self.interval
    return taken > allowed + Self.perChangedRow * Int(sqlite3_total_changes64(connection) - changesBefore)
  }
}
