import DAWModel
import GRDB

/// The state of a project at which it was indexed, to tell whether a later state follows from it by journal entries.
struct SearchState: Equatable {
  var project: String
  var revision: Int64
  /// The id of that revision's journal entry; another file has another one.
  var entryID: Int64
  var schemaVersion: Int
  var factNumber: Int64
  /// Whether no other program had written since the newest entry.
  var isJournaled: Bool
}

/// What an update of an index has read.
package struct SearchUpdate: Equatable, Sendable {
  /// Whether all texts of the project were read.
  package var isWhole = false
  /// Texts that were read.
  package var textCount = 0
}

extension ProjectView {
  func searchState() throws -> SearchState {
    let state = try Journal(database: database).state()
    return SearchState(
      project: try header().id.uuidString, revision: state.revision,
      entryID: try entryID(ofRevision: state.revision) ?? 0, schemaVersion: try Migrator.version(of: database),
      factNumber: try FactTables(database: database).number(), isJournaled: state.externalWrites == 0)
  }

  /// The rows whose texts may have changed by edits since an earlier state, by source. Facts are in no journal.
  /// - Returns: `nil` if the journal does not tell.
  func changedTexts(from before: SearchState, to now: SearchState) throws -> [SearchKind: Set<Int64>]? {
    guard before.isJournaled, now.isJournaled, before.project == now.project,
      before.schemaVersion == now.schemaVersion, before.revision <= now.revision,
      before.entryID != 0, try entryID(ofRevision: before.revision) == before.entryID,
      let changesets = try changesets(after: before.revision, schemaVersion: before.schemaVersion)
    else { return nil }
    let sources = Dictionary(grouping: SearchSource.all, by: \.table)
    var changed: [SearchKind: Set<Int64>] = [:]
    for changeset in changesets {
      try changeset.forEachRow { row in
        for source in sources[row.table] ?? [] {
          guard source.isOfOwner else {
            changed[source.kind, default: []].insert(row.id)
            continue
          }
          let owners = [row.oldSecond, row.newSecond].compactMap(\.self)
          // A change of other columns does not name the owner. A row that is gone by now is named when it goes.
          let owner = owners.isEmpty ? try owner(of: row.id, in: source) : nil
          changed[source.kind, default: []].formUnion(owners + [owner].compactMap(\.self))
        }
      }
    }
    return changed
  }

  private func owner(of row: Int64, in source: SearchSource) throws -> Int64? {
    try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT region FROM \(source.table) WHERE id = ?"), arguments: [row])
  }
}
