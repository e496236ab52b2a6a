import DAWEngine
import DAWModel
import DAWTime

/// A note's beginning or end, packed so that comparing numbers puts events in order: by frame, of one frame the ends
/// first, then by channel, pitch and velocity.
struct NoteEvent: Comparable, Sendable {
  private let bits: UInt64

  init(frame: Int64, isOn: Bool, channel: Int, pitch: Int, velocity: Int) {
    bits = UInt64(frame) << 19 | (isOn ? 1 : 0) << 18 | UInt64(channel) << 14 | UInt64(pitch) << 7 | UInt64(velocity)
  }

  static func < (a: Self, b: Self) -> Bool { a.bits < b.bits }

  var frame: Int64 { Int64(bits >> 19) }
  var isOn: Bool { bits >> 18 & 1 == 1 }
  /// Channel and pitch: 0 … 2,047.
  var key: Int { Int(bits >> 7 & 0x7ff) }

  private var channel: UInt8 { UInt8(bits >> 14 & 0xf) }
  private var pitch: UInt8 { UInt8(bits >> 7 & 0x7f) }

  var on: MIDIEvent { MIDIEvent(frame: frame, status: 0x90 | channel, data1: pitch, data2: UInt8(bits & 0x7f)) }
  var off: MIDIEvent { MIDIEvent(frame: frame, status: 0x80 | channel, data1: pitch, data2: 0) }
}

extension NotesPart {
  /// Puts a region's notes on frames. An instrument takes events every 64 frames: a note begins on the next of these,
  /// and ends on the next one too, but at least 64 frames after it began. Velocity 0 plays nothing.
  convenience init(start: TickPosition, notes: [MIDINote], clock: FrameClock) {
    var events: [NoteEvent] = []
    events.reserveCapacity(2 * notes.count)
    for note in notes where note.velocity > 0 {
      let on = Self.nextQuantum(clock.frame(at: start + note.start))
      let off = max(Self.nextQuantum(clock.frame(at: start + note.end)), on + InstrumentPlan.quantum)
      let (channel, pitch) = (note.channel & 0xf, note.pitch & 0x7f)
      events.append(NoteEvent(frame: on, isOn: true, channel: channel, pitch: pitch, velocity: note.velocity & 0x7f))
      events.append(NoteEvent(frame: off, isOn: false, channel: channel, pitch: pitch, velocity: 0))
    }
    events.sort()
    self.init(start: start, source: notes, events: events)
  }

  private static func nextQuantum(_ frame: Int64) -> Int64 {
    (max(0, frame) + InstrumentPlan.quantum - 1) / InstrumentPlan.quantum * InstrumentPlan.quantum
  }
}

extension TrackEventsPart {
  /// Brings a track's regions together. Where notes of one pitch and channel overlap, a key is struck again for each,
  /// released just before, and let go with the last of them. Those that begin together are one, as loud as the loudest.
  init(_ regions: [NotesPart]) {
    var events = regions.flatMap(\.events)
    if regions.count > 1 { events.sort() }
    var played: [MIDIEvent] = []
    played.reserveCapacity(events.count)
    var held = [Int32](repeating: 0, count: 2_048)
    var first = 0
    while first < events.count {
      let frame = events[first].frame
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
      for index in firstOn..<end {
        held[events[index].key] += 1
        let isLoudestOfKey = index + 1 == end || events[index + 1].key != events[index].key
        if isLoudestOfKey { played.append(events[index].on) }
      }
      first = end
    }
    self.init(regions: regions, events: played)
  }
}
