import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTime

extension MIDISong {
  /// A project's MIDI tracks and its timeline, in the project's ticks.
  /// - Parameter tracks: in the order in which they go into the file.
  init(_ view: ProjectView, tracks: [Track], warnings: inout [String]) throws {
    let map = try view.tempoMap()
    tempos = Self.tempos(of: map, &warnings)
    meters = map.meters.map { Placed(tick: $0.position.ticks, value: $0.timeSignature) }
    keys = try view.keySignatures().map {
      Placed(tick: $0.position.ticks, value: KeySignature(fifths: $0.fifths, isMinor: $0.isMinor))
    }
    markers = try view.markers().map {
      Placed(tick: map.ticks(at: $0.start).ticks, value: MarkerText(name: $0.name, kind: $0.kind))
    }
    var silentCount = 0
    // Read once: the regions of one track are found among those of all.
    let regions = Dictionary(
      grouping: try view.regions(RegionFilter(track: tracks.count == 1 ? tracks[0].id : nil, type: .midi))
        .filter(\.isInUse), by: \.track)
    for track in tracks {
      let part = try MIDIPart(track, regions[track.id] ?? [], view, map, &silentCount)
      parts.append(part)
      endTick = max(endTick, part.endTick)
    }
    if silentCount > 0 {
      warnings.append(
        "\(counted(silentCount, "note")) of velocity 0 left out: in a MIDI file, velocity 0 ends a note.")
    }
  }

  /// A ramp becomes steps, each of which lasts exactly as long as its piece of the ramp.
  private static func tempos(of map: TempoMap, _ warnings: inout [String]) -> [Placed<Int>] {
    var tempos: [Placed<Int>] = []
    var rampCount = 0
    for (index, change) in map.tempos.enumerated() {
      let next = index + 1 < map.tempos.count ? map.tempos[index + 1] : nil
      guard change.isRamp, let next, next.tempo != change.tempo else {
        tempos.append(Placed(tick: change.position.ticks, value: change.tempo.microsecondsPerQuarter))
        continue
      }
      rampCount += 1
      for tick in stride(from: change.position.ticks, to: next.position.ticks, by: Int(rampStep.ticks)) {
        let end = min(tick + rampStep.ticks, next.position.ticks)
        let flicks = map.flicks(at: TickPosition(ticks: end)) - map.flicks(at: TickPosition(ticks: tick))
        let flicksPerQuarter = Double(flicks.flicks) / Double(end - tick) * Double(TickCount.perQuarter)
        let microseconds = Int((flicksPerQuarter * 1_000_000 / Double(FlickCount.perSecond)).rounded())
        tempos.append(Placed(tick: tick, value: microseconds))
      }
    }
    if rampCount > 0 {
      warnings.append(
        "\(counted(rampCount, "ramp")) of tempo written in steps of a 1/16 note: a MIDI file has no ramps.")
    }
    return tempos
  }

  /// A 1/16 note.
  private static let rampStep = TickCount(ticks: TickCount.perQuarter / 4)
}

extension MIDIPart {
  /// - Parameter regions: of the track, those in use, in order of start.
  fileprivate init(
    _ track: Track, _ regions: [Region], _ view: ProjectView, _ map: TempoMap, _ silentCount: inout Int
  ) throws {
    self.init(name: track.name.text)
    if let instrument = try view.instrument(of: track.id) {
      self.instrument = Sound(bank: instrument.bank, program: instrument.program)
    }
    for region in regions {
      guard case .midi(let length) = region.content else { continue }
      let start = map.ticks(at: region.start).ticks
      endTick = max(endTick, start + length.ticks)
      for note in try view.notes(in: region.id) {
        guard note.velocity > 0 else {
          silentCount += 1
          continue
        }
        notes.append(
          MIDIFileNote(
            start: start + note.start.ticks, end: start + note.end.ticks, pitch: UInt8(note.pitch),
            velocity: UInt8(note.velocity), releaseVelocity: UInt8(note.releaseVelocity),
            channel: UInt8(note.channel)))
      }
      events += try view.events(in: region.id).map {
        Event(tick: start + $0.start.ticks, channel: $0.channel, message: $0.message)
      }
    }
    hasOwnKit = instrument?.bank == Self.kitBank || notes.allSatisfy { $0.channel == Self.percussionChannel }
    sortByPlace(isOneRegion: regions.count < 2)
  }

  /// The bank of a SoundFont's drum kits.
  private static let kitBank = 128

  /// Of notes that begin together the shorter comes first, so that the first to begin is the first to end.
  private mutating func sortByPlace(isOneRegion: Bool) {
    let isInOrder = zip(notes, notes.dropFirst()).allSatisfy { ($0.start, $0.end) <= ($1.start, $1.end) }
    if !isInOrder { notes.sort { ($0.start, $0.end) < ($1.start, $1.end) } }
    guard !isOneRegion else { return }
    events = events.enumerated().sorted { ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset) }.map(\.element)
  }
}
