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
    var cut = MIDIPart(
      name: name, endTick: max(0, min(endTick, end) - start), instrument: instrument, hasOwnKit: hasOwnKit)
    cut.notes = notes.filter { $0.end > start && $0.start < end }.map { note in
      var note = note
      note.start = max(note.start, start) - start
      note.end = min(note.end, end) - start
      return note
    }
    cut.notes.sort { ($0.start, $0.end) < ($1.start, $1.end) }
    cut.events = events.filter { $0.tick < end }
    cut.events = held(before: start, on: cut.channels)
    cut.events += events.filter { $0.tick >= start && $0.tick < end || $0.tick == end && end == endTick }.map { event in
      var event = event
      event.tick -= start
      return event
    }
    return cut
  }

  /// The channel state at a position: the last of each controller, program, bend and pressure per channel. RPN and NRPN
  /// controllers are all kept, and the resets before them, since their order matters.
  /// A program carries the bank that it was selected from; a bank that is selected after it is for the next one.
  private func held(before start: Int64, on channels: [Int]) -> [Event] {
    var held: [Event] = []
    var places: [Key: Int] = [:]
    // Each half of the bank as it was sent, and the track's own at the start.
    var banks = [(high: Int, low: Int)?](repeating: nil, count: 16)
    func keep(_ event: Event) {
      guard let key = Key(event) else { return }
      var event = event
      event.tick = 0
      if case .program(let program, let bank) = event.message {
        if let bank { banks[event.channel] = (bank >> 7, bank & 0x7f) }
        event.message = .program(program, bank: banks[event.channel].map { $0.high << 7 | $0.low })
        for half in [0, 32] {
          if let place = places.removeValue(forKey: key.bank(half)) { held[place].tick = -1 }
        }
      }
      switch event.message {
      case .controller(0, let value): banks[event.channel] = (value, banks[event.channel]?.low ?? 0)
      case .controller(32, let value): banks[event.channel] = (banks[event.channel]?.high ?? 0, value)
      default: break
      }
      // A reset ends the choice of a parameter as well: one before this controller stays in its place.
      if key.number == Key.parameter { places.removeValue(forKey: key.reset) }
      if key.number != Key.parameter, let place = places.updateValue(held.count, forKey: key) { held[place].tick = -1 }
      held.append(event)
    }
    for channel in channels where startsWithInstrument(channel) {
      for message in instrument?.messages ?? [] { keep(Event(tick: 0, channel: channel, message: message)) }
    }
    for event in events.prefix(while: { $0.tick < start }) { keep(event) }
    return held.filter { $0.tick == 0 }
  }

  private struct Key: Hashable {
    var channel: Int
    var kind: RegionEvent.Message.Kind
    var number: Int

    /// One key for all RPN and NRPN controllers.
    static let parameter = -1
    /// Reset all controllers: in its place among them, since what came before it does not hold any more.
    private static let resetNumber = 121

    /// Of the reset on the same channel.
    var reset: Key {
      var key = self
      key.kind = .controller
      key.number = Self.resetNumber
      return key
    }

    /// Of half of the bank select, 0 or 32, on the same channel.
    func bank(_ half: Int) -> Key {
      var key = self
      key.kind = .controller
      key.number = half
      return key
    }

    /// `nil` for a message without lasting effect.
    init?(_ event: Event) {
      channel = event.channel
      kind = event.message.kind
      switch event.message {
      case .controller(6, _), .controller(38, _), .controller(96...101, _): number = Self.parameter
      case .controller(Self.resetNumber, _): number = Self.resetNumber
      // Other channel mode messages, such as all sound off.
      case .controller(120..., _), .systemExclusive, .meta: return nil
      case .controller(let number, _), .polyPressure(let number, _): self.number = number
      case .pitchBend, .program, .channelPressure: number = 0
      }
    }
  }
}
