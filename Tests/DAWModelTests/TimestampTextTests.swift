import DAWModel
import DAWTestSupport
import Foundation
import Testing

@Suite("Moments as text")
struct TimestampTextTests {
  @Test("every millisecond is read as it was written, before 1970 too")
  func everyMillisecond() {
    for second in [-1_000_000_001, -1, 0, 1_795_271_233, 4_102_444_799] as [Int64] {
      for rest in 0..<1_000 as Range<Int64> {
        let moment = Timestamp(milliseconds: second * 1_000 + rest)
        #expect(Timestamp(iso8601: moment.iso8601) == moment, "\(moment) is written as \(moment.iso8601)")
      }
    }
    #expect(Timestamp(milliseconds: 1_795_271_233_553).iso8601 == "2026-11-21T14:27:13.553Z")
    #expect(Timestamp(milliseconds: -1).iso8601 == "1969-12-31T23:59:59.999Z")
  }

  @Test("A day that its month has not is none")
  func days() {
    let none = [
      "2026-02-29", "2026-02-30", "2026-04-31", "2100-02-29", "2026-01-32", "2026-01-00", "2026-13-01", "2026-00-10",
    ]
    for date in none {
      #expect(Timestamp(iso8601: "\(date)T00:00:00Z") == nil, "\(date)")
    }
    for date in ["2026-02-28", "2024-02-29", "2000-02-29", "2026-04-30", "2026-12-31", "1500-02-29"] {
      #expect(Timestamp(iso8601: "\(date)T00:00:00Z") != nil, "\(date)")
    }
  }

  @Test("Dates are those of Foundation, around the first of the Gregorian calendar and in leap years too")
  func foundation() {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    let accepted =
      Timestamp.accepted.lowerBound.milliseconds / 1_000...Timestamp.accepted.upperBound.milliseconds / 1_000
    let edges: [Int64] = [-12_219_292_801, -12_219_292_800, 951_782_400, 951_868_799, 4_107_542_399, 4_107_542_400]
    for seconds in edges + (0..<2_000).map({ _ in Int64.random(in: accepted, using: &random) }) {
      let date = Date(timeIntervalSince1970: Double(seconds)).formatted(Date.ISO8601FormatStyle())
      #expect(Timestamp(milliseconds: seconds * 1_000 + 7).iso8601 == "\(date.dropLast()).007Z", "seed \(seed)")
    }
  }
}
