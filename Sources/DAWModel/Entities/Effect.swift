public typealias EffectID = Identifier<Effect>

public enum EffectKind: String, CaseIterable, Codable, Sendable {
  case eq, compressor, gate, limiter, delay, reverb
}

/// A processor on the strip of a track, a bus or the master. Its parameters are at their defaults but for its
/// `EffectSetting`s.
public struct Effect: Hashable, Sendable, Codable, Identifiable {
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
  /// The track whose sound its detector listens to; `nil`: its own.
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
  public static let asRows: @Sendable ([Effect]) -> Rows = { .effects($0) }
  public static let collection: RowCollection<Effect>? = \Project.effects

  public static let fields: [Field<Effect>] = [
    Field("track", \.track, rule: .referenceExists),
    Field("kind", \.kind, rule: .effectKind),
    Field("number", \.number, rule: .effectNumber),
    Field("isPostFader", \.isPostFader, rule: .flag),
    Field("orderKey", \.orderKey, rule: .orderKey),
    Field("isBypassed", \.isBypassed, rule: .flag),
    Field("isOff", \.isOff, rule: .flag),
    Field("key", \.key, rule: .referenceExists),
  ]

  public init(blank id: EffectID) {
    self.init(id: id, on: TrackID(rawValue: 0), .eq, orderKey: OrderKey(unchecked: ""))
  }

  public var subject: String { "effect '\(kind.rawValue)\(number == 1 ? "" : " \(number)")'" }

  public func validate() throws(RuleViolation) {
    try requireID()
    try require(number >= 1, .effectNumber, "the number \(number)", of: subject)
    try require(
      orderKey != .master && OrderKey(orderKey.digits) != nil, .orderKey, "the key '\(orderKey.digits)'", of: subject)
  }

  public func validate(in tables: some ModelTables, replacing old: Effect?) throws {
    _ = try tables.require(track)
    if let key { _ = try tables.require(key) }
    let isSecond = try tables.rows(Effect.self, where: "track", is: track).contains {
      $0.kind == kind && $0.number == number && $0.id != id
    }
    try require(!isSecond, .effectIsOnce, "a second one of this kind and number", of: subject)
  }
}
