import Foundation
import GRDB

extension ProjectStore {
  /// What the file looked like at one time. Equal marks: nobody has committed between them.
  public struct ChangeMark: Equatable, Sendable {
    /// SQLite's count of other connections' commits.
    fileprivate var dataVersion: Int64
    /// Of the file and of its log: what changes when either is written.
    fileprivate var stamps: [Int64]
  }

  /// Cheap enough to ask many times in a second.
  /// - Throws: `StoreError`.
  public func changeMark() throws -> ChangeMark {
    try translatingErrors(path) {
      // A copy in memory, or a file that was opened as one that nobody writes, is told nothing by SQLite.
      isReadFromCopy
        ? ChangeMark(dataVersion: 0, stamps: Self.stamp(path) + Self.stamp(path + "-wal"))
        : ChangeMark(
          dataVersion: try queue.inDatabase { try Int64.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }, stamps: [])
    }
  }

  /// Whether `read` shows the file as it was when it was opened, whatever has happened to it since.
  public var isReadFromCopy: Bool { olderVersion != nil || access != .readWrite }

  /// As `read`, of a file that another program may have brought to a newer schema in the meantime.
  /// - Throws: `StoreError`, `.newer` where that has happened.
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
