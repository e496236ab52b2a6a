/// A set of words that mark a take. Stored, and written for users, as one text: in order, with spaces between them.
public struct Tags: Hashable, Sendable {
  public var words: Set<String>

  public init(_ words: Set<String> = []) { self.words = words }

  /// Whether each word has 1 … 64 letters a-z, digits, - and _, and all together are not too long.
  var isAccepted: Bool {
    words.allSatisfy { word in
      (1...64).contains(word.utf8.count)
        && word.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d || $0 == 0x5f }
    } && simple.utf8.count <= 1024
  }
}

extension Tags: WrappedValue {
  public var simple: String { words.sorted().joined(separator: " ") }

  public init?(simple: String) {
    self.init(
      simple.isEmpty ? [] : Set(simple.split(separator: " ", omittingEmptySubsequences: false).map(String.init)))
  }
}
