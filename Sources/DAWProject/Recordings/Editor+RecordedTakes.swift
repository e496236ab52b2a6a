import DAWMedia
import DAWModel
import DAWStore
import DAWTime

extension Editor {
  /// Adds takes with a region for each of their pieces. What is in the project already is left out. What was recorded on
  /// a track that was removed meanwhile, or cannot play it any more, gets a new track.
  /// - Parameters:
  ///   - recording: its title becomes that of the recording in the project.
  ///   - name: what the history calls the recording.
  func addTakes(
    _ new: [NewTake], of recording: RecordingHeader, named name: String, _ placement: TakePlacement
  ) throws -> [RecordedTakes.Take] {
    var added: [RecordedTakes.Take] = []
    var names = FreeNames(taken: Set(try view.all(Take.self).map(\.name.key)))
    var newTracks: [Int64: Track] = [:]
    for new in new {
      let header = new.pass.header
      let id = TakeID(rawValue: header.take)
      guard try view.row(id) == nil else { continue }
      let known = try view.row(TrackID(rawValue: header.track)).flatMap { $0.plays(header) ? $0 : nil }
      let track = try known ?? newTracks[header.track] ?? newTrack(for: header)
      if known == nil { newTracks[header.track] = track }
      let take = Take(id: id, track: track.id, name: names.take(track.name), pass: PassID(rawValue: header.pass))
      try apply(.add(take))
      switch new.content {
      case .midi(let messages): try addRegions(of: take, new, messages, on: track)
      case .audio(let path):
        let file = try audioFile(ofTake: path)
        try addRegions(of: take, new, over: file, on: try widen(track, to: header.channelCount), placement.over)
      }
      added.append(
        RecordedTakes.Take(
          name: take.name.text, track: track.name.text, isInUse: new.isInUse,
          formerTrack: known == nil ? header.trackName : nil))
    }
    guard !added.isEmpty else { return added }
    let id = RecordingNoteID(rawValue: recording.recording)
    if !recording.title.isEmpty, try view.row(id) == nil {
      try apply(.add(RecordingNote(id: id, title: recording.title)))
    }
    note("Recorded \(added.map { "'\($0.name)'" }.joined(separator: ", ")) in '\(name)'")
    return added
  }

  private func newTrack(for header: PassHeader) throws -> Track {
    var names = FreeNames(taken: Set(try view.tracks().map(\.name.key)))
    // Not the name of the one that is gone: an undo may bring that back.
    let name = (try? Name("\(header.trackName) recorded")) ?? Name(literal: "Recorded")
    var setup = TrackSetup()
    setup.type = header.kind == .midi ? .midi : .audio
    return try addTrack(named: names.take(name).text, Change(), setup)
  }

  private func addRegions(of take: Take, _ new: NewTake, _ messages: [RecordedEvent], on track: Track) throws {
    let (map, rate) = (try tempoMap(), try view.header().settings.sampleRate)
    for piece in new.pass.pieces {
      let first = max(0, piece.timelineFrame)
      let end = piece.timelineFrame + piece.frames
      guard first < end else { continue }
      let captured = CapturedMIDI(
        messages.filter { piece.passFrame <= $0.passFrame && $0.passFrame < piece.passFrame + piece.frames }.map {
          CapturedMIDI.Message(
            frame: FramePosition(frames: piece.timelineFrame + $0.passFrame - piece.passFrame), bytes: $0.bytes)
        }, in: FramePosition(frames: first)..<FramePosition(frames: end), map, rate: rate)
      let region = Region(
        id: try newID(of: Region.self), track: track.id, name: try freeName(take.name, on: track.id),
        start: .musical(captured.start), content: .midi(captured.length), take: take.id, isInUse: new.isInUse)
      try apply(.add(region))
      if captured.noteCount > 0 {
        try apply(.add(captured.notes(from: try newID(of: MIDINote.self), in: region.id)))
      }
      if captured.eventCount > 0 {
        try apply(.add(captured.events(from: try newID(of: RegionEvent.self), in: region.id)))
      }
    }
  }

  private func audioFile(ofTake path: String) throws -> AudioFile {
    let absolute = folder.absolute(path)
    let digest = try sha256(ofFile: absolute)
    if let known = try view.audioFile(withHash: digest.sha256) { return known }
    // Of what is left of a recording the rest is to be had, also where a segment is lost.
    let facts = try AudioFileFacts.read(take: absolute)
    let file = AudioFile(
      id: try newID(of: AudioFile.self),
      location: MediaLocation(
        path: path, sha256: digest.sha256, byteCount: digest.byteCount, modificationTime: digest.modificationTime),
      frames: facts.frames, sampleRate: facts.sampleRate, channelCount: facts.channelCount, format: facts.format)
    try apply(.add(file))
    return file
  }

  private func widen(_ track: Track, to channelCount: Int) throws -> Track {
    guard track.channelCount == nil else { return track }
    var track = track
    track.channelCount = channelCount
    try apply(.set(track))
    return track
  }

  private func addRegions(
    of take: Take, _ new: NewTake, over file: AudioFile, on track: Track, _ over: TakePlacement.Over
  ) throws {
    let rate = file.sampleRate
    let replaces = new.isInUse && over == .replace
    var spans: [Range<FlickPosition>] = []
    for piece in new.pass.pieces {
      // What was placed before the timeline's start is cut off.
      let cut = max(0, -piece.timelineFrame)
      let count = min(piece.frames, file.frames.frames - piece.passFrame) - cut
      guard count > 0 else { continue }
      let offset = FrameCount(frames: piece.passFrame + cut).flicks(at: rate)
      let start = FramePosition(frames: piece.timelineFrame + cut).flicks(at: rate)
      let length = min(FrameCount(frames: count).flicks(at: rate), file.duration - offset)
      if replaces { try cutAway(start..<start + length, on: track) }
      spans.append(start..<start + length)
      let region = Region(
        id: try newID(of: Region.self), track: track.id, name: try freeName(take.name, on: track.id),
        start: .absolute(start), content: .audio(AudioSpan(file: file.id, offset: offset, duration: length)),
        take: take.id, isInUse: new.isInUse && !replaces)
      try apply(.add(region))
    }
    // Of other takes nothing is lost: what lies under it goes out of use.
    if replaces, let first = spans.map(\.lowerBound).min(), let last = spans.map(\.upperBound).max() {
      _ = try use(take, in: first..<last)
    }
  }

  /// Cuts away what sounds in a range of a track and belongs to no take: regions end before it, and begin behind it.
  private func cutAway(_ range: Range<FlickPosition>, on track: Track) throws {
    let map = try tempoMap()
    for region in try view.regions(RegionFilter(track: track.id, type: .audio))
    where region.isInUse && region.take == nil {
      guard let span = region.audio else { continue }
      let (start, end) = (region.startFlicks(in: map), region.endFlicks(in: map))
      guard start < range.upperBound, end > range.lowerBound else { continue }
      var parts: [Region] = []
      if start < range.lowerBound { parts.append(region.part(FlickCount.zero..<(range.lowerBound - start))) }
      if end > range.upperBound {
        var part = region.part((range.upperBound - start)..<span.duration)
        part.start =
          part.start.timeBase == .musical
          ? .musical(map.ticks(at: range.upperBound)) : .absolute(range.upperBound)
        if !parts.isEmpty {
          part.id = try newID(of: Region.self)
          part.name = try freeName(part.name, on: track.id)
        }
        parts.append(part)
      }
      parts = try fadeExposedEdges(from: [region], to: parts, in: map)
      if parts.isEmpty { try apply(.remove([region.id])) }
      for part in parts {
        if part.id == region.id { try apply(.set(part)) } else { try apply(.add(part)) }
      }
    }
  }
}

extension Track {
  /// Whether a pass can become regions of the track.
  fileprivate func plays(_ pass: PassHeader) -> Bool {
    switch pass.kind {
    case .midi: trackType == .midi
    case .audio: trackType == .audio && pass.channelCount <= channelCount ?? 2
    }
  }
}
