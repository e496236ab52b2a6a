import CJack
import DAWEngine
import DAWTime

/// Tables of ports for the audio thread. Made on a control thread, published as a whole; after that only the audio
/// thread changes them, storing each cycle's buffers.
final class JackTables: @unchecked Sendable {
  // Unchecked: used by one thread at a time.

  /// The audio ports of a track.
  struct DirectOut: BitwiseCopyable {
    var trackID: Int64
    var left: OpaquePointer
    var right: OpaquePointer
  }

  let directOuts: UnsafeMutablePointer<DirectOut>
  let directOutCount: Int
  /// Set in each cycle.
  let buffers: UnsafeMutablePointer<DirectOutBuffers>
  private let beats: Unmanaged<BeatTable>?
  private let midiPorts: UnsafeMutableBufferPointer<LinkedMIDIPort>
  /// The port that is written first, so that each has its turn where a cycle's budget does not do for all.
  private var firstPort = 0
  /// Kept, since `midiPorts` points into its memory.
  private let plannedPorts: LinkedPorts
  let planNumber: UInt64

  /// Control thread.
  /// - Parameters:
  ///   - planned: the MIDI ports of plan `planNumber`; notes of other ports are ended.
  init(
    directOuts: [DirectOut], beats: BeatTable?, midiPorts: [JackMIDIPort], planned: [PlannedPort], planNumber: UInt64
  ) {
    let plannedPorts = LinkedPorts(planned)
    self.plannedPorts = plannedPorts
    self.midiPorts = .allocate(capacity: midiPorts.count)
    _ = self.midiPorts.initialize(from: midiPorts.map { LinkedMIDIPort($0, plannedPorts.port($0.trackID)) })
    self.planNumber = planNumber
    directOutCount = directOuts.count
    self.directOuts = .allocate(capacity: max(1, directOuts.count))
    buffers = .allocate(capacity: max(1, directOuts.count))
    for (index, out) in directOuts.enumerated() { (self.directOuts + index).initialize(to: out) }
    self.beats = beats.map { Unmanaged.passRetained($0) }
  }

  deinit {
    directOuts.deallocate()
    buffers.deallocate()
    beats?.release()
    midiPorts.deallocate()
  }

  /// Audio thread: fetches this cycle's buffers of the tracks' own outputs.
  /// - Returns: their count.
  @_noLocks func fetchDirectOuts(_ frameCount: UInt32) -> Int {
    var count = 0
    for index in 0..<directOutCount {
      let out = directOuts[index]
      guard let left = cjack_port_buffer(out.left, frameCount), let right = cjack_port_buffer(out.right, frameCount)
      else { continue }
      (buffers + count).initialize(
        to: DirectOutBuffers(
          trackID: out.trackID, left: left.assumingMemoryBound(to: Float.self),
          right: right.assumingMemoryBound(to: Float.self)))
      count += 1
    }
    return count
  }

  /// Audio thread: writes the MIDI of a cycle.
  /// - Parameters:
  ///   - record: the transport in this cycle.
  ///   - isLast: whether to send the final silence.
  @_noLocks func writeMIDI(_ record: TransportRecord, isLast: Bool) {
    guard midiPorts.count > 0 else { return }
    // Effects may have run ahead of a start in a part of the cycle: the playhead moves from a frame within it on.
    let rolled = record.rolledFrame.number
    let isRolling = record.state == .rolling && rolled > 0
    let first = isRolling ? max(0, record.frameCount - rolled) : 0
    var block = PortBlock(
      isRolling: isRolling, frame: record.frame, frameCount: record.frameCount - first,
      locateNumber: record.locateNumber, planNumber: planNumber)
    if record.loopFirst < record.loopEnd {
      block.loop = Range(uncheckedBounds: (record.loopFirst, record.loopEnd))
    }
    var budget = isLast ? Int.max : eventsPerCycle
    var nextFirst = firstPort
    for number in 0..<midiPorts.count {
      let index = (firstPort + number) % midiPorts.count
      let hadBudget = budget > 0
      midiPorts[index].write(block, from: first, isLast: isLast, budget: &budget)
      if hadBudget, budget <= 0 { nextFirst = index }
    }
    firstPort = nextFirst
  }

  /// Events that all ports together follow or send in a cycle: what is left is done in the next ones.
  private var eventsPerCycle: Int { @_noLocks get { 32_768 } }

  /// Audio thread, in the cycle in which other tables replace these.
  @_noLocks func finishMIDI(frameCount: Int) {
    for index in 0..<midiPorts.count { midiPorts[index].finish(frameCount: frameCount) }
  }

  /// Audio thread: bar, beat and tick at a timeline frame; `nil` without beats.
  @_noLocks func musicalPosition(at frame: TimelineFrame) -> cjack_musical_position? {
    guard let beats else { return nil }
    return beats._withUnsafeGuaranteedRef { $0.position(at: frame) }
  }
}
