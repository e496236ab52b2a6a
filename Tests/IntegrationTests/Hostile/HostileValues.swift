import DAWTestSupport
import Foundation
import Testing

/// What no value of a project is meant to be, and each could be.
enum HostileValues {
  /// The ends of every integer type, and what lies beside them and beside the timeline's end.
  static let integers: [String] = {
    var ends: [Int64] = [-1, 0]
    for bits: Int64 in [7, 8, 15, 16, 31, 32, 40, 53, 56, 62] {
      let power = Int64(1) << bits
      ends += [power, -power]
    }
    var all: Set<Int64> = [.min, .min + 1, .max - 1, .max]
    for end in ends { all.formUnion([end - 1, end, end + 1]) }
    return all.sorted().map { "\($0)" } + ["9223372036854775808", "-9223372036854775809", "18446744073709551615"]
  }()

  /// The greatest and the least finite numbers, and what is no number of JSON.
  static let reals: [String] = [
    "1.7976931348623157e308", "-1.7976931348623157e308", "5e-324", "-5e-324", "2.2250738585072014e-308", "1e19",
    "-1e19",
    "13000000000", "1.3e10", "-0.0", "0.5", "1e999", "-1e999", "NaN", "Infinity", "1e", "--1", "0x10",
  ]

  static let numbers: [String] = integers + reals

  /// What a terminal obeys, what hides or turns text around, what breaks a line, and lengths that are none.
  static let strings: [String] =
    terminalStrings + [
      "", " ", "\0", String(repeating: "x", count: 300), String(repeating: "\u{301}", count: 300), "../../etc/passwd",
      "/dev/null", "'; DROP TABLE track; --", "%s%n", "9223372036854775808/0", "4/0", "-1/-1", "99999-12-31T00:00:00Z",
      "+292277026596-12-04T15:30:08Z", "0000-00-00T00:00:00Z",
    ]

  static let terminalStrings: [String] = [
    "\u{1B}]0;owned\u{7}", "\u{1B}[2J", "\u{9B}31m", "\u{9D}8;;http://x\u{9C}", "a\nb", "a\r\nb", "a\tb",
    "a\u{8}\u{7F}b",
    "\u{202E}gnp.exe\u{202C}", "\u{2066}a\u{2069}", "a\u{200E}\u{200F}b", "a\u{2028}b\u{2029}c", "a\u{200B}\u{FEFF}b",
    "\u{E0041}\u{AD}", "\u{85}x",
  ]

  /// DESIGN's exit statuses, but for 70, our own fault, and those of a signal.
  static let statuses: Set<Int32> = [0, 64, 65, 66, 69, 73, 74, 75]

  /// Some of a list, by chance and in another order each time; all of it where `count` is as large.
  static func some<Case>(_ cases: [Case], _ count: Int, _ generator: inout SeededGenerator) -> ArraySlice<Case> {
    cases.shuffled(using: &generator).prefix(count)
  }

  /// Expects that a run ended with a status of its own, said why, and shows no trace of the program's insides.
  static func expectSound(_ output: DAWProgram.Output, _ what: @autoclosure () -> String) {
    let isSound =
      output.signal == nil && statuses.contains(output.status) && !output.error.contains("Fatal error")
      && !output.error.contains("within daw") && (output.status == 0 || !output.error.isEmpty || !output.data.isEmpty)
    #expect(
      isSound, "\(what()): status \(output.status), signal \(output.signal ?? 0): \(output.error.prefix(400))")
  }
}
