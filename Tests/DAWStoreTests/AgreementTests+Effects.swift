import DAWModel
import DAWTestSupport
import GRDB
import Testing

@testable import DAWStore

extension AgreementTests {
  @Test("accept the same effects and settings of them")
  func effects() throws {
    let names =
      EffectKind.allCases.flatMap(\.parameters).map(\.name) + ["", "x", "band0.gain", "band10.gain", "bypass"]
    try compare(3000) { generator in
      let kind = EffectKind.allCases.randomElement(using: &generator) ?? .eq
      var effect = Effect(
        id: EffectID(rawValue: 199), on: TrackID(rawValue: 11), kind, orderKey: OrderKey(unchecked: "V"))
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: effect.key = [10, 11, 12].randomElement(using: &generator).map { TrackID(rawValue: $0) }
      case 1: effect.number = Int(integer([1], &generator))
      case 2:
        effect.orderKey = OrderKey(
          unchecked: ["", "0", "a", "a0", "~", "é", String(repeating: "z", count: 201)].randomElement(using: &generator)
            ?? "")
      default:
        let name = names.randomElement(using: &generator) ?? ""
        let parameter = kind.parameter(name) ?? kind.parameters.randomElement(using: &generator)
        guard let parameter else { return nil }
        var value = number(parameter.range, &generator)
        if Int.random(in: 0..<3, using: &generator) == 0 {
          value = (parameter.leastAboveZero ?? value.rounded()).nextDown.rounded()
        }
        let setting = EffectSetting(
          id: EffectSettingID(rawValue: 199), of: effect.id,
          parameter: Bool.random(using: &generator) ? parameter.name : name, value: value)
        return Sample(
          sql: "INSERT INTO effect VALUES (199, 11, '\(kind.rawValue)', 1, 0, 'V', 0, 0, NULL); "
            + EffectSetting.sql.insert, arguments: setting.arguments, text: "\(kind) \(setting)"
        ) {
          try setting.validate()
          try setting.validate(for: kind)
        }
      }
      return Sample(sql: Effect.sql.insert, arguments: effect.arguments, text: "\(effect)") { [effect] in
        try effect.validate()
      }
    }
  }

  @Test("accept the ends of every parameter's range, and nothing beyond")
  func parameters() throws {
    let store = try ProjectStore.inMemory()
    for edit in try SampleProject.edits() { _ = try store.edit(origin) { try $0.apply(edit) } }
    for kind in EffectKind.allCases {
      for parameter in kind.parameters {
        let ends =
          [parameter.range.lowerBound, parameter.range.upperBound] + [parameter.leastAboveZero ?? 0]
        let others = ends.flatMap { [$0.nextDown, $0.nextUp, $0 + 0.5] }
        for value in ends + others {
          let isStored =
            (try? store.queue.inTransaction { database in
              try database.execute(
                sql: "INSERT INTO effect VALUES (199, 11, '\(kind.rawValue)', 1, 0, 'V', 0, 0, NULL); "
                  + "INSERT INTO effectSetting VALUES (199, 199, ?, ?)", arguments: [parameter.name, value])
              return .rollback
            }) != nil
          #expect(isStored == parameter.accepts(value), "\(kind) \(parameter.name) \(value)")
        }
      }
    }
  }
}
