import DAWTime

/// A change of meter. The meter at the start of the timeline is the project's own.
public struct MeterChange: Hashable, Sendable, Identifiable {
  public var id: MeterChangeID
  /// From 1, as users count; at least 2. It keeps its bar number when an earlier meter changes.
  public var bar: Int64
  public var timeSignature: TimeSignature

  public init(id: MeterChangeID, bar: Int64, timeSignature: TimeSignature) {
    self.id = id
    self.bar = bar
    self.timeSignature = timeSignature
  }

  /// The last bar is on the timeline in every meter.
  public static let acceptedBars: ClosedRange<Int64> = 2...262_144
}

extension MeterChange: Entity {
  public static let kind = EntityKind.meterChange
  public static let noun = "change of meter"
  public static let table = "meterChange"
  public static let collection: RowCollection<MeterChange>? = \Project.meterChanges

  public static let fields: [Field<MeterChange>] = [
    Field("bar", \.bar, rule: .meterBar, as: BarNumber.init),
    Field("numerator", \.timeSignature.numerator, rule: .timeSignature),
    Field("denominator", \.timeSignature.denominator, rule: .timeSignature),
  ]

  public init(blank id: MeterChangeID) {
    self.init(id: id, bar: 0, timeSignature: .fourFour)
  }

  public var subject: String { "the time signature at bar \(bar)" }

  public func validate() throws(RuleViolation) {
    try requireID()
    try require(Self.acceptedBars.contains(bar), .meterBar, "the bar \(bar)", of: subject)
    try require(timeSignature.isAccepted, .timeSignature, "a time signature of \(timeSignature)", of: subject)
  }

  public func validate(in tables: some ModelTables, replacing old: MeterChange?) throws {
    try requireUniquePosition(at: bar, "bar", in: tables)
  }
}
