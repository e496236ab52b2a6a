import DAWModel
import GRDB

/// A project as it was read, with what is needed to update it by reading only rows that have changed since.
public struct LoadedProject: Sendable {
  public let project: Project
  /// Whether all rows were read: for tests and measurements.
  let wasReadWhole: Bool
  fileprivate let stamp: Stamp

  /// Identifies a state of the file, to check that a later state follows from it by journal entries.
  fileprivate struct Stamp: Equatable {
    var revision: Int64
    /// The id of that revision's entry; another file has another one.
    var entryID: Int64?
    var schemaVersion: Int
    /// Whether the journal led to this state: no other program had written since the newest entry.
    var isJournaled: Bool
  }
}

extension ProjectView {
  /// The whole project as it is now, equal to the result of `project()`.
  ///
  /// If the journal tells what has changed since `earlier`, only that is read; everything else is taken from `earlier`,
  /// and unchanged arrays of notes and events keep their identity. The whole project is read after a write by another
  /// program, a change of the schema, if entries were folded or pruned, and if the changes are so large that it is
  /// faster. A write that neither the journal nor the schema's triggers have recorded is found only if no edit was made
  /// since.
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
      schemaVersion: try Migrator.version(of: database), isJournaled: state.externalWrites == 0)
  }

  func entryID(ofRevision revision: Int64) throws -> Int64? {
    try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT entryID FROM journalEntry WHERE revision = ?"), arguments: [revision])
  }

  /// - Returns: `nil` if the whole project must be read.
  private func update(_ earlier: LoadedProject, to stamp: LoadedProject.Stamp) throws -> Project? {
    let before = earlier.stamp
    // Without a new entry, the journal does not contain the change.
    guard before.isJournaled, stamp.isJournaled, before.schemaVersion == stamp.schemaVersion,
      before.revision < stamp.revision, let id = before.entryID, try entryID(ofRevision: before.revision) == id,
      let changes = try changes(after: before)
    else { return nil }
    var project = earlier.project
    let header = try header()
    (project.modifiedDate, project.revision, project.settings) = (header.modifiedDate, header.revision, header.settings)
    guard project.id == header.id else { return nil }
    for case let entity as any Content.Type in EntityKind.allCases.map(\.entity) {
      try Self.update(entity, of: &project, by: changes, in: database)
    }
    for id in changes.regions.map(RegionID.init(rawValue:)) { project.regions[id] = try region(id) }
    for kind in EntityKind.allCases where changes.concern(kind.entity.table) {
      try Self.read(kind.entity, into: &project, in: database)
    }
    return project
  }

  /// The changes of the entries after `before`.
  /// - Returns: `nil` if the journal does not contain them all, or reading the project is faster.
  private func changes(after before: LoadedProject.Stamp) throws -> JournaledChanges? {
    guard let changesets = try changesets(after: before.revision, schemaVersion: before.schemaVersion) else {
      return nil
    }
    var changes = JournaledChanges()
    for changeset in changesets { try changes.add(changeset) }
    return changes
  }

  /// The changesets of the entries after a revision, oldest first.
  /// - Returns: `nil` if the journal does not contain them all, or they are so large that reading the project is
  ///   faster.
  func changesets(after revision: Int64, schemaVersion: Int) throws -> [Changeset]? {
    let journal = Journal(database: database)
    let size = try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT coalesce(sum(length(changeset)), 0) FROM journalEntry WHERE revision > ?"),
      arguments: [revision])
    guard let size, size <= Self.maximumBytes else { return nil }
    var changesets: [Changeset] = []
    var revision = revision
    for entry in try journal.entries(after: revision) {
      revision += 1
      guard entry.revision == revision, entry.schemaVersion == schemaVersion, ![.create, .base].contains(entry.kind)
      else { return nil }
      changesets.append(try journal.changeset(ofRevision: revision))
    }
    return changesets
  }

  /// The greatest stored size of changesets to read, in bytes: about a hundred thousand notes.
  private static let maximumBytes = 4 << 20
}
