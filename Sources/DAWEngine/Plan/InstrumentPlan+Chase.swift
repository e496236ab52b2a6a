extension InstrumentPlan {
  /// Events lie on a grid of so many frames, the quantum that instruments are called in.
  public static let quantum: Int64 = 64

  /// What there is to play when playing begins in the middle: what a port would be told there, by the same chase: the newest
  /// program with its bank, controllers and parameters, bend and pressure of each channel, in the order they were sent, then
  /// the notes that sound across, then the rest. Before all that, the system exclusive messages so far. The timeline is
  /// shifted, so that the quantum in which `frame` lies begins at 0.
  /// - Parameters:
  ///   - frame: timeline frame ≥ 0.
  ///   - chases: whether what came before counts; where not, the channels are as a new instrument has them.
  public func begun(at frame: Int64, chases: Bool = true) -> InstrumentPlan {
    let base = frame - frame % Self.quantum
    let port = LinkedPort(PlannedPort(slot: 0, name: "", events: events, systemExclusive: systemExclusive))
    defer { port.deallocate() }
    let first = port.firstEvent(from: base)
    var plan = self
    plan.events = chases ? port.chased(to: first) : []
    plan.events += events[first...].map { event in
      var event = event
      event.frame -= base
      return event
    }
    return plan
  }
}

extension [UInt8] {
  /// Whether they are a system exclusive message that resets the receiver: General MIDI on or off, GS or XG reset.
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
