/// A position on the musical timeline, in ticks from its start. A quarter note has 15,360 ticks.
public struct TickPosition: Hashable, Comparable, Sendable {
  /// Ticks from the timeline's start; negative before it.
  public var ticks: Int64

  public init(ticks: Int64) { self.ticks = ticks }

  /// The start of the timeline.
  public static let zero = TickPosition(ticks: 0)

  public static func < (a: Self, b: Self) -> Bool { a.ticks < b.ticks }
  public static func - (later: Self, earlier: Self) -> TickCount {
    TickCount(ticks: later.ticks.clampedDifference(earlier.ticks))
  }
  public static func + (position: Self, distance: TickCount) -> Self {
    Self(ticks: position.ticks.clampedSum(distance.ticks))
  }
  public static func - (position: Self, distance: TickCount) -> Self {
    Self(ticks: position.ticks.clampedDifference(distance.ticks))
  }
}

/// A distance on the musical timeline, in ticks of 1/15,360 quarter note.
public struct TickCount: Hashable, Comparable, Sendable {
  public var ticks: Int64

  public init(ticks: Int64) { self.ticks = ticks }

  /// Divisible by the common resolutions of MIDI files, and by triplets and quintuplets of 1/64 notes.
  public static let perQuarter: Int64 = 15_360
  public static let zero = TickCount(ticks: 0)

  public static func quarters(_ count: Int64) -> TickCount { TickCount(ticks: count.clampedProduct(perQuarter)) }

  public static func < (a: Self, b: Self) -> Bool { a.ticks < b.ticks }
  public static func + (a: Self, b: Self) -> Self { Self(ticks: a.ticks.clampedSum(b.ticks)) }
  public static func - (a: Self, b: Self) -> Self { Self(ticks: a.ticks.clampedDifference(b.ticks)) }
  public static func * (count: Self, times: Int) -> Self { Self(ticks: count.ticks.clampedProduct(Int64(times))) }
}
