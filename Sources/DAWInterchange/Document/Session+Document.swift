import DAWProject
import DAWStore

extension Session {
  /// The whole project as `daw show --json` prints it.
  /// - Throws: `Failure`.
  public func projectDocument(includesNotes: Bool) throws -> ProjectDocument {
    try read { try ProjectDocument($0, includesNotes: includesNotes) }
  }
}
