import Foundation
import Testing

@testable import DAWRealtime

/// Tests ThreadSanitizer itself: with `DAW_PLANT=race` two threads write one word without synchronisation, and the
/// sanitizer ends the program with its own error.
@Test(.enabled(if: ProcessInfo.processInfo.environment["DAW_PLANT"] == "race"))
func plantedRace() {
  final class Word: @unchecked Sendable { var value = 0 }
  let word = Word()
  let writer = startThread { for _ in 0..<100_000 { word.value += 1 } }
  for _ in 0..<100_000 { word.value += 1 }
  writer.wait()
  #expect(word.value > 0)
}
