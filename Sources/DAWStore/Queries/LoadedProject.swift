import DAWModel
import GRDB

/// A project as it was read, and what it takes to bring it up to date by reading only what has changed since.
public struct LoadedProject: Sendable {
  public let project: Project
  /// How far the rows had to be read to get here: for tests and measurements.
  let wasReadWhole: Bool
  fileprivate let stamp: Stamp

  /// What says that a later state of the file comes from this one by way of the journal's entries.
  fileprivate struct Stamp: Equatable {
    var revision: Int64
    /// Of that revision: another file has another one.
    var entryID: Int64?
    var schemaVersion: Int
    /// Whether the journal leads to what was read: no other program had written since.
    var isJournaled: Bool
  }
}

extension ProjectView {
  /// The whole project as it is now, equal to what `project()` reads.
  ///
  /// Where the journal says what has changed since `earlier`, that alone is read; all else is taken from there, and the
  /// arrays of notes and events that did not change keep their identity. Anything that the journal does not say for certain
  /// makes it read the whole project: a write by another program, a change of the schema, entries that are folded, pruned
  /// or not there, and changes so large that reading all is quicker. A write that neither the journal nor the schema's
  /// triggers have noticed is found only where nobody has made an edit since.
  /// - Parameter earlier: of the same file, or `nil`.
  public func load(after earlier: LoadedProject?) throws -> LoadedProject {
    let stamp = try stamp()
    if let earlier, let project = try? update(earlier, to: stamp) {
      return LoadedProject(project: project, wasReadWhole: false, stamp: stamp)
    }
    return LoadedProject(project: try project(), wasReadWhole: true, stamp: stamp)
  }

  private func stamp() throws -> LoadedProject.Stamp {
    let state = try Journal(database: database).state()
    return LoadedProject.Stamp(
      revision: state.revision, entryID: try entryID(ofRevision: state.revision),
      schemaVersion: try Migrator.version(of: database), isJournaled: state.outsideChanges == 0)
  }

  private func entryID(ofRevision revision: Int64) throws -> Int64? {
    try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT entryID FROM journalEntry WHERE revision = ?"), arguments: [revision])
  }

  /// - Returns: `nil` where all must be read.
  private func update(_ earlier: LoadedProject, to stamp: LoadedProject.Stamp) throws -> Project? {
    let before = earlier.stamp
    // Without a new entry, what has changed is not in the journal.
    guard before.isJournaled, stamp.isJournaled, before.schemaVersion == stamp.schemaVersion,
      before.revision < stamp.revision, let id = before.entryID, try entryID(ofRevision: before.revision) == id,
      let changes = try changes(after: before)
    else { return nil }
    let old = earlier.project
    let header = try header()
    let notes = try Self.updated(old.notes, by: changes.notes, in: database)
    let events = try Self.updated(old.events, by: changes.events, in: database)
    guard let notes, let events else { return nil }
    return Project(
      id: header.id, createdDate: header.createdDate, modifiedDate: header.modifiedDate, revision: header.revision,
      settings: header.settings, tracks: changes.concern("track") ? try tracks() : Array(old.tracks.values),
      regions: try updatedRegions(old.regions, changes.regions), notes: notes, events: events,
      audioFiles: changes.concern("audioFile") ? try audioFiles() : Array(old.audioFiles.values),
      soundFonts: changes.concern("soundFont") ? try soundFonts() : Array(old.soundFonts.values), marks: try marks())
  }

  private func updatedRegions(_ old: [RegionID: Region], _ changed: Set<Int64>) throws -> [Region] {
    var regions = old
    for id in changed.map(RegionID.init(rawValue:)) { regions[id] = try region(id) }
    return Array(regions.values)
  }

  /// What the journal says of the entries after one that it still has.
  /// - Returns: `nil` where it does not say all, or so much that it is quicker to read the project.
  private func changes(after before: LoadedProject.Stamp) throws -> JournaledChanges? {
    let journal = Journal(database: database)
    let size = try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT coalesce(sum(length(changeset)), 0) FROM journalEntry WHERE revision > ?"),
      arguments: [before.revision])
    guard let size, size <= Self.mostBytes else { return nil }
    var changes = JournaledChanges()
    var revision = before.revision
    for entry in try journal.entries(after: revision) {
      revision += 1
      guard entry.revision == revision, entry.schemaVersion == before.schemaVersion,
        ![.create, .base].contains(entry.kind)
      else { return nil }
      try changes.add(journal.changeset(ofRevision: revision))
    }
    return changes
  }

  /// Of changesets as they are stored: as much as some hundred thousand notes.
  private static let mostBytes = 4 << 20
}
