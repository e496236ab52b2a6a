import Foundation

/// A date and time, in milliseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: Hashable, Comparable, Sendable, Codable {
  public var milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Years 0001 … 9999, which have four digits. Other dates in a file are refused.
  public static let accepted =
    Timestamp(milliseconds: -62_135_596_800_000)...Timestamp(milliseconds: 253_402_300_799_999)

  public static func < (a: Self, b: Self) -> Bool { a.milliseconds < b.milliseconds }
}

extension Timestamp {
  /// ISO 8601 in UTC, to the millisecond: 2026-11-21T08:00:00.000Z.
  public var iso8601: String {
    let milliseconds = min(
      max(milliseconds, Self.accepted.lowerBound.milliseconds), Self.accepted.upperBound.milliseconds)
    // Formats milliseconds separately: as a binary fraction of a second most values are slightly too small.
    let rest = (milliseconds % 1000 + 1000) % 1000
    let text = Date(timeIntervalSince1970: Double((milliseconds - rest) / 1000)).formatted(Date.ISO8601FormatStyle())
    return "\(text.dropLast()).\(String(1000 + rest).dropFirst())Z"
  }

  /// `nil` unless it is a date of that form, with or without fractions of a second, and `accepted`.
  public init?(iso8601 text: String) {
    let styles = [Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle()]
    guard let date = styles.lazy.compactMap({ try? $0.parse(text) }).first else { return nil }
    guard let milliseconds = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()),
      Self.accepted.contains(Timestamp(milliseconds: milliseconds))
    else { return nil }
    self.init(milliseconds: milliseconds)
  }
}
