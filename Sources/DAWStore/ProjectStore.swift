import DAWModel
import GRDB

/// A project file, opened. Every edit of it takes the one path of `edit(_:)`; several processes may have it open at once.
///
/// May be used from any thread; calls run one after the other.
public final class ProjectStore: Sendable {
  let queue: DatabaseQueue
  let watch: ConnectionGuard
  /// The project file, or `:memory:`.
  public let path: String
  public let access: StoreAccess
  let clock: @Sendable () -> Timestamp
  let identifiers: IdentifierSource
  let migrator: Migrator
  /// The schema version of the file, where this store is a migrated copy of it for reading.
  let olderVersion: Int?

  /// The schema version that this program writes.
  public static var schemaVersion: Int { Migrator.released.currentVersion }

  init(
    queue: DatabaseQueue, watch: ConnectionGuard, path: String, access: StoreAccess,
    clock: @escaping @Sendable () -> Timestamp, migrator: Migrator = .released, olderVersion: Int? = nil
  ) {
    self.queue = queue
    self.watch = watch
    self.path = path
    self.access = access
    self.clock = clock
    self.migrator = migrator
    self.olderVersion = olderVersion
    identifiers = IdentifierSource(now: { clock().milliseconds })
  }

  /// Closes the file. The last process to do so leaves no write-ahead log. Later calls fail.
  public func close() throws { try translatingErrors(path) { try queue.close() } }

  /// Runs `body` on one unchanging state of the project.
  public func read<T>(_ body: (ProjectView) throws -> T) throws -> T {
    try reading { try body(ProjectView(database: $0)) }
  }

  /// Runs `body` in a transaction that cannot write. Every reader comes through here: another process may have changed the
  /// schema since.
  func reading<T>(_ body: (Database) throws -> T) throws -> T {
    try translatingErrors(path) {
      try queue.read { database in
        try watch.begin(database)
        return try body(database)
      }
    }
  }
}

/// How a project file could be opened.
public enum StoreAccess: Equatable, Sendable {
  case readWrite
  /// Edits are refused, for a reason that ends a sentence: "its folder cannot be written".
  case readOnly(reason: String)
}

/// What an edit came to.
public struct EditResult<Value> {
  public var value: Value
  /// The newest edit's number: this one's, if it changed anything.
  public var revision: Int64
  /// `nil` where nothing was changed, or the edit was only tried.
  public var entry: JournalEntry?
}

extension EditResult: Sendable where Value: Sendable {}
