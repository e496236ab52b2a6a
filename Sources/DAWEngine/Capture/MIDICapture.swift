import DAWRealtime
import DAWTime
import Synchronization

/// A MIDI message that came in, whole.
public struct CapturedMessage: Hashable, Sendable {
  /// When it arrived; of a system exclusive message in parts, when its first part did.
  public var hostFrame: HostFrame
  /// The number of its input.
  public var input: Int
  public var bytes: [UInt8]

  public init(hostFrame: HostFrame, input: Int, bytes: [UInt8]) {
    self.hostFrame = hostFrame
    self.input = input
    self.bytes = bytes
  }
}

/// Messages of an input that were lost.
public struct MIDILoss: BitwiseCopyable, Hashable, Sendable {
  public var input: Int
  /// Between these frames, both included.
  public var first: HostFrame
  public var last: HostFrame
  /// How many, at least.
  public var count: Int

  @_noLocks public init(input: Int, first: HostFrame, last: HostFrame, count: Int) {
    self.input = input
    self.first = first
    self.last = last
    self.count = count
  }
}

/// A wait-free queue of MIDI messages from the thread on which they arrive, the audio thread for instance, to one that
/// reads them. No message is lost in silence: what does not fit is counted, with its frames.
public final class MIDICapture: @unchecked Sendable {
  // Unchecked: the writer's state is used by one thread, the reader's by another. The writer only stores to free bytes
  // from `written` on, and publishes them by advancing it; the reader likewise with `consumed`.
  /// Records of whole words: the frame; the count of bytes with the input and a flag; the bytes. Where the frame of a
  /// cycle was misread: that frame; by how much it is too great, with another flag.
  private let words: UnsafeMutablePointer<UInt64>
  private let mask: Int
  private let written = Atomic<Int>(0)
  private let consumed = Atomic<Int>(0)
  private let losses = RingBuffer<MIDILoss>(
    minimumCapacity: 256, filler: MIDILoss(input: 0, first: 0, last: 0, count: 0))
  /// The writer's, by input: what is not reported yet.
  private let pending: UnsafeMutablePointer<MIDILoss>
  /// The writer's, by input: whether messages were lost behind the last one that was written.
  private let isInterrupted: UnsafeMutablePointer<Bool>
  /// The writer's: the last cycle, and by how much its frame was greater than the end of the cycle before.
  private var cycle: HostFrame = 0
  private var cycleEnd: HostFrame = 0
  private var cycleJump = 0
  private var hasCycle = false
  public let inputCount: Int
  /// The reader's.
  private var exclusives = ExclusiveJoiner()

  private static let headerByteCount = 16
  /// In the second word of a record.
  private static let interruption: UInt64 = 1 << 63
  private static let correction: UInt64 = 1 << 62

  /// Control thread. Touches all memory, so that later accesses do not page-fault.
  /// - Parameters:
  ///   - inputCount: inputs are numbered from 0.
  ///   - minimumByteCount: a message takes 16 bytes and its own.
  public init(inputCount: Int, minimumByteCount: Int = 1 << 20) {
    var byteCount = 64
    while byteCount < minimumByteCount { byteCount *= 2 }
    words = .allocate(capacity: byteCount / 8)
    words.initialize(repeating: 0, count: byteCount / 8)
    mask = byteCount - 1
    self.inputCount = inputCount
    pending = .allocate(capacity: max(1, inputCount))
    isInterrupted = .allocate(capacity: max(1, inputCount))
    isInterrupted.initialize(repeating: false, count: max(1, inputCount))
    for input in 0..<max(1, inputCount) {
      (pending + input).initialize(to: MIDILoss(input: input, first: 0, last: 0, count: 0))
    }
  }

  deinit {
    words.deallocate()
    pending.deallocate()
    isInterrupted.deallocate()
  }

  // MARK: The writing thread

  /// To be called before the messages of a cycle, where they come in cycles of the host. If the frame of the cycle
  /// before was too great, by the rule of `CaptureRing.begin`, the reader gets `Arrival.misread`.
  @_noLocks public func begin(at hostFrame: HostFrame, frameCount: Int) {
    let jump = hasCycle ? hostFrame - cycleEnd : 0
    if jump < 0, -jump <= cycleJump { noteMisread(cycle, by: -jump) }
    cycleJump = max(0, jump)
    cycle = hostFrame
    cycleEnd = hostFrame + frameCount
    hasCycle = true
  }

  @_noLocks private func noteMisread(_ frame: HostFrame, by count: Int) {
    let end = written.load(ordering: .relaxed)
    // Without room, messages of that cycle stay where they are.
    guard count <= 0xffff_ffff, mask + 1 - (end - consumed.load(ordering: .acquiring)) >= 16 else { return }
    words[(end & mask) >> 3] = UInt64(bitPattern: Int64(frame.number))
    words[((end + 8) & mask) >> 3] = UInt64(truncatingIfNeeded: count) | 1 << 62
    written.store(end + 16, ordering: .releasing)
  }

  /// Writes a message, or a part of a system exclusive one. What does not fit is counted as lost.
  /// - Parameter bytes: `count` of them, at least 1.
  /// - Returns: whether it was written.
  @discardableResult
  @_noLocks public func write(_ bytes: UnsafePointer<UInt8>, count: Int, of input: Int, at frame: HostFrame) -> Bool {
    guard input >= 0, input < inputCount, count > 0 else { return false }
    let end = written.load(ordering: .relaxed)
    let room = mask + 1 - (end - consumed.load(ordering: .acquiring))
    // First against the capacity, so that the sum does not overflow.
    guard count <= mask, 16 + (count + 7) & ~7 <= room else {
      lose(1, of: input, from: frame, through: frame)
      return false
    }
    var header = UInt64(truncatingIfNeeded: count) | UInt64(truncatingIfNeeded: input) << 32
    if isInterrupted[input] { header |= 1 << 63 }
    isInterrupted[input] = false
    words[(end & mask) >> 3] = UInt64(bitPattern: Int64(frame.number))
    words[((end + 8) & mask) >> 3] = header
    let place = (end + 16) & mask
    let untilWrap = min(count, mask + 1 - place)
    let memory = UnsafeMutableRawPointer(words)
    (memory + place).copyMemory(from: bytes, byteCount: untilWrap)
    memory.copyMemory(from: bytes + untilWrap, byteCount: count - untilWrap)
    written.store(end + 16 + (count + 7) & ~7, ordering: .releasing)
    return true
  }

  /// Counts messages as lost.
  @_noLocks public func lose(_ count: Int, of input: Int, from first: HostFrame, through last: HostFrame) {
    guard input >= 0, input < inputCount, count > 0 else { return }
    isInterrupted[input] = true
    if pending[input].count == 0 {
      pending[input].first = first
      pending[input].last = last
    } else {
      if first < pending[input].first { pending[input].first = first }
      if last > pending[input].last { pending[input].last = last }
    }
    pending[input].count &+= count
  }

  /// Reports what was lost on an input since the last report. To be called from time to time.
  /// - Returns: false if the reader has not read earlier reports; what was lost is kept for the next one.
  @discardableResult
  @_noLocks public func reportLoss(of input: Int) -> Bool {
    guard input >= 0, input < inputCount, pending[input].count > 0 else { return true }
    guard losses.write(pending[input]) else { return false }
    pending[input].count = 0
    return true
  }

  // MARK: The reading thread

  /// What the reader gets.
  public enum Arrival: Hashable, Sendable {
    case message(CapturedMessage)
    /// Messages that were read before this, at this frame or behind it, came so many frames earlier: the frame of their
    /// cycle was misread.
    case misread(from: HostFrame, by: Int)
  }

  /// - Returns: the oldest message, or `nil` if there is none; at the frame that its cycle was thought to have.
  public func read() -> CapturedMessage? {
    while let arrival = readArrival() {
      if case .message(let message) = arrival { return message }
    }
    return nil
  }

  /// - Returns: what has come first, or `nil` if there is nothing.
  public func readArrival() -> Arrival? {
    while true {
      let start = consumed.load(ordering: .relaxed)
      guard written.load(ordering: .acquiring) != start else { return nil }
      let frame = HostFrame(Int(Int64(bitPattern: words[(start & mask) >> 3])))
      let header = words[((start + 8) & mask) >> 3]
      let (count, input) = (Int(header & 0xffff_ffff), Int(header >> 32 & 0x3fff_ffff))
      if header & Self.correction != 0 {
        consumed.store(start + Self.headerByteCount, ordering: .releasing)
        return .misread(from: frame, by: count)
      }
      let place = (start + Self.headerByteCount) & mask
      let untilWrap = min(count, mask + 1 - place)
      let memory = UnsafeRawPointer(words)
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, initialized in
        guard let target = UnsafeMutableRawPointer(bytes.baseAddress) else { return }
        target.copyMemory(from: memory + place, byteCount: untilWrap)
        (target + untilWrap).copyMemory(from: memory, byteCount: count - untilWrap)
        initialized = count
      }
      consumed.store(start + Self.headerByteCount + (count + 7) & ~7, ordering: .releasing)
      let part = CapturedMessage(hostFrame: frame, input: input, bytes: bytes)
      if header & Self.interruption != 0 { exclusives.interrupt(input) }
      if let message = exclusives.join(part, by: input) { return .message(message) }
    }
  }

  /// - Returns: the oldest loss that was reported; or a system exclusive message that did not come whole; or `nil`.
  public func readLoss() -> MIDILoss? { losses.read() ?? exclusives.takeLoss() }
}
