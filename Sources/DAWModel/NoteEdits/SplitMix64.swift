/// The SplitMix64 random generator: the same numbers for the same seed on every machine.
/// - SeeAlso: Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014.
public struct SplitMix64: Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }

  /// −2³¹ … 2³¹ with a triangular distribution: the difference of two uniform numbers.
  mutating func triangle() -> Int64 {
    let bits = next()
    return Int64(bits >> 32) / 2 - Int64(bits & 0xffff_ffff) / 2
  }
}
