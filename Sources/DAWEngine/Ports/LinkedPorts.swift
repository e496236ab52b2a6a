/// A plan's ports in memory that a cursor reads without touching a reference count. Made, and freed, on a control thread;
/// never changed.
public final class LinkedPorts: @unchecked Sendable {
  let ports: UnsafeMutableBufferPointer<LinkedPort>

  /// - Parameter ports: at most one of each slot.
  public init(_ ports: [PlannedPort]) {
    let sorted = ports.sorted { $0.slot < $1.slot }
    self.ports = .allocate(capacity: sorted.count)
    _ = self.ports.initialize(from: sorted.lazy.map { LinkedPort($0) })
  }

  deinit {
    for port in ports { port.deallocate() }
    ports.deallocate()
  }

  /// Any thread, while this lives.
  /// - Returns: `nil` where the plan has no such port.
  @_noLocks public func port(_ slot: Int64) -> LinkedPort? {
    let ports = ports
    var (low, high) = (0, ports.count)
    while low < high {
      let middle = (low + high) / 2
      if ports[middle].slot < slot { low = middle + 1 } else { high = middle }
    }
    return low < ports.count && ports[low].slot == slot ? ports[low] : nil
  }
}

/// One port of `LinkedPorts`, valid while that lives.
public struct LinkedPort {
  public let slot: Int64
  let isMuted: Bool
  let events: UnsafeMutableBufferPointer<MIDIEvent>
  /// What has been told before every `stride`th event, as messages, packed as in `ChannelState`, so that a chase reads
  /// few events wherever it goes.
  private let told: UnsafeMutableBufferPointer<UInt32>
  /// Of each system exclusive message, whether it resets the receiver.
  private let resets: UnsafeMutableBufferPointer<Bool>
  /// Where each one's messages end in `told`.
  private let toldEnds: UnsafeMutableBufferPointer<Int>

  private static var stride: Int { @_noLocks get { 1_024 } }

  init(_ port: PlannedPort) {
    slot = port.slot
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
    told = .allocate(capacity: messages.count)
    _ = told.initialize(from: messages)
    toldEnds = .allocate(capacity: ends.count)
    _ = toldEnds.initialize(from: ends)
  }

  func deallocate() {
    events.deallocate()
    resets.deallocate()
    told.deallocate()
    toldEnds.deallocate()
  }

  /// The first event at `frame` or later, note-offs on `frame` itself left out.
  @_noLocks func firstEvent(from frame: Int64) -> Int {
    var (low, high) = (0, events.count)
    while low < high {
      let middle = (low + high) / 2
      if events[middle].frame < frame { low = middle + 1 } else { high = middle }
    }
    while low < events.count, events[low].frame == frame, events[low].endsNote { low += 1 }
    return low
  }

  /// Makes `state` what has been told before the event. What begins in the middle begins with this: ports, and instruments
  /// live and in a bounce, at the start, after a locate and where a loop begins again.
  @_noLocks func chase(to event: Int, _ state: inout ChannelState) {
    state.clear()
    let told = event / Self.stride
    if told > 0 {
      for index in (told > 1 ? toldEnds[told - 2] : 0)..<toldEnds[told - 1] { state.apply(packed: self.told[index]) }
    }
    for index in told * Self.stride..<event {
      state.follow(events[index], resets: resets)
    }
  }

  /// What a new instrument is told in place of the events before one: the system exclusive messages among them, then the
  /// settings as they are by then, then the notes that sound. All at frame 0. Not the audio thread.
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

  /// At frame 0. Not the audio thread.
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
  /// Whether it is a note-off, written as one or as a note-on with velocity 0.
  public var endsNote: Bool { @_noLocks get { status & 0xf0 == 0x80 || status & 0xf0 == 0x90 && data2 == 0 } }
  /// Whether it is a note-on.
  public var beginsNote: Bool { @_noLocks get { status & 0xf0 == 0x90 && data2 > 0 } }
}
