import DAWModel
import GRDB

extension ProjectView {
  private var journal: Journal { Journal(database: database) }

  /// The entry of a revision.
  /// - Throws: `StoreError.revisionNotFound`, `.historyFolded`, `.revisionPruned`.
  public func entry(ofRevision revision: Int64) throws -> JournalEntry {
    if let entry = try journal.entry(ofRevision: revision) { return entry }
    return try History(journal.entries(), state: journal.state()).entry(ofRevision: revision)
  }

  /// As `ProjectStore.history(includesAll:)`.
  public func history(includesAll: Bool) throws -> [(entry: JournalEntry, status: JournalStatus)] {
    let journal = journal
    return try History(journal.entries(), state: journal.state()).listing(includesAll: includesAll)
  }

  /// What an edit changed.
  public func changes(of entry: JournalEntry) throws -> RowChanges {
    RowChanges(changeset: try journal.changeset(ofRevision: entry.revision), layout: try tableLayout())
  }

  /// What differs between the states of two revisions: what was changed and changed back is left out.
  /// - Throws: as `entry(ofRevision:)`.
  public func changes(fromRevision first: Int64, to second: Int64) throws -> RowChanges {
    let journal = journal
    let way = try History(journal.entries(), state: journal.state()).way(fromRevision: first, to: second)
    let layout = try tableLayout()
    let group = try ChangesetGroup()
    for entry in way.back {
      try group.add(journal.changeset(ofRevision: entry.revision).widened(to: layout).inverted())
    }
    for entry in way.forth { try group.add(journal.changeset(ofRevision: entry.revision).widened(to: layout)) }
    return RowChanges(changeset: try group.joined(), layout: layout)
  }

  func tableLayout() throws -> TableLayout {
    if let layout = memory.layout { return layout }
    let layout = try TableLayout(of: database)
    memory.layout = layout
    return layout
  }
}
