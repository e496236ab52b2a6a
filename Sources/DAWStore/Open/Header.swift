import Foundation
import GRDB

/// The first 100 bytes of an SQLite file, checked before SQLite opens it as a database.
/// - SeeAlso: https://www.sqlite.org/fileformat.html, section 1.3
enum Header {
  /// - Throws: `StoreError` unless it is a project file, and its log is its own as far as that can be told.
  static func check(_ path: String) throws {
    let bytes = try read(path)
    // The file may be empty while its first transaction is still in the write-ahead log.
    if bytes.isEmpty, FileManager.default.fileExists(atPath: path + "-wal") { return }
    guard bytes.starts(with: Array("SQLite format 3\0".utf8)), bytes.count == 100 else {
      throw StoreError.notAProject(path: path)
    }
    let applicationID = bytes[68..<72].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard Int32(bitPattern: applicationID) == Schema.applicationID else { throw StoreError.notAProject(path: path) }
    // Another process may begin a log between the two looks.
    if isWithoutLog(bytes), hasLog(path), isWithoutLog(try read(path)) {
      let name = (path as NSString).lastPathComponent
      throw StoreError.unsafeFile(
        path: path + "-wal",
        detail: "belongs to another file than '\(name)' beside it, as where a backup was copied over the project; "
          + "SQLite would mix the two. End what has the project open, move this file and '\(name)-shm' away, and copy the "
          + "backup again")
    }
  }

  private static func read(_ path: String) throws -> [UInt8] {
    do {
      return try DatabaseBytes(of: path).read(at: 0, count: 100)
    } catch let error as DatabaseError {
      throw StoreError.io(path: path, detail: error.message ?? "SQLite's error \(error.extendedResultCode.rawValue)")
    }
  }

  /// Whether a file says that it is written without a write-ahead log, as `VACUUM` makes copies, and so daw backups.
  /// SQLite says in a file that it has a log before it begins one, and that it has none when it has removed that.
  static func isWithoutLog(_ bytes: [UInt8]) -> Bool { bytes.count > 18 && bytes[18] == 1 }

  private static func hasLog(_ path: String) -> Bool {
    var status = stat()
    return lstat(path + "-wal", &status) == 0 && status.st_size > 0
  }
}
