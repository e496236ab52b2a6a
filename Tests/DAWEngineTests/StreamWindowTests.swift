import DAWTestSupport
import DAWTime
import Foundation
import Synchronization
import Testing

@testable import DAWEngine

/// A window that one thread resets, fills and moves as fast as it can while another one reads it.
private final class SharedWindow: @unchecked Sendable {
  // Unchecked: the handshake under test guards the window.
  let readEpoch = ReadEpoch()
  let window = UnsafeMutablePointer<StreamWindow>.allocate(capacity: 1)
  let isOver = Atomic<Bool>(false)
  /// Frames that the reader found, and how many of them had a wrong value.
  let found = Atomic<Int>(0)
  let wrong = Atomic<Int>(0)

  init() { window.initialize(to: StreamWindow()) }

  deinit {
    window.deinitialize(count: 1)
    window.deallocate()
  }

  /// A frame's value in the stream of a generation.
  static func value(_ generation: UInt32, _ frame: StreamFrame) -> Int { Int(generation) << 32 | frame.number }

  func fill(generations: UInt32, using random: inout SeededGenerator) {
    for generation in 1...generations {
      while !window.pointee.beginExclusive(readEpoch) {}
      let frame = StreamFrame.random(in: 0...1_000, using: &random)
      let capacity = Int.random(in: 1...200, using: &random)
      window.pointee.generation = generation
      window.pointee.reset(at: frame, capacity: capacity, bytesPerFrame: 8, byteCount: 8 * capacity)
      window.pointee.endExclusive()
      // The last generation is filled, so that the reader finds something.
      for _ in 0..<Int.random(in: generation == generations ? 1...1 : 0...5, using: &random) {
        let room = window.pointee.room()
        let target = window.pointee.bytes.assumingMemoryBound(to: Int.self) + room.place
        for index in 0..<room.count { target[index] = Self.value(generation, room.frame + index) }
        window.pointee.extend(by: room.count)
      }
      if generation < generations, Bool.random(using: &random) {
        while !window.pointee.beginExclusive(readEpoch) {}
        window.pointee.move(to: StreamFrame.random(in: 0...1_000, using: &random))
        window.pointee.endExclusive()
      }
    }
  }

  func read() {
    readEpoch.begin()
    defer { readEpoch.end() }
    guard window.pointee.isReadable else { return }
    let frame = window.pointee.first.load(ordering: .relaxed)
    let run = window.pointee.run(from: frame)
    let values = window.pointee.bytes.assumingMemoryBound(to: Int.self) + run.place
    for index in 0..<run.count where values[index] != Self.value(window.pointee.generation, frame + index) {
      wrong.wrappingAdd(1, ordering: .relaxed)
    }
    found.wrappingAdd(run.count, ordering: .relaxed)
    window.pointee.release(before: frame + run.count / 2)
  }
}

@Test func aReaderFindsTheRightFramesOrNone() {
  let seed = Seed.current()
  let shared = SharedWindow()
  let end = DispatchSemaphore(value: 0)
  Thread {
    while !shared.isOver.load(ordering: .acquiring) { shared.read() }
    shared.read()
    end.signal()
  }.start()
  var random = SeededGenerator(seed: seed)
  shared.fill(generations: 3_000, using: &random)
  shared.isOver.store(true, ordering: .releasing)
  end.wait()
  #expect(shared.found.load(ordering: .relaxed) > 0, "seed \(seed)")
  #expect(shared.wrong.load(ordering: .relaxed) == 0, "seed \(seed)")
}

@Test func framesAreReleasedInBatches() {
  let readEpoch = ReadEpoch()
  var window = StreamWindow()
  let isExclusive = window.beginExclusive(readEpoch)
  window.reset(at: 100, capacity: 6_400, bytesPerFrame: 1, byteCount: 6_400)
  window.endExclusive()
  window.extend(by: 6_400)
  window.release(before: 199)
  let early = window.first.load(ordering: .relaxed)
  window.release(before: 200)
  let due = window.first.load(ordering: .relaxed)
  window.release(before: 10_000)
  let past = window.first.load(ordering: .relaxed)
  #expect(isExclusive)
  #expect(early == 100)
  #expect(due == 200)
  #expect(past == 6_500, "no more than there is")
}
