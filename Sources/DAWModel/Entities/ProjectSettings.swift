import DAWTime

/// The values that a project has once and that an edit can change.
public struct ProjectSettings: Hashable, Sendable, Codable {
  public var name: Name
  /// At the start of the timeline.
  public var tempo: Tempo
  /// Whether the tempo changes linearly, per tick, from the start to the first change of tempo.
  public var isTempoRamp: Bool
  /// At the start of the timeline.
  public var timeSignature: TimeSignature
  /// One of `SampleRate.ofProjects`.
  public var sampleRate: SampleRate
  public var panLaw: PanLaw
  public var retention: Retention

  public init(
    name: Name = Name(literal: "Untitled Project"), tempo: Tempo = Tempo(bpm: 120),
    isTempoRamp: Bool = false, timeSignature: TimeSignature = .fourFour,
    sampleRate: SampleRate = SampleRate(hertz: 48_000), panLaw: PanLaw = .constantPowerMinus3dB,
    retention: Retention = Retention()
  ) {
    self.name = name
    self.tempo = tempo
    self.isTempoRamp = isTempoRamp
    self.timeSignature = timeSignature
    self.sampleRate = sampleRate
    self.panLaw = panLaw
    self.retention = retention
  }
}

extension ProjectSettings {
  /// The columns of the project's one row.
  public static let fields: [Field<ProjectSettings>] = [
    Field("name", \.name, rule: .name),
    Field("tempo", \.tempo, rule: .tempo),
    Field("meterNumerator", \.timeSignature.numerator, rule: .timeSignature),
    Field("meterDenominator", \.timeSignature.denominator, rule: .timeSignature),
    Field("sampleRate", \.sampleRate, rule: .sampleRate),
    Field("panLaw", \.panLaw, rule: .panLaw),
    Field("isTempoRamp", \.isTempoRamp, rule: .flag),
    Field("keepRecordings", \.retention.recordings, rule: .retention),
    Field("keepTranscripts", \.retention.transcripts, rule: .retention),
    Field("keepNewest", \.retention.newest, rule: .retention),
    Field("keepThread", \.retention.thread, rule: .retention),
    Field("compressAfter", \.retention.compressAfter, rule: .retention),
    Field("compressQuality", \.retention.quality, rule: .retention),
    Field("keepTrash", \.retention.trash, rule: .retention),
    Field("retentionScope", \.retention.scope, rule: .retention),
  ]

  /// - Throws: the first rule that is broken.
  public func validate() throws(RuleViolation) {
    try name.validate()
    try require(Tempo.accepted.contains(tempo), .tempo, "a tempo of \(formatDecimal(tempo.bpm)) BPM", of: "the project")
    try require(timeSignature.isAccepted, .timeSignature, "a time signature of \(timeSignature)", of: "the project")
    try require(
      SampleRate.ofProjects.contains(sampleRate), .sampleRate, "a sample rate of \(sampleRate.hertz) Hz",
      of: "the project")
    try retention.validate()
  }
}
