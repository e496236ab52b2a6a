/// Why the store could not do what it was asked. Unless a case says otherwise, the file is as it was.
public enum StoreError: Error, Equatable, Sendable {
  /// Nothing is there.
  case missing(path: String)
  /// A file is there, but no project file.
  case notAProject(path: String)
  /// Written by a newer program.
  case newer(path: String, found: Int, supported: Int)
  case damaged(path: String, detail: String)
  /// Another process has been writing for longer than the time-out.
  case busy(path: String)
  /// The file, its folder or its disk cannot be written.
  case readOnly(path: String, reason: String)
  case diskFull(path: String)
  case io(path: String, detail: String)
  /// Somebody was faster: `--if-revision` does not hold.
  case revisionChanged(expected: Int64, found: Int64)
  case nothingToUndo
  case nothingToRedo
  /// More steps were asked for than there are.
  case fewerToUndo(asked: Int, possible: Int)
  case fewerToRedo(asked: Int, possible: Int)
  /// Older edits were folded into one by the journal's limits, up to this one.
  case historyFolded(revision: Int64)
  /// Something later builds on the edit that should be undone out of order.
  case undoneEditIsNeeded(revision: Int64, detail: String)
  /// A stored changeset could not be applied although nothing stood in its way.
  case journalDoesNotFit(revision: Int64, detail: String)
  case exists(path: String)
}

extension StoreError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .missing(let path): "There is no project file at '\(path)'."
    case .notAProject(let path): "'\(path)' is not a project file of daw."
    case .newer(let path, let found, let supported):
      "'\(path)' was written by a newer daw (schema \(found); this one knows up to \(supported)). Nothing was changed. "
        + "Use that version, or update this one."
    case .damaged(let path, let detail):
      "The project file '\(path)' is damaged (\(detail)). Nothing was changed. Backups/ beside it may hold a whole "
        + "copy."
    case .busy(let path): "'\(path)' is being written by another process. Nothing was changed. Try again."
    case .readOnly(let path, let reason): "'\(path)' cannot be written: \(reason). Nothing was changed."
    case .diskFull(let path): "The disk that holds '\(path)' is full. Nothing was changed. Make room and try again."
    case .io(let path, let detail): "Reading or writing '\(path)' failed: \(detail). Nothing was changed."
    case .revisionChanged(let expected, let found):
      "The project is at revision \(found), not \(expected): somebody was faster. Nothing was changed. "
        + "Look at what changed with 'daw history', and try again."
    case .nothingToUndo: "There is nothing to undo."
    case .fewerToUndo(let asked, let possible):
      "\(asked) edits cannot be undone: there \(possible == 1 ? "is 1" : "are \(possible)"). Nothing was changed. "
        + "'daw undo \(possible)' undoes all."
    case .fewerToRedo(let asked, let possible):
      "\(asked) edits cannot be redone: there \(possible == 1 ? "is 1" : "are \(possible)"). Nothing was changed. "
        + "'daw redo \(possible)' redoes all."
    case .historyFolded(let revision):
      "Undo reaches back to revision \(revision) only: the edits before it were folded into one by the journal's limits. "
        + "Nothing was changed."
    case .nothingToRedo: "There is nothing to redo."
    case .undoneEditIsNeeded(let revision, let detail):
      "Edit \(revision) cannot be undone alone, since a later edit builds on it (\(detail)). Nothing was changed. "
        + "'daw undo N' goes back step by step."
    case .journalDoesNotFit(let revision, let detail):
      "The journal's entry \(revision) does not fit the project (\(detail)). Nothing was changed. Run 'daw check'."
    case .exists(let path): "'\(path)' exists already. Nothing was changed."
    }
  }
}
