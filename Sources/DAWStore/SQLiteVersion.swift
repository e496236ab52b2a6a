import CSQLiteSession

/// The SQLite library.
public enum SQLiteVersion {
  /// The version of the loaded library: "3.40.1".
  public static var current: String { String(cString: sqlite3_libversion()) }
}
