import DAWModel
import GRDB

extension Audit {
  /// Effects that look ahead too far on one way through the mix.
  func effectLatency() throws -> [Finding] {
    let own = try lookAheads()
    guard own.values.reduce(0, +) > EffectLatency.maximumLookAhead else { return [] }
    let greatest = EffectLatency.greatestLookAhead(own, targets: try connections(withMaster: true))
    guard greatest > EffectLatency.maximumLookAhead else { return [] }
    let violation = RuleViolation(
      .effectLatency,
      value: "a look-ahead of \(Int(min(greatest, 1e12).rounded(.up))) ms in all on one way through the mix")
    return [Finding(violation: violation, table: "effect", id: 0)]
  }

  /// What the effects of each strip look ahead in all, in milliseconds. Effects that are off do not count.
  private func lookAheads() throws -> [TrackID: Double] {
    try EffectKind.allCases.reduce(into: [:]) { all, kind in
      guard let parameter = kind.parameter("lookAhead") else { return }
      let statement = try database.cachedStatement(
        sql: """
          SELECT effect.track, total(coalesce(setting.value, ?)) FROM effect
            LEFT JOIN effectSetting AS setting ON setting.effect = effect.id AND setting.parameter = 'lookAhead'
            WHERE effect.kind = ? AND effect.isOff = 0 GROUP BY effect.track
          """)
      for row in try Row.fetchAll(statement, arguments: [parameter.defaultValue, kind.rawValue]) {
        let track = TrackID(rawValue: try row.decode(Int64.self, atIndex: 0))
        all[track, default: 0] += try row.decode(Double.self, atIndex: 1)
      }
    }
  }
}
