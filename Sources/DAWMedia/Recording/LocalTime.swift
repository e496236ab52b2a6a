import Glibc

/// A time as the clock on the wall shows it, as texts.
package struct LocalTime {
  /// `2026-11-22`.
  package let date: String
  /// Two digits.
  package let hour, minute, second: String

  /// - Parameter milliseconds: since 1970.
  package init(milliseconds: Int64) {
    var seconds = time_t(milliseconds / 1_000)
    var parts = tm()
    localtime_r(&seconds, &parts)
    func digits(_ value: Int32, _ count: Int) -> String {
      let text = String(max(0, value))
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    date = "\(digits(parts.tm_year + 1_900, 4))-\(digits(parts.tm_mon + 1, 2))-\(digits(parts.tm_mday, 2))"
    hour = digits(parts.tm_hour, 2)
    minute = digits(parts.tm_min, 2)
    second = digits(parts.tm_sec, 2)
  }

  static var now: LocalTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return LocalTime(milliseconds: Int64(time.tv_sec) * 1_000)
  }
}
