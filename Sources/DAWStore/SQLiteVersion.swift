import CSQLiteSession

/// The library that reads and writes project files.
public enum SQLiteVersion {
  /// As it is loaded: "3.40.1".
  public static var current: String { String(cString: sqlite3_libversion()) }
}
