import Foundation
import Synchronization
import Testing

@testable import DAWRealtime

private struct Pair: BitwiseCopyable {
  var number: Int
  var square: Int

  init(_ number: Int) { (self.number, square) = (number, number &* number) }

  var isWhole: Bool { square == number &* number }
}

/// The value in a class, because `#expect` cannot hold one that is not copyable.
private final class Published: Sendable {
  private let value = PublishedValue(Pair(0))
  private let isDone = Atomic(false)
  private let faultCount = Atomic(0)

  func publish(_ number: Int) { value.publish(Pair(number)) }
  func read() -> Pair { value.read() }

  /// As the writer leaves it where it is stopped while it stores a copy.
  /// - Parameter copy: 0 or 1.
  func stopWriting(_ copy: Int) {
    value.sequence.add(UInt64(copy + 1), ordering: .releasing)
    value.words[copy * PublishedValue<Pair>.wordCount].store(99, ordering: .relaxed)
  }

  /// Reads until `end()`, and counts what is not whole, or older than what was read before.
  func readInOrder() {
    var last = 0
    while !isDone.load(ordering: .acquiring) {
      let pair = read()
      if !pair.isWhole || pair.number < last { faultCount.add(1, ordering: .relaxed) }
      last = pair.number
    }
  }

  func end() { isDone.store(true, ordering: .releasing) }

  var hasFaults: Bool { faultCount.load(ordering: .relaxed) > 0 }
}

@Test(arguments: [0, 1])
func aWriterThatStandsStillHoldsUpNoReader(copy: Int) {
  let value = Published()
  value.publish(7)
  value.stopWriting(copy)
  let found = Mutex<Int?>(nil)
  let reader = startThread {
    let number = value.read().number
    found.withLock { $0 = number }
  }
  #expect(reader.wait(timeout: .now() + 10) == .success)
  let number = found.withLock { $0 }
  #expect(number == 7)
}

@Test func whatIsReadIsWholeAndNeverOlder() {
  let value = Published()
  let readers = [startThread { value.readInOrder() }, startThread { value.readInOrder() }]
  for number in 1...200_000 { value.publish(number) }
  value.end()
  for reader in readers { reader.wait() }
  #expect(!value.hasFaults)
}
