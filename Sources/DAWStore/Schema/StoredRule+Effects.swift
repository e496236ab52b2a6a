import DAWModel

extension StoredRule {
  /// Effects, which version 6 brought.
  static let ofEffects = [
    limit(
      .effectKind, "effect", "kind", "IN ('eq', 'compressor', 'gate', 'limiter', 'delay', 'reverb')", since: 6),
    Self(
      rule: .effectIsOnce, table: "effect", columns: ["track", "kind", "number"],
      condition: """
        EXISTS (SELECT 1 FROM effect WHERE track = row.track AND kind = row.kind AND number = row.number
          AND id <> row.id)
        """, value: "'a second effect ' || row.kind || ' ' || row.number", since: 6),
    Self(
      rule: .effectCount, table: "effect", columns: ["track"],
      condition: "(SELECT count(*) FROM effect WHERE track = row.track AND id <> row.id) >= 32",
      value: "'more than 32 effects of track ''' || (SELECT name FROM track WHERE id = row.track) || ''''", since: 6),
    Self(
      rule: .effectKey, table: "effect", columns: ["kind", "track", "key"],
      condition: """
        row.key IS NOT NULL AND (row.kind IN ('eq', 'limiter', 'delay', 'reverb') OR row.key = row.track
          OR (SELECT trackType FROM track WHERE id = row.key) = 'master')
        """, value: "'the key of effect ''' || row.kind || ''''", since: 6),
    Self(
      rule: .effectSetting, table: "effectSetting", columns: ["effect", "parameter", "value"],
      condition: effectSettingCondition, value: "'the setting ' || row.parameter || ' ' || row.value", since: 6),
    Self(
      rule: .effectSettingIsOnce, table: "effectSetting", columns: ["effect", "parameter"],
      condition: """
        EXISTS (SELECT 1 FROM effectSetting WHERE effect = row.effect AND parameter = row.parameter AND id <> row.id)
        """, value: "'a second value of ''' || row.parameter || ''''", since: 6),
    references(of: "effect", ["track": "track", "key": "track"], since: 6),
    references(of: "effectSetting", ["effect": "effect"], since: 6),
  ]

  /// Choices and toggles are whole numbers. An effect that is not there is a rule of references.
  private static let effectSettingCondition = """
    NOT coalesce((SELECT CASE kind
      WHEN 'eq' THEN row.parameter GLOB 'band[1-8].*' AND CASE substr(row.parameter, 7)
        WHEN 'type' THEN row.value IN (0, 1, 2, 3, 4, 5, 6, 7)
        WHEN 'frequency' THEN row.value BETWEEN 20 AND 20000
        WHEN 'gain' THEN row.value BETWEEN -24 AND 24
        WHEN 'q' THEN row.value BETWEEN 0.1 AND 30
        WHEN 'slope' THEN row.value IN (0, 1, 2) ELSE 0 END
      WHEN 'compressor' THEN CASE row.parameter
        WHEN 'threshold' THEN row.value BETWEEN -60 AND 0
        WHEN 'ratio' THEN row.value BETWEEN 1 AND 100
        WHEN 'knee' THEN row.value BETWEEN 0 AND 24
        WHEN 'attack' THEN row.value BETWEEN 0.1 AND 250
        WHEN 'release' THEN row.value BETWEEN 5 AND 2500
        WHEN 'makeUp' THEN row.value BETWEEN -24 AND 24
        WHEN 'detector' THEN row.value IN (0, 1)
        WHEN 'link' THEN row.value IN (0, 1)
        WHEN 'keyHighPass' THEN row.value = 0 OR row.value BETWEEN 20 AND 2000
        WHEN 'lookAhead' THEN row.value BETWEEN 0 AND 10
        WHEN 'mix' THEN row.value BETWEEN 0 AND 1 ELSE 0 END
      WHEN 'gate' THEN CASE row.parameter
        WHEN 'threshold' THEN row.value BETWEEN -80 AND 0
        WHEN 'hysteresis' THEN row.value BETWEEN 0 AND 24
        WHEN 'range' THEN row.value BETWEEN -100 AND 0
        WHEN 'attack' THEN row.value BETWEEN 0.1 AND 250
        WHEN 'hold' THEN row.value BETWEEN 0 AND 2000
        WHEN 'release' THEN row.value BETWEEN 5 AND 2500
        WHEN 'keyHighPass' THEN row.value = 0 OR row.value BETWEEN 20 AND 2000 ELSE 0 END
      WHEN 'limiter' THEN CASE row.parameter
        WHEN 'ceiling' THEN row.value BETWEEN -24 AND 0
        WHEN 'release' THEN row.value BETWEEN 1 AND 2500
        WHEN 'lookAhead' THEN row.value BETWEEN 1 AND 10 ELSE 0 END
      WHEN 'delay' THEN CASE row.parameter
        WHEN 'time' THEN row.value BETWEEN 1 AND 5000
        WHEN 'noteLength' THEN row.value BETWEEN 0 AND 16
        WHEN 'feedback' THEN row.value BETWEEN 0 AND 0.95
        WHEN 'pingPong' THEN row.value IN (0, 1)
        WHEN 'lowCut' THEN row.value = 0 OR row.value BETWEEN 20 AND 20000
        WHEN 'highCut' THEN row.value = 0 OR row.value BETWEEN 20 AND 20000
        WHEN 'mix' THEN row.value BETWEEN 0 AND 1 ELSE 0 END
      WHEN 'reverb' THEN CASE row.parameter
        WHEN 'decay' THEN row.value BETWEEN 0.2 AND 20
        WHEN 'size' THEN row.value BETWEEN 0.2 AND 2
        WHEN 'lowDecay' THEN row.value BETWEEN 0.25 AND 4
        WHEN 'highDecay' THEN row.value BETWEEN 0.1 AND 1
        WHEN 'preDelay' THEN row.value BETWEEN 0 AND 250
        WHEN 'width' THEN row.value BETWEEN 0 AND 1
        WHEN 'mix' THEN row.value BETWEEN 0 AND 1 ELSE 0 END
      ELSE 1 END FROM effect WHERE id = row.effect), 1)
    """
}
