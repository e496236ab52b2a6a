extension RenderPlan {
  /// The plan cut off at a frame: regions end there, notes and pedals are released there, so that only tails follow.
  /// Before the frame the output is unchanged, to the bit.
  /// - Parameter frame: timeline frame ≥ 0.
  public func ending(at frame: Int64) -> RenderPlan {
    var plan = self
    plan.endFrame = min(endFrame, frame)
    for index in plan.regions.indices where plan.regions[index].frames.upperBound > frame {
      let lower = min(plan.regions[index].frames.lowerBound, frame)
      plan.regions[index].frames = lower..<frame
    }
    for index in plan.instruments.indices {
      plan.instruments[index].plan = plan.instruments[index].plan.released(at: frame)
    }
    for index in plan.ports.indices { plan.ports[index].events = plan.ports[index].events.ending(at: frame) }
    return plan
  }
}

extension [MIDIEvent] {
  /// Events before a frame, and at it the note-offs of the notes that sound.
  fileprivate func ending(at frame: Int64) -> [MIDIEvent] {
    compactMap { event in
      guard event.frame >= frame else { return event }
      guard event.endsNote else { return nil }
      return MIDIEvent(frame: frame, status: event.status, data1: event.data1, data2: event.data2)
    }
  }
}

extension InstrumentPlan {
  /// The events before a frame, and at the next quantum note-offs and pedals up for all that sounds.
  func released(at frame: Int64) -> InstrumentPlan {
    guard let last = events.last, last.frame >= frame else { return releasedAfterLast(at: frame) }
    var plan = self
    plan.events = Array(events.prefix { $0.frame < frame })
    return plan.releasedAfterLast(at: frame)
  }

  private func releasedAfterLast(at frame: Int64) -> InstrumentPlan {
    var sounding: Set<UInt16> = []
    var pedals: Set<UInt8> = []
    for event in events {
      let (kind, channel) = (event.status & 0xf0, event.status & 0x0f)
      let key = UInt16(channel) << 8 | UInt16(event.data1)
      switch kind {
      case 0x90 where event.data2 > 0: sounding.insert(key)
      case 0x80, 0x90: sounding.remove(key)
      case 0xb0 where event.data1 == Self.sustain && event.data2 >= 64: pedals.insert(channel)
      case 0xb0 where event.data1 == Self.sustain: pedals.remove(channel)
      default: break
      }
    }
    let end = (frame + Self.quantum - 1) / Self.quantum * Self.quantum
    var plan = self
    plan.events += sounding.sorted().map {
      MIDIEvent(frame: end, status: 0x80 | UInt8($0 >> 8), data1: UInt8($0 & 0x7f), data2: 64)
    }
    plan.events += pedals.sorted().map { MIDIEvent(frame: end, status: 0xb0 | $0, data1: Self.sustain, data2: 0) }
    return plan
  }

  private static let sustain: UInt8 = 64
}
