import DAWTime

/// How a region's level rises from silence after its start, or falls to silence before its end.
///
/// With x = 0 where it is silent and 1 at full level: `linear` x; `equalPower` sin(πx/2); `exponential`
/// (e⁴ˣ − 1)/(e⁴ − 1); `sCurve` x²(3 − 2x).
public struct Fade: Hashable, Sendable {
  public enum Shape: String, CaseIterable, Sendable {
    case linear, equalPower, exponential, sCurve
  }

  /// From silence to full level; zero: no fade. It may be longer than the region, which then does not reach full level.
  public var length: FlickCount
  /// The silent part of the length that lies outside the region, less than the length: the regions that a split inside
  /// a fade makes sound together as the whole did.
  public var cut: FlickCount
  public var shape: Shape

  public init(length: FlickCount = .zero, cut: FlickCount = .zero, shape: Shape = .linear) {
    self.length = length
    self.cut = cut
    self.shape = shape
  }

  public static let none = Fade()

  /// The part of the length that lies inside the region.
  public var visibleLength: FlickCount { length - cut }

  var isAccepted: Bool {
    TimelineLimit.contains(length) && cut >= .zero && (length == .zero ? cut == .zero : cut < length)
  }
}

/// What is heard where regions of a track overlap.
public enum Overlap: String, CaseIterable, Sendable {
  /// The sum of the regions.
  case sum
  /// A crossfade from the region that starts earlier to the one that starts later; one that lies within another
  /// replaces it.
  case crossfade
}
