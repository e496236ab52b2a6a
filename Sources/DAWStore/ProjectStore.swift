import DAWModel
import GRDB

/// An open project file. Several processes may have it open at once. All edits go through `edit`.
///
/// Any thread; calls are serialized.
public final class ProjectStore: Sendable {
  let queue: DatabaseQueue
  let connectionGuard: ConnectionGuard
  /// The project file, or `:memory:`.
  public let path: String
  public let access: StoreAccess
  let clock: @Sendable () -> Timestamp
  let identifiers: IdentifierSource
  let migrator: Migrator
  /// The schema version of the file, if this store is a migrated copy of it for reading.
  let olderVersion: Int?
  let recordingIDs = KeptRecordingIDs()
  package let keptMedia = KeptMedia()

  /// The schema version that this program writes.
  public static var schemaVersion: Int { Migrator.released.currentVersion }

  init(
    queue: DatabaseQueue, connectionGuard: ConnectionGuard, path: String, access: StoreAccess,
    clock: @escaping @Sendable () -> Timestamp, migrator: Migrator = .released, olderVersion: Int? = nil
  ) {
    self.queue = queue
    self.connectionGuard = connectionGuard
    self.path = path
    self.access = access
    self.clock = clock
    self.migrator = migrator
    self.olderVersion = olderVersion
    identifiers = IdentifierSource(now: { clock().milliseconds })
  }

  /// Closes the file. The last process that closes it removes the write-ahead log. Later calls fail.
  public func close() throws { try translatingErrors(path) { try queue.close() } }

  /// Runs `body` on a consistent snapshot of the project.
  public func read<T>(_ body: (ProjectView) throws -> T) throws -> T {
    try reading { try body(ProjectView(database: $0, memory: ViewMemory(recordingIDs: recordingIDs))) }
  }

  /// Runs `body` in a read transaction. Every read goes through here, since another process may have changed the
  /// schema.
  func reading<T>(_ body: (Database) throws -> T) throws -> T {
    try translatingErrors(path) {
      try queue.read { database in
        try database.distinguishingReadErrors {
          try connectionGuard.begin(database)
          return try body(database)
        }
      }
    }
  }
}

/// Whether a project file can be written.
public enum StoreAccess: Equatable, Sendable {
  case readWrite
  /// Edits are refused. The reason is the end of a sentence: "its folder cannot be written".
  case readOnly(reason: String)
}

/// The outcome of an edit.
public struct EditResult<Value> {
  public var value: Value
  /// The project's revision: this edit's, if it changed anything.
  public var revision: Int64
  /// `nil` if nothing was changed, or the edit was a trial.
  public var entry: JournalEntry?
}

extension EditResult: Sendable where Value: Sendable {}
