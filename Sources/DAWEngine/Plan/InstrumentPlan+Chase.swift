extension InstrumentPlan {
  /// Events lie on a grid of so many frames, the quantum that instruments are called in.
  public static let quantum: Int64 = 64

  /// What there is to play when playing begins in the middle: first the newest program, controllers, bend and pressure
  /// of each channel, in the order they were sent, then the notes that sound across, then the rest. The timeline is
  /// shifted, so that the quantum in which `frame` lies begins at 0.
  /// - Parameter frame: timeline frame ≥ 0.
  public func chased(to frame: Int64) -> InstrumentPlan {
    let base = frame - frame % Self.quantum
    var settings: [UInt16: (order: Int, event: MIDIEvent)] = [:]
    var sounding: [UInt16: MIDIEvent] = [:]
    for (order, event) in events.prefix(while: { $0.frame < base }).enumerated() {
      let kind = event.status & 0xf0
      let key = UInt16(event.status) << 8 | UInt16(event.data1)
      switch kind {
      case 0x90 where event.data2 > 0: sounding[key & 0x0fff] = event
      case 0x80, 0x90: sounding[key & 0x0fff] = nil
      case 0xa0, 0xb0: settings[key] = (order, event)
      default: settings[UInt16(event.status) << 8] = (order, event)
      }
    }
    let notes = sounding.values.sorted { ($0.status, $0.data1) < ($1.status, $1.data1) }
    var chased = settings.values.sorted { $0.order < $1.order }.map(\.event) + notes
    for index in chased.indices { chased[index].frame = 0 }
    var plan = self
    plan.events =
      chased
      + events.drop(while: { $0.frame < base }).map {
        MIDIEvent(frame: $0.frame - base, status: $0.status, data1: $0.data1, data2: $0.data2)
      }
    return plan
  }
}
