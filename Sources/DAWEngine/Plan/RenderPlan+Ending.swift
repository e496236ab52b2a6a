import DAWTime

extension RenderPlan {
  /// The plan cut off at a frame: regions end there, notes and pedals are released there, so that only tails follow.
  /// Before the frame the output is unchanged, to the bit, but where an effect looks ahead beyond it.
  /// - Parameter frame: timeline frame ≥ 0.
  public func ending(at frame: TimelineFrame) -> RenderPlan {
    var plan = self
    plan.endFrame = min(endFrame, frame)
    for index in plan.regions.indices where plan.regions[index].frames.upperBound > frame {
      let lower = min(plan.regions[index].frames.lowerBound, frame)
      plan.regions[index].frames = lower..<frame
    }
    for index in plan.instruments.indices {
      plan.instruments[index].plan = plan.instruments[index].plan.released(at: frame)
    }
    for index in plan.ports.indices { plan.ports[index].sequence = plan.ports[index].sequence.ending(at: frame) }
    return plan
  }
}

extension MIDISequence {
  /// Events before a frame, and at it the note-offs of the notes that sound.
  fileprivate func ending(at frame: TimelineFrame) -> MIDISequence {
    guard let last = events.last, last.frame >= frame else { return self }
    return without(.ending(frame)) { events in
      var sounding = [Bool](repeating: false, count: 2_048)
      return events.compactMap { event in
        let key = Int(event.status & 0x0f) << 7 | Int(event.data1 & 0x7f)
        if event.frame < frame {
          if event.beginsNote { sounding[key] = true } else if event.endsNote { sounding[key] = false }
          return event
        }
        // Those of later notes would all stand at one frame, for the audio thread to pass over.
        guard event.endsNote, sounding[key] else { return nil }
        sounding[key] = false
        return MIDIEvent(frame: frame, status: event.status, data1: event.data1, data2: event.data2)
      }
    }
  }
}

extension InstrumentPlan {
  /// The events before a frame, and at the next quantum note-offs and pedals up for all that sounds.
  func released(at frame: TimelineFrame) -> InstrumentPlan {
    var plan = self
    plan.sequence = sequence.without(.released(frame)) { events in
      Self.released(Array(events.prefix { $0.frame < frame }), at: frame)
    }
    return plan
  }

  private static func released(_ events: [MIDIEvent], at frame: TimelineFrame) -> [MIDIEvent] {
    var sounding: Set<UInt16> = []
    var pedals: Set<UInt16> = []
    for event in events {
      let (kind, channel) = (event.status & 0xf0, event.status & 0x0f)
      let key = UInt16(channel) << 8 | UInt16(event.data1)
      switch kind {
      case 0x90 where event.data2 > 0: sounding.insert(key)
      case 0x80, 0x90: sounding.remove(key)
      case 0xb0 where event.movesHoldingPedal:
        if event.data2 >= 64 { pedals.insert(key) } else { pedals.remove(key) }
      default: break
      }
    }
    let end = frame.roundedUp(to: quantum)
    var events = events
    events += sounding.sorted().map {
      MIDIEvent(frame: end, status: 0x80 | UInt8($0 >> 8), data1: UInt8($0 & 0x7f), data2: 64)
    }
    events += pedals.sorted().map {
      MIDIEvent(frame: end, status: 0xb0 | UInt8($0 >> 8), data1: UInt8($0 & 0x7f), data2: 0)
    }
    return events
  }
}
