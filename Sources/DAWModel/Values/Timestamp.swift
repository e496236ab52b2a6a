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
    let seconds = (milliseconds - rest) / 1000
    if seconds >= Self.gregorian, let text = Self.text(seconds, rest) { return text }
    let text = Date(timeIntervalSince1970: Double(seconds)).formatted(Date.ISO8601FormatStyle())
    return "\(text.dropLast()).\(String(1000 + rest).dropFirst())Z"
  }

  /// 1582-10-15, in seconds. Foundation reads and writes dates before it in the Julian calendar, the C library does
  /// not.
  private static let gregorian: Int64 = -12_219_292_800

  /// By the C library, which is faster than Foundation: lists have many dates.
  private static func text(_ seconds: Int64, _ milliseconds: Int64) -> String? {
    var time = time_t(seconds)
    var fields = tm()
    guard gmtime_r(&time, &fields) != nil else { return nil }
    var text: [UInt8] = []
    text.reserveCapacity(24)
    func append(_ value: Int, _ width: Int, then mark: Unicode.Scalar) {
      let start = text.count
      var rest = value
      for _ in 0..<width {
        text.insert(UInt8(ascii: "0") + UInt8(rest % 10), at: start)
        rest /= 10
      }
      text.append(UInt8(ascii: mark))
    }
    append(Int(fields.tm_year) + 1900, 4, then: "-")
    append(Int(fields.tm_mon) + 1, 2, then: "-")
    append(Int(fields.tm_mday), 2, then: "T")
    append(Int(fields.tm_hour), 2, then: ":")
    append(Int(fields.tm_min), 2, then: ":")
    append(Int(fields.tm_sec), 2, then: ".")
    append(Int(milliseconds), 3, then: "Z")
    return String(decoding: text, as: UTF8.self)
  }

  /// `nil` unless it is a date of that form, with or without fractions of a second, and `accepted`.
  public init?(iso8601 text: String) {
    let styles = [Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle()]
    guard let date = styles.lazy.compactMap({ try? $0.parse(text) }).first, Self.hasDay(text) else { return nil }
    guard let milliseconds = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()),
      Self.accepted.contains(Timestamp(milliseconds: milliseconds))
    else { return nil }
    self.init(milliseconds: milliseconds)
  }

  /// Whether the month has the day that a date begins with: Foundation takes the 30th of February for a day of March.
  private static func hasDay(_ text: String) -> Bool {
    let parts = text.prefix(10).split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, (1...12).contains(parts[1]) else { return false }
    // Each fourth year until 1582, as Foundation counts.
    let isLeapYear = parts[0] % 4 == 0 && (parts[0] % 100 != 0 || parts[0] % 400 == 0 || parts[0] <= 1582)
    let days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...days[parts[1] - 1]).contains(parts[2])
  }
}
