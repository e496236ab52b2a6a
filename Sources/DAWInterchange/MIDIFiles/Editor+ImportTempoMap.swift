import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTime

extension Editor {
  /// Replaces the project's tempo, meters and key signatures from `start` on by the song's.
  /// - Parameters:
  ///   - isWanted: if false, the result only reports what was left out.
  ///   - isFirst: whether the map of no song before it was taken, so that the project's own at `start` and later is
  ///     replaced.
  /// - Returns: whether anything was taken.
  func takeTempoMap(
    of song: MIDISong, division: MIDIFileDivision, at start: TickPosition, isWanted: Bool, isFirst: Bool,
    _ result: inout ImportedMIDIFile
  ) throws -> Bool {
    let count = song.tempos.count + song.meters.count + song.keys.count
    guard count > 0 else { return result.hasTempoMap }
    guard isWanted else {
      result.warnings.append(
        "Its tempo map (\(counted(song.tempos.count, "tempo")), \(counted(song.meters.count, "time signature")), "
          + "\(counted(song.keys.count, "key signature"))) was left out, since the project has its own; "
          + "--tempo-map takes it.")
      return result.hasTempoMap
    }
    guard division.ticksPerSecond == nil else {
      result.warnings.append("It counts frames of time code, which no tempo changes: its tempo map was left out.")
      return result.hasTempoMap
    }
    let clock = MIDIFileClock(division, from: start, in: try tempoMap())
    if isFirst {
      try endRamp(before: start)
      try removeMarks(from: start)
    }
    try takeTempos(of: song, clock, &result)
    try takeMeters(of: song, clock, &result)
    for key in song.keys {
      let position = clock.position(key.tick)
      try put(at: position, "startTime") { id in
        KeySignature(id: id, position: position, fifths: key.value.fifths, isMinor: key.value.isMinor)
      }
    }
    return true
  }

  /// Adds a mark, or replaces the one at its place: the last mark of the song before, the meter of the bar within which
  /// the song begins, or a mark of this song that the project's coarser ticks round to the same position. That one is
  /// looked for by its place, since a file may have thousands of songs, whose marks are all in the project by then.
  /// - Parameter column: of the place.
  private func put<Mark: Entity>(
    at place: some StorableValue, _ column: String, _ mark: (Identifier<Mark>) -> Mark
  ) throws {
    if let present = try view.rows(Mark.self, where: column, is: place).first {
      try apply(.set(mark(present.id)))
    } else {
      try apply(.add(mark(try newID(of: Mark.self))))
    }
  }

  /// Ends a ramp that leads to `start` or beyond one tick before it, at its tempo there. Else it would lead to the
  /// song's first tempo, and change how long the music before lasts.
  private func endRamp(before start: TickPosition) throws {
    let map = try tempoMap()
    let last = start - TickCount(ticks: 1)
    guard let ramp = map.tempos.last(where: { $0.position < start }), ramp.isRamp, ramp.position < last,
      let end = map.tempos.first(where: { $0.position >= start }), end.tempo != ramp.tempo
    else { return }
    try apply(.add(TempoChange(id: try newID(of: TempoChange.self), position: last, tempo: map.tempo(at: last))))
  }

  private func removeMarks(from start: TickPosition) throws {
    let meters = try view.tempoMap().meters.dropFirst()
    for mark in try view.tempoChanges() where mark.position >= start { try apply(.remove(mark.id)) }
    for (mark, change) in zip(try view.meterChanges(), meters) where change.position >= start {
      try apply(.remove(mark.id))
    }
    for mark in try view.keySignatures() where mark.position >= start { try apply(.remove(mark.id)) }
  }

  private func takeTempos(of song: MIDISong, _ clock: MIDIFileClock, _ result: inout ImportedMIDIFile) throws {
    guard let first = song.tempos.first else { return }
    var changes = song.tempos
    if first.tick > 0 { changes.insert(.init(tick: 0, value: MIDIFileTempo.initial), at: 0) }
    var clampedCount = 0
    var marks: [TickPosition: Tempo] = [:]
    for change in changes {
      let exact = Tempo(microsecondsPerQuarter: change.value)
      let tempo = min(max(exact, Tempo.accepted.lowerBound), Tempo.accepted.upperBound)
      if tempo != exact { clampedCount += 1 }
      marks[clock.position(change.tick)] = tempo
    }
    if let tempo = marks.removeValue(forKey: .zero) {
      var settings = try view.header().settings
      settings.tempo = tempo
      settings.isTempoRamp = false
      try apply(.setProject(settings))
    }
    for (position, tempo) in marks.sorted(by: { $0.key < $1.key }) {
      try put(at: position, "startTime") { id in TempoChange(id: id, position: position, tempo: tempo) }
    }
    if clampedCount > 0 {
      result.warnings.append(
        "\(counted(clampedCount, "tempo")) outside 5 … 999 BPM became the nearest of these.")
    }
  }

  private func takeMeters(of song: MIDISong, _ clock: MIDIFileClock, _ result: inout ImportedMIDIFile) throws {
    guard let first = song.meters.first else { return }
    let map = try tempoMap()
    let bar = map.barBeatTick(at: clock.start).bar
    let barStart = try map.ticks(at: BarBeatTick(bar: bar, beat: 1, tick: 0))
    var meters = MIDIMeters(bar: bar, at: barStart, map.timeSignature(at: clock.start))
    // Before its first meter event, a file has 4/4.
    if first.tick > 0 { meters.change(to: .fourFour, at: clock.start) }
    for change in song.meters { meters.change(to: change.value, at: clock.position(change.tick)) }
    for change in meters.changes where change.bar == 1 {
      var settings = try view.header().settings
      settings.timeSignature = change.timeSignature
      try apply(.setProject(settings))
    }
    for change in meters.changes where change.bar > 1 {
      try put(at: change.bar, "bar") { id in
        MeterChange(id: id, bar: change.bar, timeSignature: change.timeSignature)
      }
    }
    if meters.shortenedCount > 0 {
      result.warnings.append(
        "\(counted(meters.shortenedCount, "time signature")) within a bar: the bar before got a short one of its own.")
    }
    if meters.movedCount > 0 {
      result.warnings.append("\(counted(meters.movedCount, "time signature")) within a bar moved to the next bar.")
    }
  }
}

/// Tempo as MIDI files count it.
enum MIDIFileTempo {
  /// Microseconds per quarter note before a file's first tempo event: 120 BPM.
  static let initial = 500_000
  /// Microseconds per quarter note that the three bytes of a tempo event can hold.
  static let accepted = 1...16_777_215
}

extension Tempo {
  /// - Parameter microseconds: to the quarter note, at least 1.
  init(microsecondsPerQuarter microseconds: Int) {
    let nanoseconds = 60_000_000 * Self.nanoPerBPM
    self.init(nanoBPM: (nanoseconds + Int64(microseconds) / 2) / Int64(microseconds))
  }

  /// To the quarter note, the nearest.
  var microsecondsPerQuarter: Int {
    let microseconds = (60_000_000 * Self.nanoPerBPM + nanoBPM / 2) / nanoBPM
    return min(max(Int(microseconds), MIDIFileTempo.accepted.lowerBound), MIDIFileTempo.accepted.upperBound)
  }
}
