/// A tempo that begins at a tick.
public struct TempoPoint: Hashable, Sendable {
  public var position: TickPosition
  public var tempo: Tempo
  /// Whether the tempo changes linearly, per tick, until it reaches the next point's tempo. Without a next point it
  /// stays constant.
  public var isRamp: Bool

  public init(at position: TickPosition, _ tempo: Tempo, isRamp: Bool = false) {
    self.position = position
    self.tempo = tempo
    self.isRamp = isRamp
  }
}

/// A meter that begins at a bar line.
public struct MeterPoint: Hashable, Sendable {
  public var position: TickPosition
  public var timeSignature: TimeSignature

  public init(at position: TickPosition, _ timeSignature: TimeSignature) {
    self.position = position
    self.timeSignature = timeSignature
  }
}
