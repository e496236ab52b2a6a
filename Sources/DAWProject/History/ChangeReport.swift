import DAWModel
import DAWStore

/// What edits changed, for users.
public struct ChangeReport: Sendable {
  /// The rows that are told one by one.
  public var rows: [DescribedRow] = []
  /// Rows of which only the number is told.
  public var counts: [CountedRows] = []
  /// All changes, those that are only counted too.
  let changes: RowChanges
  /// The labels of rows but those of `Content`, and of the regions and lanes of those.
  var labels: [RowKey: String] = [:]
  /// The owners of changed rows of `Content` whose changes do not say it.
  var owners: [RowKey: Int64] = [:]

  public var isEmpty: Bool { rows.isEmpty && counts.isEmpty }
}

/// A row of a table.
struct RowKey: Hashable, Sendable {
  var table: String
  var id: Int64
}

/// A row that edits added, changed or removed.
public struct DescribedRow: Sendable {
  var key: RowKey
  public var operation: RowChange.Operation
  /// "track", "change of tempo".
  public var noun: String
  public var label: RowLabel
  /// Those that differ; of a row that was added or removed none.
  public var fields: [DescribedField] = []
}

/// What users call a row.
public struct RowLabel: Sendable, Equatable {
  /// "Bass", "Drums/Loop"; of a row without a name "change of tempo at 9.1.0 (0:16.000)".
  public var text: String
  /// Whether the text is a name, which does not say what it names.
  public var isName = false
  /// Where a row with a name begins: "9.1.0 (0:16.000)".
  public var place: String?
}

/// A field before and after an edit.
public struct DescribedField: Sendable, Equatable {
  /// "volume", "muted", "MIDI output".
  public var name: String
  /// "-6 dB"; both are `nil` if the values mean nothing to users.
  public var old: String?
  public var new: String?
}

/// Rows of one kind.
public struct CountedRows: Sendable, Equatable {
  public var noun: String
  /// The region of notes and events, if it is known and there is one.
  public var parent: String?
  public var added = 0
  public var changed = 0
  public var removed = 0

  mutating func count(_ operation: RowChange.Operation) {
    switch operation {
    case .added: added += 1
    case .changed: changed += 1
    case .removed: removed += 1
    }
  }
}
