import CSQLiteSession
import Foundation
import GRDB

/// The files that SQLite opens by name: the project file, its write-ahead log, the log's index and the rollback
/// journal.
enum ProjectFiles {
  /// What their names end with; the project file's own name has no ending.
  static let endings = ["", "-wal", "-shm", "-journal"]

  /// Removes a database file that is not to be kept, with what SQLite keeps beside it. Errors are ignored.
  static func remove(_ path: String) {
    for ending in endings { unlink(path + ending) }
  }

  /// Refuses links that would make SQLite write or delete another file. SQLite does not follow symbolic links to these
  /// files, except one to the project file, which it resolves first.
  /// - Throws: `StoreError`.
  static func check(_ path: String) throws {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      throw [ENOENT, ENOTDIR].contains(errno)
        ? StoreError.missing(path: path) : StoreError.io(path: path, detail: String(cString: strerror(errno)))
    }
    guard status.st_mode & S_IFMT != S_IFLNK else {
      throw StoreError.unsafeFile(
        path: path, detail: "is a symbolic link; make a copy in its place, or open the project where the file lies")
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw StoreError.notAProject(path: path) }
    for ending in endings.dropFirst() where lstat(path + ending, &status) == 0 {
      let fault =
        switch status.st_mode & S_IFMT {
        case S_IFREG: status.st_nlink > 1 ? "has another name (a hard link)" : nil as String?
        case S_IFLNK: "is a symbolic link"
        default: "is not a regular file"
        }
      if let fault {
        throw StoreError.unsafeFile(
          path: path + ending, detail: "\(fault), and SQLite would write to it; remove it; daw did not make it")
      }
    }
    try checkJournal(path + "-journal")
  }

  /// Refuses a rollback journal that ends with the path of a super-journal (shared by several databases in one
  /// transaction), because SQLite deletes that file after rolling back. daw's transactions never involve several
  /// databases.
  /// - SeeAlso: https://www.sqlite.org/fileformat.html, section 3; `readSuperJournal` and `pager_delsuper` in `pager.c`
  private static func checkJournal(_ path: String) throws {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    // Opening the journal here is safe: no process holds POSIX locks on it.
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    var bytes = [UInt8](repeating: 0, count: magic.count)
    guard fstat(descriptor, &status) == 0, status.st_size >= magic.count,
      pread(descriptor, &bytes, bytes.count, status.st_size - off_t(bytes.count)) == bytes.count, bytes == magic
    else { return }
    throw StoreError.unsafeFile(
      path: path, detail: "names another file, which SQLite would delete; remove it; daw did not make it")
  }

  /// The last bytes of a journal that names a super-journal.
  private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

  /// Checks that the connection has opened the file that `check` examined, and that it was not replaced meanwhile: the
  /// file opened must be at its path, and have no other name.
  /// - Throws: `StoreError`, `.io` where that cannot be told.
  static func requireUnmoved(_ database: Database, _ path: String) throws {
    let folder = (path as NSString).deletingLastPathComponent
    let resolved = realpath(folder.isEmpty ? "." : folder, nil)
    if resolved == nil { try requireMissing(path, errno) }
    defer { free(resolved) }
    let opened = sqlite3_db_filename(database.sqliteConnection, "main").map { String(cString: $0) } ?? ""
    var hasMoved: Int32 = 0
    sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    if hasMoved != 0 {
      // SQLite says so as well where it cannot tell.
      var status = stat()
      if stat(path, &status) != 0 { try requireMissing(path, errno) }
      sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    }
    guard let resolved, hasMoved == 0,
      (opened as NSString).lastPathComponent == (path as NSString).lastPathComponent,
      (opened as NSString).deletingLastPathComponent == String(cString: resolved)
    else {
      throw StoreError.unsafeFile(path: path, detail: "was replaced while it was opened; try again")
    }
  }

  /// - Parameter code: of the system call that looked for it.
  /// - Throws: `StoreError.io` if it says anything but that there is no such file.
  private static func requireMissing(_ path: String, _ code: Int32) throws {
    if ![ENOENT, ENOTDIR].contains(code) { throw StoreError.io(path: path, detail: String(cString: strerror(code))) }
  }
}
