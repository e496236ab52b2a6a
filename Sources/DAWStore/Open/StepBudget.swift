import CSQLiteSession
import GRDB

/// Ends what takes more steps of SQLite's machine than a file of its size can need: a tree of pages that leads back to
/// itself has more rows than any disk.
///
/// Unchecked: used on its connection's queue alone.
final class StepBudget: @unchecked Sendable {
  private var connection: OpaquePointer?
  private(set) var taken = 0
  private(set) var allowed = 0
  private var changesBefore: Int64 = 0

  /// How often it is asked, in steps.
  private static let interval = 1000
  /// To read the schema that a file has, before that is known to be ours: 120 objects take some 2,000.
  private static let ofSchema = 100_000
  /// What a small project may take: a tenth of a second.
  static let ofTransaction = 10_000_000
  /// The most that any of our transactions takes is 2, of a project that is all notes.
  private static let perByte = 40
  /// Rows that an edit adds are not in the file when it begins.
  private static let perChangedRow = 5000

  /// Until `begin` only so much is allowed as reading the schema takes.
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

  /// A transaction begins.
  /// - Parameter byteCount: of the file.
  func begin(byteCount: Int) {
    (taken, allowed) = (0, Self.ofTransaction + Self.perByte * byteCount)
    changesBefore = sqlite3_total_changes64(connection)
  }

  private func isSpent() -> Bool {
    taken += Self.interval
    return taken > allowed + Self.perChangedRow * Int(sqlite3_total_changes64(connection) - changesBefore)
  }
}
