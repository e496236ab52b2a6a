/// A date and time, in milliseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: Hashable, Comparable, Sendable, Codable {
  public var milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Years 0001 … 9999, which have four digits. Other dates in a file are refused.
  public static let accepted =
    Timestamp(milliseconds: -62_135_596_800_000)...Timestamp(milliseconds: 253_402_300_799_999)

  public static func < (a: Self, b: Self) -> Bool { a.milliseconds < b.milliseconds }
}
