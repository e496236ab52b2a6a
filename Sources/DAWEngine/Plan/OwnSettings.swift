import DAWTime

/// The initial state of an instrument: its program, and the controllers that no reset restores.
///
/// A new instrument has it. One that plays on across a loop's end does not, so live playback sends it as events before
/// all others, which are chased as those are. Played from the start they change no sample.
struct OwnSettings: Equatable, Sendable {
  private var bank: Int
  private var program: Int
  private var isPercussion: Bool
  private var hasReverb: Bool
  private var hasChorus: Bool

  private static let percussionChannel: UInt8 = 9

  init(_ plan: InstrumentPlan) {
    (bank, program, isPercussion) = (plan.bank, plan.program, plan.isPercussion)
    (hasReverb, hasChorus) = (plan.effects.reverb != nil, plan.effects.chorus != nil)
  }

  /// Adds events that set the initial values of what the others set: at the beginning, and behind each message that
  /// resets the instrument.
  /// - Returns: `nil` if the others set none of it.
  func events(before events: [MIDIEvent], systemExclusive: [[UInt8]]) -> [MIDIEvent]? {
    let settings = settings(of: events)
    guard !settings.isEmpty, let first = events.first?.frame else { return nil }
    func add(to events: inout [MIDIEvent], at frame: TimelineFrame) {
      for var event in settings {
        event.frame = frame
        events.append(event)
      }
    }
    var all: [MIDIEvent] = []
    all.reserveCapacity(events.count + settings.count)
    add(to: &all, at: min(0, first))
    for event in events {
      all.append(event)
      let index = Int(event.bytesIndex)
      guard event.isSystemExclusive, systemExclusive.indices.contains(index), systemExclusive[index].isReset else {
        continue
      }
      add(to: &all, at: event.frame)
    }
    return all
  }

  /// All at frame 0.
  private func settings(of events: [MIDIEvent]) -> [MIDIEvent] {
    // For each channel its controllers, then its program.
    var isSet = [Bool](repeating: false, count: 16 * 129)
    for event in events {
      let first = Int(event.status & 0x0f) * 129
      switch event.status & 0xf0 {
      case 0xb0: isSet[first + Int(event.data1 & 0x7f)] = true
      case 0xc0: isSet[first + 128] = true
      default: break
      }
    }
    var settings: [MIDIEvent] = []
    for channel in UInt8(0)..<16 {
      let first = Int(channel) * 129
      if isSet[first + 128] { settings += ownProgram(channel) }
      for number in UInt8(0)..<128 where isSet[first + Int(number)] {
        guard let value = ownValue(ofController: number) else { continue }
        settings.append(MIDIEvent(frame: 0, status: 0xb0 | channel, data1: number, data2: value))
      }
    }
    return settings
  }

  /// None where messages would not select just what a new instrument has: which bank and which drum kit that is may
  /// depend on the SoundFont.
  private func ownProgram(_ channel: UInt8) -> [MIDIEvent] {
    let change = MIDIEvent(frame: 0, status: 0xc0 | channel, data1: UInt8(clamping: program) & 0x7f, data2: 0)
    if isPercussion { return channel == Self.percussionChannel ? [change] : [] }
    guard bank == 0, channel != Self.percussionChannel else { return [] }
    return [0, 32].map { MIDIEvent(frame: 0, status: 0xb0 | channel, data1: $0, data2: 0) } + [change]
  }

  /// `nil` for controllers that are reset otherwise, or whose value is not known.
  private func ownValue(ofController number: UInt8) -> UInt8? {
    switch number {
    case 7: 100
    case 10, 70...79: 64
    case 91: hasReverb ? InstrumentEffects.sendLevel : 0
    case 93: hasChorus ? InstrumentEffects.sendLevel : 0
    default: nil
    }
  }
}

extension MIDISequence {
  /// The sequence with events for an instrument's initial state. The last result is kept: the next plan needs it
  /// again.
  func with(_ own: OwnSettings) -> MIDISequence {
    if let known = withOwnSettings.withLock({ $0 }), known.own == own { return known.result ?? self }
    let result = own.events(before: events, systemExclusive: systemExclusive).map {
      MIDISequence($0, systemExclusive: systemExclusive)
    }
    withOwnSettings.withLock { $0 = (own, result) }
    return result ?? self
  }
}

extension RenderPlan {
  /// The plan with events for the initial states of its instruments.
  var withOwnSettings: RenderPlan {
    var plan = self
    for index in plan.instruments.indices {
      let instrument = plan.instruments[index].plan
      plan.instruments[index].plan.sequence = instrument.sequence.with(OwnSettings(instrument))
    }
    return plan
  }
}
