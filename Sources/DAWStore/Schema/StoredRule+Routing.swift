import DAWModel

extension StoredRule {
  /// Strips, outputs, sends and groups, which version 5 brought.
  static let ofRouting = [
    limit(.trim, "track", "trim", "BETWEEN -24.0 AND 24.0", since: 5),
    limit(.invertedSides, "track", "invertedSides", "IN ('none', 'left', 'right', 'both')", since: 5),
    limit(.stereoWidth, "track", "stereoWidth", "BETWEEN -1.0 AND 2.0", since: 5),
    Self(
      rule: .output, table: "track", columns: ["outputBus", "isOutputConnected", "trackType"],
      condition: """
        (row.outputBus IS NOT NULL AND (row.isOutputConnected = 0 OR row.outputBus = row.id
          OR (SELECT trackType FROM track AS bus WHERE bus.id = row.outputBus) <> 'bus'))
        OR (row.trackType = 'master' AND (row.outputBus IS NOT NULL OR row.isOutputConnected = 0))
        """, value: "'the output of track ''' || row.name || ''''",
      parents: [Parent(table: "track", reference: "outputBus", columns: ["trackType"])], since: 5),
    Self(
      rule: .send, table: "send", columns: ["track", "bus"],
      condition: """
        (SELECT trackType FROM track WHERE id = row.track) = 'master'
        OR (SELECT trackType FROM track WHERE id = row.bus) <> 'bus'
        """, value: "'a send of track ''' || (SELECT name FROM track WHERE id = row.track) || ''''",
      parents: [Parent(table: "track", reference: "bus", columns: ["trackType"])], since: 5),
    Self(
      rule: .sendIsOnce, table: "send", columns: ["track", "bus"],
      condition: "EXISTS (SELECT 1 FROM send WHERE track = row.track AND bus = row.bus AND id <> row.id)",
      value: "'a second send to track ''' || (SELECT name FROM track WHERE id = row.bus) || ''''", since: 5),
    level(.sendLevel, "send", "level", since: 5),
    limit(.pan, "send", "pan", "BETWEEN -1 AND 1", since: 5),
    name(of: "trackGroup", since: 5),
    Self(
      rule: .groupNameIsUnique, table: "trackGroup", columns: ["nameKey"],
      condition: "EXISTS (SELECT 1 FROM trackGroup WHERE nameKey = row.nameKey AND id <> row.id)",
      value: "'the name ''' || row.name || ''''", since: 5),
    level(.volume, "trackGroup", "volume", since: 5),
    Self(
      rule: .groupMember, table: "groupMember", columns: ["track"],
      condition: "(SELECT trackType FROM track WHERE id = row.track) = 'master'", value: "'the master in a group'",
      since: 5),
    Self(
      rule: .memberIsOnce, table: "groupMember", columns: ["track", "trackGroup"],
      condition: """
        EXISTS (SELECT 1 FROM groupMember WHERE track = row.track AND trackGroup = row.trackGroup AND id <> row.id)
        """, value: "'track ''' || (SELECT name FROM track WHERE id = row.track) || ''''", since: 5),
    references(of: "track", ["outputBus": "track"], since: 5),
    references(of: "send", ["track": "track", "bus": "track"], since: 5),
    references(of: "groupMember", ["track": "track", "trackGroup": "trackGroup"], since: 5),
  ]
}
