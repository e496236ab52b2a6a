import DAWErrors
import DAWMedia
import Foundation

/// Refuses paths that the user named as folders to be searched and that are not folders.
/// - Parameters:
///   - use: the end of the hint "Name the folder …".
///   - state: the last sentence of the error's message, with a space before it.
/// - Throws: `Failure` of kind `noInput`.
func requireFolders(_ paths: [String], holding use: String, state: String = "") throws {
  for path in paths {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw Failure(.noInput, code: "folderNotFound", "There is no folder '\(path)'.\(state)")
    }
    guard status.isFolder else {
      throw Failure(
        .noInput, code: "folderNotFound", "'\(path)' is a file, not a folder.\(state)", hint: "Name the folder \(use).")
    }
  }
}
