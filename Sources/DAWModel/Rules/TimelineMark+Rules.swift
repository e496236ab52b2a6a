import DAWTime

extension TimelineMark {
  /// How a message names it.
  public var subject: String {
    switch self {
    case .tempo(let mark): "the tempo at \(mark.position)"
    case .meter(let mark): "the time signature at bar \(mark.bar)"
    case .key(let mark): "the key signature at \(mark.position)"
    case .marker(let marker): "marker '\(marker.name)'"
    }
  }

  /// The rules of its own row.
  /// - Throws: the first rule that it breaks.
  public func validate() throws(RuleViolation) {
    switch self {
    case .tempo(let mark): try validate(mark)
    case .meter(let mark): try validate(mark)
    case .key(let mark): try validate(mark)
    case .marker(let marker): try validate(marker)
    }
  }

  private func validate(_ mark: TempoMark) throws(RuleViolation) {
    try requireID(mark.id)
    try require(
      mark.position > .zero, .tempoPosition, "a change of tempo at \(mark.position.ticks) ticks", of: subject)
    try require(
      TimelineLimit.contains(mark.position - .zero), .timelineEnd, "a place at \(mark.position.ticks) ticks",
      of: subject)
    try require(
      Tempo.accepted.contains(mark.tempo), .tempo, "a tempo of \(formatDecimal(mark.tempo.bpm)) BPM", of: subject)
  }

  private func validate(_ mark: MeterMark) throws(RuleViolation) {
    try requireID(mark.id)
    try require(MeterMark.acceptedBars.contains(mark.bar), .meterBar, "the bar \(mark.bar)", of: subject)
    try require(
      mark.timeSignature.isAccepted, .timeSignature, "a time signature of \(mark.timeSignature)", of: subject)
  }

  private func validate(_ mark: KeyMark) throws(RuleViolation) {
    try requireID(mark.id)
    try requirePlace(.musical(mark.position))
    try require((-7...7).contains(mark.fifths), .keySignature, "\(mark.fifths) sharps", of: subject)
  }

  private func validate(_ marker: Marker) throws(RuleViolation) {
    try requireID(marker.id)
    try marker.name.validate()
    try require(marker.color?.isAccepted ?? true, .color, "the colour '\(marker.color?.name ?? "")'", of: subject)
    try requirePlace(marker.start)
    switch (marker.start, marker.length) {
    case (_, nil): break
    case (.musical, .musical(let length)):
      try require(length > .zero, .markerLength, "a length of \(length.ticks) ticks", of: subject)
      try require(TimelineLimit.contains(length), .timelineEnd, "a length of \(length.ticks) ticks", of: subject)
    case (.absolute, .absolute(let length)):
      try require(length > .zero, .markerLength, "a length of \(length.seconds) s", of: subject)
      try require(TimelineLimit.contains(length), .timelineEnd, "a length of \(length.seconds) s", of: subject)
    default: throw RuleViolation(.markerLength, value: "a length in another clock than its start", subject: subject)
    }
  }

  private func requireID<Kind>(_ id: Identifier<Kind>) throws(RuleViolation) {
    try require(id.rawValue > 0, .identifier, "the id \(id.rawValue)", of: subject)
  }

  private func requirePlace(_ place: TimelinePosition) throws(RuleViolation) {
    switch place {
    case .musical(let ticks):
      try require(ticks >= .zero, .markPosition, "a place at \(ticks.ticks) ticks", of: subject)
      try require(
        TimelineLimit.contains(ticks - .zero), .timelineEnd, "a place at \(ticks.ticks) ticks", of: subject)
    case .absolute(let flicks):
      try require(flicks >= .zero, .markPosition, "a place at \(flicks.seconds) s", of: subject)
      try require(TimelineLimit.contains(flicks - .zero), .timelineEnd, "a place at \(flicks.seconds) s", of: subject)
    }
  }
}
