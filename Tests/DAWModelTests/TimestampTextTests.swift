import DAWModel
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
}
