import DAWEngine
import DAWModel
import DAWTime

extension RegionPart {
  /// Quantises a region's notes and events up to a grid of frames. A note lasts at least one step of the grid. Notes of
  /// velocity 0 are left out.
  /// - Parameters:
  ///   - quantum: the grid's step in frames: `InstrumentPlan.quantum` for instruments, 1 for ports.
  ///   - mutes: where no note begins or sounds.
  convenience init(
    region: RegionID, start: TickPosition, notes: [MIDINote], events: [RegionEvent], clock: FrameClock, quantum: Int,
    mutes: MutedSpans
  ) {
    func gridFrame(_ distance: TickCount) -> TimelineFrame {
      max(0, clock.frame(at: start + distance)).roundedUp(to: quantum)
    }
    var noteEvents: [NoteEvent] = []
    noteEvents.reserveCapacity(2 * notes.count)
    for note in notes where note.velocity > 0 {
      let on = gridFrame(note.start)
      guard let off = mutes.end(ofNoteFrom: on, to: max(gridFrame(note.end), on + quantum)) else { continue }
      let (channel, pitch) = (note.channel & 0xf, note.pitch & 0x7f)
      noteEvents.append(
        NoteEvent(frame: on, isOn: true, channel: channel, pitch: pitch, velocity: note.velocity & 0x7f))
      noteEvents.append(
        NoteEvent(frame: off, isOn: false, channel: channel, pitch: pitch, velocity: note.releaseVelocity & 0x7f))
    }
    noteEvents.sort()
    self.init(
      region: region, start: start, notes: notes, events: events, mutes: mutes, noteEvents: noteEvents,
      settings: RegionSettings(events, gridFrame: gridFrame))
  }
}

/// A region's events other than notes, in the order in which they are sent.
struct RegionSettings: Sendable {
  var events: [MIDIEvent] = []
  /// The system exclusive messages, by `MIDIEvent.bytesIndex`.
  var bytes: [[UInt8]] = []

  init() {}

  /// Order at the same tick: system exclusive messages, banks, programs, then other events in their order.
  /// - Parameters:
  ///   - regionEvents: in order of start and then of id.
  ///   - gridFrame: the frame of the grid for a position in the region.
  init(_ regionEvents: [RegionEvent], gridFrame: (TickCount) -> TimelineFrame) {
    events.reserveCapacity(regionEvents.count)
    var first = 0
    while first < regionEvents.count {
      let start = regionEvents[first].start
      var end = first + 1
      while end < regionEvents.count, regionEvents[end].start == start { end += 1 }
      let frame = gridFrame(start)
      if end == first + 1 {
        append(regionEvents[first], frame)
      } else {
        for rank in 0...3 {
          for event in regionEvents[first..<end] where event.message.rank == rank { append(event, frame) }
        }
      }
      first = end
    }
  }

  private mutating func append(_ event: RegionEvent, _ frame: TimelineFrame) {
    func append(_ status: Int, _ data1: Int, _ data2: Int = 0) {
      events.append(
        MIDIEvent(
          frame: frame, status: UInt8(status | event.channel & 0xf), data1: UInt8(data1 & 0x7f),
          data2: UInt8(data2 & 0x7f)))
    }
    switch event.message {
    case .controller(let number, let value): append(0xb0, number, value)
    case .pitchBend(let bend): append(0xe0, bend + 8192, (bend + 8192) >> 7)
    case .program(let program, let bank):
      if let bank {
        append(0xb0, 0, bank >> 7)
        append(0xb0, 32, bank)
      }
      append(0xc0, program)
    case .channelPressure(let value): append(0xd0, value)
    case .polyPressure(let pitch, let value): append(0xa0, pitch, value)
    case .systemExclusive(let message):
      events.append(MIDIEvent(frame: frame, bytesIndex: UInt32(bytes.count)))
      // 0xF7 marks a continuation in MIDI files, and is not sent.
      bytes.append(message.first == 0xf7 ? Array(message.dropFirst()) : message)
    case .meta: break
    }
  }

  /// Merges regions; at the same frame, those of the earlier region come first.
  init(_ regions: [RegionPart]) {
    for region in regions.sorted(by: { $0.start < $1.start }) {
      let offset = UInt32(bytes.count)
      bytes += region.settings.bytes
      guard offset > 0 else {
        events += region.settings.events
        continue
      }
      events += region.settings.events.map { event in
        event.isSystemExclusive ? MIDIEvent(frame: event.frame, bytesIndex: event.bytesIndex + offset) : event
      }
    }
    guard regions.count > 1, !zip(events, events.dropFirst()).allSatisfy({ $0.frame <= $1.frame }) else { return }
    // The standard library's sort is not guaranteed to be stable.
    events = events.enumerated().sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }
      .map(\.element)
  }
}

extension RegionEvent.Message {
  /// Its order among events of the same tick.
  fileprivate var rank: Int {
    switch self {
    case .systemExclusive: 0
    case .controller(number: 0, _), .controller(number: 32, _): 1
    case .program: 2
    default: 3
    }
  }
}
