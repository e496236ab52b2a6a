import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTime
import Foundation

extension Editor {
  /// Adds everything that a document holds to an empty project.
  /// - Returns: the media that were not found as they were recorded, in sentences.
  func add(_ document: ProjectDocument, media: MediaFolder) throws -> [String] {
    var missing: [String] = []
    var fonts: [String: SoundFontID] = [:]
    var files: [String: AudioFileID] = [:]
    for font in document.soundFonts {
      let (location, problem) = try bringIn(font.location, from: media)
      if let problem { missing.append(problem) }
      let id = try font.id ?? newID(of: SoundFont.self)
      try apply(.add(SoundFont(id: id, location: location)))
      fonts[font.path] = id
    }
    for file in document.audioFiles {
      let (location, problem) = try bringIn(file.location, from: media)
      if let problem { missing.append(problem) }
      let id = try file.id ?? newID(of: AudioFile.self)
      try apply(
        .add(
          AudioFile(
            id: id, location: location, frames: FrameCount(frames: file.frames),
            sampleRate: SampleRate(hertz: file.sampleRate), channelCount: file.channelCount, format: file.format)))
      files[file.path] = id
    }
    try addTimeline(of: document)
    var key: OrderKey?
    for track in document.tracks {
      let next = track.trackType == .master ? .master : OrderKey.between(key, nil)
      if track.trackType != .master { key = next }
      try add(track, key: next, fonts: fonts, files: files)
    }
    note("Made the project from JSON")
    return missing
  }

  private func add(
    _ document: TrackDocument, key: OrderKey, fonts: [String: SoundFontID], files: [String: AudioFileID]
  ) throws {
    let isMaster = document.trackType == .master
    let track = Track(
      id: isMaster ? try view.master().id : try document.id ?? newID(of: Track.self), name: try Name(document.name),
      orderKey: key,
      trackType: document.trackType, channelCount: document.channelCount, color: document.color,
      volume: document.volume, pan: document.pan, isMuted: document.isMuted, isSolo: document.isSolo,
      isRecordEnabled: document.isRecordEnabled, midiOutput: document.midiOutput)
    try apply(isMaster ? .set(track) : .add(track))
    if let instrument = document.instrument {
      let soundFont = try instrument.soundFont.map { try known($0, in: fonts, "SoundFont") }
      try apply(.add(instrument.instrument(of: track.id, soundFont: soundFont)))
    } else if track.trackType == .midi {
      try apply(.add(Instrument(of: track.id)))
    }
    for region in document.regions ?? [] { try add(region, to: track.id, files: files) }
  }

  private func add(_ document: RegionDocument, to track: TrackID, files: [String: AudioFileID]) throws {
    let map = try tempoMap()
    let start = try document.start(in: map)
    let content: Region.Content =
      switch document.regionType {
      case .midi: .midi(try document.ticks(from: map.ticks(at: start), in: map))
      case .audio:
        .audio(
          AudioSpan(
            file: try known(document.audioFile ?? "", in: files, "audio file"),
            offset: FlickCount(flicks: try document.audioOffsetFlicks ?? flicks(document.audioOffset ?? 0)),
            duration: FlickCount(flicks: try document.durationFlicks ?? flicks(document.duration)),
            channels: document.channels ?? .all))
      }
    let region = Region(
      id: try document.id ?? newID(of: Region.self), track: track, name: try Name(document.name), start: start,
      content: content,
      color: document.color, gain: document.gain, isMuted: document.isMuted)
    try apply(.add(region))
    let base = map.ticks(at: start)
    if let events = document.events, !events.isEmpty {
      let first = try newID(of: RegionEvent.self)
      try apply(
        .add(
          try events.enumerated().map { index, event in
            try event.event(id: event.id ?? first.advanced(by: index), in: region.id, regionStart: base, map)
          }))
    }
    guard let notes = document.notes, !notes.isEmpty else { return }
    let first = try newID(of: MIDINote.self)
    try apply(
      .add(
        try notes.enumerated().map { index, note in
          try note.note(id: note.id ?? first.advanced(by: index), in: region.id, regionStart: base, map)
        }))
  }

  private func known<ID>(_ path: String, in table: [String: ID], _ noun: String) throws -> ID {
    guard let id = table[path] else {
      throw Failure(.invalid, code: "invalidJSON", "The JSON refers to the \(noun) '\(path)', which it does not list.")
    }
    return id
  }

  /// Copies a media file from the JSON's folder, if its bytes are those recorded.
  private func bringIn(_ location: MediaLocation, from media: MediaFolder) throws -> (MediaLocation, String?) {
    guard !location.isLinked else {
      let state = folder.state(of: location, isThorough: true)
      return (
        location, state == .asRecorded ? nil : "'\(location.path)' is linked, and is not there as it was recorded"
      )
    }
    let (source, isThere) = try media.find(location.path)
    guard isThere else { return (location, "'\(source)' is missing") }
    let copy = try incoming.newCopy()
    let digest = try copyAndHash(from: source, to: copy)
    guard digest.sha256 == location.sha256 else {
      return (location, "'\(source)' is not the file that was recorded (SHA-256 \(location.sha256))")
    }
    let path = try incoming.keep(copy: copy, as: (location.path as NSString).lastPathComponent)
    var brought = location
    brought.path = path
    brought.byteCount = digest.byteCount
    return (brought, nil)
  }
}

extension SoundFontDocument {
  fileprivate var location: MediaLocation {
    MediaLocation(
      path: path, relativePath: relativePath, sha256: sha256, byteCount: byteCount, modificationTime: modificationTime)
  }
}

extension AudioFileDocument {
  fileprivate var location: MediaLocation {
    MediaLocation(
      path: path, relativePath: relativePath, sha256: sha256, byteCount: byteCount, modificationTime: modificationTime)
  }
}

extension RegionDocument {
  fileprivate func start(in map: TempoMap) throws -> TimelinePosition {
    switch timeBase {
    case .musical: .musical(try startTicks.map(TickPosition.init(ticks:)) ?? map.ticks(at: position(startTime)))
    case .absolute: .absolute(try startFlicks.map(FlickPosition.init(flicks:)) ?? position(startTime))
    }
  }

  fileprivate func ticks(from start: TickPosition, in map: TempoMap) throws -> TickCount {
    if let durationTicks { return TickCount(ticks: durationTicks) }
    return map.ticks(at: map.flicks(at: start) + FlickCount(flicks: try flicks(duration))) - start
  }
}

extension NoteDocument {
  fileprivate func note(
    id: NoteID, in region: RegionID, regionStart: TickPosition, _ map: TempoMap
  ) throws -> MIDINote {
    let base = map.flicks(at: regionStart)
    let start =
      try startTicks.map(TickCount.init(ticks:))
      ?? map.ticks(at: base + FlickCount(flicks: try flicks(startTime))) - regionStart
    let length =
      try durationTicks.map(TickCount.init(ticks:))
      ?? map.ticks(at: map.flicks(at: regionStart + start) + FlickCount(flicks: try flicks(duration)))
      - (regionStart + start)
    return MIDINote(
      id: id, region: region, pitch: pitch, velocity: velocity, start: start, duration: length, channel: channel,
      releaseVelocity: releaseVelocity)
  }
}

private func position(_ seconds: Double) throws -> FlickPosition { try FlickPosition(typedSeconds: seconds) }

extension FlickPosition {
  /// The nearest flick.
  /// - Throws: `RuleViolation` further from the start than the timeline's end.
  init(typedSeconds seconds: Double) throws { self.init(flicks: try DAWInterchange.flicks(seconds)) }
}

/// Seconds as the nearest flick.
/// - Throws: `RuleViolation` further from 0 than the timeline's end.
func flicks(_ seconds: Double) throws -> Int64 {
  guard let count = FlickCount(seconds: seconds) else {
    throw RuleViolation(.timelineEnd, value: "a time of \(seconds) s")
  }
  return count.flicks
}
