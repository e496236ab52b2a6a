import DAWTime
import Glibc
import Synchronization

/// A part of a stream in memory: a single-producer, single-consumer ring in which each frame's place follows from its
/// number.
///
/// Neither side waits. Because frames are looked up by number, frames read for another position of the playhead are
/// never mistaken for the ones wanted: a lookup finds the right frame or nothing. To reposition the window or give it
/// to another stream, the filler takes exclusive use of it while the reader is outside of its read section
/// (`ReadEpoch`); the reader treats an exclusive window as empty. Reading costs no atomic read-modify-write, which
/// would wait for the store buffer to drain.
struct StreamWindow: ~Copyable {
  // Eight words, one cache line, so that adjacent windows do not share a line.

  /// The window holds frames `first ..< end`, at most `capacity`. Advanced by the reader, by `grain` frames or more at
  /// a time.
  let first = Atomic<StreamFrame>(0)
  /// Advanced by the filler.
  let end = Atomic<StreamFrame>(0)
  private let isExclusive = Atomic<Bool>(false)

  // The following change only while the filler has exclusive use.

  /// The generation of the current stream's handles.
  var generation: UInt32 = 0
  var bytes: UnsafeMutableRawPointer
  /// Size of `bytes`.
  var byteCount: Int
  /// The most frames in the window.
  var capacity = 1
  var bytesPerFrame = 1

  /// Times that the reader found frames missing. Raised by the reader.
  private let misses = Atomic<Int>(0)

  /// A filler, or the control thread. No memory.
  init() {
    bytes = StreamMemory.none.bytes
    byteCount = 0
  }

  deinit { memory.free() }

  /// Frames released at a time: few compared to the capacity, but enough that the cache line does not move between
  /// processors in every block.
  private var grain: Int { @_noLocks get { max(1, capacity >> 6) } }

  // MARK: The audio thread, in its turn

  /// Whether the window can be read; if so, it stays readable until the read section ends.
  var isReadable: Bool { @_noLocks get { !isExclusive.load(ordering: .sequentiallyConsistent) } }

  /// Reader, while `isReadable`: releases frames before `frame`.
  @_noLocks func release(before frame: StreamFrame) {
    guard frame - first.load(ordering: .relaxed) >= grain else { return }
    first.store(min(frame, end.load(ordering: .acquiring)), ordering: .releasing)
  }

  /// Reader, while `isReadable`: the frames from `frame` on that are contiguous in memory.
  /// - Returns: their place in the ring, in frames, and their count; 0 if `frame` is not in the window.
  @_noLocks func run(from frame: StreamFrame) -> (place: Int, count: Int) {
    let end = end.load(ordering: .acquiring)
    guard frame >= first.load(ordering: .relaxed), frame < end else { return (0, 0) }
    let place = frame.place(inRing: capacity)
    return (place, min(end - frame, capacity - place))
  }

  /// Reader, while `isReadable`: frames that it wanted are not there.
  @_noLocks func noteMiss() { misses.wrappingAdd(1, ordering: .relaxed) }

  // MARK: The filling thread

  /// How often the reader found frames missing since the last call.
  func takeMisses() -> Int {
    misses.load(ordering: .relaxed) == 0 ? 0 : misses.exchange(0, ordering: .relaxed)
  }

  /// Takes exclusive use of the window, between two read sections. The flag is not set during a read section: if the
  /// filler were then preempted, the next section would find the window empty.
  /// - Returns: false if the reader was in a read section at every attempt for about 0.1 s; try again later.
  func beginExclusive(_ readEpoch: borrowing ReadEpoch) -> Bool {
    for attempt in 0..<1_500 {
      if attempt >= 200 { usleep(10) }
      guard !readEpoch.isReading else { continue }
      isExclusive.store(true, ordering: .sequentiallyConsistent)
      if !readEpoch.isReading { return true }
      endExclusive()
    }
    return false
  }

  /// Ends exclusive use.
  func endExclusive() { isExclusive.store(false, ordering: .releasing) }

  /// In exclusive use: makes room for a new stream and empties the window at a frame.
  /// - Parameters:
  ///   - bytesPerFrame: at least 1.
  ///   - byteCount: at least `capacity × bytesPerFrame`.
  mutating func reset(at frame: StreamFrame, capacity: Int, bytesPerFrame: Int, byteCount: Int) {
    if self.byteCount < byteCount { exchangeMemory(for: .allocate(byteCount: byteCount) ?? .none).free() }
    // Without memory there is no room for a piece, and the window stays empty.
    reset(at: frame, capacity: self.byteCount < byteCount ? 1 : capacity, bytesPerFrame: bytesPerFrame)
  }

  /// In exclusive use: empties the window at a frame.
  mutating func reset(at frame: StreamFrame, capacity: Int, bytesPerFrame: Int) {
    self.capacity = capacity
    self.bytesPerFrame = bytesPerFrame
    move(to: frame)
    misses.store(0, ordering: .relaxed)
  }

  /// In exclusive use: gives the window other memory. What was in it is lost.
  /// - Returns: the memory that it had, which the caller frees.
  mutating func exchangeMemory(for memory: StreamMemory) -> StreamMemory {
    defer {
      bytes = memory.bytes
      byteCount = memory.byteCount
    }
    return self.memory
  }

  private var memory: StreamMemory { StreamMemory(bytes: bytes, byteCount: byteCount) }

  /// In exclusive use: empties the window and moves it to a frame.
  func move(to frame: StreamFrame) {
    first.store(frame, ordering: .relaxed)
    end.store(frame, ordering: .relaxed)
  }

  /// In exclusive use: drops the frames before `frame`, which is at most `end`.
  func drop(before frame: StreamFrame) { first.store(frame, ordering: .relaxed) }

  /// Filler: where the next frames go.
  /// - Returns: the number of the next frame to write, its place in the ring, and how many frames fit contiguously.
  func room() -> (frame: StreamFrame, place: Int, count: Int) {
    let end = end.load(ordering: .relaxed)
    let free = capacity - (end - first.load(ordering: .acquiring))
    let place = end.place(inRing: capacity)
    return (end, place, min(free, capacity - place))
  }

  /// Filler of both windows: copies the frames of another window from `frame` on, as many as fit. This window is empty
  /// and begins at `frame`; the other one's reader may go on.
  /// - Parameter frame: in the other window, or its end.
  func copy(from other: borrowing StreamWindow, from frame: StreamFrame) {
    let end = min(other.end.load(ordering: .relaxed), frame + capacity)
    var next = frame
    while next < end {
      let source = next.place(inRing: other.capacity)
      let target = next.place(inRing: capacity)
      let count = min(end - next, other.capacity - source, capacity - target)
      (bytes + target * bytesPerFrame).copyMemory(
        from: other.bytes + source * bytesPerFrame, byteCount: count * bytesPerFrame)
      next += count
    }
    self.end.store(end, ordering: .releasing)
  }

  /// Filler: publishes frames written at `room()`.
  func extend(by count: Int) { end.store(end.load(ordering: .relaxed) + count, ordering: .releasing) }
}

extension FrameNumber where Kind == FrameKind.Stream {
  /// Where a ring of so many frames holds the frame, which is ≥ 0.
  @_noLocks fileprivate func place(inRing capacity: Int) -> Int { number % capacity }
}

/// A generational index of a stream: a window and the generation of its stream. The handle is stale once the window has
/// another generation.
struct StreamHandle: BitwiseCopyable {
  let bits: UInt64

  @_noLocks init(bits: UInt64) { self.bits = bits }

  init(window: Int, generation: UInt32) { bits = UInt64(generation) << 32 | UInt64(window + 1) }

  static var none: StreamHandle { @_noLocks get { StreamHandle(bits: 0) } }

  /// −1 for none.
  var window: Int { @_noLocks get { Int(truncatingIfNeeded: bits & 0xffff_ffff) - 1 } }
  var generation: UInt32 { @_noLocks get { UInt32(truncatingIfNeeded: bits >> 32) } }
}

// MARK: Read sections

/// Tells fillers when the audio thread reads streams, as an epoch that is odd during a read section. One section a
/// block.
///
/// With `StreamWindow.isExclusive` it is a Dekker handshake: the reader raises the epoch, then reads the window's flag;
/// a filler sets the flag, then reads the epoch; all four are sequentially consistent. So either the reader sees the
/// flag and treats the window as empty, or the filler sees the read section and backs off.
struct ReadEpoch: ~Copyable {
  /// Odd during a read section.
  private let count = Atomic<UInt64>(0)

  /// Audio thread: begins a read section; windows that are readable stay so until its end.
  @_noLocks func begin() { count.wrappingAdd(1, ordering: .sequentiallyConsistent) }

  /// Audio thread: ends the read section.
  @_noLocks func end() { count.wrappingAdd(1, ordering: .sequentiallyConsistent) }

  /// A filler: whether a read section is under way.
  var isReading: Bool { !count.load(ordering: .sequentiallyConsistent).isMultiple(of: 2) }
}
