import CSQLiteSession
import Foundation
import GRDB

extension Database {
  /// Runs `body`, and reports a disk that cannot be read as that: where reading fails with `EIO`, SQLite says that the
  /// file is malformed (`SQLITE_CORRUPT`), though the next attempt may succeed.
  /// - SeeAlso: `SQLITE_IOERR_CORRUPTFS` in SQLite's os_unix.c and vdbe.c
  func distinguishingReadErrors<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      throw readError ?? error
    }
  }

  /// The error of a disk that could not be read since the connection was opened; `nil` if there was none.
  var readError: DatabaseError? {
    var code: Int32 = 0
    guard sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_LAST_ERRNO, &code) == SQLITE_OK,
      [EIO, ENXIO].contains(code)
    else { return nil }
    return DatabaseError(
      resultCode: .SQLITE_IOERR,
      message: "the disk could not be read (\(String(cString: strerror(code)))); check it, and try again")
  }
}
