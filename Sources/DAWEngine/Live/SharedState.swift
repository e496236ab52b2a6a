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
  /// To the butler and the instruments' threads: frames that plans read ahead of the playhead.
  let latency = Atomic<Int>(0)
  /// From the audio thread: peaks of the master.
  let peakLeft = PeakMeter()
  let peakRight = PeakMeter()
  /// From the audio thread: when it reads streams.
  let readEpoch = ReadEpoch()
  /// Both ways: the streams' frames. Instruments first, then file streams. Made and freed by `SharedStateOwner`.
  let windows: UnsafeMutablePointer<StreamWindow>
}

/// Owns a `SharedState`, for all threads but the audio thread.
final class SharedStateOwner: @unchecked Sendable {
  // Unchecked, because a pointer is not Sendable by itself: what it points to is atomic, or guarded by atomics.
  // `windowCount` is the butler's.
  let shared: UnsafeMutablePointer<SharedState>
  private let windowLimit: Int
  private var windowCount: Int

  /// - Parameters:
  ///   - windowCount: windows to begin with.
  ///   - windowLimit: the most windows. There are addresses for all of them, and memory for those that were made, so
  ///     the table grows without being moved.
  init(windowCount: Int, windowLimit: Int) {
    self.windowCount = windowCount
    self.windowLimit = max(1, windowCount, windowLimit)
    // One window per cache line, so that two threads never write to one line.
    let windows = UnsafeMutableRawPointer.allocate(
      byteCount: self.windowLimit * MemoryLayout<StreamWindow>.stride, alignment: 64
    ).bindMemory(to: StreamWindow.self, capacity: self.windowLimit)
    for index in 0..<windowCount { (windows + index).initialize(to: StreamWindow()) }
    shared = .allocate(capacity: 1)
    shared.initialize(to: SharedState(windows: windows))
  }

  deinit {
    let windows = shared.pointee.windows
    windows.deinitialize(count: windowCount)
    windows.deallocate()
    shared.deinitialize(count: 1)
    shared.deallocate()
  }

  /// Butler: makes one more window.
  /// - Returns: its index; `nil` if there are as many as there can be.
  func addWindow() -> Int? {
    guard windowCount < windowLimit else { return nil }
    (shared.pointee.windows + windowCount).initialize(to: StreamWindow())
    windowCount += 1
    return windowCount - 1
  }
}
