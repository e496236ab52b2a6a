import DAWRealtime
import Synchronization

/// All that crosses between the audio thread and the others; see Documentation/RealTimeRules.md.
struct Crossing: ~Copyable {
  /// To the audio thread: what is asked of the transport.
  let commands = RingBuffer<TransportCommand>(minimumCapacity: 256, filler: .stop)
  /// To the audio thread: plans. From it: those it has left.
  let plans = PlanExchange()
  /// From the audio thread: what the transport does.
  let record = PublishedValue<TransportRecord>(TransportRecord())
  /// To the audio thread: how many starts have been held, and how many of them may roll; see `LiveEngine.holdStarts()`.
  let heldStarts = Atomic<UInt64>(0)
  let allowedStarts = Atomic<UInt64>(0)
  /// To the instruments' threads: frames of the longest block that the host has announced.
  let announcedFrames = Atomic<Int>(0)
  /// From the audio thread: peaks of the master.
  let peakLeft = PeakMeter()
  let peakRight = PeakMeter()
  /// From the audio thread: when it is at the streams.
  let turns = ReadingTurns()
  /// Both ways: the streams themselves. Files, then instruments.
  let windows: UnsafeMutablePointer<StreamWindow>
  let windowCount: Int

  init(windowCount: Int) {
    self.windowCount = windowCount
    // A window to a line of the cache.
    windows = UnsafeMutableRawPointer.allocate(
      byteCount: max(1, windowCount) * MemoryLayout<StreamWindow>.stride, alignment: 64
    ).bindMemory(to: StreamWindow.self, capacity: windowCount)
    for index in 0..<windowCount { (windows + index).initialize(to: StreamWindow()) }
  }

  deinit {
    windows.deinitialize(count: windowCount)
    windows.deallocate()
  }
}

/// Owns a `Crossing`, for all threads but the audio thread.
final class CrossingOwner: @unchecked Sendable {
  // Unchecked, because a pointer is not Sendable by itself: what it leads to is atomic, or guarded by atomics.
  let crossing: UnsafeMutablePointer<Crossing>

  init(windowCount: Int) {
    crossing = .allocate(capacity: 1)
    crossing.initialize(to: Crossing(windowCount: windowCount))
  }

  deinit {
    crossing.deinitialize(count: 1)
    crossing.deallocate()
  }
}
