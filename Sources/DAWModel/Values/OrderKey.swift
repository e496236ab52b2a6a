/// A track's position among the others: a fraction between 0 and 1, as base-62 digits after the point. There is always
/// a key between two others, so an insertion changes one row (fractional indexing).
///
/// Keys are compared byte by byte. The master's key is above all others.
public struct OrderKey: Hashable, Comparable, Sendable {
  public let digits: String

  /// For keys that a store has already checked.
  public init(unchecked digits: String) { self.digits = digits }

  /// `nil` unless it is the master's key, or 1 … 200 digits of which the last is not "0".
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

  /// A short key between `lower` and `upper`. `nil`, and the master's key as `upper`, stand for the ends of the range.
  /// Another program may have written keys that are none: an `upper` that ends in zeros is taken without them, and one
  /// that is not above `lower` is ignored.
  public static func between(_ lower: OrderKey?, _ upper: OrderKey?) -> OrderKey {
    let low = lower.map(values)
    var high = upper.flatMap { $0 == master ? nil : values($0) }
    // Between a key and the same with zeros behind it there is no other.
    while high?.last == 0 { high?.removeLast() }
    if let top = high, !(low ?? []).lexicographicallyPrecedes(top) { high = nil }
    switch (low, high) {
    case (nil, nil): return OrderKey([alphabet.count / 2])
    case (let low?, nil): return neighbour(of: low, by: 1) ?? middle(low, nil)
    case (nil, let high?): return neighbour(of: high, by: -1) ?? middle([], high)
    case (let low?, let high?): return middle(low, high)
    }
  }

  private static func middle(_ low: [Int], _ high: [Int]?) -> OrderKey {
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

  /// The next or the previous key of four digits, so that keys do not grow when tracks are added at an end. `nil` after
  /// the last and before the first.
  private static func neighbour(of key: [Int], by step: Int) -> OrderKey? {
    var number = (0..<4).reduce(0) { $0 * alphabet.count + ($1 < key.count ? key[$1] : 0) }
    // A longer key lies above its first four digits.
    number += step > 0 || key.count <= 4 ? step : 0
    guard number > 0, number < alphabet.count * alphabet.count * alphabet.count * alphabet.count else { return nil }
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
