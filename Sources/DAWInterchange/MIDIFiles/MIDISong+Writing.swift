import DAWMedia
import DAWModel
import DAWTime

extension MIDISong {
  /// The MIDI file of this song, whose positions are in the project's ticks.
  func file(format: MIDIFile.Format, division: Int) -> MIDIFile {
    let scale = MIDIFileScale(division: division)
    var parts = parts[...]
    var conductor = MIDIFileTrack()
    write(into: &conductor, scale)
    // A track without notes or channels is part of the conductor track, where an import expects it.
    if let first = parts.first, first.channels.isEmpty {
      first.write(into: &conductor, scale)
      parts = parts.dropFirst()
    }
    var tracks: [MIDIFileTrack]
    if format == .single {
      for var part in parts {
        part.name = nil
        part.write(into: &conductor, scale)
      }
      tracks = [conductor]
    } else {
      tracks = [conductor]
      for part in parts {
        var track = MIDIFileTrack()
        part.write(into: &track, scale)
        tracks.append(track)
      }
    }
    for index in tracks.indices { tracks[index].sort() }
    return MIDIFile(format: format, division: .ticksPerQuarter(division), tracks: tracks)
  }

  private func write(into track: inout MIDIFileTrack, _ scale: MIDIFileScale) {
    for tempo in tempos { track.append(.tempo(microsecondsPerQuarter: tempo.value), at: scale(tempo.tick)) }
    for meter in meters {
      let (numerator, denominator) = (meter.value.numerator, meter.value.denominator)
      track.append(
        .timeSignature(numerator: numerator, denominator: denominator, clocks: max(1, 96 / denominator)),
        at: scale(meter.tick))
    }
    for key in keys {
      track.append(.keySignature(sharps: key.value.fifths, isMinor: key.value.isMinor), at: scale(key.tick))
    }
    for marker in markers {
      track.append(
        .text(marker.value.kind == .cue ? .cuePoint : .marker, Array(marker.value.name.text.utf8)),
        at: scale(marker.tick))
    }
  }

  /// The smallest division that is exact for every position; every multiple of it is, too.
  var neededDivision: Int {
    var step = TickCount.perQuarter
    func meet(_ tick: Int64) { step = Int64(greatestCommonDivisor(step.magnitude, tick.magnitude)) }
    for part in parts {
      meet(part.endTick)
      for note in part.notes where !(note.start.isMultiple(of: step) && note.end.isMultiple(of: step)) {
        meet(note.start)
        meet(note.end)
      }
      for event in part.events { meet(event.tick) }
    }
    for tick in tempos.map(\.tick) + meters.map(\.tick) + keys.map(\.tick) + markers.map(\.tick) { meet(tick) }
    return Int(TickCount.perQuarter / step)
  }
}

/// Converts the project's ticks to a file's.
struct MIDIFileScale {
  private let division: Int64

  init(division: Int) { self.division = Int64(division) }

  /// The nearest, ties to even.
  func callAsFunction(_ tick: Int64) -> Int64 { nearest(tick * division, over: TickCount.perQuarter) }
}

extension MIDIPart {
  fileprivate func write(into track: inout MIDIFileTrack, _ scale: MIDIFileScale) {
    writeName(into: &track)
    writeInstrument(into: &track)
    for event in events where !isOtherName(event) { write(event, into: &track, at: scale(event.tick)) }
    track.reserveCapacity(track.events.count + 2 * notes.count)
    for note in notes {
      let (channel, pitch, start) = (Int(note.channel), Int(note.pitch), scale(note.start))
      let end = max(start + 1, scale(note.end))
      track.append(.noteOn, channel: channel, data1: pitch, data2: Int(note.velocity), at: start)
      if note.releaseVelocity == MIDINote.defaultReleaseVelocity {
        // As short as it can be: it means the same.
        track.append(.noteOn, channel: channel, data1: pitch, data2: 0, at: end)
      } else {
        track.append(.noteOff, channel: channel, data1: pitch, data2: Int(note.releaseVelocity), at: end)
      }
    }
    track.endTick = max(track.endTick, scale(endTick))
  }

  private func writeName(into track: inout MIDIFileTrack) {
    guard let name, !events.contains(where: { $0.tick == 0 && isOwnName($0) }) else { return }
    track.append(.text(.trackName, Array(name.utf8)), at: 0)
  }

  /// Whether an event is the name that the track was imported with: as written, or without the number added
  /// to make it unique.
  private func isOwnName(_ event: Event) -> Bool {
    guard let text = event.trackName, let name else { return false }
    let known = Name(freely: text, orElse: Name(literal: "-")).text
    return known == name || name.hasPrefix(known + " ") && name.dropFirst(known.count + 1).allSatisfy(\.isNumber)
  }

  /// Whether an event would give the track a name that it has no longer.
  private func isOtherName(_ event: Event) -> Bool {
    event.tick == 0 && event.trackName != nil && name != nil && !isOwnName(event)
  }

  private func writeInstrument(into track: inout MIDIFileTrack) {
    guard let instrument else { return }
    for channel in channels where startsWithInstrument(channel) {
      for message in instrument.messages {
        write(Event(tick: 0, channel: channel, message: message), into: &track, at: 0)
      }
    }
  }

  /// MIDI's channel 10.
  static let percussionChannel = 9

  /// Whether the instrument's bank and program stand at the start for a channel: not where such an event comes with its
  /// first note or before, nor on channel 10 where its drum kit is not the instrument's.
  func startsWithInstrument(_ channel: Int) -> Bool {
    guard let instrument, instrument != Sound(program: 0), channel != Self.percussionChannel || hasOwnKit else {
      return false
    }
    let firstNote = notes.first { Int($0.channel) == channel }?.start ?? .max
    return !events.contains { $0.channel == channel && $0.message.kind == .program && $0.tick <= firstNote }
  }

  private func write(_ event: Event, into track: inout MIDIFileTrack, at tick: Int64) {
    let channel = event.channel
    switch event.message {
    case .controller(let number, let value):
      track.append(.controller, channel: channel, data1: number, data2: value, at: tick)
    case .pitchBend(let bend):
      track.append(.pitchBend, channel: channel, data1: (bend + 8192) & 0x7f, data2: (bend + 8192) >> 7, at: tick)
    case .program(let program, let bank):
      if let bank {
        track.append(.controller, channel: channel, data1: 0, data2: bank >> 7, at: tick)
        track.append(.controller, channel: channel, data1: 32, data2: bank & 0x7f, at: tick)
      }
      track.append(.program, channel: channel, data1: program, at: tick)
    case .channelPressure(let value): track.append(.channelPressure, channel: channel, data1: value, at: tick)
    case .polyPressure(let pitch, let value):
      track.append(.polyPressure, channel: channel, data1: pitch, data2: value, at: tick)
    case .systemExclusive(let bytes):
      track.append(status: bytes.first ?? MIDIFileEvent.escape, payload: bytes.dropFirst(), at: tick)
    case .meta(let type, let bytes): track.append(metaType: UInt8(type & 0x7f), payload: bytes, at: tick)
    }
  }
}

extension MIDIPart.Event {
  /// The text of a meta event that names its track; `nil` for other events.
  fileprivate var trackName: String? {
    guard case .meta(Int(MIDIFileMeta.TextKind.trackName.rawValue), let bytes) = message else { return nil }
    return MIDIFileText.decode(bytes)
  }
}
