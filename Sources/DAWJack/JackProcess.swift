import CJack
import DAWEngine
import DAWRealtime
import Synchronization

/// What runs in JACK's process callback: it hands each cycle to the engine. All its state is the audio thread's alone, but
/// for the tables that are published to it.
final class JackProcess: @unchecked Sendable {
  // Unchecked: what changes is used by one thread.
  private let client: OpaquePointer
  private let engine: Unmanaged<LiveEngine>
  private let status: Unmanaged<JackStatus>
  private let masterLeft: OpaquePointer
  private let masterRight: OpaquePointer
  private let click: OpaquePointer?
  private let followsTransport: Bool
  /// Whether the engine's own transport leads, though JACK's was followed: what sounds is to fade while JACK's rolls on.
  let leavesTransport = Atomic(false)
  /// From the control thread: the newest tables.
  private let next = Atomic<UnsafeMutableRawPointer?>(nil)
  /// To the control thread: those that were left. It collects them before it publishes others, so there are never many.
  private let left = RingBuffer<UnsafeMutableRawPointer?>(minimumCapacity: 64, filler: nil)
  /// Whether the receivers of MIDI are to be silent for good.
  let silences = Atomic(false)
  private var current: UnsafeMutableRawPointer?
  /// Tables of a plan that the engine has not taken up yet.
  private var coming: UnsafeMutableRawPointer?
  /// The server's clock, which wraps, and how often it has.
  private var lastCycleFrame: UInt32 = 0
  private var wraps: UInt64 = 0

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

  /// Gives the audio thread new tables.
  /// - Returns: tables that it no longer uses, or never used.
  func publish(_ new: JackTables) -> [JackTables] {
    var retired = collect()
    if let unused = next.exchange(Unmanaged.passRetained(new).toOpaque(), ordering: .acquiringAndReleasing) {
      retired.append(Unmanaged<JackTables>.fromOpaque(unused).takeRetainedValue())
    }
    return retired
  }

  /// Tables that the audio thread has left.
  func collect() -> [JackTables] {
    var collected: [JackTables] = []
    while let pointer = left.read() {
      if let pointer { collected.append(Unmanaged<JackTables>.fromOpaque(pointer).takeRetainedValue()) }
    }
    return collected
  }

  /// After the client is closed: lets go of everything that was published.
  func releaseTables() {
    _ = collect()
    for held in [next.exchange(nil, ordering: .acquiringAndReleasing), coming, current] {
      if let held { Unmanaged<JackTables>.fromOpaque(held).release() }
    }
    (coming, current) = (nil, nil)
  }

  // MARK: Audio thread

  /// One cycle.
  @_noLocks func run(frameCount: Int) {
    let frames = UInt32(truncatingIfNeeded: frameCount)
    guard let left = cjack_port_buffer(masterLeft, frames), let right = cjack_port_buffer(masterRight, frames) else {
      return
    }
    var block = LiveBlock(
      hostFrame: hostFrame(), frameCount: frameCount, left: left.assumingMemoryBound(to: Float.self),
      right: right.assumingMemoryBound(to: Float.self))
    block.isFreewheeling = status._withUnsafeGuaranteedRef { $0.freewheels.load(ordering: .relaxed) }
    if let click, let samples = cjack_port_buffer(click, frames) {
      block.click = samples.assumingMemoryBound(to: Float.self)
    }
    if followsTransport, !leavesTransport.load(ordering: .acquiring) { block.followed = followed() }
    if let current {
      Unmanaged<JackTables>.fromOpaque(current)._withUnsafeGuaranteedRef {
        block.directOutCount = $0.fetchDirectOuts(frames)
        block.directOuts = UnsafePointer($0.buffers)
      }
    }
    engine._withUnsafeGuaranteedRef { $0.process(block) }
    let record = engine._withUnsafeGuaranteedRef { $0.blockRecord }
    takeUp(record)
    guard let current else { return }
    let isLast = silences.load(ordering: .relaxed)
    Unmanaged<JackTables>.fromOpaque(current)._withUnsafeGuaranteedRef { $0.writeMIDI(record, isLast: isLast) }
  }

  /// What MIDI ports send changes with the plan, in the same cycle: the frames of one are not those of another. Tables whose
  /// plan was never heard make way for the next ones at once.
  @_noLocks private func takeUp(_ record: TransportRecord) {
    while true {
      if coming == nil { coming = next.exchange(nil, ordering: .acquiringAndReleasing) }
      guard let taken = coming else { return }
      let number = Unmanaged<JackTables>.fromOpaque(taken)._withUnsafeGuaranteedRef { $0.planNumber }
      guard number <= record.planNumber else { return }
      // Full, where the control thread stands still: a later cycle will do.
      guard left.count < left.capacity else { return }
      if let current {
        Unmanaged<JackTables>.fromOpaque(current)._withUnsafeGuaranteedRef {
          $0.leaveMIDI(frameCount: record.frameCount)
        }
        _ = left.write(current)
      }
      current = taken
      coming = nil
    }
  }

  /// Whether what comes at a frame could be played now; JACK's transport waits for it.
  @_noLocks func isReady(at frame: Int64) -> Bool {
    if leavesTransport.load(ordering: .acquiring) { return true }
    return engine._withUnsafeGuaranteedRef { $0.isReady(at: frame) }
  }

  /// Adds bar, beat and tick to a position, where beats were published.
  @_noLocks func complete(_ position: UnsafeMutablePointer<jack_position_t>) {
    guard let current else { return }
    let frame = Int64(cjack_position_frame(position))
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
    return FollowedTransport(state: followed, frame: Int64(frame))
  }

  @_noLocks private func hostFrame() -> UInt64 {
    let frame = cjack_cycle_frame(client)
    // Late cycles may make it step back a little; a wrap is a step of nearly all its range.
    if frame < lastCycleFrame, lastCycleFrame - frame > 1 << 31 { wraps += 1 }
    lastCycleFrame = frame
    return wraps << 32 | UInt64(frame)
  }
}
