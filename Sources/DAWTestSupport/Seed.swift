import Foundation

/// The seed of a randomised test: `DAW_SEED` if that is set, to repeat a failure, otherwise a new number. Print it in
/// every failure.
public enum Seed {
  public static func current() -> UInt64 {
    ProcessInfo.processInfo.environment["DAW_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 1...999_999_999)
  }
}

/// The number of cases of a randomised test: `DAW_AUDIT_COUNT` if that is set, for longer audits.
public enum AuditCount {
  /// - Parameter count: the number in the test suite.
  public static func current(usually count: Int) -> Int {
    ProcessInfo.processInfo.environment["DAW_AUDIT_COUNT"].flatMap(Int.init) ?? count
  }
}

/// SplitMix64: small, fast, and the same numbers everywhere.
/// - SeeAlso: Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
