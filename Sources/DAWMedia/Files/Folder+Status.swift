import Glibc

extension Folder {
  /// The status of a name, not following a link; `nil` if nothing is there.
  /// - Throws: any other failure, so that what cannot be read is not taken for gone.
  public func existingStatus(of name: String) throws(SystemCallFailure) -> stat? {
    var status = stat()
    while fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) != 0 {
      let code = errno
      if code == EINTR { continue }
      if code == ENOENT || code == ENOTDIR { return nil }
      throw SystemCallFailure(call: "stat", code: code)
    }
    return status
  }

  /// Whether nothing has a name; false where that cannot be told.
  func lacks(_ name: String) -> Bool {
    do throws(SystemCallFailure) {
      return try existingStatus(of: name) == nil
    } catch {
      return false
    }
  }
}
