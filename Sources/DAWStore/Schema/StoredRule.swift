import DAWModel

/// A rule over stored rows, as SQL. From it are made the triggers that refuse any program's rows, and the audit's query
/// for rows that break it.
///
/// Rules that never change (MIDI's ranges, no negative time, types, references) are `CHECK`s and `REFERENCES` of the
/// tables. A change of this list is a new schema version: the entry gets its last version in `until`, its successor the
/// next one in `since`.
struct StoredRule: Sendable {
  /// Another table whose changes can break the rule.
  struct Parent: Sendable {
    var table: String
    /// The column of the rule's table that refers to it.
    var reference: String
    /// The columns whose change can break the rule; if empty, no trigger checks it.
    var columns: [String]
  }

  var rule: Rule
  var table: String
  /// The columns whose change can break the rule; if empty, no trigger checks a change of the row itself.
  var columns: [String]
  /// Whether the row breaks the rule. The row's columns are written `row.column`; constants of the program must not be
  /// interpolated.
  var condition: String
  /// Describes the violation in words, as SQL over `row.`; if `nil`, the audit checks the rule with
  /// `Entity.validate()`, or by counting.
  var value: String?
  var parents: [Parent] = []
  /// The audit's tables, if they are not only the rule's table as `row`.
  var source: String?
  var since = StoredRule.firstVersion
  var until = Int.max

  /// The first schema version whose triggers are made from the list.
  static let firstVersion = 3
}

// MARK: Triggers

extension StoredRule {
  /// All triggers of a version: those of the list, of `Transition.all` and `contentTriggers`, and those that count
  /// other programs' writes.
  /// - Parameter tables: the version's.
  static func triggers(ofVersion version: Int, tables: [String]) -> [String] {
    let rules = all.filter { $0.since <= version && version <= $0.until && $0.rule.enforcement == .schema }
    let transitions = Transition.all(tables).filter { $0.since <= version && version <= $0.until }
    return rules.flatMap(\.triggers) + transitions.map(\.trigger) + contentTriggers
      + tables.flatMap(externalWriteTriggers)
  }

  private var triggers: [String] {
    let refusal = "BEGIN SELECT RAISE(ABORT, 'rule \(rule.rawValue)'); END"
    let ofNewRow = condition.replacing("row.", with: "NEW.")
    let own =
      columns.isEmpty
      ? []
      : [("insert", "INSERT"), ("update", "UPDATE OF \(columns.joined(separator: ", "))")].map { name, event in
        "CREATE TRIGGER \(rule.rawValue)_\(table)_\(name) BEFORE \(event) ON \(table)\nWHEN \(ofNewRow)\n\(refusal)"
      }
    return own
      + parents.filter { !$0.columns.isEmpty }.map { parent in
        """
        CREATE TRIGGER \(rule.rawValue)_\(table)_\(parent.table)_update
        AFTER UPDATE OF \(parent.columns.joined(separator: ", ")) ON \(parent.table)
        WHEN EXISTS (SELECT 1 FROM \(table) AS row WHERE row.\(parent.reference) = NEW.id AND (\(condition)))
        \(refusal)
        """
      }
  }

  private static func externalWriteTriggers(of table: String) -> [String] {
    ["insert", "update", "delete"].map { event in
      """
      CREATE TRIGGER externalWrite_\(table)_\(event) AFTER \(event.uppercased()) ON \(table)
      WHEN (SELECT isWriting FROM journalState) = 0
      BEGIN UPDATE journalState SET outsideChanges = outsideChanges + 1; END
      """
    }
  }

  /// Notes and events, of which there are millions, look up their region once for all rules.
  private static let contentTriggers = [
    ("noteWithinRegion", "midiNote", "startTime, duration", "NEW.startTime + NEW.duration"),
    ("eventWithinRegion", "midiEvent", "startTime", "NEW.startTime"),
  ].flatMap { rule, table, columns, end in
    [("insert", "INSERT"), ("update", "UPDATE OF region, \(columns)")].map { name, event in
      """
      CREATE TRIGGER \(rule)_\(table)_\(name) BEFORE \(event) ON \(table)
      WHEN NOT EXISTS (SELECT 1 FROM region WHERE id = NEW.region AND regionType = 'midi' AND duration >= \(end))
      BEGIN SELECT CASE (SELECT regionType FROM region WHERE id = NEW.region)
        WHEN 'midi' THEN RAISE(ABORT, 'rule \(rule)') WHEN 'audio' THEN RAISE(ABORT, 'rule regionFitsTrack')
        ELSE RAISE(ABORT, 'rule referenceExists') END; END
      """
    }
  }
}

/// A rule that forbids a change rather than a state: only a trigger can enforce it.
private struct Transition {
  var rule: Rule
  var table: String
  /// `UPDATE OF trackType`.
  var event: String
  /// Over `OLD` and `NEW`.
  var condition: String
  var since = StoredRule.firstVersion
  var until = Int.max

  var trigger: String {
    let name = event.split(separator: " ").first?.lowercased() ?? ""
    return """
      CREATE TRIGGER change_\(rule.rawValue)_\(table)_\(name) BEFORE \(event) ON \(table)
      WHEN \(condition)
      BEGIN SELECT RAISE(ABORT, 'rule \(rule.rawValue)'); END
      """
  }

  static func all(_ tables: [String]) -> [Transition] {
    tables.map { Transition(rule: .identifier, table: $0, event: "UPDATE OF id", condition: "NEW.id <> OLD.id") } + [
      Transition(rule: .projectIsOne, table: "project", event: "DELETE", condition: "1"),
      Transition(
        rule: .projectIsOne, table: "project", event: "INSERT", condition: "EXISTS (SELECT 1 FROM project)"),
      Transition(rule: .masterStays, table: "track", event: "DELETE", condition: "OLD.trackType = 'master'"),
      // REPLACE fires no trigger of deletion.
      Transition(
        rule: .masterStays, table: "track", event: "INSERT",
        condition: "EXISTS (SELECT 1 FROM track WHERE id = NEW.id AND trackType = 'master')"),
      Transition(
        rule: .masterStays, table: "track", event: "UPDATE OF trackType",
        condition: "(OLD.trackType = 'master') <> (NEW.trackType = 'master')"),
      Transition(
        rule: .trackTypeStays, table: "track", event: "UPDATE OF trackType",
        condition: "OLD.trackType <> NEW.trackType AND EXISTS (SELECT 1 FROM region WHERE track = NEW.id)"),
      Transition(
        rule: .regionType, table: "region", event: "UPDATE OF regionType",
        condition: "OLD.regionType <> NEW.regionType"),
      Transition(
        rule: .effectKind, table: "effect", event: "UPDATE OF kind", condition: "OLD.kind <> NEW.kind", since: 6),
      Transition(
        rule: .mediumIsUnused, table: "audioFile", event: "DELETE",
        condition: "EXISTS (SELECT 1 FROM region WHERE audioFile = OLD.id)", until: 9),
      Transition(
        rule: .mediumIsUnused, table: "audioFile", event: "DELETE",
        condition: """
          EXISTS (SELECT 1 FROM region WHERE audioFile = OLD.id) OR EXISTS (SELECT 1 FROM comment WHERE audioFile = OLD.id)
          """, since: 10),
      Transition(
        rule: .mediumIsUnused, table: "soundFont", event: "DELETE",
        condition: "EXISTS (SELECT 1 FROM instrument WHERE soundFont = OLD.id)"),
      Transition(
        rule: .busIsFed, table: "track", event: "DELETE",
        condition: """
          EXISTS (SELECT 1 FROM track WHERE outputBus = OLD.id) OR EXISTS (SELECT 1 FROM send WHERE bus = OLD.id)
          """, since: 5),
    ]
  }
}
