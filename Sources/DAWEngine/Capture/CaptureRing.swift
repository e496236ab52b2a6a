import CSampleCodec
import DAWRealtime
import DAWTime
import Glibc
import Synchronization

/// Carries what comes in from the audio thread to one other thread, which writes it to files.
///
/// All channels share one count of frames, so that they never part: a block is kept for all of them, or dropped for all
/// of them and counted. Beside the samples goes what the transport did at each host frame.
public final class CaptureRing: @unchecked Sendable {
  // Unchecked: the samples from `consumed` to `written` belong to the reading thread, the others to the audio thread.
  public let channelCount: Int
  /// Frames that it holds.
  public let capacity: Int
  /// Samples from the start of one channel's memory to the start of the next one's.
  private let stride: Int
  private let samples: UnsafeMutablePointer<Float>
  private let written = Atomic<Int>(0)
  private let consumed = Atomic<Int>(0)
  /// The end of what the reading thread has taken. It gives frames back by `consumed`.
  private let taken = Atomic<Int>(0)
  private let writtenEnd = Atomic<Int>(0)
  private let blocks: RingBuffer<WrittenBlock>
  private let changes: RingBuffer<TimelineChange>
  private let peaks: UnsafeMutablePointer<PeakMeter>
  /// The peaks of the run that was taken last, and its frames: the reading thread's.
  private let runPeaks: UnsafeMutablePointer<Float>
  private var peakedFrames = 0..<0

  // The audio thread's.
  private var lastChange = TimelineChange(hostFrame: 0, frame: 0, motion: .stopped, wrapCount: 0)
  private var hasLastChange = false
  private var nextHostFrame: HostFrame = 0
  private var hasBegun = false
  /// The last block's host frame, and by how much it was greater than the end of the block before.
  private var lastHostFrame: HostFrame = 0
  private var lastJump = 0
  private var misreadFrames = 0
  private var isLastTorn = false
  private var droppedCount = 0
  private let path = daw_best_path()

  /// Control thread. Touches all memory, so that later accesses do not page-fault.
  /// - Parameters:
  ///   - channelCount: ≥ 0.
  ///   - frameCount: the frames to hold at least, ≥ 1.
  public init(channelCount: Int, frameCount: Int) {
    self.channelCount = channelCount
    let page = 4096 / MemoryLayout<Float>.stride
    capacity = max(1, (frameCount + page - 1) / page) * page
    // A page and a line more than whole pages: else the same frame of all channels would lie in the same few places of
    // the processor's caches, of memory and of pages.
    stride = capacity + page + 64 / MemoryLayout<Float>.stride
    samples = Self.makeZeros(count: max(1, channelCount * stride))
    // Ten seconds at 48 kHz of the shortest cycles that servers have, 16 frames.
    blocks = RingBuffer(minimumCapacity: 30_000, filler: WrittenBlock())
    changes = RingBuffer(
      minimumCapacity: 16_384, filler: TimelineChange(hostFrame: 0, frame: 0, motion: .stopped, wrapCount: 0))
    peaks = .allocate(capacity: max(1, channelCount))
    for channel in 0..<channelCount { (peaks + channel).initialize(to: PeakMeter()) }
    runPeaks = .allocate(capacity: max(1, channelCount))
    runPeaks.initialize(repeating: 0, count: max(1, channelCount))
  }

  /// Memory of zeros whose pages are all mapped already. Mapped in one call they take half of the time; where the
  /// system has no such call (Linux before 5.14), writing zeros maps them one after another.
  private static func makeZeros(count: Int) -> UnsafeMutablePointer<Float> {
    // Where there is no memory, this ends the process, as every other allocation does.
    guard let memory = calloc(count, MemoryLayout<Float>.stride) else { return .allocate(capacity: count) }
    let samples = memory.bindMemory(to: Float.self, capacity: count)
    guard let pages = wholePages(of: samples, count) else { return samples }
    // MADV_POPULATE_WRITE, which Glibc's module leaves out.
    if madvise(pages.baseAddress, pages.count, 23) != 0 { samples.update(repeating: 0, count: count) }
    return samples
  }

  private static func wholePages(
    of samples: UnsafeMutablePointer<Float>, _ count: Int
  ) -> UnsafeMutableRawBufferPointer? {
    let page: UInt = 4096
    let first = (UInt(bitPattern: samples) + page - 1) / page * page
    let end = UInt(bitPattern: samples + count) / page * page
    guard end > first else { return nil }
    return UnsafeMutableRawBufferPointer(start: UnsafeMutableRawPointer(bitPattern: first), count: Int(end - first))
  }

  /// Gives the ring's memory back to the system, when nothing in it is wanted. On the reading thread, or on any after
  /// its end. What comes in later is kept, and maps pages anew; what was not taken becomes zeros.
  public func dropMemory() {
    guard let pages = Self.wholePages(of: samples, max(1, channelCount * stride)) else { return }
    // Locked pages are not given back.
    munlock(pages.baseAddress, pages.count)
    madvise(pages.baseAddress, pages.count, MADV_DONTNEED)
  }

  deinit {
    free(samples)
    peaks.deinitialize(count: channelCount)
    peaks.deallocate()
    runPeaks.deallocate()
  }

  // MARK: Audio thread

  /// Before a block: notes the frames for which the host did not call since the one before.
  ///
  /// A server that runs ahead of a late client has counted its next cycle when the client asks for the frame of its
  /// own: that frame is too great then, and the next one does not follow. What was noted for the late cycle is
  /// corrected.
  @_noLocks func begin(at hostFrame: HostFrame) {
    misreadFrames = 0
    let jump = hasBegun ? hostFrame - nextHostFrame : 0
    if jump < 0, -jump <= min(lastJump, WrittenBlock.mostMisread) {
      misreadFrames = -jump
      var correction = lastChange
      correction.hostFrame = lastHostFrame
      correction.misreadFrames = misreadFrames
      // The next change is written in any case: what follows from this one is not known.
      hasLastChange = false
      if !changes.write(correction) { misreadFrames = 0 }
    } else if jump != 0 {
      var missed = lastChange
      missed.hostFrame = nextHostFrame
      missed.motion = .between
      note(missed)
    }
    lastJump = max(0, jump)
    lastHostFrame = hostFrame
  }

  /// Notes what the transport does from a host frame on. Nothing is written where the last note implies it.
  @_noLocks func note(_ change: TimelineChange) {
    if hasLastChange, lastChange.predicts(change) { return }
    hasLastChange = changes.write(change)
    lastChange = change
  }

  /// Whether there is room for a block: for its frames, and for its `WrittenBlock`. With short blocks the ring of the
  /// latter may be full first.
  @_noLocks func hasRoom(for frameCount: Int) -> Bool {
    guard blocks.count < blocks.capacity else { return false }
    return capacity - (written.load(ordering: .relaxed) - consumed.load(ordering: .acquiring)) >= frameCount
  }

  /// After a block: keeps its inputs, or counts it as dropped where there is no room, or where what the transport did
  /// could not be noted.
  /// - Parameters:
  ///   - inputs: a buffer for each channel; `nil`: silence.
  @_noLocks func capture(
    _ inputs: UnsafePointer<UnsafePointer<Float>?>?, hostFrame: HostFrame, frameCount: Int
  ) {
    hasBegun = true
    nextHostFrame = hostFrame + frameCount
    guard frameCount > 0 else { return }
    guard hasLastChange, hasRoom(for: frameCount) else {
      droppedCount += frameCount
      return
    }
    let index = written.load(ordering: .relaxed)
    let place = index % capacity
    let untilWrap = min(frameCount, capacity - place)
    for channel in 0..<channelCount {
      let target = samples + channel * stride
      if let inputs, let source = inputs[channel] {
        copy(source, to: target + place, untilWrap)
        copy(source + untilWrap, to: target, frameCount - untilWrap)
      } else {
        clear(target + place, untilWrap)
        clear(target, frameCount - untilWrap)
      }
    }
    // Room was checked above, and this thread alone writes.
    _ = blocks.write(
      WrittenBlock(
        hostFrame: hostFrame, frameCount: frameCount, droppedCount: droppedCount, misreadFrames: misreadFrames,
        followsTorn: isLastTorn))
    droppedCount = 0
    isLastTorn = false
    written.store(index + frameCount, ordering: .releasing)
    writtenEnd.store(hostFrame.number + frameCount, ordering: .relaxed)
  }

  /// After a block: the host had begun another cycle before its inputs were copied, so that other clients may have
  /// written to them already.
  @_noLocks public func distrustLast() { isLastTorn = true }

  // MARK: The reading thread

  /// The changes noted since the last call, in order. All that concern a block were noted before `takeRun` returns it.
  public func takeChanges() -> [TimelineChange] {
    var taken: [TimelineChange] = []
    while let change = changes.read() { taken.append(change) }
    return taken
  }

  /// The oldest blocks that follow one another in the host's frames and in memory: only the first of them may go on at
  /// the ring's beginning. Their samples are valid until `release`. A block is taken when there is one behind it, which
  /// may correct its host frame.
  /// - Parameters:
  ///   - limit: blocks that end behind this host frame are not taken.
  ///   - isLast: whether no more blocks come.
  /// - Returns: `nil` when there are none.
  public func takeRun(before limit: HostFrame = .max, isLast: Bool = false) -> CapturedBlock? {
    guard blocks.count > (isLast ? 0 : 1), let first = blocks.peek().first, first.end <= limit else { return nil }
    blocks.discard(1)
    // Blocks were written to the memory one behind another.
    var run = CapturedBlock(first, index: taken.load(ordering: .relaxed))
    if let next = blocks.peek().first {
      run.hostFrame -= Int(next.misreadFrames)
      // A cycle that began when the host was at its next one was copied no earlier than that.
      run.isTorn = next.followsTorn || next.misreadFrames > 0
    }
    let wrap = (run.index / capacity + 1) * capacity
    while !run.isTorn, blocks.count > (isLast ? 0 : 1), let next = blocks.peek().first,
      next.hostFrame == run.end, next.end <= limit, next.droppedCount == 0,
      run.index + run.frameCount + Int(next.frameCount) <= wrap,
      blocks.peek().count >= 2 ? blocks.peek()[1].confirmsOneBefore : isLast
    {
      blocks.discard(1)
      run.frameCount += Int(next.frameCount)
    }
    taken.store(run.index + run.frameCount, ordering: .relaxed)
    meter(run)
    return run
  }

  /// Here and not in `capture`, where the audio thread only copies.
  private func meter(_ run: CapturedBlock) {
    peakedFrames = 0..<0
    for channel in 0..<channelCount {
      runPeaks[channel] = peak(ofChannel: channel, at: run.index, frameCount: run.frameCount)
      peaks[channel].raise(to: runPeaks[channel])
    }
    peakedFrames = run.index..<run.index + run.frameCount
  }

  /// The peak of a channel from a frame of the ring on, linear; where a sample is no number or infinite, the greatest
  /// number.
  public func peak(ofChannel channel: Int, at index: Int, frameCount: Int) -> Float {
    if peakedFrames == index..<index + frameCount { return runPeaks[channel] }
    var done = 0
    var bits: UInt32 = 0
    while done < frameCount {
      let piece = samples(ofChannel: channel, at: index + done, frameCount: frameCount - done)
      bits = max(bits, greatestMagnitude(of: piece.pointer, piece.count, path))
      done += piece.count
    }
    return Float(bitPattern: min(bits, Float.greatestFiniteMagnitude.bitPattern))
  }

  /// The samples of a channel from a frame of the ring on.
  /// - Returns: how many of `frameCount` lie in one piece, and where.
  public func samples(
    ofChannel channel: Int, at index: Int, frameCount: Int
  ) -> (pointer: UnsafePointer<Float>, count: Int) {
    let place = index % capacity
    return (UnsafePointer(samples + channel * stride + place), min(frameCount, capacity - place))
  }

  /// Gives back the memory of a run.
  public func release(_ run: CapturedBlock) {
    consumed.store(run.index + run.frameCount, ordering: .releasing)
  }

  /// Any thread: the frames that are not taken yet.
  public var untakenCount: Int { written.load(ordering: .relaxed) - taken.load(ordering: .relaxed) }

  /// Any thread: the host frame behind the newest block that is kept; 0 before the first.
  public var newestEnd: HostFrame { HostFrame(writtenEnd.load(ordering: .relaxed)) }

  /// One thread at a time: a channel's peak in what was taken since the last call, linear.
  public func takePeak(ofChannel channel: Int) -> Float { peaks[channel].take() }
}

/// A block of a `CaptureRing`, or several that follow one another.
public struct CapturedBlock: BitwiseCopyable, Sendable {
  /// The host frame of its first frame.
  public var hostFrame: HostFrame
  public var frameCount: Int
  /// The number of its first frame, counted in frames that were written to the ring.
  public var index: Int
  /// Frames that were dropped before it, for want of room.
  public var droppedCount: Int
  /// Whether the samples may be of a later cycle.
  public var isTorn = false

  fileprivate init(_ block: WrittenBlock, index: Int) {
    hostFrame = block.hostFrame
    frameCount = Int(block.frameCount)
    self.index = index
    droppedCount = Int(block.droppedCount)
  }

  /// The host frame behind it.
  public var end: HostFrame { hostFrame + frameCount }
}

/// A block as the audio thread writes it: short, since there are thousands in a second where cycles are short.
private struct WrittenBlock: BitwiseCopyable {
  /// Of its first frame.
  var hostFrame: HostFrame = 0
  var frameCount: UInt32 = 0
  /// Frames that were dropped before it, for want of room.
  var droppedCount: UInt32 = 0
  /// The host frame of the block before was too great by this.
  var misreadFrames: UInt32 = 0
  /// Whether the samples of the block before may be of a later cycle.
  var followsTorn = false

  static var mostMisread: Int { @_noLocks get { 0xffff_ffff } }

  var end: HostFrame { hostFrame + Int(frameCount) }

  var confirmsOneBefore: Bool { misreadFrames == 0 && !followsTorn }

  @_noLocks init() {}

  @_noLocks init(hostFrame: HostFrame, frameCount: Int, droppedCount: Int, misreadFrames: Int, followsTorn: Bool) {
    self.hostFrame = hostFrame
    self.frameCount = UInt32(truncatingIfNeeded: frameCount)
    // A day's.
    self.droppedCount = UInt32(truncatingIfNeeded: min(droppedCount, 0xffff_ffff))
    self.misreadFrames = UInt32(truncatingIfNeeded: misreadFrames)
    self.followsTorn = followsTorn
  }
}
