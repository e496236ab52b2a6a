import Synchronization

/// Values that are made at their first use and kept: SQL of tables, of which most commands need few.
final class MadeOnce<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let made = Mutex<[Key: Value]>([:])

  func value(for key: Key, _ make: () -> Value) -> Value {
    made.withLock { made in
      if let value = made[key] { return value }
      let value = make()
      made[key] = value
      return value
    }
  }
}
