import CJack
import DAWEngine

/// What the audio thread of a client looks up. Made on a control thread, published whole, and changed by nobody but the
/// audio thread, which notes each cycle's buffers in it.
final class JackTables: @unchecked Sendable {
  // Unchecked: it belongs to one thread at a time.

  /// The ports of one track.
  struct DirectOut: BitwiseCopyable {
    /// The track's id.
    var slot: Int64
    var left: OpaquePointer
    var right: OpaquePointer
  }

  let directOuts: UnsafeMutablePointer<DirectOut>
  let directOutCount: Int
  /// Filled anew in each cycle.
  let buffers: UnsafeMutablePointer<DirectOutBuffers>
  private let beats: Unmanaged<BeatTable>?
  private let midiPorts: UnsafeMutableBufferPointer<LinkedMIDIPort>
  private let plannedPorts: Unmanaged<LinkedPorts>
  let planNumber: UInt64

  /// Control thread.
  /// - Parameters:
  ///   - planned: what the plan of `planNumber` has for the MIDI ports; one that is not in it is ended.
  init(
    directOuts: [DirectOut], beats: BeatTable?, midiPorts: [JackMIDIPort], planned: [PlannedPort], planNumber: UInt64
  ) {
    let bySlot = Dictionary(planned.map { ($0.slot, $0) }) { first, _ in first }
    self.midiPorts = .allocate(capacity: midiPorts.count)
    _ = self.midiPorts.initialize(from: midiPorts.map { LinkedMIDIPort($0, bySlot[$0.slot]) })
    plannedPorts = Unmanaged.passRetained(LinkedPorts(planned))
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
    for port in midiPorts { port.deallocate() }
    midiPorts.deallocate()
    plannedPorts.release()
  }

  /// Audio thread: this cycle's buffers of all direct outs.
  /// - Returns: how many there are.
  @_noLocks func fetchDirectOuts(_ frameCount: UInt32) -> Int {
    var count = 0
    for index in 0..<directOutCount {
      let out = directOuts[index]
      guard let left = cjack_port_buffer(out.left, frameCount), let right = cjack_port_buffer(out.right, frameCount)
      else { continue }
      (buffers + count).initialize(
        to: DirectOutBuffers(
          slot: out.slot, left: left.assumingMemoryBound(to: Float.self),
          right: right.assumingMemoryBound(to: Float.self)))
      count += 1
    }
    return count
  }

  /// Audio thread: writes what the MIDI ports have to send in a cycle.
  /// - Parameters:
  ///   - record: what the transport did in it.
  ///   - isLast: the receivers are to be silent for good.
  @_noLocks func writeMIDI(_ record: TransportRecord, isLast: Bool) {
    guard midiPorts.count > 0 else { return }
    var block = PortBlock(
      isRolling: record.state == .rolling, frame: record.frame, frameCount: record.frameCount,
      locateNumber: record.locateNumber, planNumber: planNumber)
    if record.loopFirst < record.loopEnd {
      block.loop = Range(uncheckedBounds: (record.loopFirst, record.loopEnd))
    }
    for index in 0..<midiPorts.count {
      let port = midiPorts[index]
      port.write(block, plannedPorts._withUnsafeGuaranteedRef { $0.port(port.slot) }, isLast: isLast)
    }
  }

  /// Audio thread, in the cycle in which other tables take over.
  @_noLocks func leaveMIDI(frameCount: Int) {
    for index in 0..<midiPorts.count { midiPorts[index].leave(frameCount: frameCount) }
  }

  /// Audio thread.
  @_noLocks func musicalPosition(at frame: Int64) -> cjack_musical_position? {
    guard let beats else { return nil }
    return beats._withUnsafeGuaranteedRef { $0.position(at: frame) }
  }
}
