/// A position on the absolute timeline, in flicks from its start. A flick is 1/705,600,000 s; a frame is a whole number
/// of flicks at 44.1, 48, 88.2, 96, 176.4 and 192 kHz.
public struct FlickPosition: Hashable, Comparable, Sendable {
  /// Flicks from the timeline's start; negative before it.
  public var flicks: Int64

  public init(flicks: Int64) { self.flicks = flicks }

  /// The start of the timeline.
  public static let zero = FlickPosition(flicks: 0)

  /// In seconds, for display and JSON only.
  public var seconds: Double { Double(flicks) / Double(FlickCount.perSecond) }

  public static func < (a: Self, b: Self) -> Bool { a.flicks < b.flicks }
  public static func - (later: Self, earlier: Self) -> FlickCount {
    FlickCount(flicks: later.flicks.clampedDifference(earlier.flicks))
  }
  public static func + (position: Self, distance: FlickCount) -> Self {
    Self(flicks: position.flicks.clampedSum(distance.flicks))
  }
  public static func - (position: Self, distance: FlickCount) -> Self {
    Self(flicks: position.flicks.clampedDifference(distance.flicks))
  }
}

/// A distance on the absolute timeline, in flicks of 1/705,600,000 s.
public struct FlickCount: Hashable, Comparable, Sendable {
  public var flicks: Int64

  public init(flicks: Int64) { self.flicks = flicks }

  public static let perSecond: Int64 = 705_600_000
  public static let zero = FlickCount(flicks: 0)

  public static func seconds(_ count: Int64) -> FlickCount { FlickCount(flicks: count.clampedProduct(perSecond)) }
  public static func milliseconds(_ count: Int64) -> FlickCount {
    FlickCount(flicks: count.clampedProduct(perSecond / 1000))
  }

  /// In seconds, for display and JSON only.
  public var seconds: Double { Double(flicks) / Double(Self.perSecond) }

  public static func < (a: Self, b: Self) -> Bool { a.flicks < b.flicks }
  public static func + (a: Self, b: Self) -> Self { Self(flicks: a.flicks.clampedSum(b.flicks)) }
  public static func - (a: Self, b: Self) -> Self { Self(flicks: a.flicks.clampedDifference(b.flicks)) }
  public static func * (count: Self, times: Int) -> Self { Self(flicks: count.flicks.clampedProduct(Int64(times))) }
}
