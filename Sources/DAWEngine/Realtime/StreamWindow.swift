import Synchronization

/// A stretch of a stream that is in memory: a ring of frames, each at the place its number gives it.
///
/// One thread fills it, one reads it, and neither waits. Frames are found by number, so that nothing which was put there
/// for another place of the playhead can be taken for what is wanted now: at worst, nothing is there. Whoever would move
/// the window elsewhere, or give it to another stream, holds it meanwhile; the reader holds it while it reads, and finds
/// nothing there when it cannot.
struct StreamWindow: ~Copyable {
  /// Frames in the window: `first ..< end`, and `end − first ≤ capacity`. Moved by the reader.
  let first = Atomic<Int64>(0)
  /// Moved by the filler.
  let end = Atomic<Int64>(0)
  private let holder = Atomic<UInt8>(0)

  private static var nobody: UInt8 { @_noLocks get { 0 } }
  private static var reader: UInt8 { @_noLocks get { 1 } }
  private static var filler: UInt8 { @_noLocks get { 2 } }

  // What follows changes only while the filler holds the window.

  /// What tickets to the stream that is here now carry.
  var generation: UInt32 = 0
  var bytes: UnsafeMutableRawPointer
  /// Of the memory.
  var byteCount: Int
  /// Frames that the window holds at most.
  var capacity = 1
  var bytesPerFrame = 1

  /// A control thread.
  init() {
    byteCount = 64
    bytes = .allocate(byteCount: byteCount, alignment: 64)
  }

  deinit { bytes.deallocate() }

  // MARK: The audio thread

  /// - Returns: whether the window now is the reader's, until `endReading`.
  @_noLocks func beginReading() -> Bool {
    holder.compareExchange(expected: Self.nobody, desired: Self.reader, ordering: .acquiring).exchanged
  }

  @_noLocks func endReading() { holder.store(Self.nobody, ordering: .releasing) }

  /// The reader, while it holds the window: nothing before `frame` is needed any more.
  @_noLocks func release(before frame: Int64) {
    let now = first.load(ordering: .relaxed)
    if frame > now { first.store(min(frame, end.load(ordering: .acquiring)), ordering: .releasing) }
  }

  /// The reader, while it holds the window: frames from `frame` on that lie side by side in memory.
  /// - Returns: their place in frames, and how many; 0 where the frame is not there.
  @_noLocks func run(from frame: Int64) -> (place: Int, count: Int) {
    let end = end.load(ordering: .acquiring)
    guard frame >= first.load(ordering: .relaxed), frame < end else { return (0, 0) }
    let place = Int(frame % Int64(capacity))
    return (place, min(Int(end - frame), capacity - place))
  }

  // MARK: The filling thread

  /// Takes the window from the reader for a moment.
  /// - Returns: false where the reader is at it; try again.
  func beginFilling() -> Bool {
    holder.compareExchange(expected: Self.nobody, desired: Self.filler, ordering: .acquiring).exchanged
  }

  func endFilling() { holder.store(Self.nobody, ordering: .releasing) }

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
