import DAWTestSupport
import Glibc
import Testing

@testable import DAWRealtime

/// An audio thread's use of a ring; it only compiles if that neither locks nor allocates.
@_noLocks private func passOn(_ ring: borrowing RingBuffer<Int64>) -> Int64 {
  _ = ring.write(7)
  let window = ring.peek()
  let first = window.count > 0 ? window[0] : 0
  return (ring.read() ?? 0) + first
}

@Test func theAudioThreadMayUseARing() {
  let ring = RingBuffer<Int64>(minimumCapacity: 2, filler: 0)
  let sum = passOn(ring)
  let left = ring.count
  #expect(sum == 14)
  #expect(left == 0)
}

@Test(arguments: [1, 2, 3, 64, 1000])
func aRingHoldsWhatFitsAndRefusesMore(minimumCapacity: Int) {
  let ring = RingBuffer<Int>(minimumCapacity: minimumCapacity, filler: 0)
  let capacity = ring.capacity
  #expect(capacity >= minimumCapacity)
  let accepted = (0...capacity).map { ring.write($0) }
  #expect(accepted == [Bool](repeating: true, count: capacity) + [false])
  let first = ring.read()
  let isAccepted = ring.write(capacity)
  #expect(first == 0)
  #expect(isAccepted)
  let rest = (0...capacity).map { _ in ring.read() }
  #expect(rest == (1...capacity).map { $0 } + [nil])
}

@Test func elementsAreReadInOrderOneByOneOrInPieces() {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  let ring = RingBuffer<Int>(minimumCapacity: 37, filler: 0)
  var next = 0
  var expected = 0
  for _ in 0..<5_000 {
    for _ in 0..<Int.random(in: 0...80, using: &random) {
      guard ring.write(next) else { break }
      next += 1
    }
    if Bool.random(using: &random) {
      let window = ring.peek()
      for element in window {
        #expect(element == expected, "seed \(seed)")
        expected += 1
      }
      ring.discard(window.count)
    } else {
      for _ in 0..<Int.random(in: 0...80, using: &random) {
        guard let element = ring.read() else { break }
        #expect(element == expected, "seed \(seed)")
        expected += 1
      }
    }
  }
  let count = ring.count
  #expect(next - expected == count)
}

@Test func noElementIsLostOrReorderedBetweenTwoThreads() {
  let ring = SharedRing()
  let count = 300_000
  let writer = startThread { ring.fill(count) }
  #expect(ring.firstOutOfOrder(count) == nil)
  writer.wait()
}

private final class SharedRing: Sendable {
  let ring = RingBuffer<Int>(minimumCapacity: 100, filler: 0)

  func fill(_ count: Int) {
    var next = 0
    while next < count {
      if ring.write(next) { next += 1 } else { sched_yield() }
    }
  }

  func firstOutOfOrder(_ count: Int) -> Int? {
    for expected in 0..<count {
      var element = ring.read()
      while element == nil {
        sched_yield()
        element = ring.read()
      }
      if element != expected { return element }
    }
    return nil
  }
}
