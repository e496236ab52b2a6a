import CSQLiteSession
import Foundation
import GRDB

/// The bytes of a database file, read through a descriptor that SQLite opens and closes.
///
/// When a process closes any descriptor of a file, it loses all POSIX locks that it has on that file, including those
/// of other connections. SQLite keeps track of its descriptors, and closes none while it holds a lock; so only SQLite
/// may open a database file.
/// - SeeAlso: https://www.sqlite.org/howtocorrupt.html, section 2.2; fcntl(2), "Advisory record locking"
final class DatabaseBytes {
  private let connection: OpaquePointer?
  private let file: UnsafeMutablePointer<sqlite3_file>
  private let methods: sqlite3_io_methods

  /// Takes no lock, does not read the write-ahead log, and writes nothing.
  /// - Throws: `DatabaseError`.
  init(of path: String) throws {
    var connection: OpaquePointer?
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(Self.unchangingFile(path), &connection, flags, nil)
    var file: UnsafeMutablePointer<sqlite3_file>?
    if code == SQLITE_OK { sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) }
    guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods else {
      defer { sqlite3_close(connection) }
      throw DatabaseError(
        resultCode: ResultCode(rawValue: code == SQLITE_OK ? SQLITE_CANTOPEN : sqlite3_extended_errcode(connection)),
        message: String(cString: sqlite3_errstr(code == SQLITE_OK ? SQLITE_CANTOPEN : code)))
    }
    (self.connection, self.file, self.methods) = (connection, file, methods.pointee)
  }

  deinit { sqlite3_close(connection) }

  /// The URI of a file that no process writes (`immutable`).
  static func unchangingFile(_ path: String) -> String {
    "file:\(path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path)?immutable=1"
  }

  func byteCount() throws -> Int {
    var count: Int64 = 0
    try require(methods.xFileSize(file, &count))
    return Int(count)
  }

  /// - Returns: fewer than `count` only at the end of the file.
  func read(at offset: Int, count: Int) throws -> [UInt8] {
    let count = max(0, min(count, try byteCount() - offset))
    guard count > 0 else { return [] }
    return try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      try require(methods.xRead(file, buffer.baseAddress, Int32(count), Int64(offset)))
      initialized = count
    }
  }

  private func require(_ code: Int32?) throws {
    guard code == SQLITE_OK else {
      let code = code ?? SQLITE_IOERR
      throw DatabaseError(resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errstr(code)))
    }
  }
}
