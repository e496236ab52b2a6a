import DAWEngine

extension TrackEventsPart {
  /// Merges a track's regions. Overlapping notes of one pitch and channel retrigger: each but the first is preceded by
  /// a note-off, and the key is released with the last of them. Notes that begin at the same frame become one, with the
  /// highest velocity. Order at the same frame: note-offs, settings, note-ons.
  /// - Parameters:
  ///   - regions: with the same mutes.
  ///   - mutes: those of the regions.
  init(_ regions: [RegionPart], mutes: MutedSpans = .none) {
    var events = regions.flatMap(\.noteEvents)
    if regions.count > 1 { events.sort() }
    var settings = RegionSettings(regions)
    settings.events = mutes.liftingPedals(in: settings.events)
    var played: [MIDIEvent] = []
    played.reserveCapacity(events.count + settings.events.count)
    var held = [Int32](repeating: 0, count: 2_048)
    var first = 0
    var nextSetting = 0
    while first < events.count {
      let frame = events[first].frame
      while nextSetting < settings.events.count, settings.events[nextSetting].frame < frame {
        played.append(settings.events[nextSetting])
        nextSetting += 1
      }
      var firstOn = first
      while firstOn < events.count, events[firstOn].frame == frame, !events[firstOn].isOn {
        held[events[firstOn].key] -= 1
        if held[events[firstOn].key] == 0 { played.append(events[firstOn].off) }
        firstOn += 1
      }
      var end = firstOn
      while end < events.count, events[end].frame == frame {
        let isFirstOfKey = end == firstOn || events[end - 1].key != events[end].key
        if isFirstOfKey, held[events[end].key] > 0 { played.append(events[end].off) }
        end += 1
      }
      while nextSetting < settings.events.count, settings.events[nextSetting].frame == frame {
        played.append(settings.events[nextSetting])
        nextSetting += 1
      }
      for index in firstOn..<end {
        held[events[index].key] += 1
        let isLoudestOfKey = index + 1 == end || events[index + 1].key != events[index].key
        if isLoudestOfKey { played.append(events[index].on) }
      }
      first = end
    }
    played += settings.events[nextSetting...]
    self.init(regions, MIDISequence(played, systemExclusive: settings.bytes))
  }
}
