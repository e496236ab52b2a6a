/// Frames per second.
public struct SampleRate: Hashable, Comparable, Sendable, Codable {
  /// At least 1; conversions take less as 1.
  public var hertz: Int

  public init(hertz: Int) { self.hertz = hertz }

  /// The rates a project can have: at each of them a frame is a whole number of flicks.
  public static let ofProjects: [SampleRate] = [44_100, 48_000, 88_200, 96_000, 176_400, 192_000].map(Self.init(hertz:))

  /// Flicks in a frame; `nil` if that is not a whole number.
  public var flicksPerFrame: Int64? {
    FlickCount.perSecond.isMultiple(of: Int64(hertz)) ? FlickCount.perSecond / Int64(hertz) : nil
  }

  public static func < (a: Self, b: Self) -> Bool { a.hertz < b.hertz }
}
