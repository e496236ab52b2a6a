/// A cursor that works ahead of time: what it said is in a queue outside, and a part of it can be taken back when
/// something happens. Knows at any time what the receiver has been told, and what it may have been told.
///
/// Host frames count the host's clock. One thread at a time, not the audio thread.
public struct PortAhead: ~Copyable {
  private var cursor: PortCursor
  /// Told for certain.
  private var delivered = ChannelState()
  /// In the queue, in order.
  private var queued: [Queued] = []

  public struct Queued: Sendable {
    public let hostFrame: Int64
    public let message: MIDIEvent
  }

  /// Control thread.
  /// - Parameter slot: the track's id.
  public init(slot: Int64) { cursor = PortCursor(slot: slot) }

  /// Messages that are not delivered yet.
  public var queuedCount: Int { queued.count }

  /// Says what is to be queued in a stretch of time.
  /// - Parameters:
  ///   - hostFrame: of the stretch's first frame; not before the end of the last one.
  ///   - port: `nil` where the plan has none.
  public mutating func schedule(
    _ block: PortBlock, _ port: LinkedPort?, at hostFrame: Int64, _ send: (Queued) -> Void
  ) {
    cursor.begin(block, port)
    queueAll(from: hostFrame, send)
  }

  /// Says what silences the receiver for good, pedals, notes and what rings on.
  public mutating func scheduleSilence(at hostFrame: Int64, _ send: (Queued) -> Void) {
    cursor.beginSilence()
    queueAll(from: hostFrame, send)
  }

  private mutating func queueAll(from hostFrame: Int64, _ send: (Queued) -> Void) {
    while let event = cursor.next() {
      let next = Queued(hostFrame: hostFrame + Int64(event.offset), message: event.message)
      queued.append(next)
      send(next)
    }
  }

  /// Time has gone on: what was queued for a frame before this one has been delivered.
  public mutating func deliver(before hostFrame: Int64) {
    let count = queued.firstIndex { $0.hostFrame >= hostFrame } ?? queued.count
    guard count > 0 else { return }
    for entry in queued[..<count] { delivered.apply(entry.message) }
    queued.removeFirst(count)
  }

  /// What was queued for `hostFrame` or later has been taken back; the next stretch begins there.
  /// - Parameter uncertain: what was queued for a frame before this one may have been delivered all the same, where it is
  ///   behind `hostFrame`: it was taken back too late. Of that, notes count as struck, and not as let go.
  public mutating func cut(at hostFrame: Int64, uncertain: Int64) {
    deliver(before: hostFrame)
    for entry in queued where entry.hostFrame < uncertain && entry.message.mayHang { delivered.apply(entry.message) }
    queued.removeAll()
    cursor.rewind(to: delivered)
  }

  /// What a receiver is owed that is told nothing more from now on: note-offs for all that sounds, or is queued to; pedals
  /// up; all sound and all notes off where there were notes.
  public func owed() -> [MIDIEvent] {
    var state = ChannelState()
    state.copy(delivered)
    for entry in queued where entry.message.mayHang { state.apply(entry.message) }
    var owed = PortCursor(slot: cursor.slot)
    owed.rewind(to: state)
    owed.beginSilence()
    var messages: [MIDIEvent] = []
    while let event = owed.next() { messages.append(event.message) }
    return messages
  }

  /// What brings a new receiver to the settings that the others have when all that is queued for a frame before
  /// `hostFrame` is delivered, in the order in which they were given. No notes.
  public func settings(before hostFrame: Int64) -> [MIDIEvent] {
    var state = ChannelState()
    state.copy(delivered)
    for entry in queued where entry.hostFrame < hostFrame { state.apply(entry.message) }
    let messages = state.settingsAndNotes.map { message in
      MIDIEvent(
        frame: 0, status: UInt8(truncatingIfNeeded: message), data1: UInt8(truncatingIfNeeded: message >> 8),
        data2: UInt8(truncatingIfNeeded: message >> 16))
    }
    return messages.filter { !$0.beginsNote }
  }

  /// Calls `body` with each note, channel × 128 + pitch, that sounds, or is queued to.
  public func forEachNote(_ body: (Int) -> Void) {
    delivered.forEachNote(body)
    for entry in queued where entry.message.beginsNote {
      body(Int(entry.message.status & 0x0f) * 128 + Int(entry.message.data1 & 0x7f))
    }
  }

  /// A bit a channel: its sustain pedal is down, or queued to go down; and notes were played on it.
  public var channels: (withPedal: UInt16, used: UInt16) {
    var (pedals, used): (UInt16, UInt16) = (0, delivered.channelsUsed)
    for channel in UInt8(0)..<16 where delivered.isPedalDown(channel) { pedals |= 1 << UInt16(channel) }
    for entry in queued where entry.message.mayHang {
      let bit = UInt16(1) << UInt16(entry.message.status & 0x0f)
      if entry.message.beginsNote { used |= bit } else { pedals |= bit }
    }
    return (pedals, used)
  }
}

extension MIDIEvent {
  /// Whether it leaves something sounding that has to be ended: a note-on, or a sustain pedal that goes down.
  fileprivate var mayHang: Bool { beginsNote || status & 0xf0 == 0xb0 && data1 == 64 && data2 >= 64 }
}

extension ChannelState {
  mutating func apply(_ message: MIDIEvent) { apply(message.status, message.data1, message.data2) }

  func forEachNote(_ body: (Int) -> Void) {
    var key = Int(following[Self.notes])
    while key != Self.notes {
      let message = messages[key]
      body(Int(message & 0x0f) * 128 + Int(message >> 8 & 0x7f))
      key = Int(following[key])
    }
  }
}
