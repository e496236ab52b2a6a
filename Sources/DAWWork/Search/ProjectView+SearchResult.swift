import DAWModel
import DAWProject
import DAWStore
import DAWTime

/// Where a text that was found belongs.
private struct Place {
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
    func add(_ place: Place, _ first: Int) {
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
      // The first that is where it is looked for.
      for (number, match) in matches.enumerated() where results.isEmpty {
        if let place = try place(of: hit, at: match.lowerBound) { add(place, number) }
      }
    default:
      if let place = try place(of: hit, at: matches[0].lowerBound) { add(place, 0) }
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

  private func place(of hit: SearchIndex.Hit, at index: String.Index) throws -> Place? {
    switch hit.kind {
    case .project: return Place(id: "\(try header().id)")
    case .track:
      return try track(TrackID(rawValue: hit.row)).map { Place(id: $0.id.uuidString, track: $0) }
    case .group: return Place(id: TrackGroupID(rawValue: hit.row).uuidString)
    case .region: return try region(RegionID(rawValue: hit.row)).map { try place(of: $0, $0.id.uuidString) }
    case .marker:
      return try row(MarkerID(rawValue: hit.row)).map { Place(id: $0.id.uuidString, position: $0.start) }
    case .take: return try row(TakeID(rawValue: hit.row)).map { try place(of: [$0], $0.id.uuidString) }
    case .recording, .summary: return try place(of: RecordingID(rawValue: hit.row))
    case .comment: return try row(CommentID(rawValue: hit.row)).map(place)
    case .lyric: return try place(ofLyricIn: RegionID(rawValue: hit.row), at: index)
    // In any number of regions: see `FoundTranscript`.
    case .transcript: return nil
    }
  }

  private func place(of region: Region, _ id: String) throws -> Place {
    Place(id: id, track: try track(region.track), region: region, position: region.start)
  }

  /// Where the first region of some takes is.
  private func place(of takes: [Take], _ id: String) throws -> Place {
    let map = try tempoMap()
    let regions = try takes.flatMap { try rows(Region.self, where: "take", is: $0.id) }
    let first = regions.min { $0.startFlicks(in: map) < $1.startFlicks(in: map) }
    let tracks = Set(takes.map(\.track))
    let track = try tracks.count == 1 ? takes.first.flatMap { try self.track($0.track) } : nil
    return Place(id: id, track: track, position: first?.start)
  }

  private func place(of recording: RecordingID) throws -> Place {
    let passes = try recordings.passes(of: [recording])
    let takes = try passes.flatMap { try rows(Take.self, where: "pass", is: $0.id) }
    return try place(of: takes, recording.uuidString)
  }

  /// A comment's own position, or that of its region; a reply's is that of its thread.
  fileprivate func place(of comment: Comment) throws -> Place {
    let thread = try comment.thread.flatMap { try row($0) } ?? comment
    let region = try thread.region.flatMap { try self.region($0) }
    return Place(
      id: comment.id.uuidString, track: try (thread.track ?? region?.track).flatMap { try track($0) }, region: region,
      position: thread.position ?? region?.start)
  }

  /// The event that has a place of a region's joined lyrics.
  private func place(ofLyricIn id: RegionID, at index: String.Index) throws -> Place? {
    guard let region = try region(id) else { return nil }
    let events = try events(in: id).filter { event in
      if case .meta(let type, _) = event.message { Lyrics.metaTypes.contains(type) } else { false }
    }
    guard let number = Lyrics(events.map { $0.message.text ?? "" }).syllable(at: index) else { return nil }
    let event = events[number]
    var place = try place(of: region, event.id.uuidString)
    place.position = .musical(try tempoMap().ticks(at: region.start) + event.start)
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
  mutating func places(at index: String.Index, in view: ProjectView) throws -> [Place] {
    guard let word = try word(at: index, in: view) else { return [] }
    let range = transcript.range
    return try sound.places(from: range.place(word.start), to: range.place(word.end)).map { place in
      Place(
        id: transcript.id.uuidString,
        track: try (place.region?.track ?? sound.recordedTrack).flatMap { try view.track($0) },
        region: place.region, position: .absolute(place.start),
        confidence: transcript.text == text ? word.confidence ?? transcript.confidence : nil)
    }
  }

  private mutating func word(at index: String.Index, in view: ProjectView) throws -> SpokenText.Word? {
    if let spoken { return spoken.word(at: index) }
    if let word = SpokenText.word(at: index, of: text, heardAs: storedWords) { return word }
    let range = transcript.range
    let spoken = SpokenText(
      text, heard: try view.work.transcript(transcript.id)?.words ?? [], length: range.seconds(range.frames))
    self.spoken = spoken
    return spoken.word(at: index)
  }

  /// For what is heard nowhere on the timeline: where the comment is that was spoken.
  func placeOfNone(in view: ProjectView) throws -> Place {
    if let file = transcript.range.audioFile,
      let comment = try view.rows(Comment.self, where: "audioFile", is: file).first
    {
      var place = try view.place(of: comment)
      place.id = transcript.id.uuidString
      return place
    }
    return Place(id: transcript.id.uuidString, track: try sound.recordedTrack.flatMap { try view.track($0) })
  }
}
