import DAWTime

/// A key signature. For display only; it does not affect the sound.
public struct KeySignature: Hashable, Sendable, Identifiable {
  public var id: KeySignatureID
  public var position: TickPosition
  /// Sharps; flats are negative. −7 … 7.
  public var fifths: Int
  public var isMinor: Bool

  public init(id: KeySignatureID, position: TickPosition, fifths: Int, isMinor: Bool = false) {
    self.id = id
    self.position = position
    self.fifths = fifths
    self.isMinor = isMinor
  }
}

extension KeySignature: Entity {
  public static let kind = EntityKind.keySignature
  public static let noun = "key signature"
  public static let table = "keySignature"
  public static let collection: RowCollection<KeySignature>? = \Project.keySignatures

  public static let fields: [Field<KeySignature>] = [
    Field("startTime", \.position, rule: .markPosition),
    Field("fifths", \.fifths, rule: .keySignature),
    Field("isMinor", \.isMinor, rule: .flag),
  ]

  public init(blank id: KeySignatureID) {
    self.init(id: id, position: .zero, fifths: 0)
  }

  public var subject: String { "the key signature at \(position)" }

  public func validate() throws(RuleViolation) {
    try requireID()
    try requireOnTimeline(.musical(position))
    try require((-7...7).contains(fifths), .keySignature, "\(fifths) sharps", of: subject)
  }

  public func validate(in tables: some ModelTables, replacing old: KeySignature?) throws {
    try requireUniquePosition(at: position, "startTime", in: tables)
  }
}
