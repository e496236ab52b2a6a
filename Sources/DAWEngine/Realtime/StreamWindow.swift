import Glibc
import Synchronization

/// A stretch of a stream that is in memory: a ring of frames, each at the place its number gives it.
///
/// One thread fills it, one reads it, and neither waits. Frames are found by number, so that nothing which was put there
/// for another place of the playhead can be taken for what is wanted now: at worst, nothing is there. Whoever would move
/// the window elsewhere, or give it to another stream, holds it meanwhile, and takes it only while the reader is at no window
/// (`ReadingTurns`). The reader finds nothing in a window that is held. So reading one costs no atomic exchange, which would
/// wait for all that was mixed before to reach the cache.
struct StreamWindow: ~Copyable {
  // Eight words, the line of a cache, so that windows that lie side by side do not share one.

  /// Frames in the window: `first ..< end`, and `end − first ≤ capacity`. Moved by the reader, by `grain` at least.
  let first = Atomic<Int64>(0)
  /// Moved by the filler.
  let end = Atomic<Int64>(0)
  private let isHeld = Atomic<Bool>(false)

  // What follows changes only while the filler holds the window.

  /// What tickets to the stream that is here now carry.
  var generation: UInt32 = 0
  var bytes: UnsafeMutableRawPointer
  /// Of the memory.
  var byteCount: Int
  /// Frames that the window holds at most.
  var capacity = 1
  var bytesPerFrame = 1
  /// Frames that the reader lets go of at a time: few of all, and not so few that the line goes from one processor to the
  /// other in every block.
  private var grain: Int64 = 1

  /// A control thread.
  init() {
    byteCount = 64
    bytes = .allocate(byteCount: byteCount, alignment: 64)
  }

  deinit { bytes.deallocate() }

  // MARK: The audio thread, in its turn

  /// Whether nobody else is at it; then so it stays until the reader's turn is over.
  var isOpen: Bool { @_noLocks get { !isHeld.load(ordering: .sequentiallyConsistent) } }

  /// The reader, while the window is open: nothing before `frame` is needed any more.
  @_noLocks func release(before frame: Int64) {
    guard frame - first.load(ordering: .relaxed) >= grain else { return }
    first.store(min(frame, end.load(ordering: .acquiring)), ordering: .releasing)
  }

  /// The reader, while the window is open: frames from `frame` on that lie side by side in memory.
  /// - Returns: their place in frames, and how many; 0 where the frame is not there.
  @_noLocks func run(from frame: Int64) -> (place: Int, count: Int) {
    let end = end.load(ordering: .acquiring)
    guard frame >= first.load(ordering: .relaxed), frame < end else { return (0, 0) }
    let place = Int(frame % Int64(capacity))
    return (place, min(Int(end - frame), capacity - place))
  }

  // MARK: The filling thread

  /// Takes the window from the reader for a moment, between two of its turns: were it marked during one, and the filler kept
  /// from going on, the next turn would find nothing there.
  /// - Returns: false where for about 0.1 s none was met in which no turn was under way; try again later.
  func beginFilling(_ turns: borrowing ReadingTurns) -> Bool {
    for attempt in 0..<1_500 {
      if attempt >= 200 { usleep(10) }
      guard !turns.isUnderWay else { continue }
      isHeld.store(true, ordering: .sequentiallyConsistent)
      if !turns.isUnderWay { return true }
      endFilling()
    }
    return false
  }

  func endFilling() { isHeld.store(false, ordering: .releasing) }

  /// While it is held: makes room, and puts an empty window at a frame.
  /// - Parameters:
  ///   - bytesPerFrame: at least 1.
  ///   - byteCount: at least `capacity × bytesPerFrame`.
  mutating func lay(at frame: Int64, capacity: Int, bytesPerFrame: Int, byteCount: Int) {
    if self.byteCount < byteCount {
      bytes.deallocate()
      bytes = .allocate(byteCount: byteCount, alignment: 64)
      bytes.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
      self.byteCount = byteCount
    }
    self.capacity = capacity
    self.bytesPerFrame = bytesPerFrame
    grain = max(1, Int64(capacity / 64))
    move(to: frame)
  }

  /// While it is held: puts an empty window at a frame.
  func move(to frame: Int64) {
    first.store(frame, ordering: .relaxed)
    end.store(frame, ordering: .relaxed)
  }

  /// While it is held: nothing before `frame`, one that is there or the next one, is needed any more.
  func drop(before frame: Int64) { first.store(frame, ordering: .relaxed) }

  /// Where the next frames go.
  /// - Returns: the first free frame, its place, and how many frames fit side by side.
  func room() -> (frame: Int64, place: Int, count: Int) {
    let end = end.load(ordering: .relaxed)
    let free = capacity - Int(end - first.load(ordering: .acquiring))
    let place = Int(end % Int64(capacity))
    return (end, place, min(free, capacity - place))
  }

  /// Publishes frames that have been written where `room` said.
  func extend(by count: Int) { end.store(end.load(ordering: .relaxed) + Int64(count), ordering: .releasing) }
}

/// What leads from a region or an instrument of a plan to its stream: window and generation. A ticket whose generation is
/// over leads nowhere.
struct StreamTicket: BitwiseCopyable {
  let bits: UInt64

  @_noLocks init(bits: UInt64) { self.bits = bits }

  init(window: Int, generation: UInt32) { bits = UInt64(generation) << 32 | UInt64(window + 1) }

  static var none: StreamTicket { @_noLocks get { StreamTicket(bits: 0) } }

  /// −1 where there is none.
  var window: Int { @_noLocks get { Int(truncatingIfNeeded: bits & 0xffff_ffff) - 1 } }
  var generation: UInt32 { @_noLocks get { UInt32(truncatingIfNeeded: bits >> 32) } }
}
