import DAWTime

/// A change of tempo. The tempo at the start of the timeline is the project's own.
public struct TempoChange: Hashable, Sendable, Identifiable {
  public var id: TempoChangeID
  /// After the start of the timeline.
  public var position: TickPosition
  public var tempo: Tempo
  /// Whether the tempo changes linearly, per tick, from here to the next change.
  public var isRamp: Bool

  public init(id: TempoChangeID, position: TickPosition, tempo: Tempo, isRamp: Bool = false) {
    self.id = id
    self.position = position
    self.tempo = tempo
    self.isRamp = isRamp
  }
}

extension TempoChange: Entity {
  public static let kind = EntityKind.tempoChange
  public static let noun = "change of tempo"
  public static let table = "tempoChange"
  public static let collection: RowCollection<TempoChange>? = \Project.tempoChanges

  public static let fields: [Field<TempoChange>] = [
    Field("startTime", \.position, rule: .tempoPosition),
    Field("tempo", \.tempo, rule: .tempo),
    Field("isRamp", \.isRamp, rule: .flag),
  ]

  public init(blank id: TempoChangeID) {
    self.init(id: id, position: .zero, tempo: Tempo(bpm: 0))
  }

  public var subject: String { "the tempo at \(position)" }

  public func validate() throws(RuleViolation) {
    try requireID()
    try require(position > .zero, .tempoPosition, "a change of tempo at \(position.ticks) ticks", of: subject)
    try require(
      TimelineLimit.contains(position - .zero), .timelineEnd, "a place at \(position.ticks) ticks", of: subject)
    try require(Tempo.accepted.contains(tempo), .tempo, "a tempo of \(formatDecimal(tempo.bpm)) BPM", of: subject)
  }

  public func validate(in tables: some ModelTables, replacing old: TempoChange?) throws {
    try requireUniquePosition(at: position, "startTime", in: tables)
  }
}
