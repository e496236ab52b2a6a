import CSQLiteSession
import DAWModel
import GRDB

/// Records the changes of one edit to the model's tables, through SQLite's session extension. Rows that come by the
/// million are recorded directly by the code that writes them. Lives as long as the edit's transaction.
///
/// The changeset is equal to that of the session extension alone, except that directly recorded rows are in the order
/// in which they were written, not in that of the extension's hash table. Neighbouring rows are therefore undone and
/// redone together, and compress better.
final class ChangeRecorder {
  private let database: Database
  fileprivate var sections: [Section] = []

  /// Consecutive tables of the changeset that share a session.
  fileprivate struct Section {
    var session: ChangeSession
    /// Set for a table whose rows may be recorded directly.
    var direct: DirectChanges?
  }

  /// The tables whose rows may be recorded directly, with the columns in the order that their `BulkRow` conformance
  /// uses.
  private static let directColumns = [
    MIDINote.table: MIDINote.sql.columns, RegionEvent.table: RegionEvent.sql.columns,
    LanePoint.table: LanePoint.sql.columns,
  ]

  /// - Parameter tables: the model's, children first.
  init(of tables: [String], in database: Database) throws {
    self.database = database
    var rest = tables[...]
    while let table = rest.first {
      let isDirect = Self.directColumns[table] != nil
      let run = isDirect ? rest.prefix(1) : rest.prefix { Self.directColumns[$0] == nil }
      rest = rest.dropFirst(run.count)
      sections.append(Section(session: try ChangeSession(of: Array(run), in: database)))
    }
  }

  /// Access to the direct recording of one table.
  struct Recording {
    fileprivate let recorder: ChangeRecorder
    fileprivate let section: Int
    fileprivate let table: String

    /// Runs `body`, which changes rows of this table only and records them itself.
    func directly(_ body: (inout DirectChanges) throws -> Void) rethrows {
      // Moved out rather than copied, so that `body` appends to the same buffer.
      var changes =
        recorder.sections[section].direct
        ?? DirectChanges(table: table, columnCount: ChangeRecorder.columnCount(of: table))
      recorder.sections[section].direct = nil
      for section in recorder.sections { section.session.isListening = false }
      defer {
        for section in recorder.sections { section.session.isListening = true }
        recorder.sections[section].direct = changes
      }
      try body(&changes)
    }
  }

  /// Direct recording of new rows of a table, with ids that no other row has.
  /// - Returns: `nil` if the session extension must record them, since it may have recorded the same rows before.
  func recordingOfInsertions(into table: String) throws -> Recording? {
    guard let index = try directSection(table), sections[index].session.isEmpty else { return nil }
    return Recording(recorder: self, section: index, table: table)
  }

  /// Direct recording of changed rows; each row may be changed once only.
  /// - Returns: `nil` if the session extension must record them, since the rows may have been recorded before.
  func recordingOfUpdates(of table: String) throws -> Recording? {
    guard let index = try directSection(table), sections[index].session.isEmpty,
      sections[index].direct?.isEmpty ?? true
    else { return nil }
    return Recording(recorder: self, section: index, table: table)
  }

  fileprivate static func columnCount(of table: String) -> Int {
    table == LanePoint.table ? LanePoint.sql.columnNames.count : 8
  }

  /// The section of a table, if the table's columns are exactly those of `directColumns`.
  private func directSection(_ table: String) throws -> Int? {
    guard let columns = Self.directColumns[table],
      let index = sections.firstIndex(where: { $0.session.tables == [table] })
    else { return nil }
    guard sections[index].direct == nil else { return index }
    let found = try String.fetchOne(
      database.cachedStatement(sql: "SELECT group_concat(name, ', ') FROM pragma_table_info(?)"), arguments: [table])
    return found == columns ? index : nil
  }

  /// The changes recorded so far.
  func changeset() throws -> StoredChangeset {
    var parts: [(compressed: [DeflatedPiece], rest: [UInt8])] = []
    for section in sections {
      guard let direct = section.direct, !direct.isEmpty else {
        parts.append(([], try section.session.changeset().bytes))
        continue
      }
      if section.session.isEmpty {
        parts.append(try direct.finish())
      } else {
        // The extension has recorded later changes of such rows in the same edit.
        parts.append(([], try Changeset.joining([direct.changeset(), section.session.changeset()]).bytes))
      }
    }
    guard parts.contains(where: { !$0.compressed.isEmpty }) else {
      return try Changeset(bytes: parts.flatMap(\.rest)).stored()
    }
    let pieces = parts.flatMap { part in
      part.compressed.map(Optional.some) + (part.rest.isEmpty ? [] : [DeflatedPiece(part.rest[...])])
    }
    return try DeflatedPiece.stored(pieces)
  }
}
