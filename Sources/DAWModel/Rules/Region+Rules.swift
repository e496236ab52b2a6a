import DAWTime

extension Region {
  /// How a message names it.
  public var subject: String { "region '\(name)'" }

  /// The rules of its own row.
  /// - Throws: the first rule that it breaks.
  public func validate() throws(RuleViolation) {
    try require(id.rawValue > 0, .identifier, "the id \(id.rawValue)", of: subject)
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

  /// The rules of the row and its parents.
  /// - Throws: the first rule that it breaks.
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
