import DAWModel
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

/// The generator of random tests: `SplitMix64`, the same numbers everywhere.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var generator: SplitMix64

  public init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  public mutating func next() -> UInt64 { generator.next() }

  /// As many numbers, one after the other.
  public mutating func integers(_ count: Int, in range: Range<Int>) -> [Int] {
    (0..<count).map { _ in Int.random(in: range, using: &self) }
  }
}
