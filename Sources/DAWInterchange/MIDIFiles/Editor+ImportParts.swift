import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTime
import Foundation

/// What the next new track of a file needs. It is read from the project once, since a file may have thousands of songs.
struct NewMIDITracks {
  var names: FreeNames
  /// Of the last track before the master.
  var lastOrderKey: OrderKey?
  let soundFont: SoundFontID?
  /// The channels that have programs among the events of the track that was named; `nil` until it is known.
  var programChannels: Set<Int>?
}

extension Editor {
  /// Makes a track and a region of each part of a song, or one of them all on the track that was named.
  func addParts(
    of song: MIDISong, _ clock: MIDIFileClock, _ request: MIDIImportRequest, _ newTracks: inout NewMIDITracks,
    _ result: inout ImportedMIDIFile
  ) throws {
    let stem = Name(ofFile: request.path, orElse: Name(literal: "MIDI"))
    if let reference = request.track {
      guard var part = MIDIPart.joining(song.parts) else { return }
      let track = try midiTrack(calledBy: reference, part, &result)
      let sound = try view.instrument(of: track.id).map { MIDIPart.Sound(bank: $0.bank, program: $0.program) }
      var programChannels =
        try newTracks.programChannels
        ?? Set(view.events(EventFilter(track: track.id, kind: .program)).map(\.channel))
      // The track's own sound is not heard behind a region that has selected another.
      if sound != part.instrument || !programChannels.isDisjoint(with: part.channels) {
        part.events.insert(contentsOf: part.instrumentEvents, at: 0)
      }
      programChannels.formUnion(part.events.filter { $0.message.kind == .program }.map(\.channel))
      newTracks.programChannels = programChannels
      try addRegion(named: stem, of: part, on: track, clock, &result)
      return
    }
    for (index, var part) in song.parts.enumerated() {
      let fallback = song.parts.count == 1 ? stem : Name(freely: "\(stem) \(index + 1)", orElse: stem)
      let wanted = part.name.map { Name(freely: $0, orElse: fallback) } ?? fallback
      let key = OrderKey.between(newTracks.lastOrderKey, nil)
      newTracks.lastOrderKey = key
      let track = Track(
        id: try newID(of: Track.self), name: newTracks.names.take(wanted), orderKey: key, trackType: .midi)
      try apply(.add(track))
      try apply(
        .add(
          Instrument(
            of: track.id, soundFont: newTracks.soundFont, bank: part.instrument?.bank ?? 0,
            program: part.instrument?.program ?? 0)))
      if track.name != wanted {
        result.warnings.append("Track '\(wanted)' is called '\(track.name)', since there is one of that name.")
        part.keepName()
      }
      result.tracks.append(track)
      try addRegion(named: wanted, of: part, on: track, clock, &result)
    }
  }

  /// The MIDI track that is called so, or a new one.
  private func midiTrack(
    calledBy reference: String, _ part: MIDIPart, _ result: inout ImportedMIDIFile
  ) throws -> Track {
    if let track = try trackToImportTo(reference) {
      guard track.trackType == .midi else {
        throw RuleViolation(
          .regionFitsTrack, value: "a MIDI region on a track of type \(track.trackType.rawValue)",
          subject: track.subject)
      }
      return track
    }
    result.warnings.append(try remark(onNewTrack: reference))
    var setup = TrackSetup()
    setup.type = .midi
    setup.instrument.set(\.bank, to: part.instrument?.bank)
    setup.instrument.set(\.program, to: part.instrument?.program)
    let track = try addTrack(named: reference, Change(), setup)
    result.tracks.append(track)
    return track
  }

  private func addRegion(
    named name: Name, of part: MIDIPart, on track: Track, _ clock: MIDIFileClock, _ result: inout ImportedMIDIFile
  ) throws {
    guard !part.notes.isEmpty || !part.events.isEmpty else { return }
    // A track that was just made has no other region, but for those of the songs before.
    let isNew = result.tracks.last?.id == track.id && result.regions.last?.track != track.id
    let regionID = try newID(of: Region.self)
    let region = Region(
      id: regionID, track: track.id, name: isNew ? name : try freeName(name, on: track.id),
      start: .musical(clock.start), content: .midi(part.length(clock)))
    try apply(.add(region))
    // In batches: as values of the project all of them would take many times the file's length.
    if !part.notes.isEmpty {
      let first = try newID(of: MIDINote.self)
      for start in stride(from: 0, to: part.notes.count, by: Self.batchCount) {
        let batch = start..<min(start + Self.batchCount, part.notes.count)
        try apply(
          .add(batch.map { part.notes[$0].note(id: first.advanced(by: $0), region: regionID, clock) }))
      }
    }
    if !part.events.isEmpty {
      let first = try newID(of: RegionEvent.self)
      for start in stride(from: 0, to: part.events.count, by: Self.batchCount) {
        let batch = start..<min(start + Self.batchCount, part.events.count)
        try apply(
          .add(
            batch.map { index in
              let event = part.events[index]
              return RegionEvent(
                id: first.advanced(by: index), region: regionID, start: clock.distance(event.tick),
                channel: event.channel, message: event.message)
            }))
      }
    }
    result.regions.append(region)
    result.noteCount += part.notes.count
    result.eventCount += part.events.count
  }

  private static let batchCount = 16_384
}

extension MIDIFileNote {
  /// - Parameter clock: of the file.
  fileprivate func note(id: NoteID, region: RegionID, _ clock: MIDIFileClock) -> MIDINote {
    let (start, duration) = place(clock)
    return MIDINote(self, id: id, region: region, start: start, duration: duration)
  }

  /// At least one tick of the file long, and at least one tick of the project.
  fileprivate func place(_ clock: MIDIFileClock) -> (start: TickCount, duration: TickCount) {
    let start = clock.distance(self.start)
    return (start, max(TickCount(ticks: 1), clock.distance(max(end, self.start + 1)) - start))
  }
}

extension MIDIPart {
  /// From its start to its end, or that of its last note.
  fileprivate func length(_ clock: MIDIFileClock) -> TickCount {
    notes.reduce(max(TickCount(ticks: 1), clock.distance(endTick))) { end, note in
      let (start, duration) = note.place(clock)
      return max(end, start + duration)
    }
  }

  /// Keeps the name in the file as an event, because the track has another one.
  fileprivate mutating func keepName() {
    let type = Int(MIDIFileMeta.TextKind.trackName.rawValue)
    let isKept = events.contains { event in
      if case .meta(type, _) = event.message { event.tick == 0 } else { false }
    }
    guard let name, !isKept else { return }
    events.insert(Event(tick: 0, channel: 0, message: .meta(type: type, Array(name.utf8))), at: 0)
  }

  /// The events of the file that became its instrument; empty where they are still among its events.
  fileprivate var instrumentEvents: [Event] {
    guard let instrument, let channel = channels.first, !saysItsInstrument else { return [] }
    return instrument.messages.map { Event(tick: 0, channel: channel, message: $0) }
  }

  /// All of them as one, their channels kept; `nil` where there is none.
  static func joining(_ parts: [MIDIPart]) -> MIDIPart? {
    guard parts.count > 1 else { return parts.first }
    var whole = MIDIPart(endTick: parts.map(\.endTick).max() ?? 0)
    for part in parts {
      whole.notes += part.notes
      whole.events += part.instrumentEvents + part.events
    }
    whole.notes.sort { ($0.start, $0.end) < ($1.start, $1.end) }
    whole.events = whole.events.enumerated()
      .sorted { ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset) }.map(\.element)
    return whole
  }
}

extension Name {
  /// A valid name made from a text: control characters become spaces, and it is cut to the maximum length.
  init(freely text: String, orElse other: Name) {
    let spaced = text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
    self = (try? Name(String(String.UnicodeScalarView(spaced.prefix(Name.maximumLength))))) ?? other
  }
}
