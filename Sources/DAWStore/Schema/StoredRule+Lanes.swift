import DAWModel

extension StoredRule {
  /// Automation lanes, which version 6 brought.
  static let ofLanes = [
    Self(
      rule: .laneParameter, table: "lane", columns: ["parameter", "track", "send", "trackGroup", "effect"],
      condition: """
        NOT CASE WHEN row.track IS NOT NULL THEN row.parameter IN ('volume', 'pan', 'mute', 'trim', 'stereoWidth')
          WHEN row.send IS NOT NULL THEN row.parameter IN ('level', 'pan', 'mute')
          WHEN row.trackGroup IS NOT NULL THEN row.parameter IN ('volume', 'mute')
          ELSE length(row.parameter) BETWEEN 1 AND 64 END
        """, since: 6),
    limit(.timeBase, "lane", "timeBase", "IN ('musical', 'absolute')", since: 6),
    Self(
      rule: .laneIsOnce, table: "lane", columns: ["parameter", "track", "send", "trackGroup", "effect"],
      condition: ["track", "send", "trackGroup", "effect"].map { owner in
        """
        EXISTS (SELECT 1 FROM lane WHERE \(owner) = row.\(owner) AND parameter = row.parameter AND id <> row.id)
        """
      }.joined(separator: " OR "),
      value: "'a second lane of ''' || row.parameter || ''''", since: 6),
    Self(
      rule: .pointValue, table: "lanePoint", columns: ["value", "lane"],
      condition: """
        row.value >= 9e999 OR EXISTS (SELECT 1 FROM lane WHERE lane.id = row.lane AND NOT CASE
          WHEN lane.parameter IN ('mute', 'bypass') THEN row.value IN (0, 1)
          WHEN lane.effect IS NOT NULL THEN 1
          WHEN lane.parameter IN ('volume', 'level') THEN row.value BETWEEN -60 AND 12 OR row.value = -9e999
          WHEN lane.parameter = 'pan' THEN row.value BETWEEN -1 AND 1
          WHEN lane.parameter = 'trim' THEN row.value BETWEEN -24 AND 24
          WHEN lane.parameter = 'stereoWidth' THEN row.value BETWEEN -1 AND 2 ELSE 1 END)
        """, value: "'a value of ' || row.value",
      parents: [Parent(table: "lane", reference: "lane", columns: ["parameter"])], since: 6),
    Self(
      rule: .pointShape, table: "lanePoint", columns: ["shape", "lane"],
      condition: """
        row.shape NOT IN ('hold', 'linear', 'exponential', 'logarithmic', 'sCurve') OR (row.shape <> 'hold'
          AND EXISTS (SELECT 1 FROM lane WHERE lane.id = row.lane AND lane.parameter IN ('mute', 'bypass')))
        """, value: "'the shape ' || row.shape",
      parents: [Parent(table: "lane", reference: "lane", columns: ["parameter"])], since: 6),
    // A change of a lane's time base converts its points in the same transaction.
    Self(
      rule: .timelineEnd, table: "lanePoint", columns: ["position", "lane"],
      condition: """
        row.position > 72057594037927936 OR (row.position > 1099511627776
          AND EXISTS (SELECT 1 FROM lane WHERE lane.id = row.lane AND lane.timeBase = 'musical'))
        """, value: "'a point at ' || row.position", parents: [Parent(table: "lane", reference: "lane", columns: [])],
      since: 6),
    Self(
      rule: .pointIsOnce, table: "lanePoint", columns: [],
      condition: """
        EXISTS (SELECT 1 FROM lanePoint WHERE lane = row.lane AND position = row.position AND id <> row.id)
        """, value: "'a second point at ' || row.position", since: 6),
    references(
      of: "lane", ["track": "track", "send": "send", "trackGroup": "trackGroup", "effect": "effect"], since: 6),
    references(of: "lanePoint", ["lane": "lane"], since: 6),
  ]

  /// Lanes of effects, whose parameters and ranges depend on the effect's kind: each commit and the audit check them,
  /// no trigger does. So the conditions may be made from the kinds.
  static let ofEffectLanes = [
    Self(
      rule: .laneParameter, table: "lane", columns: [],
      condition: """
        NOT coalesce((SELECT CASE kind \(caseOfKinds { parameters in
          "row.parameter IN (\(parameters.map { "'\($0.name)'" }.joined(separator: ", ")))"
        }) ELSE 1 END FROM effect WHERE id = row.effect), 1)
        """, value: "'a lane of ''' || row.parameter || ''', which its effect does not have'"),
    Self(
      rule: .pointValue, table: "lanePoint", columns: [],
      condition: """
        NOT coalesce((SELECT CASE kind \(caseOfKinds { parameters in
          let ranges = parameters.map {
            "WHEN '\($0.name)' THEN row.value BETWEEN \($0.range.lowerBound) AND \($0.range.upperBound)"
          }
          return "CASE lane.parameter \(ranges.joined(separator: " ")) ELSE 1 END"
        }) ELSE 1 END FROM lane JOIN effect ON effect.id = lane.effect WHERE lane.id = row.lane), 1)
        """, value: "'a value of ' || row.value", parents: [Parent(table: "lane", reference: "lane", columns: [])]),
  ]

  private static func caseOfKinds(_ expression: ([LaneParameter]) -> String) -> String {
    EffectKind.allCases.map { "WHEN '\($0.rawValue)' THEN \(expression(LaneParameter.of($0)))" }
      .joined(separator: " ")
  }
}
