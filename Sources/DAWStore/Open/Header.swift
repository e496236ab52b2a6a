import Foundation

/// The first 100 bytes of an SQLite file, read before SQLite touches it.
/// - SeeAlso: https://www.sqlite.org/fileformat.html, section 1.3
enum Header {
  /// - Throws: `StoreError` for what is no project file.
  static func check(_ path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw [ENOENT, ENOTDIR].contains(errno)
        ? StoreError.missing(path: path) : StoreError.io(path: path, detail: String(cString: strerror(errno)))
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw StoreError.notAProject(path: path) }
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw StoreError.io(path: path, detail: String(cString: strerror(errno)))
    }
    defer { try? file.close() }
    let bytes: [UInt8]
    do {
      bytes = [UInt8](try file.read(upToCount: 100) ?? Data())
    } catch {
      throw StoreError.io(path: path, detail: (error as NSError).localizedDescription)
    }
    // A file whose first transaction is still in the log alone may be empty.
    if bytes.isEmpty, FileManager.default.fileExists(atPath: path + "-wal") { return }
    guard bytes.starts(with: Array("SQLite format 3\0".utf8)), bytes.count == 100 else {
      throw StoreError.notAProject(path: path)
    }
    let applicationID = bytes[68..<72].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard Int32(bitPattern: applicationID) == Schema.applicationID else { throw StoreError.notAProject(path: path) }
  }
}
