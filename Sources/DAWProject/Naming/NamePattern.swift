import DAWModel

/// A name as a user types it to choose rows: without regard to case, and `*` stands for any characters.
struct NamePattern {
  private let key: String
  /// What stands between the asterisks; a name without any is one part.
  private let parts: [Substring]

  init(_ text: String) {
    key = Name.key(of: text)
    parts = key.split(separator: "*", omittingEmptySubsequences: false)
  }

  func matches(_ name: Name) -> Bool {
    let key = name.key
    guard parts.count > 1, let first = parts.first, let last = parts.last, key != self.key else {
      return key == self.key
    }
    guard key.hasPrefix(first), key.hasSuffix(last), key.count >= first.count + last.count else { return false }
    var rest = key.dropFirst(first.count).dropLast(last.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }
}
