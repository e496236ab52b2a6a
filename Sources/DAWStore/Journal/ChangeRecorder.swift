import CSQLiteSession
import DAWModel
import GRDB

/// Records what an edit does to the model's tables: through SQLite's session extension, but rows that come by the million
/// directly, from whoever writes them. Lives as long as the edit's transaction.
///
/// The changeset is what the session extension alone would have recorded, except for the order of rows within a table:
/// those recorded directly stand as they were written, not as the extension's hashes fall. So rows that lie together are
/// undone and redone together, and compressed better.
final class ChangeRecorder {
  private let database: Database
  fileprivate var sections: [Section] = []

  /// Tables that stand one behind the other in the changeset, and share a session.
  fileprivate struct Section {
    var session: ChangeSession
    /// Of a table whose rows may be recorded directly.
    var direct: DirectChanges?
  }

  /// Tables whose rows may be recorded directly, with their columns as those know them who write the rows.
  private static let directColumns = [MIDINote.table: MIDINote.columns, RegionEvent.table: RegionEvent.columns]

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

  /// Lets whoever makes changes record them.
  struct Recording {
    fileprivate let recorder: ChangeRecorder
    fileprivate let section: Int
    fileprivate let table: String

    /// Runs `body`, which changes this table's rows and no others, and records that itself.
    func directly(_ body: (inout DirectChanges) throws -> Void) rethrows {
      // Taken out, not copied: what is written goes on in the same memory.
      var changes =
        recorder.sections[section].direct
        ?? DirectChanges(table: table, columnCount: ChangeRecorder.columnCount)
      recorder.sections[section].direct = nil
      for section in recorder.sections { section.session.isListening = false }
      defer {
        for section in recorder.sections { section.session.isListening = true }
        recorder.sections[section].direct = changes
      }
      try body(&changes)
    }
  }

  /// For new rows of a table, with ids that no other row has.
  /// - Returns: `nil` where the session extension must see them: the rows of the table that it has seen may be the same.
  func recordingOfInsertions(into table: String) throws -> Recording? {
    guard let index = try directSection(table), sections[index].session.isEmpty else { return nil }
    return Recording(recorder: self, section: index, table: table)
  }

  /// For changes of rows, each of which is changed once.
  /// - Returns: `nil` where the session extension must see them: the rows may have been recorded already.
  func recordingOfUpdates(of table: String) throws -> Recording? {
    guard let index = try directSection(table), sections[index].session.isEmpty,
      sections[index].direct?.isEmpty ?? true
    else { return nil }
    return Recording(recorder: self, section: index, table: table)
  }

  fileprivate static let columnCount = 8

  /// The section of a table that has the columns that are known here, and no others.
  private func directSection(_ table: String) throws -> Int? {
    guard let columns = Self.directColumns[table],
      let index = sections.firstIndex(where: { $0.session.tables == [table] })
    else { return nil }
    guard sections[index].direct == nil else { return index }
    let found = try String.fetchOne(
      database.cachedStatement(sql: "SELECT group_concat(name, ', ') FROM pragma_table_info(?)"), arguments: [table])
    return found == columns ? index : nil
  }

  /// Everything that was recorded.
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
        // Later in the same edit such rows were changed once more.
        parts.append(([], try Changeset.joining([direct.changeset(), section.session.changeset()]).bytes))
      }
    }
    guard parts.contains(where: { !$0.compressed.isEmpty }) else {
      return try Changeset(bytes: parts.flatMap(\.rest)).stored()
    }
    let pieces = parts.flatMap { part in
      part.compressed.map(Optional.some) + (part.rest.isEmpty ? [] : [DeflatedPiece(part.rest[...])])
    }
    return StoredChangeset(bytes: try DeflatedPiece.joined(pieces), isCompressed: true)
  }
}
