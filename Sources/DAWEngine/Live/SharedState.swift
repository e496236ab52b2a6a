import DAWRealtime
import Synchronization

/// All state that the audio thread shares with other threads; see Documentation/RealTimeRules.md.
struct SharedState: ~Copyable {
  /// To the audio thread: transport commands.
  let commands = RingBuffer<TransportCommand>(minimumCapacity: 256, filler: .stop)
  /// To the audio thread: plans. From it: retired plans.
  let plans = PlanExchange()
  /// From the audio thread: the transport's state, once a block.
  let record = PublishedValue<TransportRecord>(TransportRecord())
  /// To the audio thread: how many starts have been held, and how many of them may roll; see `LiveEngine.holdStarts()`.
  let heldStarts = Atomic<UInt64>(0)
  let allowedStarts = Atomic<UInt64>(0)
  /// To the instruments' threads: frames of the longest block that the host has announced.
  let announcedFrames = Atomic<Int>(0)
  /// From the audio thread: peaks of the master.
  let peakLeft = PeakMeter()
  let peakRight = PeakMeter()
  /// From the audio thread: when it reads streams.
  let readEpoch = ReadEpoch()
  /// Both ways: the streams' frames. File streams first, then instruments.
  let windows: UnsafeMutablePointer<StreamWindow>
  let windowCount: Int

  init(windowCount: Int) {
    self.windowCount = windowCount
    // One window per cache line, so that two threads never write to one line.
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

/// Owns a `SharedState`, for all threads but the audio thread.
final class SharedStateOwner: @unchecked Sendable {
  // Unchecked, because a pointer is not Sendable by itself: what it points to is atomic, or guarded by atomics.
  let shared: UnsafeMutablePointer<SharedState>

  init(windowCount: Int) {
    shared = .allocate(capacity: 1)
    shared.initialize(to: SharedState(windowCount: windowCount))
  }

  deinit {
    shared.deinitialize(count: 1)
    shared.deallocate()
  }
}
