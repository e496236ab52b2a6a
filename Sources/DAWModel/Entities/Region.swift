import DAWTime

/// Whether a region plays an audio file or notes.
public enum RegionType: String, CaseIterable, Sendable {
  case audio, midi
}

/// A span of time on a track, over an audio file or holding notes.
public struct Region: Hashable, Sendable, Identifiable {
  public var id: RegionID
  public var track: TrackID
  public var name: Name
  /// At or after the start of the timeline; in ticks for MIDI, in ticks or flicks for audio.
  public var start: TimelinePosition
  /// Longer than 0.
  public var content: Content
  /// `nil`: the track's colour.
  public var color: Color?
  public var gain: Level
  public var isMuted: Bool
  /// None in a MIDI region, as `fadeOut`.
  public var fadeIn: Fade
  public var fadeOut: Fade
  /// The take that it is a part of.
  public var take: TakeID?
  /// Whether it is heard. One that is not is kept for another choice of takes, and overlaps nothing.
  public var isInUse: Bool

  public enum Content: Hashable, Sendable {
    case audio(AudioSpan)
    /// The length. Notes and events are rows of their own.
    case midi(TickCount)
  }

  public init(
    id: RegionID, track: TrackID, name: Name = Name(literal: "Region"), start: TimelinePosition, content: Content,
    color: Color? = nil, gain: Level = .unity, isMuted: Bool = false, fadeIn: Fade = .none, fadeOut: Fade = .none,
    take: TakeID? = nil, isInUse: Bool = true
  ) {
    self.id = id
    self.track = track
    self.name = name
    self.start = start
    self.content = content
    self.color = color
    self.gain = gain
    self.isMuted = isMuted
    self.fadeIn = fadeIn
    self.fadeOut = fadeOut
    self.take = take
    self.isInUse = isInUse
  }

  /// Whether its sound or its notes are heard, if its track is.
  public var isHeard: Bool { isInUse && !isMuted }

  /// Places it on a track. On another one it is a part of no take, and so in use.
  public mutating func move(to track: TrackID) {
    guard track != self.track else { return }
    self.track = track
    if take != nil { (take, isInUse) = (nil, true) }
  }

  public var regionType: RegionType {
    switch content {
    case .audio: .audio
    case .midi: .midi
    }
  }

  public var duration: TimelineDistance {
    switch content {
    case .audio(let span): .absolute(span.duration)
    case .midi(let length): .musical(length)
    }
  }

  public var audio: AudioSpan? {
    if case .audio(let span) = content { span } else { nil }
  }
}

extension Region: Entity {
  public static let kind = EntityKind.region
  public static let noun = "region"
  public static let table = "region"
  public static let parents = [ParentReference(.track, column: "track"), ParentReference(.take, column: "take")]
  public static let collection: RowCollection<Region>? = \Project.regions

  /// Columns whose meaning depends on the type or the time base come after these.
  public static let fields: [Field<Region>] = [
    Field("track", \.track, rule: .referenceExists),
    Field("name", \.name, rule: .name),
    Field("nameKey", rule: .nameKey) { $0.name.key },
    Field("regionType", rule: .regionType, value: { $0.regionType }) { region, stored in
      guard let type = RegionType(stored: stored) else { return false }
      region.content = type == .midi ? .midi(.zero) : .audio(AudioSpan(file: AudioFileID(rawValue: 0), duration: .zero))
      return true
    },
    Field("timeBase", rule: .timeBase, value: { $0.start.timeBase }) { region, stored in
      guard let timeBase = TimeBase(stored: stored) else { return false }
      region.start = TimelinePosition(0, in: timeBase)
      return true
    },
    Field("startTime", rule: .regionStart, value: { $0.start }) { region, stored in
      guard let number = Int64(stored: stored) else { return false }
      region.start.number = number
      return true
    },
    Field("duration", rule: .regionDuration, value: { $0.duration }) { region, stored in
      guard let length = Int64(stored: stored) else { return false }
      if var span = region.audio {
        span.duration = FlickCount(flicks: length)
        region.content = .audio(span)
      } else {
        region.content = .midi(TickCount(ticks: length))
      }
      return true
    },
    spanField("audioFile", \.file, rule: .regionType),
    spanField("audioOffset", \.offset, rule: .regionType),
    spanField("channels", \.channels, rule: .channelsFitFile),
    Field("color", \.color, rule: .color),
    Field("gain", \.gain, rule: .gain),
    Field("isMuted", \.isMuted, rule: .flag),
    Field("fadeInLength", \.fadeIn.length, rule: .fade),
    Field("fadeInCut", \.fadeIn.cut, rule: .fade),
    Field("fadeInShape", \.fadeIn.shape, rule: .fade),
    Field("fadeOutLength", \.fadeOut.length, rule: .fade),
    Field("fadeOutCut", \.fadeOut.cut, rule: .fade),
    Field("fadeOutShape", \.fadeOut.shape, rule: .fade),
    Field("isReversed", rule: .reversal, value: { $0.audio?.isReversed ?? false }) { region, stored in
      guard let isReversed = Bool(stored: stored) else { return false }
      guard var span = region.audio else { return !isReversed }
      span.isReversed = isReversed
      region.content = .audio(span)
      return true
    },
    Field("take", \.take, rule: .regionOfTake),
    Field("isInUse", \.isInUse, rule: .flag),
  ]

  /// A column of audio regions, which is NULL for MIDI regions.
  private static func spanField<Value: StorableValue>(
    _ name: String, _ path: any WritableKeyPath<AudioSpan, Value> & Sendable, rule: Rule
  ) -> Field<Region> {
    Field(name, rule: rule, value: { $0.audio?[keyPath: path] }) { region, stored in
      guard var span = region.audio else { return stored == .null }
      guard let value = Value(stored: stored) else { return false }
      span[keyPath: path] = value
      region.content = .audio(span)
      return true
    }
  }

  public init(blank id: RegionID) {
    self.init(id: id, track: TrackID(rawValue: 0), start: .musical(.zero), content: .midi(.zero))
  }

  /// What messages call the row.
  public var subject: String { "region '\(name)'" }

  /// Checks the rules that concern only this row.
  /// - Throws: the first rule that is broken.
  public func validate() throws(RuleViolation) {
    try requireID()
    try name.validate()
    try require(color?.isAccepted ?? true, .color, "the colour '\(color?.name ?? "")'", of: subject)
    try require(gain.isAccepted, .gain, "a gain of \(gain)", of: subject)
    switch start {
    case .musical(let ticks):
      try require(ticks >= .zero, .regionStart, "a start of \(ticks.ticks) ticks", of: subject)
      try require(
        TimelineLimit.contains(ticks - .zero), .timelineEnd, "a start of \(ticks.ticks) ticks", of: subject)
    case .absolute(let flicks):
      try require(regionType == .audio, .timeBase, "an absolute time base of a MIDI region", of: subject)
      try require(flicks >= .zero, .regionStart, "a start of \(flicks.seconds) s", of: subject)
      try require(TimelineLimit.contains(flicks - .zero), .timelineEnd, "a start of \(flicks.seconds) s", of: subject)
    }
    for fade in [fadeIn, fadeOut] {
      try require(
        fade.isAccepted, .fade, "a fade of \(fade.length.seconds) s, \(fade.cut.seconds) s of it cut off", of: subject)
      try require(regionType == .audio || fade == .none, .fade, "a fade of a MIDI region", of: subject)
    }
    switch content {
    case .midi(let length):
      try require(length > .zero, .regionDuration, "a length of \(length.ticks) ticks", of: subject)
      try require(TimelineLimit.contains(length), .timelineEnd, "a length of \(length.ticks) ticks", of: subject)
    case .audio(let span):
      try require(span.duration > .zero, .regionDuration, "a length of \(span.duration.seconds) s", of: subject)
      try require(
        TimelineLimit.contains(span.duration), .timelineEnd, "a length of \(span.duration.seconds) s", of: subject)
      try require(
        span.offset >= .zero, .regionWithinFile, "an offset of \(span.offset.seconds) s", of: subject)
    }
  }

  public func validate(in tables: some ModelTables, replacing old: Region?) throws {
    if let old { try require(regionType == old.regionType, .regionType, "a change of type", of: old.subject) }
    let file = try audio.map { try tables.require($0.file) }
    try validate(on: tables.require(track), over: file)
    if let take, take != old?.take || track != old?.track {
      try require(
        try tables.require(take).track == track, .regionOfTake, "another track than that of its take", of: subject)
    }
    guard case .midi(let length) = content, case .midi(let oldLength)? = old?.content, length < oldLength else {
      return
    }
    try validateContents(in: tables)
  }

  /// Checks that the region covers its notes and events.
  private func validateContents(in tables: some ModelTables) throws {
    guard case .midi(let length) = content else { return }
    let notes = try tables.noteCount(in: id, endingAfter: length)
    try require(
      notes == 0, .regionCoversNotes, "a length that leaves \(notes == 1 ? "1 note" : "\(notes) notes") outside",
      of: subject)
    let events = try tables.eventCount(in: id, after: length)
    try require(
      events == 0, .regionCoversEvents, "a length that leaves \(events == 1 ? "1 event" : "\(events) events") outside",
      of: subject)
  }

  /// Checks the rules that involve its track and its file.
  /// - Throws: the first rule that is broken.
  public func validate(on track: Track, over file: AudioFile?) throws(RuleViolation) {
    let fits = regionType == .audio ? track.trackType == .audio : track.trackType == .midi
    try require(
      fits, .regionFitsTrack, "a region of type \(regionType.rawValue) on a track of type \(track.trackType.rawValue)",
      of: track.subject)
    guard let span = audio, let file else { return }
    try require(
      span.offset.flicks <= file.duration.flicks && span.duration <= file.duration - span.offset, .regionWithinFile,
      "an end at \((span.offset + span.duration).seconds) s of a file of \(file.duration.seconds) s", of: subject)
    guard let width = span.channels.width(ofFileWith: file.channelCount) else {
      throw RuleViolation(
        .channelsFitFile, value: "channels '\(span.channels)' of a file with \(file.channelCount)", subject: subject)
    }
    try require(
      width == 1 || track.channelCount != 1, .channelsFitTrack, "a stereo region on a mono track", of: track.subject)
  }
}

/// A span of an audio file. In flicks, so that a change of tempo never moves it beyond the file's end.
public struct AudioSpan: Hashable, Sendable {
  public var file: AudioFileID
  /// From the file's start; if it is played reversed, from its end.
  public var offset: FlickCount
  public var duration: FlickCount
  public var channels: ChannelSelection
  /// Whether the file is played from its end to its start.
  public var isReversed: Bool

  public init(
    file: AudioFileID, offset: FlickCount = .zero, duration: FlickCount, channels: ChannelSelection = .all,
    isReversed: Bool = false
  ) {
    self.file = file
    self.offset = offset
    self.duration = duration
    self.channels = channels
    self.isReversed = isReversed
  }
}

extension Region {
  /// The start on the absolute timeline.
  public func startFlicks(in map: TempoMap) -> FlickPosition { map.flicks(at: start) }

  /// The end: in ticks for MIDI, in flicks for audio.
  public func end(in map: TempoMap) -> TimelinePosition {
    switch content {
    case .midi(let length): .musical(map.ticks(at: start) + length)
    case .audio: .absolute(endFlicks(in: map))
    }
  }

  /// The end on the absolute timeline: the first flick after the region.
  public func endFlicks(in map: TempoMap) -> FlickPosition {
    switch (start, content) {
    case (.musical(let ticks), .midi(let length)): map.flicks(at: ticks + length)
    case (_, .audio(let span)): startFlicks(in: map) + span.duration
    case (.absolute(let flicks), .midi(let length)): map.flicks(at: map.ticks(at: flicks) + length)
    }
  }
}
