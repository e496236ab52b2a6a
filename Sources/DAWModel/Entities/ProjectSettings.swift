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

  public init(
    name: Name = Name(literal: "Untitled Project"), tempo: Tempo = Tempo(bpm: 120),
    isTempoRamp: Bool = false, timeSignature: TimeSignature = .fourFour,
    sampleRate: SampleRate = SampleRate(hertz: 48_000), panLaw: PanLaw = .constantPowerMinus3dB
  ) {
    self.name = name
    self.tempo = tempo
    self.isTempoRamp = isTempoRamp
    self.timeSignature = timeSignature
    self.sampleRate = sampleRate
    self.panLaw = panLaw
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
  ]

  /// - Throws: the first rule that is broken.
  public func validate() throws(RuleViolation) {
    try name.validate()
    try require(Tempo.accepted.contains(tempo), .tempo, "a tempo of \(formatDecimal(tempo.bpm)) BPM", of: "the project")
    try require(timeSignature.isAccepted, .timeSignature, "a time signature of \(timeSignature)", of: "the project")
    try require(
      SampleRate.ofProjects.contains(sampleRate), .sampleRate, "a sample rate of \(sampleRate.hertz) Hz",
      of: "the project")
  }
}
