import DAWModel
import Foundation

/// A time in the past: some time ago, or a date.
enum PastTime: Equatable {
  /// Milliseconds.
  case ago(Int64)
  case date(Timestamp)

  init(typed text: String) throws {
    guard let time = Self.ago(text) ?? Self.date(text) else {
      throw Unreadable(text, "a time is 30m, 2h, 3d or 1w ago, or a date such as 2026-11-20 or 2026-11-20T08:00.")
    }
    self = time
  }

  private static let units: [Character: Int64] = [
    "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000,
  ]

  private static func ago(_ text: String) -> PastTime? {
    guard let unit = text.last.flatMap({ units[$0] }), let number = wholeNumber(String(text.dropLast())),
      (0...1_000_000).contains(number)
    else { return nil }
    return .ago(Int64(number) * unit)
  }

  /// A day, or a day and a time, in UTC unless a zone is given.
  private static func date(_ text: String) -> PastTime? {
    // With a zone, too, the seconds may be left out.
    let text = text.replacing(" ", with: "T").replacing(/(T\d\d:\d\d)([Z+-])/) { "\($0.1):00\($0.2)" }
    return [text, text + "Z", text + ":00Z", text + "T00:00:00Z"].lazy.compactMap { Timestamp(iso8601: $0) }.first
      .map { .date($0) }
  }

  func timestamp(now: Date) -> Timestamp {
    switch self {
    case .ago(let milliseconds): Timestamp(milliseconds: Int64(now.timeIntervalSince1970 * 1000) - milliseconds)
    case .date(let date): date
    }
  }
}
