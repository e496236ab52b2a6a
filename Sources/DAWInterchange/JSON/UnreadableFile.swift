import DAWErrors
import Foundation

extension Failure {
  /// Why a file cannot be read.
  public static func unreadable(_ path: String) -> Failure {
    let files = FileManager.default
    var isFolder: ObjCBool = false
    guard files.fileExists(atPath: path, isDirectory: &isFolder) else {
      return Failure(.noInput, code: "fileNotFound", "There is no file '\(path)'. Nothing was changed.")
    }
    if isFolder.boolValue {
      return Failure(
        .noInput, code: "notAFile", "'\(path)' is a folder. Nothing was changed.", hint: "Name a file.")
    }
    if !files.isReadableFile(atPath: path) {
      return Failure(
        .noInput, code: "noPermission", "'\(path)' may not be read. Nothing was changed.",
        hint: "Give yourself permission with 'chmod u+r', or name another file.")
    }
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      return Failure(
        .noInput, code: "notAFile", "'\(path)' is no regular file. Nothing was changed.",
        hint: "Name a file, or give - to read from a pipe.")
    }
    return Failure(.io, code: "io", "'\(path)' could not be read. Nothing was changed.")
  }
}
