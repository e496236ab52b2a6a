import DAWMedia
import Foundation
import Testing

/// The names of recordings' folders have it, and the headers of their files.
@Suite struct LocalTimeTests {
  @Test(arguments: [[2_026, 3, 4, 5, 6, 7], [1_999, 12, 31, 23, 59, 58], [2_032, 2, 29, 0, 0, 0]] as [[Int32]])
  func aTimeIsShownAsTheClockOnTheWallShowsIt(numbers: [Int32]) {
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1_900, numbers[1] - 1, numbers[2])
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
    // Whether it is summer is to be found out.
    parts.tm_isdst = -1
    // The last millisecond of the second.
    let time = LocalTime(milliseconds: Int64(mktime(&parts)) * 1_000 + 999)
    func digits(_ number: Int32) -> String { String(format: "%02d", number) }
    #expect(time.date == "\(numbers[0])-\(digits(numbers[1]))-\(digits(numbers[2]))")
    #expect([time.hour, time.minute, time.second] == numbers[3...].map(digits))
  }
}
