import DAWTime

extension InstrumentPlan {
  /// Frames between the points at which events take effect: an instrument renders in quanta of this length.
  public static let quantum = 64

  /// The plan for playback from `frame`: the events before it are replaced by a chase, the same as at a MIDI port:
  /// system exclusive messages, then program with bank, controllers, parameters, bend and pressure of each channel in
  /// the order in which they were sent, then the notes that sound across `frame`. The timeline is shifted so that the
  /// quantum of `frame` begins at 0.
  /// - Parameters:
  ///   - frame: timeline frame ≥ 0.
  ///   - chases: whether to chase; if not, the channels start in their initial state.
  public func begun(at frame: TimelineFrame, chases: Bool = true) -> InstrumentPlan {
    let base = frame.roundedDown(to: Self.quantum)
    let linked = sequence.linked
    let first = linked.firstEvent(from: base)
    let events = events
    var begun = chases ? linked.chased(to: first) : []
    begun += events[first...].map { event in
      var event = event
      event.frame = TimelineFrame(event.frame - base)
      return event
    }
    var plan = self
    plan.events = begun
    return plan
  }
}

extension [UInt8] {
  /// Whether this is a system exclusive message that resets the receiver: General MIDI on or off, GS or XG reset.
  public var isReset: Bool {
    guard count >= 6, first == 0xf0, last == 0xf7 else { return false }
    let body = dropFirst(3)
    switch self[1] {
    case 0x7e: return body.first == 0x09
    case 0x41: return body.starts(with: [0x42, 0x12, 0x40, 0x00, 0x7f, 0x00])
    case 0x43: return body.starts(with: [0x4c, 0x00, 0x00, 0x7e, 0x00])
    default: return false
    }
  }
}
