import DAWModel
import Foundation
import GRDB

extension ProjectStore {
  /// Migrates the file itself, after a backup. A store that was open for reading, because the file is older, stays so.
  /// - Parameter backup: where the copy of the older file goes.
  /// - Returns: the version that it had.
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

  /// The same on the store that has the file itself open.
  func migrate(backup: String) throws {
    if case .readOnly(let reason) = access { throw StoreError.readOnly(path: path, reason: reason) }
    try vacuum(into: backup)
    try write { database in
      try requireSchema(database)
      try migrator.migrate(database)
      return (.commit, ())
    }
  }

  /// A whole copy of the file as it is now, made while others may write. It lies hidden beside its final name, as
  /// `partialCopy` says, until it is complete and on the disk.
  /// - Parameter copy: of a file that is not there.
  public func vacuum(into copy: String) throws {
    guard !FileManager.default.fileExists(atPath: copy) else { throw StoreError.exists(path: copy) }
    let partial = Self.partialCopy(of: copy)
    defer { for ending in ["", "-journal"] { unlink(partial + ending) } }
    try translatingErrors(copy) {
      try queue.writeWithoutTransaction { database in
        try watch.begin(database)
        try ConnectionLimits.allowingChangesets(database) {
          try database.execute(sql: "VACUUM INTO ?", arguments: [partial])
        }
      }
    }
    try Self.putInPlace(partial, as: copy)
  }

  /// Gives a copy that is complete its final name.
  static func putInPlace(_ partial: String, as copy: String) throws {
    let folder = (copy as NSString).deletingLastPathComponent
    guard FileSystem.sync(partial), rename(partial, copy) == 0, FileSystem.sync(folder.isEmpty ? "." : folder) else {
      throw StoreError.io(path: copy, detail: String(cString: strerror(errno)))
    }
  }

  /// What `vacuum` calls a copy in the making; a killed process leaves it.
  public static func partialCopy(of copy: String) -> String {
    let path = copy as NSString
    let folder = path.deletingLastPathComponent as NSString
    return folder.appendingPathComponent("." + path.lastPathComponent + partialEnding)
  }

  /// Whether a file's name is that of such a copy, or of SQLite's own beside it.
  public static func isPartialCopy(_ name: String) -> Bool {
    name.hasPrefix(".") && [partialEnding, partialEnding + "-journal"].contains { name.hasSuffix($0) }
  }

  private static let partialEnding = ".partial"

  /// A copy in memory at the newest version, which cannot be edited.
  func migratedForReading(from version: Int) throws -> ProjectStore {
    let watch = ConnectionGuard(path: path, migrator: migrator)
    let memory = try DatabaseQueue(configuration: Self.configuration(watch: watch))
    try queue.backup(to: memory)
    try queue.close()
    try memory.write { database in
      try watch.begin(database)
      try migrator.migrate(database)
    }
    let reason =
      if case .readOnly(let reason) = access { reason } else {
        "it is of an older version of daw; 'daw upgrade' brings it up to date"
      }
    return ProjectStore(
      queue: memory, watch: watch, path: path, access: .readOnly(reason: reason), clock: clock, migrator: migrator,
      olderVersion: version)
  }
}
