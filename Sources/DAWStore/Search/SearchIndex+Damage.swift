import GRDB

extension SearchIndex {
  /// Whether an index of this version cannot be read as a whole. Its caller makes sure that no other process uses it;
  /// one of another version is replaced by the next search, and is not looked at.
  package static func isDamaged(_ path: String) -> Bool {
    guard isOurs(path) else { return false }
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      defer { try? queue.close() }
      return try queue.read { try String.fetchAll($0, sql: "PRAGMA quick_check") } != ["ok"]
    } catch {
      return true
    }
  }
}
