public typealias EffectSettingID = Identifier<EffectSetting>

/// A parameter of an effect that is not at its default.
public struct EffectSetting: Hashable, Sendable, Identifiable {
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
  public static let noun = "setting"
  public static let table = "effectSetting"
  public static let parents = [ParentReference(.effect, column: "effect")]
  public static let collection: RowCollection<EffectSetting>? = \Project.effectSettings

  public static let fields: [Field<EffectSetting>] = [
    Field("effect", \.effect, rule: .referenceExists),
    Field("parameter", \.parameter, rule: .effectSetting),
    // The unit depends on the parameter.
    Field(
      "value", rule: .effectSetting, value: { EffectSettingValue(parameter: $0.parameter, number: $0.value) },
      assign: { row, stored in
        guard let value = Double(stored: stored) else { return false }
        row.value = value
        return true
      }),
  ]

  public init(blank id: EffectSettingID) {
    self.init(id: id, of: EffectID(rawValue: 0), parameter: "", value: 0)
  }

  public var subject: String { "setting '\(parameter)'" }

  public func validate() throws(RuleViolation) {
    try requireID()
    let isKnown = EffectKind.allCases.contains { $0.parameter(parameter)?.accepts(value) == true }
    try require(isKnown, .effectSetting, "a value of \(formatDecimal(value))", of: subject)
  }

  /// Checks whether effects of a kind have the parameter, and accept the value.
  public func validate(for kind: EffectKind) throws(RuleViolation) {
    guard let known = kind.parameter(parameter) else {
      throw RuleViolation(.effectSetting, value: "a setting of \(kind.rawValue)", subject: subject)
    }
    guard known.accepts(value) else {
      throw RuleViolation(
        .effectSetting, value: "\(parameter) \(known.text(of: value))", subject: "effect '\(kind.rawValue)'",
        accepted: "\(parameter) is \(known.acceptedValues).")
    }
  }

  public func validate(in tables: some ModelTables, replacing old: EffectSetting?) throws {
    try validate(for: try tables.require(effect).kind)
    guard effect != old?.effect || parameter != old?.parameter else { return }
    let isSecond = try tables.rows(EffectSetting.self, where: "effect", is: effect).contains {
      $0.parameter == parameter && $0.id != id
    }
    try require(!isSecond, .effectSettingIsOnce, "a second one of '\(parameter)'", of: subject)
  }
}

/// A value of a parameter of any kind of effect: those of one name have one unit.
public struct EffectSettingValue: FieldValue {
  public var parameter: String
  public var number: Double
  public var stored: StoredValue { number.stored }

  /// "-3 dB".
  public var text: String {
    EffectKind.allCases.lazy.compactMap { $0.parameter(parameter) }.first?.text(of: number) ?? formatDecimal(number)
  }
}
