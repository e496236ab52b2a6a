import DAWErrors
import Foundation
import Testing

@testable import DAWInterchange

@Suite("Where JSON is read from")
struct JSONSourceTests {
  @Test("Of a pipe no more than the limit is copied", arguments: [(1_000, true), (40_000, false)])
  func limit(length: Int, isCopied: Bool) throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    // Less than a pipe holds.
    let bytes = Array("{\"name\": \"".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: length)
    let count = write(ends[1], bytes, bytes.count)
    close(ends[1])
    try #require(count == bytes.count)
    do {
      _ = try JSONSource(path: "/proc/self/fd/\(ends[0])", maximumStreamLength: 10_000)
      #expect(isCopied)
    } catch let failure as Failure {
      #expect(!isCopied && failure.code == "inputTooLong" && failure.kind == .invalid, "\(failure.message)")
    }
  }
}
