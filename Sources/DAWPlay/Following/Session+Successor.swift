import DAWErrors
import DAWMedia
import DAWModel
import DAWProject

extension Session {
  /// Opens the file that is at the project's path now, if it is another one than was opened.
  /// - Parameters:
  ///   - file: the one that was opened; `nil` if there was none.
  ///   - isForEditing: as of `Session.open`.
  /// - Returns: `nil` if it is the same.
  /// - Throws: `Failure` if there is none, or it belongs to another project.
  func successor(
    of file: FileIdentity?, isForEditing: Bool = false
  ) throws -> (session: Session, file: FileIdentity)? {
    guard let now = FileIdentity(of: folder.database) else {
      throw Failure(
        .noInput, code: "projectGone", "There is no project at '\(folder.path)' any more.",
        hint: "It is followed again when it is back at that place.")
    }
    guard now != file else { return nil }
    let other = try Session.open(folder, isForEditing: isForEditing)
    let (id, otherID) = (try read { try $0.header().id }, try other.read { try $0.header().id })
    guard id == otherID else {
      throw Failure(
        .invalid, code: "projectReplaced", "Another project has been put at '\(folder.path)'.",
        hint: "To play that one, end 'daw play' and start it again.")
    }
    return (other, now)
  }
}
