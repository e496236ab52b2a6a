import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTime
import Foundation

extension Editor {
  /// Imports a Standard MIDI File: a track and a region for each of its tracks, or in format 0 for each channel; its
  /// tempo map if the project's is unused.
  /// - Throws: `Failure`; the code is `invalidMIDIFile` for a damaged file.
  public func importMIDIFile(_ request: MIDIImportRequest) throws -> ImportedMIDIFile {
    let path = URL(fileURLWithPath: request.path).standardizedFileURL.path
    // The only owner of the tracks, so that each is freed after reading.
    var reading = try MIDIFile.read(path: path, isLenient: request.isLenient)
    let (format, division) = (reading.file.format, reading.file.division)
    var result = ImportedMIDIFile(
      path: path, format: format.rawValue, division: division.description, warnings: reading.flaws.sentences)
    let takesMap = try request.takesTempoMap || hasNothingToLose
    var remarks = MIDISongRemarks()
    // The tracks of format 2 are separate songs, placed one after another.
    let trackCount = reading.file.tracks.count
    let spans = format == .independent ? (0..<trackCount).map { $0..<$0 + 1 } : [0..<trackCount]
    let songs = spans.map {
      MIDISong(taking: $0, of: &reading.file.tracks, splitsChannels: format != .simultaneous, remarks: &remarks)
    }
    let tracks = try view.tracks()
    let needsSoundFont = request.track == nil && songs.contains { !$0.parts.isEmpty }
    var newTracks = NewMIDITracks(
      names: FreeNames(taken: Set(tracks.map(\.name.key))),
      lastOrderKey: tracks.last { $0.trackType != .master }?.orderKey,
      soundFont: try needsSoundFont ? defaultSoundFont() : nil)
    var start = request.start
    for song in songs {
      result.hasTempoMap = try takeTempoMap(
        of: song, division: division, at: start, isWanted: takesMap, isFirst: !result.hasTempoMap, &result)
      let clock = MIDIFileClock(division, from: start, in: try tempoMap())
      try addMarkers(of: song, clock, &result)
      try addParts(of: song, clock, request, &newTracks, &result)
      start = try nextBar(from: clock.position(song.endTick))
    }
    if songs.count > 1 { result.warnings.append("Its \(songs.count) sequences were put one behind the other.") }
    result.warnings += remarks.sentences
    if !MIDIFileClock(division, from: .zero, in: try tempoMap()).isExact {
      result.warnings.append(
        "Its division, \(division), does not divide 15,360: places were rounded to the nearest tick.")
    }
    result.warnings = result.warnings.map { "\(path): \($0)" }
    note("Imported '\((path as NSString).lastPathComponent)'")
    return result
  }

  /// Whether the file's tempo map is taken by default: there is no region yet, and the project's map is a new one's.
  private var hasNothingToLose: Bool {
    get throws {
      let settings = try view.header().settings
      let usual = ProjectSettings(name: settings.name)
      return try (settings.tempo, settings.timeSignature, settings.isTempoRamp)
        == (usual.tempo, usual.timeSignature, usual.isTempoRamp) && view.tempoChanges().isEmpty
        && view.meterChanges().isEmpty && view.keySignatures().isEmpty && view.regions(RegionFilter(limit: 1)).isEmpty
    }
  }

  private func nextBar(from place: TickPosition) throws -> TickPosition {
    let map = try tempoMap()
    let bar = map.barBeatTick(at: place)
    guard bar.beat > 1 || bar.tick > 0 else { return place }
    return try map.ticks(at: BarBeatTick(bar: bar.bar + 1, beat: 1, tick: 0))
  }

  private func addMarkers(of song: MIDISong, _ clock: MIDIFileClock, _ result: inout ImportedMIDIFile) throws {
    for marker in song.markers {
      try apply(
        .add(
          Marker(
            id: try newID(of: Marker.self), name: marker.value.name, kind: marker.value.kind,
            start: .musical(clock.position(marker.tick)))))
      result.markerCount += 1
    }
  }
}

extension MIDIFileFlaws {
  /// As text: the first few, and the number of the others.
  fileprivate var sentences: [String] {
    let shown = first.prefix(20).map(\.description)
    return shown + (count > shown.count ? ["\(counted(count - shown.count, "more flaw"))."] : [])
  }
}
