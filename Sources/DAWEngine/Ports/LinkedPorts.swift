/// A plan's ports in memory that a cursor reads without reference counting. Made and freed on a control thread;
/// immutable.
public final class LinkedPorts: @unchecked Sendable {
  // Unchecked: immutable memory.
  let ports: UnsafeMutableBufferPointer<LinkedPort>
  /// Kept, since the ports point into their memory.
  private let sequences: [MIDISequence]

  /// - Parameter ports: at most one for each track.
  public init(_ ports: [PlannedPort]) {
    let sorted = ports.sorted { $0.trackID < $1.trackID }
    sequences = sorted.map(\.sequence)
    self.ports = .allocate(capacity: sorted.count)
    _ = self.ports.initialize(from: sorted.lazy.map { LinkedPort($0) })
  }

  deinit { ports.deallocate() }

  /// Any thread, while this object lives.
  /// - Returns: `nil` if the plan has no such port.
  @_noLocks public func port(_ trackID: Int64) -> LinkedPort? {
    let ports = ports
    var (low, high) = (0, ports.count)
    while low < high {
      let middle = (low + high) / 2
      if ports[middle].trackID < trackID { low = middle + 1 } else { high = middle }
    }
    return low < ports.count && ports[low].trackID == trackID ? ports[low] : nil
  }
}

/// A port of `LinkedPorts`, valid while that lives.
public struct LinkedPort {
  public let trackID: Int64
  let isMuted: Bool
  let sequence: LinkedSequence

  init(_ port: PlannedPort) {
    trackID = port.trackID
    isMuted = port.isMuted
    sequence = port.sequence.linked
  }

  /// A port that is not in a plan, valid while `sequence` lives.
  init(trackID: Int64, _ sequence: MIDISequence) {
    self.trackID = trackID
    isMuted = false
    self.sequence = sequence.linked
  }

  /// The bytes of a system exclusive message; `nil` if there is none with this index.
  @_noLocks public func exclusive(_ index: Int) -> UnsafeBufferPointer<UInt8>? { sequence.exclusive(index) }
}

extension ChannelState {
  @_noLocks mutating func apply(packed message: UInt32) {
    apply(
      UInt8(truncatingIfNeeded: message), UInt8(truncatingIfNeeded: message >> 8),
      UInt8(truncatingIfNeeded: message >> 16))
  }
}

extension MIDIEvent {
  /// Whether it is a note-off, or a note-on with velocity 0.
  public var endsNote: Bool { @_noLocks get { status & 0xf0 == 0x80 || status & 0xf0 == 0x90 && data2 == 0 } }
  /// Whether it is a note-on with velocity ≥ 1.
  public var beginsNote: Bool { @_noLocks get { status & 0xf0 == 0x90 && data2 > 0 } }
}
