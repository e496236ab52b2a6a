import DAWTime

/// Schedules a port's messages ahead of time in an external queue, and can withdraw queued ones when the transport or
/// the plan changes. Tracks what the receiver has received for certain, and what it may have received.
///
/// Host frames are on the host's clock. One thread at a time, not the audio thread.
public struct PortScheduler: ~Copyable {
  private var cursor: PortCursor
  /// The state from messages delivered for certain.
  private var delivered = ChannelState()
  /// Messages in the external queue, in order.
  private var queued: [Queued] = []

  /// A message, and the host frame at which it is due.
  public struct Queued: Sendable {
    public let hostFrame: HostFrame
    public let message: MIDIEvent
  }

  /// Control thread.
  /// - Parameter trackID: the track's id.
  public init(trackID: Int64) { cursor = PortCursor(trackID: trackID) }

  /// Messages in the queue that are not delivered yet.
  public var queuedCount: Int { queued.count }

  /// Passes the messages of a block to `send`, to be queued.
  /// - Parameters:
  ///   - hostFrame: the block's first frame; not before the end of the last block.
  ///   - port: `nil` if the plan has none.
  public mutating func schedule(
    _ block: PortBlock, _ port: LinkedPort?, at hostFrame: HostFrame, _ send: (Queued) -> Void
  ) {
    cursor.begin(block, port)
    while let event = cursor.next() {
      let next = Queued(hostFrame: hostFrame + event.offset, message: event.message)
      queued.append(next)
      send(next)
    }
  }

  /// Marks messages queued for frames before this one as delivered.
  public mutating func deliver(before hostFrame: HostFrame) {
    let count = queued.firstIndex { $0.hostFrame >= hostFrame } ?? queued.count
    guard count > 0 else { return }
    for entry in queued[..<count] { delivered.apply(entry.message) }
    queued.removeFirst(count)
  }

  /// Messages queued for `hostFrame` or later have been withdrawn from the external queue; the next block begins there.
  /// - Parameter uncertain: messages from `hostFrame` up to this frame may have been delivered before they could be
  ///   withdrawn. Of these, note-ons count as delivered and note-offs do not.
  public mutating func cut(at hostFrame: HostFrame, uncertain: HostFrame) {
    deliver(before: hostFrame)
    for entry in queued where entry.hostFrame < uncertain && entry.message.mayHang { delivered.apply(entry.message) }
    queued.removeAll()
    cursor.rewind(to: delivered)
  }

  /// The messages that silence a receiver that gets no others from now on: note-offs for all notes that sound or are
  /// queued, pedals up, and all sound off and all notes off on the channels used.
  public func pendingNoteOffs() -> [MIDIEvent] {
    var state = ChannelState()
    state.copy(delivered)
    for entry in queued where entry.message.mayHang { state.apply(entry.message) }
    var silencer = PortCursor(trackID: cursor.trackID)
    silencer.rewind(to: state)
    silencer.beginSilence()
    var messages: [MIDIEvent] = []
    while let event = silencer.next() { messages.append(event.message) }
    return messages
  }

  /// The settings for a new receiver, in the order in which they were sent: those in force when all messages queued for
  /// frames before `hostFrame` are delivered. No notes.
  public func settings(before hostFrame: HostFrame) -> [MIDIEvent] {
    var state = ChannelState()
    state.copy(delivered)
    for entry in queued where entry.hostFrame < hostFrame { state.apply(entry.message) }
    return state.settingsAndNotes.map { MIDIEvent(frame: 0, packed: $0) }.filter { !$0.beginsNote }
  }

  /// Calls `body` with each note that sounds or is queued: channel × 128 + pitch.
  func forEachNote(_ body: (Int) -> Void) {
    delivered.forEachNote(body)
    for entry in queued where entry.message.beginsNote {
      body(Int(entry.message.status & 0x0f) * 128 + Int(entry.message.data1 & 0x7f))
    }
  }

  /// A bit for each channel: whether its pedal is down or queued to go down, and whether it had notes.
  public var channels: (withSustain: UInt16, withSostenuto: UInt16, used: UInt16) {
    let pedals = MIDIEvent.holdingPedals
    var sustain = delivered.channels(withPedal: pedals.0)
    var sostenuto = delivered.channels(withPedal: pedals.1)
    var used = delivered.channelsUsed
    for entry in queued where entry.message.mayHang {
      let bit = UInt16(1) << UInt16(entry.message.status & 0x0f)
      if entry.message.beginsNote {
        used |= bit
      } else if entry.message.data1 == pedals.0 {
        sustain |= bit
      } else {
        sostenuto |= bit
      }
    }
    return (sustain, sostenuto, used)
  }
}

extension MIDIEvent {
  /// Whether it needs a later message to end it: a note-on, or a pedal down.
  fileprivate var mayHang: Bool { beginsNote || movesHoldingPedal && data2 >= 64 }
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
