/// A track's place among the others: a fraction between 0 and 1, as digits of base 62 after the point, so that there is
/// always room for one more between two keys and an insertion changes one row.
///
/// Keys are compared byte by byte. The master's key is above all others.
public struct OrderKey: Hashable, Comparable, Sendable, Codable {
  public let digits: String

  /// For what a store has already checked.
  public init(unchecked digits: String) { self.digits = digits }

  /// `nil` unless it is the master's, or 1 … 200 digits of which the last is not "0".
  public init?(_ digits: String) {
    guard
      digits == Self.master.digits
        || (1...200).contains(digits.utf8.count) && !digits.hasSuffix("0")
          && digits.utf8.allSatisfy({ Self.alphabet.contains($0) })
    else { return nil }
    self.digits = digits
  }

  public static let master = OrderKey(unchecked: "~")

  private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

  public static func < (a: Self, b: Self) -> Bool { a.digits.utf8.lexicographicallyPrecedes(b.digits.utf8) }

  /// A short key above `lower` and below `upper`; `nil` stands for the ends of the range, the master's key for the upper
  /// one.
  /// - Precondition: `lower` is below `upper`.
  public static func between(_ lower: OrderKey?, _ upper: OrderKey?) -> OrderKey {
    if upper == nil || upper == master, let next = following(lower) { return next }
    let low = lower.map(values) ?? []
    let high = upper.flatMap { $0 == master ? nil : values($0) }
    var digits: [Int] = []
    var isBelowHigh = high == nil
    for place in 0... {
      let bottom = place < low.count ? low[place] : 0
      let top = isBelowHigh ? alphabet.count : high.map { place < $0.count ? $0[place] : 0 } ?? alphabet.count
      if top - bottom > 1 {
        digits.append(bottom + (top - bottom) / 2)
        break
      }
      digits.append(bottom)
      if bottom < top { isBelowHigh = true }
    }
    return OrderKey(digits)
  }

  /// The next key of four digits: tracks are mostly appended, and their keys should not grow. `nil` after the last.
  private static func following(_ lower: OrderKey?) -> OrderKey? {
    let low = lower.map(values) ?? []
    var number = (0..<4).reduce(0) { $0 * alphabet.count + ($1 < low.count ? low[$1] : 0) } + 1
    guard number < alphabet.count * alphabet.count * alphabet.count * alphabet.count else { return nil }
    var digits: [Int] = []
    for _ in 0..<4 {
      digits.insert(number % alphabet.count, at: 0)
      number /= alphabet.count
    }
    while digits.last == 0 { digits.removeLast() }
    return OrderKey(digits)
  }

  private init(_ values: [Int]) {
    digits = String(decoding: values.map { Self.alphabet[$0] }, as: UTF8.self)
  }

  private static func values(_ key: OrderKey) -> [Int] {
    key.digits.utf8.map { alphabet.firstIndex(of: $0) ?? 0 }
  }
}
