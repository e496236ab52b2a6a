import CSQLiteSession
import Foundation
import GRDB

extension ProjectView {
  /// The folder of the project's file, by which files beside it are found; `nil` for a project that is in memory.
  package var folderPath: String? {
    guard let name = sqlite3_db_filename(database.sqliteConnection, "main") else { return nil }
    let path = String(cString: name) as NSString
    return path.length == 0 ? nil : path.deletingLastPathComponent
  }
}
