import Foundation
import GRDB

extension ProjectStore {
  /// A snapshot for change detection. If two are equal, the file was not changed between them.
  public struct ChangeMark: Equatable, Sendable {
    /// SQLite's counter of other connections' commits.
    fileprivate var dataVersion: Int64
    /// The size, modification time and inode of the file and of its log.
    fileprivate var stamps: [Int64]
  }

  /// Cheap enough to call many times a second.
  /// - Throws: `StoreError`.
  public func changeMark() throws -> ChangeMark {
    try translatingErrors(path) {
      // SQLite does not count commits for a copy in memory, nor for a file opened as immutable.
      isReadFromCopy
        ? ChangeMark(dataVersion: 0, stamps: Self.stamp(path) + Self.stamp(path + "-wal"))
        : ChangeMark(
          dataVersion: try queue.inDatabase { try Int64.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }, stamps: [])
    }
  }

  /// Whether `read` always shows the state at the time of opening, whatever is written to the file later.
  public var isReadFromCopy: Bool { olderVersion != nil || access != .readWrite }

  /// Like `read`, for a file that another program may have migrated to a newer schema in the meantime.
  /// - Throws: `StoreError`, `.newer` if that happened.
  public func readIfKnown<T>(_ body: (ProjectView) throws -> T) throws -> T {
    try reading { database in
      try requireSchema(database)
      return try body(ProjectView(database: database))
    }
  }

  private static func stamp(_ path: String) -> [Int64] {
    var status = stat()
    guard stat(path, &status) == 0 else { return [0, 0, 0, 0] }
    return [
      Int64(status.st_ino), Int64(status.st_size), Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec),
    ]
  }
}
