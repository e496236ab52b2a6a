import DAWTime

extension RenderPlan {
  /// The plan with nothing that is heard before a frame: regions begin there at the earliest, notes that sound across
  /// are struck there, those of instruments on the next frame of their grid. Behind it not a bit is changed where no
  /// instrument plays.
  /// - Parameter frame: timeline frame.
  public func beginning(at frame: TimelineFrame) -> RenderPlan {
    guard frame > 0 else { return self }
    var plan = self
    for index in plan.regions.indices where plan.regions[index].frames.lowerBound < frame {
      let upper = max(plan.regions[index].frames.upperBound, frame)
      plan.regions[index].frames = frame..<upper
    }
    let quantum = InstrumentPlan.quantum
    for index in plan.instruments.indices {
      plan.instruments[index].plan.events = plan.instruments[index].plan.events.struck(
        from: frame.roundedUp(to: quantum))
    }
    for index in plan.ports.indices { plan.ports[index].events = plan.ports[index].events.struck(from: frame) }
    return plan
  }
}

extension [MIDIEvent] {
  /// Without the notes that end before a frame or on it; those that sound across begin there. All other messages stay.
  fileprivate func struck(from start: TimelineFrame) -> [MIDIEvent] {
    var held: [UInt16: MIDIEvent] = [:]
    var settings: [MIDIEvent] = []
    for event in prefix(while: { $0.frame < start }) {
      let key = UInt16(event.status & 0x0f) << 8 | UInt16(event.data1)
      if event.beginsNote {
        held[key] = event
      } else if event.endsNote {
        held[key] = nil
      } else {
        settings.append(event)
      }
    }
    let rest = drop { $0.frame < start }
    // Of one frame, note-offs stand first. A note that ends there does not sound across.
    let ends = rest.prefix { $0.frame == start && $0.endsNote }
    for event in ends { held[UInt16(event.status & 0x0f) << 8 | UInt16(event.data1)] = nil }
    let notes = held.sorted { $0.key < $1.key }.map(\.value).map {
      MIDIEvent(frame: start, status: $0.status, data1: $0.data1, data2: $0.data2)
    }
    return settings + ends + notes + rest.dropFirst(ends.count)
  }
}
