import DAWModel
import Foundation
import GRDB

extension ProjectStore {
  /// Backs up and migrates the file itself. A store that was opened for reading because the file is older stays
  /// read-only.
  /// - Parameter backup: the path of the backup.
  /// - Returns: the version that the file had.
  public func upgrade(backup: String) throws -> Int {
    guard let olderVersion else {
      if case .readOnly(let reason) = access { throw StoreError.readOnly(path: path, reason: reason) }
      return try reading(Migrator.version)
    }
    let file = try Self.openFile(at: path, busyTimeout: Self.busyTimeout, clock: clock, migrator: migrator)
    try file.migrate(backup: backup)
    try file.close()
    return olderVersion
  }

  /// Backs up and migrates the file of this store, which has opened it for writing.
  func migrate(backup: String) throws {
    if case .readOnly(let reason) = access { throw StoreError.readOnly(path: path, reason: reason) }
    try vacuum(into: backup)
    try write { database in
      try requireSchema(database)
      try migrator.migrate(database)
      return (.commit, ())
    }
  }

  /// Copies the file as it is now; other processes may write meanwhile. The copy is hidden beside its final name (see
  /// `partialCopy`) until it is complete and on the disk.
  /// - Parameter copy: must not exist.
  public func vacuum(into copy: String) throws {
    guard !FileManager.default.fileExists(atPath: copy) else { throw StoreError.exists(path: copy) }
    let partial = Self.partialCopy(of: copy)
    defer { for ending in ["", "-journal"] { unlink(partial + ending) } }
    try Self.prepareCopy(partial, of: path)
    try translatingErrors(copy) {
      try queue.writeWithoutTransaction { database in
        try connectionGuard.begin(database)
        try ConnectionLimits.allowingCopy(database) {
          try database.execute(sql: "VACUUM INTO ?", arguments: [partial])
        }
      }
    }
    try Self.putInPlace(partial, as: copy)
  }

  /// Lets a copy that `vacuum` has made, which has no write-ahead log, have one as a new project has. It must be open
  /// nowhere else.
  public func beginLog() throws {
    guard case .readWrite = access, !FileSystem.isNetwork(path) else { return }
    try translatingErrors(path) {
      try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    }
  }

  /// The mode of a copy of a project file: it allows others no more than the file itself does.
  static func modeOfCopy(of path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o666 | 0o600 : 0o600
  }

  /// Makes the empty file that a copy is written into, since SQLite would let everyone read it.
  /// - Throws: `StoreError.io`, also if the name exists.
  static func prepareCopy(_ partial: String, of path: String) throws {
    let made = Glibc.open(partial, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, modeOfCopy(of: path))
    guard made >= 0 else { throw StoreError.io(path: partial, detail: String(cString: strerror(errno))) }
    Glibc.close(made)
  }

  /// Renames a complete copy to its final name.
  static func putInPlace(_ partial: String, as copy: String) throws {
    let folder = (copy as NSString).deletingLastPathComponent
    guard FileSystem.sync(partial), rename(partial, copy) == 0, FileSystem.sync(folder.isEmpty ? "." : folder) else {
      throw StoreError.io(path: copy, detail: String(cString: strerror(errno)))
    }
  }

  /// The name of an incomplete copy of `vacuum`; a killed process leaves it behind.
  static func partialCopy(of copy: String) -> String {
    let path = copy as NSString
    let folder = path.deletingLastPathComponent as NSString
    return folder.appendingPathComponent("." + path.lastPathComponent + partialEnding)
  }

  /// Whether a file name is that of an incomplete copy, or of a file that SQLite keeps beside it.
  public static func isPartialCopy(_ name: String) -> Bool {
    name.hasPrefix(".") && [partialEnding, partialEnding + "-journal"].contains { name.hasSuffix($0) }
  }

  private static let partialEnding = ".partial"

  /// A copy in memory migrated to the newest version, which cannot be edited.
  func migratedForReading(from version: Int) throws -> ProjectStore {
    let connectionGuard = ConnectionGuard(path: path, migrator: migrator)
    let memory = try DatabaseQueue(configuration: Self.configuration(connectionGuard: connectionGuard))
    try queue.backup(to: memory)
    try queue.close()
    try memory.write { database in
      try connectionGuard.begin(database)
      try migrator.migrate(database)
    }
    let reason =
      if case .readOnly(let reason) = access { reason } else {
        "it is of an older version of daw; 'daw upgrade' brings it up to date"
      }
    return ProjectStore(
      queue: memory, connectionGuard: connectionGuard, path: path, access: .readOnly(reason: reason), clock: clock,
      migrator: migrator,
      olderVersion: version)
  }
}
