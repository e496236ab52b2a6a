import DAWTime

/// Where a piece of a heard MIDI region begins.
struct MIDIPiece {
  /// In the new timeline.
  var region: RegionID
  var track: TrackID
  /// In the old timeline.
  var start: TickPosition
  /// The beginning of its stretch in the new timeline.
  var stretch: TickPosition
}

/// An event of a heard region on the old timeline.
private struct PlacedEvent {
  var event: RegionEvent
  var position: TickPosition
  var regionStart: TickPosition
  /// Whether it lies at the region's end, and so belongs to what is before it.
  var isAtEnd: Bool

  func isBefore(_ place: TickPosition) -> Bool { position < place || position == place && isAtEnd }

  /// The order in which they are sent: at the same tick by region, and banks before programs.
  static func areInOrder(_ a: Self, _ b: Self) -> Bool { a.order < b.order }

  private var order: (Int64, Int, Int64, Int, Int64) {
    (position.ticks, isAtEnd ? 0 : 1, regionStart.ticks, rank, event.id.rawValue)
  }

  private var rank: Int {
    switch event.message {
    case .controller(0, _), .controller(32, _): 0
    case .program: 1
    default: 2
    }
  }
}

extension TimeEdit {
  /// Keeps the state that a track's MIDI events set, as tempo, meter and key are kept: the first region of a stretch
  /// that follows another one than before begins with events that set what held there in the old timeline. Else the
  /// effect of deleted events would be missing behind the cut, and that of copied ones would go on. What holds anyway
  /// is not set again.
  mutating func holdMIDIState(in pieces: [MIDIPiece], _ contents: inout ContentChanges) throws {
    guard hasSeams, !pieces.isEmpty else { return }
    let heard = Dictionary(grouping: rows(\.regions).filter(\.isHeard), by: \.track)
    for (track, pieces) in Dictionary(grouping: pieces, by: \.track).sorted(by: { $0.key < $1.key }) {
      let firsts = Dictionary(pieces.map { ($0.stretch, $0) }) { $1.start < $0.start ? $1 : $0 }
      try holdMIDIState(of: heard[track] ?? [], firsts, &contents)
    }
  }

  /// Whether a stretch does not go on from what is before it.
  private var hasSeams: Bool {
    layout.stretches.indices.contains { index in
      let stretch = layout.stretches[index]
      return stretch.content != .empty && !layout.goesOn(into: index) && (index > 0 || stretch.old > .zero)
    }
  }

  /// - Parameters:
  ///   - regions: a track's heard ones.
  ///   - firsts: the first piece in each stretch that has one.
  private mutating func holdMIDIState(
    of regions: [Region], _ firsts: [TickPosition: MIDIPiece], _ contents: inout ContentChanges
  ) throws {
    let begins = Set(firsts.values.map(\.start))
    let places = begins.union(layout.stretches.compactMap(\.oldEnd))
    let events = try self.events(of: regions, upTo: places.max() ?? .zero)
    guard !events.isEmpty else { return }
    let states = Self.states(at: places, of: events)
    let begun = Dictionary(grouping: events.filter { !$0.isAtEnd && begins.contains($0.position) }, by: \.position)
      .mapValues { $0.map(\.event) }
    // What holds at the end of the new timeline so far.
    var held = MIDIState()
    for stretch in layout.stretches where stretch.content != .empty {
      guard let first = firsts[stretch.new], let wanted = states[first.start] else { continue }
      // New events are sent after those that lie there.
      let present = begun[first.start] ?? []
      held = held.applying(present)
      for needed in wanted.applying(present).messages(after: held) {
        let event = RegionEvent(
          id: try newID(), region: first.region, start: TickCount(ticks: needed.isLater ? 1 : 0),
          channel: needed.channel, message: needed.message)
        contents.addedEvents.append(event)
        held.apply(event)
      }
      guard let end = stretch.oldEnd, var reached = states[end] else { continue }
      // What nothing before its end in the old timeline sets is as the new events have left it.
      reached.fill(from: held)
      held = reached
    }
  }

  /// In the order in which they are sent.
  private func events(of regions: [Region], upTo end: TickPosition) throws -> [PlacedEvent] {
    var events: [PlacedEvent] = []
    for region in regions {
      guard case .midi(let length) = region.content else { continue }
      let start = before.ticks(at: region.start)
      guard start <= end else { continue }
      events += try source.events(region.id).map { event in
        PlacedEvent(
          event: event, position: start + event.start, regionStart: start, isAtEnd: event.start == length)
      }
    }
    return events.sorted(by: PlacedEvent.areInOrder)
  }

  /// What the events before each place hold there.
  private static func states(at places: Set<TickPosition>, of events: [PlacedEvent]) -> [TickPosition: MIDIState] {
    var states: [TickPosition: MIDIState] = [:]
    var state = MIDIState()
    var next = 0
    for place in places.sorted() {
      while next < events.count, events[next].isBefore(place) {
        state.apply(events[next].event)
        next += 1
      }
      states[place] = state
    }
    return states
  }
}
