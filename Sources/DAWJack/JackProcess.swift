import CJack
import DAWEngine
import DAWRealtime
import DAWTime
import Synchronization

/// JACK's process callback: runs the engine for each cycle. Used by the audio thread alone, except for the exchange of
/// tables.
final class JackProcess: @unchecked Sendable {
  // Unchecked: mutable state is used by one thread, or atomic.
  private let client: OpaquePointer
  private let engine: Unmanaged<LiveEngine>
  private let status: Unmanaged<JackStatus>
  private let masterLeft: OpaquePointer
  private let masterRight: OpaquePointer
  private let click: OpaquePointer?
  private let followsTransport: Bool
  /// Whether to stop following JACK's transport, so that the output fades while JACK's transport rolls on.
  let ignoresTransport = Atomic(false)
  /// From the control thread: the newest tables, not taken yet.
  private let next = Atomic<UnsafeMutableRawPointer?>(nil)
  /// To the control thread: retired tables. It collects them before it publishes others, so there are few.
  private let retired = RingBuffer<UnsafeMutableRawPointer?>(minimumCapacity: 64, filler: nil)
  /// Whether to send the MIDI receivers the final silence.
  let silences = Atomic(false)
  /// Both ways: `JackInputs`.
  let inputs = PlanExchange()
  private var currentInputs: UnsafeMutableRawPointer?
  private var current: UnsafeMutableRawPointer?
  /// Tables of a plan that the engine does not play yet.
  private var pending: UnsafeMutableRawPointer?
  /// The server's 32-bit clock, and how often it has wrapped.
  private var lastCycleFrame: UInt32 = 0
  private var lastFrameCount: UInt32 = 0
  private var wraps = 0
  /// The frames by which the server's count is less than the engine's. Any thread reads it.
  let stepsBack = Atomic(0)

  /// - Parameters:
  ///   - engine: lives as long as the client is open.
  ///   - status: likewise.
  init(
    client: OpaquePointer, engine: LiveEngine, status: JackStatus, master: (OpaquePointer, OpaquePointer),
    click: OpaquePointer?, followsTransport: Bool
  ) {
    self.client = client
    self.engine = Unmanaged.passUnretained(engine)
    self.status = Unmanaged.passUnretained(status)
    (masterLeft, masterRight) = master
    self.click = click
    self.followsTransport = followsTransport
  }

  // MARK: Control thread

  /// Publishes tables to the audio thread.
  /// - Returns: tables that the audio thread does not use any more, or never used.
  func publish(_ new: JackTables) -> [JackTables] {
    var retired = collect()
    if let unused = next.exchange(Unmanaged.passRetained(new).toOpaque(), ordering: .acquiringAndReleasing) {
      retired.append(Unmanaged<JackTables>.fromOpaque(unused).takeRetainedValue())
    }
    return retired
  }

  /// Collects retired tables.
  func collect() -> [JackTables] {
    var collected: [JackTables] = []
    while let pointer = retired.read() {
      if let pointer { collected.append(Unmanaged<JackTables>.fromOpaque(pointer).takeRetainedValue()) }
    }
    return collected
  }

  /// After the client is closed: frees all tables.
  func releaseTables() {
    _ = collect()
    for held in [next.exchange(nil, ordering: .acquiringAndReleasing), pending, current] {
      if let held { Unmanaged<JackTables>.fromOpaque(held).release() }
    }
    (pending, current) = (nil, nil)
    for pointer in [currentInputs, inputs.withdraw(), inputs.collect()] {
      if let pointer { Unmanaged<JackInputs>.fromOpaque(pointer).release() }
    }
    currentInputs = nil
  }

  // MARK: Audio thread

  /// One cycle.
  @_noLocks func run(frameCount: Int) {
    let frames = UInt32(truncatingIfNeeded: frameCount)
    guard let left = cjack_port_buffer(masterLeft, frames), let right = cjack_port_buffer(masterRight, frames) else {
      return
    }
    var block = LiveBlock(
      hostFrame: hostFrame(frames), frameCount: frameCount, left: left.assumingMemoryBound(to: Float.self),
      right: right.assumingMemoryBound(to: Float.self))
    block.isFreewheeling = status._withUnsafeGuaranteedRef { $0.freewheels.load(ordering: .relaxed) }
    if let click, let samples = cjack_port_buffer(click, frames) {
      block.click = samples.assumingMemoryBound(to: Float.self)
    }
    if followsTransport, !ignoresTransport.load(ordering: .acquiring) { block.followed = followed() }
    if let current {
      Unmanaged<JackTables>.fromOpaque(current)._withUnsafeGuaranteedRef {
        block.directOutCount = $0.fetchDirectOuts(frames)
        block.directOuts = UnsafePointer($0.buffers)
      }
    }
    currentInputs = inputs.newest(after: currentInputs)
    if let currentInputs {
      Unmanaged<JackInputs>.fromOpaque(currentInputs)._withUnsafeGuaranteedRef {
        $0.fetch(frames, at: block.hostFrame)
        block.capture = $0.ring
        block.inputs = UnsafePointer($0.buffers)
        block.trackInputs = UnsafePointer($0.trackInputs)
        block.trackInputCount = $0.trackInputCount
      }
    }
    engine._withUnsafeGuaranteedRef { $0.process(block) }
    if let ring = block.capture, cjack_cycle_frame(client) != lastCycleFrame {
      ring._withUnsafeGuaranteedRef { $0.distrustLast() }
    }
    let record = engine._withUnsafeGuaranteedRef { $0.blockRecord }
    takeUp(record)
    guard let current else { return }
    let isLast = silences.load(ordering: .relaxed)
    Unmanaged<JackTables>.fromOpaque(current)._withUnsafeGuaranteedRef { $0.writeMIDI(record, isLast: isLast) }
  }

  /// Takes up new tables in the cycle in which the engine takes up their plan, because the two plans' frames differ.
  /// Tables whose plan was never heard are replaced at once.
  @_noLocks private func takeUp(_ record: TransportRecord) {
    while true {
      if pending == nil { pending = next.exchange(nil, ordering: .acquiringAndReleasing) }
      guard let taken = pending else { return }
      let number = Unmanaged<JackTables>.fromOpaque(taken)._withUnsafeGuaranteedRef { $0.planNumber }
      guard number <= record.planNumber else { return }
      // Full only if the control thread is stalled; a later cycle will do.
      guard retired.count < retired.capacity else { return }
      if let current {
        Unmanaged<JackTables>.fromOpaque(current)._withUnsafeGuaranteedRef {
          $0.finishMIDI(frameCount: record.frameCount)
        }
        _ = retired.write(current)
      }
      current = taken
      pending = nil
    }
  }

  /// Whether the engine can play from a frame; JACK's transport waits until it is so.
  @_noLocks func isReady(at frame: TimelineFrame) -> Bool {
    if ignoresTransport.load(ordering: .acquiring) { return true }
    return engine._withUnsafeGuaranteedRef { $0.isReady(at: frame) }
  }

  /// Adds bar, beat and tick to a position, if beats were published.
  @_noLocks func complete(_ position: UnsafeMutablePointer<jack_position_t>) {
    guard let current else { return }
    let frame = TimelineFrame(Int(cjack_position_frame(position)))
    Unmanaged<JackTables>.fromOpaque(current)._withUnsafeGuaranteedRef {
      guard var musical = $0.musicalPosition(at: frame) else { return }
      cjack_complete_position(position, &musical)
    }
  }

  @_noLocks private func followed() -> FollowedTransport {
    var frame: UInt32 = 0
    let followed: FollowedTransport.State =
      switch JackTransportState(cjack_transport(client, &frame)) {
      case .stopped: .stopped
      case .starting: .starting
      case .rolling: .rolling
      }
    return FollowedTransport(state: followed, frame: TimelineFrame(Int(frame)))
  }

  /// The server's count, without its wraps and steps back.
  @_noLocks private func hostFrame(_ frameCount: UInt32) -> HostFrame {
    let frame = cjack_cycle_frame(client)
    // A late cycle may step back a little, at the end of the range across a wrap; a wrap steps back by more than half
    // of the range.
    if frame < lastCycleFrame, lastCycleFrame - frame > 1 << 31 { wraps += 1 }
    if frame > lastCycleFrame, frame - lastCycleFrame > 1 << 31, wraps > 0 { wraps -= 1 }
    var back = stepsBack.load(ordering: .relaxed)
    if countStepsBack(from: lastFrameCount, to: frameCount, frame &- lastCycleFrame) {
      back += Int(lastFrameCount - frameCount)
      stepsBack.store(back, ordering: .relaxed)
    }
    lastCycleFrame = frame
    lastFrameCount = frameCount
    return HostFrame(wraps << 32 | Int(frame)) + back
  }
}

/// Whether the server's count has stepped back at a change of the buffer size.
///
/// JACK2 then advances its count by the new size for the last cycle of the old one. Where that is shorter the count
/// steps back, though no frame was lost and none comes twice. Where it is longer, the frames that were skipped cannot
/// be told from lost ones.
/// - Parameter passed: by the server's count, since the last cycle began.
@_noLocks func countStepsBack(from oldCount: UInt32, to newCount: UInt32, _ passed: UInt32) -> Bool {
  newCount < oldCount && passed < oldCount
}
