import DAWTime

/// What a project has one of, and an edit can change.
public struct ProjectSettings: Hashable, Sendable, Codable {
  public var name: Name
  /// At the start of the timeline.
  public var tempo: Tempo
  /// From the start the tempo goes evenly, per tick, to that of the first change of tempo.
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
