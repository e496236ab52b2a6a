import DAWMedia
import DAWModel
import DAWStore
import DAWTime

extension Editor {
  /// Adds takes with a region for each of their pieces. What is in the project already is left out. What was recorded
  /// on a track that was removed meanwhile, or cannot play it any more, gets a new track.
  /// - Parameters:
  ///   - recording: its title becomes that of the recording in the project, as far as one may be like that.
  ///   - name: what the history calls the recording.
  func addTakes(
    _ new: [NewTake], of recording: RecordingHeader, named name: String, _ placement: TakePlacement
  ) throws -> [RecordedTakes.Take] {
    var added: [RecordedTakes.Take] = []
    let takes = try view.all(Take.self)
    let known = Set(takes.compactMap(\.pass))
    var names = FreeNames(taken: Set(takes.map(\.name.key)))
    var newTracks: [Int64: Track] = [:]
    for new in new where !known.contains(PassID(rawValue: new.pass.header.pass)) {
      let header = new.pass.header
      // A ledger may say anything, also the id of another recording's take.
      var id = TakeID(rawValue: header.take)
      if try view.row(id) != nil { id = try newID() }
      let former = try view.row(TrackID(rawValue: header.track)).flatMap { $0.plays(header) ? $0 : nil }
      let track = try former ?? newTracks[header.track] ?? newTrack(for: header)
      if former == nil { newTracks[header.track] = track }
      let take = Take(id: id, track: track.id, name: names.take(track.name), pass: PassID(rawValue: header.pass))
      try apply(.add(take))
      switch new.content {
      case .midi(let messages):
        let rate = SampleRate(hertz: recording.sampleRate)
        try addRegions(of: take, new, messages, at: rate, on: track, placement.over)
      case .audio(let path):
        let file = try audioFile(ofTake: path)
        try addRegions(of: take, new, over: file, on: try widen(track, to: header.channelCount), placement.over)
      }
      added.append(
        RecordedTakes.Take(
          name: take.name.text, track: track.name.text, isInUse: new.isInUse,
          formerTrack: former == nil ? header.trackName : nil))
    }
    guard !added.isEmpty else { return added }
    let id = RecordingNoteID(rawValue: recording.recording)
    let title = recording.title.fitted(to: RecordingNote.maximumTitleLength)
    if !title.isEmpty, try view.row(id) == nil { try apply(.add(RecordingNote(id: id, title: title))) }
    let named = added.prefix(8)
    let rest = added.count > named.count ? " and \(added.count - named.count) more" : ""
    note("Recorded \(named.map { "'\($0.name)'" }.joined(separator: ", "))\(rest) in '\(name)'")
    return added
  }

  /// Keeps the title of a recording of which there is no take.
  func keepTitle(_ title: String, of recording: RecordingID) throws {
    let id = RecordingNoteID(rawValue: recording.rawValue)
    guard try view.row(id) == nil else { return }
    try apply(.add(RecordingNote(id: id, title: title)))
    note("Recorded '\(title)', without a take")
  }

  /// Adds a track as `addTrack` does, without its line in the summary: the history calls the edit by what was recorded.
  private func newTrack(for header: PassHeader) throws -> Track {
    var names = FreeNames(taken: Set(try view.tracks().map(\.name.key)))
    // Not the name of the one that is gone: an undo may bring that back.
    let suffix = " recorded"
    let start = header.trackName.fitted(to: Name.maximumLength - suffix.count)
    let name = (try? Name(start + suffix)) ?? Name(literal: "Recorded")
    let track = Track(
      id: try newID(of: Track.self), name: names.take(name), orderKey: try orderKey(forPlace: nil, moving: nil),
      trackType: header.kind == .midi ? .midi : .audio)
    try apply(.add(track))
    if track.trackType == .midi {
      try apply(.add(Instrument(of: track.id, soundFont: try defaultSoundFont())))
    }
    return track
  }

  private func addRegions(
    of take: Take, _ new: NewTake, _ messages: [RecordedEvent], at rate: SampleRate, on track: Track,
    _ over: TakePlacement.Over
  ) throws {
    let map = try tempoMap()
    // A frame less, since ticks are rounded.
    let last = map.flicks(at: TickPosition.timelineEnd).frames(at: rate).frames - 1
    let replaces = new.isInUse && over == .replace
    var spans: [Range<FlickPosition>] = []
    for piece in new.pass.uppermostPieces {
      let first = max(0, piece.timelineFrame)
      // What lies behind the timeline's end is cut off: a ledger may say anything.
      let end = min(last, piece.timelineFrame + piece.frames)
      guard first < end else { continue }
      let captured = CapturedMIDI(
        messages.filter { piece.passFrame <= $0.passFrame && $0.passFrame < piece.passFrame + piece.frames }.map {
          CapturedMIDI.Message(
            frame: FramePosition(frames: piece.timelineFrame + $0.passFrame - piece.passFrame), bytes: $0.bytes)
        }, in: FramePosition(frames: first)..<FramePosition(frames: end), map, rate: rate)
      let regionEnd = captured.start + captured.length
      if replaces { try cutAway(captured.start..<regionEnd, on: track) }
      spans.append(map.flicks(at: captured.start)..<map.flicks(at: regionEnd))
      let region = Region(
        id: try newID(of: Region.self), track: track.id, name: try freeName(take.name, on: track.id),
        start: .musical(captured.start), content: .midi(captured.length), take: take.id,
        isInUse: new.isInUse && !replaces)
      try apply(.add(region))
      if captured.noteCount > 0 {
        try apply(.add(captured.notes(from: try newID(of: MIDINote.self), in: region.id)))
      }
      if captured.eventCount > 0 {
        try apply(.add(captured.events(from: try newID(of: RegionEvent.self), in: region.id)))
      }
    }
    if replaces { try useInstead(take, spans) }
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
    for piece in new.pass.uppermostPieces {
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
    if replaces { try useInstead(take, spans) }
  }

  /// What lies under the take goes out of use, so nothing of other takes is lost.
  private func useInstead(_ take: Take, _ spans: [Range<FlickPosition>]) throws {
    guard let first = spans.map(\.lowerBound).min(), let last = spans.map(\.upperBound).max() else { return }
    _ = try use(take, in: first..<last)
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
