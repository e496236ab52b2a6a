import CSQLiteSession
import Foundation
import GRDB

extension ProjectStore {
  /// A snapshot for change detection. If two are equal, the project was not changed between them.
  public struct ChangeMark: Equatable, Sendable {
    /// The counters after the last commit that changed more than facts.
    fileprivate var project: Commits
    /// The size, modification time and inode of the file and of its log.
    fileprivate var stamps: [Int64]
    fileprivate var state: FileState?

    public static func == (a: Self, b: Self) -> Bool {
      a.project == b.project && a.stamps == b.stamps
    }
  }

  /// Counters that grow with every commit.
  fileprivate struct Commits: Equatable, Sendable {
    /// SQLite's counter of other connections' commits.
    var others: Int64
    /// The rows that this connection has written.
    var own: Int64
  }

  /// The state of the model and of the facts, which shows whether a commit changed facts alone.
  fileprivate struct FileState: Sendable {
    var commits: Commits
    /// The revision, the writes by other programs, and the schema's version.
    var model: [Int64]
    var factNumber: Int64
  }

  /// Cheap enough to call many times a second.
  /// - Parameter earlier: the mark before. The result equals it if only facts were changed since.
  /// - Throws: `StoreError`.
  public func changeMark(after earlier: ChangeMark? = nil) throws -> ChangeMark {
    try translatingErrors(path) {
      // SQLite does not count commits for a copy in memory, nor for a file opened as immutable.
      guard !isReadFromCopy else {
        return ChangeMark(
          project: Commits(others: 0, own: 0), stamps: Self.stamp(path) + Self.stamp(path + "-wal"))
      }
      let commits = try queue.inDatabase { database in
        Commits(
          others: try Int64.fetchOne(database.cachedStatement(sql: "PRAGMA data_version")) ?? 0,
          own: sqlite3_total_changes64(database.sqliteConnection))
      }
      if let earlier, earlier.state?.commits == commits { return earlier }
      let state = try queue.read { try fileState($0, commits) }
      var mark = ChangeMark(project: commits, stamps: [], state: state)
      if let state, let earlier, let before = earlier.state, before.model == state.model,
        before.factNumber < state.factNumber || before.commits.others == commits.others
      {
        mark.project = earlier.project
      }
      return mark
    }
  }

  /// `nil` if the file is of a version that this program does not know.
  private func fileState(_ database: Database, _ commits: Commits) throws -> FileState? {
    let version = try Migrator.version(of: database)
    guard version == migrator.currentVersion else { return nil }
    try connectionGuard.begin(database)
    let state = try Journal(database: database).state()
    return FileState(
      commits: commits, model: [state.revision, state.externalWrites, Int64(version)],
      factNumber: try FactTables(database: database).number())
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
