import Glibc

/// Maximum momentary (400 ms) and short-term (3 s) loudness over windows that slide by 10 ms. Incomplete windows do not
/// count.
/// - SeeAlso: EBU Tech 3341, section 2.2.
struct SlidingLoudness {
  /// A ring of the last 3 s, in hops of 10 ms: the mean square after the K-weighting filter of ITU-R BS.1770.
  private var powers = [Double](repeating: 0, count: 300)
  private var hopCount = 0
  private var greatest = (momentary: 0.0, shortTerm: 0.0)

  private static let momentaryHops = 40
  /// LUFS of a mean square of 1.
  private static let offset = -0.691

  /// LUFS; `nil` without a full window, or if silent.
  var maximumMomentary: Double? { Self.level(greatest.momentary) }
  var maximumShortTerm: Double? { Self.level(greatest.shortTerm) }

  /// - Parameter loudness: of the next 10 ms, LUFS.
  mutating func add(_ loudness: Double) {
    powers[hopCount % powers.count] = loudness.isFinite ? pow(10, (loudness - Self.offset) / 10) : 0
    hopCount += 1
    if hopCount >= Self.momentaryHops { greatest.momentary = max(greatest.momentary, mean(of: Self.momentaryHops)) }
    if hopCount >= powers.count { greatest.shortTerm = max(greatest.shortTerm, mean(of: powers.count)) }
  }

  /// - Parameter count: the newest hops, at most as many as there have been.
  private func mean(of count: Int) -> Double {
    var sum = 0.0
    for hop in hopCount - count..<hopCount { sum += powers[hop % powers.count] }
    return sum / Double(count)
  }

  private static func level(_ power: Double) -> Double? { power > 0 ? 10 * log10(power) + offset : nil }
}
