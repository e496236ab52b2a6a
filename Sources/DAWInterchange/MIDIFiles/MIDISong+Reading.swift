import DAWMedia
import DAWModel
import DAWProject
import DAWTime

extension MIDISong {
  /// The song of a whole file of format 0 or 1, or of one track of a file of format 2.
  /// - Parameter tracks: those within `range` are left empty one by one, since all of them are larger than the file.
  init(
    taking range: Range<Int>, of tracks: inout [MIDIFileTrack], splitsChannels: Bool, remarks: inout MIDISongRemarks
  ) {
    for index in range {
      let track = tracks[index]
      tracks[index] = MIDIFileTrack()
      var reading = MIDITrackReading(track, isFirst: index == range.lowerBound, remarks: remarks)
      reading.read(into: &self)
      remarks = reading.remarks
      let notes = MIDIFileNotes(track)
      remarks.add(notes)
      reading.part.notes = notes.notes
      parts += splitsChannels ? reading.part.splitByChannel() : [reading.part]
      endTick = max(endTick, track.endTick)
    }
    parts = parts.filter { !$0.isEmpty }.map { part in
      var part = part
      part.takeInstrument()
      return part
    }
    tempos = Self.lastOfEach(tempos)
    meters = Self.lastOfEach(meters)
  }

  /// In order of place; of several at one place, the last.
  private static func lastOfEach<Value>(_ placed: [Placed<Value>]) -> [Placed<Value>] {
    let sorted = placed.enumerated().sorted { ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset) }
      .map(\.element)
    return zip(sorted, sorted.dropFirst().map(\.tick) + [.max]).filter { $0.tick != $1 }.map { $0.0 }
  }
}

/// Separates a track's events into those of the timeline and those of its part.
private struct MIDITrackReading {
  var part: MIDIPart
  var remarks: MIDISongRemarks
  private let track: MIDIFileTrack
  private let isFirst: Bool

  init(_ track: MIDIFileTrack, isFirst: Bool, remarks: MIDISongRemarks) {
    self.track = track
    self.isFirst = isFirst
    self.remarks = remarks
    part = MIDIPart(endTick: track.endTick)
  }

  mutating func read(into song: inout MIDISong) {
    for event in track.events where !event.isNoteOn && !event.isNoteOff {
      if event.status == MIDIFileEvent.meta {
        readMeta(event, into: &song)
      } else if let message = message(of: event) {
        part.events.append(
          MIDIPart.Event(tick: event.tick, channel: event.isChannelMessage ? event.channel : 0, message: message))
      }
    }
  }

  private mutating func message(of event: MIDIFileEvent) -> RegionEvent.Message? {
    let message = RegionEvent.Message(event, of: track)
    if message == nil { remarks.oversized += 1 }
    return message
  }

  private mutating func bytes(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count <= RegionEvent.maximumByteCount else {
      remarks.oversized += 1
      return nil
    }
    return bytes
  }

  private mutating func readMeta(_ event: MIDIFileEvent, into song: inout MIDISong) {
    let tick = event.tick
    switch track.meta(of: event) {
    case .tempo(let microseconds):
      if !isFirst { remarks.lateTempos += 1 }
      song.tempos.append(.init(tick: tick, value: microseconds))
    case .timeSignature(let numerator, let denominator, _, _):
      let meter = TimeSignature(numerator, over: denominator)
      guard meter.isAccepted else {
        remarks.refusedMeters += 1
        return
      }
      if !isFirst { remarks.lateTempos += 1 }
      song.meters.append(.init(tick: tick, value: meter))
    case .keySignature(let sharps, let isMinor)
    where (-7...7).contains(sharps) && song.keyTicks.insert(tick).inserted:
      song.keys.append(.init(tick: tick, value: .init(fifths: sharps, isMinor: isMinor)))
    case .text(.marker, let text): readMarker(.marker, text, event, into: &song)
    case .text(.cuePoint, let text): readMarker(.cue, text, event, into: &song)
    case .text(.trackName, let text) where part.name == nil: readName(text, event)
    // Some writers put empty texts into long pauses, since a delta time has a greatest value.
    case .text(.text, []): break
    case nil where MIDIFileMeta.refusedTypes.contains(event.data1): remarks.strangeMetas += 1
    default: keep(event)
    }
  }

  private mutating func readMarker(
    _ kind: Marker.Kind, _ text: [UInt8], _ event: MIDIFileEvent, into song: inout MIDISong
  ) {
    guard let name = try? Name(MIDIFileText.decode(text)) else { return keep(event) }
    song.markers.append(.init(tick: event.tick, value: .init(name: name, kind: kind)))
  }

  /// A name that is not valid for a track is also kept as an event.
  private mutating func readName(_ text: [UInt8], _ event: MIDIFileEvent) {
    let name = MIDIFileText.decode(text)
    part.name = name
    if event.tick != 0 || (try? Name(name))?.text.utf8.elementsEqual(text) != true { keep(event) }
  }

  private mutating func keep(_ event: MIDIFileEvent) {
    guard let body = bytes(Array(track.payload(of: event))), event.data1 < 0x80 else { return }
    part.events.append(
      MIDIPart.Event(tick: event.tick, channel: 0, message: .meta(type: Int(event.data1), body)))
  }
}

extension MIDIFileMeta {
  /// Meta events that the project represents in other ways.
  fileprivate static let refusedTypes = RegionEvent.refusedMetaTypes.map { UInt8($0) }
}
