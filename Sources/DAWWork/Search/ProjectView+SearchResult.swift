import DAWModel
import DAWProject
import DAWStore
import DAWTime

/// Where a text that was found belongs.
private struct HitPlace {
  var id: String
  var track: Track?
  var region: Region?
  var position: TimelinePosition?
  var confidence: Double?
}

extension ProjectView {
  /// What an index has found, as it stands in the project now; a transcript once in each region that plays it.
  /// - Parameter track: the track that `request` names.
  /// - Returns: empty if it is not what is looked for: an index may be wrong.
  func results(of hit: SearchIndex.Hit, _ request: SearchRequest, on track: TrackID?) throws -> [SearchResult] {
    if !request.kinds.isEmpty, !request.kinds.contains(hit.kind) { return [] }
    guard let text = try searchedText(hit.kind, of: hit.row) else { return [] }
    let matches = request.query.places(in: text)
    guard !matches.isEmpty else { return [] }
    if let since = request.since, try date(of: hit) < since { return [] }
    let map = try tempoMap()
    var results: [SearchResult] = []
    var regions: Set<RegionID?> = []
    func add(_ place: HitPlace, _ first: Int) {
      guard track == nil || place.track?.id == track, !regions.contains(place.region?.id) else { return }
      if request.from != nil || request.to != nil {
        guard let position = place.position else { return }
        let ticks = map.ticks(at: position)
        if let from = request.from, ticks < from { return }
        if let to = request.to, ticks >= to { return }
      }
      regions.insert(place.region?.id)
      results.append(
        SearchResult(
          kind: hit.kind, id: place.id, track: place.track, region: place.region, position: place.position,
          confidence: place.confidence,
          excerpt: SearchExcerpt(of: text, Array(matches[first...]), length: request.excerptLength), tempoMap: map))
    }
    switch hit.kind {
    case .transcript:
      guard var found = try FoundTranscript(hit.row, text, in: self) else { break }
      var isPlaced = false
      for (number, match) in matches.enumerated() where regions.count < found.placeCount {
        for place in try found.places(at: match.lowerBound, in: self) {
          isPlaced = true
          add(place, number)
        }
      }
      if !isPlaced { add(try found.placeOfNone(in: self), 0) }
    case .lyric:
      guard let found = try FoundLyrics(RegionID(rawValue: hit.row), in: self),
        track == nil || found.place.track?.id == track
      else { break }
      // The first that is where it is looked for.
      for (number, match) in matches.enumerated() where results.isEmpty {
        if let place = found.place(at: match.lowerBound) { add(place, number) }
      }
    default:
      if let place = try place(of: hit) { add(place, 0) }
    }
    return results
  }

  /// When a row was made: its id says it, but for comments, which may have been made elsewhere.
  private func date(of hit: SearchIndex.Hit) throws -> Timestamp {
    switch hit.kind {
    case .comment: try row(CommentID(rawValue: hit.row))?.date ?? Timestamp(milliseconds: 0)
    case .project: try header().createdDate
    case .recording:
      try recordings.recording(RecordingID(rawValue: hit.row))?.createdAt
        ?? RecordingID(rawValue: hit.row).creationDate
    case .transcript: try work.transcript(TranscriptID(rawValue: hit.row))?.createdAt ?? Timestamp(milliseconds: 0)
    case .summary:
      try work.summaries(of: [RecordingID(rawValue: hit.row)]).first?.createdAt ?? Timestamp(milliseconds: 0)
    default: TrackID(rawValue: hit.row).creationDate
    }
  }

  private func place(of hit: SearchIndex.Hit) throws -> HitPlace? {
    switch hit.kind {
    case .project: return HitPlace(id: "\(try header().id)")
    case .track:
      return try track(TrackID(rawValue: hit.row)).map { HitPlace(id: $0.id.uuidString, track: $0) }
    case .group: return HitPlace(id: TrackGroupID(rawValue: hit.row).uuidString)
    case .region: return try region(RegionID(rawValue: hit.row)).map { try place(of: $0, $0.id.uuidString) }
    case .marker:
      return try row(MarkerID(rawValue: hit.row)).map { HitPlace(id: $0.id.uuidString, position: $0.start) }
    case .take: return try row(TakeID(rawValue: hit.row)).map { try place(of: [$0], $0.id.uuidString) }
    case .recording, .summary: return try place(of: RecordingID(rawValue: hit.row))
    case .comment: return try row(CommentID(rawValue: hit.row)).map(place)
    // They have a place for each word: see `FoundLyrics` and `FoundTranscript`.
    case .lyric, .transcript: return nil
    }
  }

  fileprivate func place(of region: Region, _ id: String) throws -> HitPlace {
    HitPlace(id: id, track: try track(region.track), region: region, position: region.start)
  }

  /// Where the first region of some takes is.
  private func place(of takes: [Take], _ id: String) throws -> HitPlace {
    let map = try tempoMap()
    let regions = try takes.flatMap { try rows(Region.self, where: "take", is: $0.id) }
    let first = regions.min { $0.startFlicks(in: map) < $1.startFlicks(in: map) }
    let tracks = Set(takes.map(\.track))
    let track = try tracks.count == 1 ? takes.first.flatMap { try self.track($0.track) } : nil
    return HitPlace(id: id, track: track, position: first?.start)
  }

  private func place(of recording: RecordingID) throws -> HitPlace {
    let passes = try recordings.passes(of: [recording])
    let takes = try passes.flatMap { try rows(Take.self, where: "pass", is: $0.id) }
    return try place(of: takes, recording.uuidString)
  }

  /// A comment's own position, or that of its region; a reply's is that of its thread.
  fileprivate func place(of comment: Comment) throws -> HitPlace {
    let thread = try comment.thread.flatMap { try row($0) } ?? comment
    let region = try thread.region.flatMap { try self.region($0) }
    return HitPlace(
      id: comment.id.uuidString, track: try (thread.track ?? region?.track).flatMap { try track($0) }, region: region,
      position: thread.position ?? region?.start)
  }
}

/// Lyrics of a region in which something was found.
private struct FoundLyrics {
  /// The region's place.
  let place: HitPlace
  private let events: [RegionEvent]
  private let lyrics: Lyrics
  private let start: TickPosition

  init?(_ id: RegionID, in view: ProjectView) throws {
    guard let region = try view.region(id) else { return nil }
    events = try view.events(in: id).filter { event in
      if case .meta(let type, _) = event.message { Lyrics.metaTypes.contains(type) } else { false }
    }
    lyrics = Lyrics(events.map { $0.message.text ?? "" })
    start = try view.tempoMap().ticks(at: region.start)
    place = try view.place(of: region, id.uuidString)
  }

  /// That of the event that has a place of the joined lyrics.
  func place(at index: String.Index) -> HitPlace? {
    guard let number = lyrics.syllable(at: index) else { return nil }
    var place = place
    place.id = events[number].id.uuidString
    place.position = .musical(start + events[number].start)
    return place
  }
}

/// A transcript in which something was found.
private struct FoundTranscript {
  /// Without its words.
  private let transcript: Transcript
  private let text: String
  private let storedWords: String
  private let sound: HeardSound
  /// All words, once they have been needed.
  private var spoken: SpokenText?
  /// Words that were read alone.
  private var singleCount = 0

  init?(_ row: Int64, _ text: String, in view: ProjectView) throws {
    let id = TranscriptID(rawValue: row)
    guard let transcript = try view.work.transcript(id, includesWords: false) else { return nil }
    self.transcript = transcript
    self.text = text
    storedWords = try view.work.storedWords(of: id) ?? ""
    sound = try HeardSound(transcript.range.medium, in: view)
  }

  /// In how many regions a word of it may be heard, or 1 without any.
  var placeCount: Int { sound.placeCount }

  /// Where a word of the text is heard.
  mutating func places(at index: String.Index, in view: ProjectView) throws -> [HitPlace] {
    guard let word = try word(at: index, in: view) else { return [] }
    let range = transcript.range
    return try sound.places(from: range.place(word.start), to: range.place(word.end)).map { place in
      HitPlace(
        id: transcript.id.uuidString,
        track: try (place.region?.track ?? sound.recordedTrack).flatMap { try view.track($0) },
        region: place.region, position: .absolute(place.start),
        confidence: transcript.text == text ? word.confidence ?? transcript.confidence : nil)
    }
  }

  private mutating func word(at index: String.Index, in view: ProjectView) throws -> SpokenText.Word? {
    if let spoken { return spoken.word(at: index) }
    singleCount += 1
    // Of more than a few, all words at once are faster.
    if singleCount <= 4, let word = SpokenText.word(at: index, of: text, heardAs: storedWords) { return word }
    let range = transcript.range
    let spoken = SpokenText(
      text, heard: try view.work.transcript(transcript.id)?.words ?? [], length: range.seconds(range.frames))
    self.spoken = spoken
    return spoken.word(at: index)
  }

  /// For what is heard nowhere on the timeline: where the comment is that was spoken.
  func placeOfNone(in view: ProjectView) throws -> HitPlace {
    if let file = transcript.range.audioFile,
      let comment = try view.rows(Comment.self, where: "audioFile", is: file).first
    {
      var place = try view.place(of: comment)
      place.id = transcript.id.uuidString
      return place
    }
    return HitPlace(id: transcript.id.uuidString, track: try sound.recordedTrack.flatMap { try view.track($0) })
  }
}
