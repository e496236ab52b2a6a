public typealias EffectSettingID = Identifier<EffectSetting>

/// A parameter of an effect that is not at its default.
public struct EffectSetting: Hashable, Sendable, Codable, Identifiable {
  public var id: EffectSettingID
  public var effect: EffectID
  /// As in the catalogue of the effect's kind: `band2.gain`.
  public var parameter: String
  /// In the parameter's unit.
  public var value: Double

  public init(id: EffectSettingID, of effect: EffectID, parameter: String, value: Double) {
    self.id = id
    self.effect = effect
    self.parameter = parameter
    self.value = value == 0 ? 0 : value  // never −0
  }
}

extension EffectSetting: Entity {
  public static let kind = EntityKind.effectSetting
  public static let noun = "effect setting"
  public static let table = "effectSetting"
  public static let parents = [ParentReference(.effect, column: "effect")]
  public static let asRows: @Sendable ([EffectSetting]) -> Rows = { .effectSettings($0) }
  public static let collection: RowCollection<EffectSetting>? = \Project.effectSettings

  public static let fields: [Field<EffectSetting>] = [
    Field("effect", \.effect, rule: .referenceExists),
    Field("parameter", \.parameter, rule: .effectSetting),
    Field("value", \.value, rule: .effectSetting),
  ]

  public init(blank id: EffectSettingID) {
    self.init(id: id, of: EffectID(rawValue: 0), parameter: "", value: 0)
  }

  public var subject: String { "setting '\(parameter)'" }

  public func validate() throws(RuleViolation) {
    try requireID()
    try require(
      (1...64).contains(parameter.unicodeScalars.count) && value.isFinite, .effectSetting, "a value of \(value)",
      of: subject)
  }

  public func validate(in tables: some ModelTables, replacing old: EffectSetting?) throws {
    _ = try tables.require(effect)
    let isSecond = try tables.rows(EffectSetting.self, where: "effect", is: effect).contains {
      $0.parameter == parameter && $0.id != id
    }
    try require(!isSecond, .effectSettingIsOnce, "a second one of '\(parameter)'", of: subject)
  }
}
