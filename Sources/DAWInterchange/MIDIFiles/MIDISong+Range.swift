import DAWMedia
import DAWModel

extension MIDISong {
  /// The part between two positions, with the state at its start written as events. Notes are cut at both ends.
  func cut(from start: Int64, to end: Int64) -> MIDISong {
    var cut = MIDISong()
    cut.tempos = Self.held(tempos, from: start, to: end)
    cut.meters = Self.held(meters, from: start, to: end)
    cut.keys = Self.held(keys, from: start, to: end)
    cut.markers = markers.filter { start..<end ~= $0.tick }.map { Placed(tick: $0.tick - start, value: $0.value) }
    cut.parts = parts.map { $0.cut(from: start, to: end) }
    cut.endTick = max(0, min(endTick, end) - start)
    return cut
  }

  private static func held<Value>(_ placed: [Placed<Value>], from start: Int64, to end: Int64) -> [Placed<Value>] {
    let first = placed.last { $0.tick <= start }.map { [Placed(tick: 0, value: $0.value)] } ?? []
    return first
      + placed.filter { $0.tick > start && $0.tick < end }.map { Placed(tick: $0.tick - start, value: $0.value) }
  }
}

extension MIDIPart {
  fileprivate func cut(from start: Int64, to end: Int64) -> MIDIPart {
    var cut = MIDIPart(name: name, endTick: max(0, min(endTick, end) - start), instrument: instrument)
    cut.notes = notes.filter { $0.end > start && $0.start < end }.map { note in
      var note = note
      note.start = max(note.start, start) - start
      note.end = min(note.end, end) - start
      return note
    }
    cut.notes.sort { ($0.start, $0.end) < ($1.start, $1.end) }
    cut.events = held(before: start)
    cut.events += events.filter { $0.tick >= start && $0.tick < end || $0.tick == end && end == endTick }.map { event in
      var event = event
      event.tick -= start
      return event
    }
    return cut
  }

  /// The channel state at a position: the last of each controller, program, bend and
  /// pressure per channel. RPN and NRPN controllers are all kept, since their order matters.
  private func held(before start: Int64) -> [Event] {
    var held: [Event] = []
    var places: [Key: Int] = [:]
    for event in events.prefix(while: { $0.tick < start }) {
      guard let key = Key(event) else { continue }
      var event = event
      event.tick = 0
      if key.number != Key.parameter, let place = places.updateValue(held.count, forKey: key) { held[place].tick = -1 }
      held.append(event)
    }
    return held.filter { $0.tick == 0 }
  }

  private struct Key: Hashable {
    var channel: Int
    var kind: RegionEvent.Message.Kind
    var number: Int

    /// One key for all RPN and NRPN controllers.
    static let parameter = -1
    /// Reset all controllers: in its place among them, since what came before it does not hold any more.
    private static let reset = 121

    /// `nil` for a message without lasting effect.
    init?(_ event: Event) {
      channel = event.channel
      kind = event.message.kind
      switch event.message {
      case .controller(6, _), .controller(38, _), .controller(96...101, _): number = Self.parameter
      case .controller(Self.reset, _): number = Self.reset
      // Other channel mode messages, such as all sound off.
      case .controller(120..., _), .systemExclusive, .meta: return nil
      case .controller(let number, _), .polyPressure(let number, _): self.number = number
      case .pitchBend, .program, .channelPressure: number = 0
      }
    }
  }
}
