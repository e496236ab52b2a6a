public typealias EffectID = Identifier<Effect>

/// A processor on the strip of a track, a bus or the master. Its parameters are at their defaults but for its
/// `EffectSetting`s.
public struct Effect: Hashable, Sendable, Identifiable {
  public var id: EffectID
  public var track: TrackID
  public var kind: EffectKind
  /// From 1: tells the effects of one kind on a strip apart, `compressor` and `compressor 2`.
  public var number: Int
  /// Whether it is behind the fader, not before it.
  public var isPostFader: Bool
  /// Its place on the strip.
  public var orderKey: OrderKey
  /// Whether the sound passes it unchanged, and as late as through it.
  public var isBypassed: Bool
  /// Whether it is taken out of the strip, with its latency.
  public var isOff: Bool
  /// The track whose signal, before its fader, controls a compressor or a gate; `nil`: its own.
  public var key: TrackID?

  public init(
    id: EffectID, on track: TrackID, _ kind: EffectKind, number: Int = 1, isPostFader: Bool = false,
    orderKey: OrderKey, isBypassed: Bool = false, isOff: Bool = false, key: TrackID? = nil
  ) {
    self.id = id
    self.track = track
    self.kind = kind
    self.number = number
    self.isPostFader = isPostFader
    self.orderKey = orderKey
    self.isBypassed = isBypassed
    self.isOff = isOff
    self.key = key
  }
}

extension Effect: Entity {
  public static let kind = EntityKind.effect
  public static let noun = "effect"
  public static let table = "effect"
  public static let parents = [ParentReference(.track, column: "track")]
  public static let clearedReferences = [ParentReference(.track, column: "key")]
  public static let collection: RowCollection<Effect>? = \Project.effects

  public static let fields: [Field<Effect>] = [
    Field("track", \.track, rule: .referenceExists),
    Field("kind", \.kind, rule: .effectKind),
    Field("number", \.number, rule: .effectNumber),
    Field("isPostFader", \.isPostFader, rule: .flag),
    Field("orderKey", \.orderKey, rule: .orderKey),
    Field("isBypassed", \.isBypassed, rule: .flag),
    Field("isOff", \.isOff, rule: .flag),
    Field("key", \.key, rule: .effectKey, as: { NamedDefault(value: $0, name: "none") }),
  ]

  public init(blank id: EffectID) {
    self.init(id: id, on: TrackID(rawValue: 0), .eq, orderKey: OrderKey(unchecked: ""))
  }

  public var subject: String { "effect '\(name)'" }

  /// On a strip.
  public static let maximumCount = 32

  public func validate() throws(RuleViolation) {
    try requireID()
    try require(number >= 1, .effectNumber, "the number \(number)", of: subject)
    try require(
      orderKey != .master && OrderKey(orderKey.digits) != nil, .orderKey, "the key '\(orderKey.digits)'", of: subject)
    guard let key else { return }
    try require(kind.hasKey, .effectKey, "a key of an effect of the kind \(kind.rawValue)", of: subject)
    try require(key != track, .effectKey, "its own track as key", of: subject)
  }

  public func validate(in tables: some ModelTables, replacing old: Effect?) throws {
    let strip = try tables.require(track)
    if let key {
      let source = try tables.require(key)
      try require(source.trackType != .master, .effectKey, "the \(source.subject) as key", of: subject)
    }
    if let old { try require(kind == old.kind, .effectKind, "a change to \(kind.rawValue)", of: old.subject) }
    guard track != old?.track || number != old?.number else { return }
    let others = try tables.rows(Effect.self, where: "track", is: track).filter { $0.id != id }
    let isSecond = others.contains { $0.kind == kind && $0.number == number }
    try require(!isSecond, .effectIsOnce, "a second one of this kind and number", of: subject)
    try require(
      track == old?.track || others.count < Self.maximumCount, .effectCount, "\(others.count + 1) effects",
      of: strip.subject)
  }

  public static func validate(_ rows: [Effect], in tables: some ModelTables, areNew: Bool) throws {
    var keyed: [Effect] = []
    for row in rows {
      let old = areNew ? nil : try tables.require(row.id)
      try row.validate()
      try row.validate(in: tables, replacing: old)
      if row.key != nil, row.key != old?.key || row.track != old?.track { keyed.append(row) }
    }
    if !keyed.isEmpty { try tables.requireNoCycle(effects: keyed) }
  }
}
