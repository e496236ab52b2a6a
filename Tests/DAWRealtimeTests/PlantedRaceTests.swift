import Foundation
import Testing

@testable import DAWRealtime

/// Whether Thread Sanitizer would notice: with `DAW_PLANT=race` two threads write one word without order, and the sanitizer
/// ends the program with an error of its own.
@Test(.enabled(if: ProcessInfo.processInfo.environment["DAW_PLANT"] == "race"))
func plantedRace() {
  final class Word: @unchecked Sendable { var value = 0 }
  let word = Word()
  let writer = startThread { for _ in 0..<100_000 { word.value += 1 } }
  for _ in 0..<100_000 { word.value += 1 }
  writer.wait()
  #expect(word.value > 0)
}
