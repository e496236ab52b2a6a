/// A tempo that begins at a tick.
public struct TempoChange: Hashable, Sendable, Codable {
  public var position: TickPosition
  public var tempo: Tempo
  /// From here to the next change the tempo goes evenly, per tick, to that change's tempo. Without a next change it
  /// stays.
  public var isRamp: Bool

  public init(at position: TickPosition, _ tempo: Tempo, isRamp: Bool = false) {
    self.position = position
    self.tempo = tempo
    self.isRamp = isRamp
  }
}

/// A meter that begins at a bar line.
public struct MeterChange: Hashable, Sendable, Codable {
  public var position: TickPosition
  public var timeSignature: TimeSignature

  public init(at position: TickPosition, _ timeSignature: TimeSignature) {
    self.position = position
    self.timeSignature = timeSignature
  }
}
