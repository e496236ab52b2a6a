/// A plan's ports in memory that a cursor reads without reference counting. Made and freed on a control thread;
/// immutable.
public final class LinkedPorts: @unchecked Sendable {
  let ports: UnsafeMutableBufferPointer<LinkedPort>

  /// - Parameter ports: at most one for each track.
  public init(_ ports: [PlannedPort]) {
    let sorted = ports.sorted { $0.trackID < $1.trackID }
    self.ports = .allocate(capacity: sorted.count)
    _ = self.ports.initialize(from: sorted.lazy.map { LinkedPort($0) })
  }

  deinit {
    for port in ports { port.deallocate() }
    ports.deallocate()
  }

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
  let events: UnsafeMutableBufferPointer<MIDIEvent>
  /// Checkpoints: the state before every `stride`th event as messages, packed as in `ChannelState`, so that a chase
  /// reads at most `stride` events.
  private let checkpoints: UnsafeMutableBufferPointer<UInt32>
  /// For each system exclusive message, whether it resets the receiver.
  private let resets: UnsafeMutableBufferPointer<Bool>
  /// Where each checkpoint's messages end in `checkpoints`.
  private let checkpointEnds: UnsafeMutableBufferPointer<Int>

  private static var stride: Int { @_noLocks get { 1_024 } }

  init(_ port: PlannedPort) {
    trackID = port.trackID
    isMuted = port.isMuted
    events = .allocate(capacity: port.events.count)
    _ = events.initialize(from: port.events)
    resets = .allocate(capacity: port.systemExclusive.count)
    _ = resets.initialize(from: port.systemExclusive.lazy.map(\.isReset))
    var (messages, ends): ([UInt32], [Int]) = ([], [])
    var state = ChannelState()
    for (index, event) in port.events.enumerated() {
      if index > 0, index.isMultiple(of: Self.stride) {
        messages += state.settingsAndNotes
        ends.append(messages.count)
      }
      state.follow(event, resets: resets)
    }
    checkpoints = .allocate(capacity: messages.count)
    _ = checkpoints.initialize(from: messages)
    checkpointEnds = .allocate(capacity: ends.count)
    _ = checkpointEnds.initialize(from: ends)
  }

  func deallocate() {
    events.deallocate()
    resets.deallocate()
    checkpoints.deallocate()
    checkpointEnds.deallocate()
  }

  /// The index of the first event at `frame` or later, note-offs at `frame` itself skipped.
  @_noLocks func firstEvent(from frame: Int64) -> Int {
    var (low, high) = (0, events.count)
    while low < high {
      let middle = (low + high) / 2
      if events[middle].frame < frame { low = middle + 1 } else { high = middle }
    }
    while low < events.count, events[low].frame == frame, events[low].endsNote { low += 1 }
    return low
  }

  /// Chase: sets `state` to the state before an event. Used wherever playback begins in the middle, by ports and by
  /// instruments, live and in a bounce: at the start, after a locate, and after a loop's wrap.
  @_noLocks func chase(to event: Int, _ state: inout ChannelState) {
    state.clear()
    let checkpoint = event / Self.stride
    if checkpoint > 0 {
      for index in (checkpoint > 1 ? checkpointEnds[checkpoint - 2] : 0)..<checkpointEnds[checkpoint - 1] {
        state.apply(packed: checkpoints[index])
      }
    }
    for index in checkpoint * Self.stride..<event {
      state.follow(events[index], resets: resets)
    }
  }

  /// The chase as events for a new instrument: the system exclusive messages before `event`, then the settings, then
  /// the notes that sound. All at frame 0. Not the audio thread.
  func chased(to event: Int) -> [MIDIEvent] {
    var state = ChannelState()
    chase(to: event, &state)
    return systemExclusive(before: event)
      + state.settingsAndNotes.map { message in
        MIDIEvent(
          frame: 0, status: UInt8(truncatingIfNeeded: message), data1: UInt8(truncatingIfNeeded: message >> 8),
          data2: UInt8(truncatingIfNeeded: message >> 16))
      }
  }

  /// The system exclusive messages before `event`, at frame 0. Not the audio thread.
  func systemExclusive(before event: Int) -> [MIDIEvent] {
    events[..<event].filter(\.isSystemExclusive).map { MIDIEvent(frame: 0, bytesIndex: $0.bytesIndex) }
  }
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
