import Foundation
import GRDB

/// The first 100 bytes of an SQLite file, checked before SQLite opens it as a database.
/// - SeeAlso: https://www.sqlite.org/fileformat.html, section 1.3
enum Header {
  /// - Throws: `StoreError` unless it is a project file.
  static func check(_ path: String) throws {
    let bytes: [UInt8]
    do {
      bytes = try DatabaseBytes(of: path).read(at: 0, count: 100)
    } catch let error as DatabaseError {
      throw StoreError.io(path: path, detail: error.message ?? "SQLite's error \(error.extendedResultCode.rawValue)")
    }
    // The file may be empty while its first transaction is still in the write-ahead log.
    if bytes.isEmpty, FileManager.default.fileExists(atPath: path + "-wal") { return }
    guard bytes.starts(with: Array("SQLite format 3\0".utf8)), bytes.count == 100 else {
      throw StoreError.notAProject(path: path)
    }
    let applicationID = bytes[68..<72].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard Int32(bitPattern: applicationID) == Schema.applicationID else { throw StoreError.notAProject(path: path) }
  }
}
