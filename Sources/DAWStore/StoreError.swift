import DAWErrors

/// An error of the store. Unless a case says otherwise, the file was not changed.
public enum StoreError: Error, Equatable, Sendable {
  /// There is no file.
  case missing(path: String)
  /// The file is not a project file.
  case notAProject(path: String)
  /// Written by a newer program.
  case newer(path: String, found: Int, supported: Int)
  case damaged(path: String, detail: String)
  /// The file, or one that SQLite keeps beside it, is a link or refers to another file.
  case unsafeFile(path: String, detail: String)
  /// The schema has triggers, views or tables that daw did not create, or that were changed.
  /// - Parameter differences: each is a clause.
  case schemaDiffers(path: String, differences: [String])
  /// `ProjectStore.repairSchema` cannot repair the schema.
  case schemaNotRepairable(path: String, detail: String)
  /// Another process has been writing for longer than the time-out.
  case busy(path: String)
  /// The file, its folder or its disk cannot be written.
  case readOnly(path: String, reason: String)
  case diskFull(path: String)
  case io(path: String, detail: String)
  /// Another process changed the project first: it is no longer at the revision of `--if-revision`.
  case revisionChanged(expected: Int64, found: Int64)
  case nothingToUndo
  case nothingToRedo
  /// There are fewer edits than requested.
  case fewerToUndo(asked: Int, possible: Int)
  case fewerToRedo(asked: Int, possible: Int)
  /// Edits up to this revision were folded into one because of the journal's limits.
  case historyFolded(revision: Int64)
  /// There has never been such a revision.
  case revisionNotFound(Int64, newest: Int64)
  /// An abandoned revision that was removed because of the journal's limits.
  case revisionPruned(Int64)
  /// The edits up to this revision were undone.
  /// - Parameter steps: how many edits `redo` would have to redo to reach it.
  case revisionUndone(Int64, steps: Int)
  /// The edits up to this revision were undone, and later edits replaced them.
  case revisionAbandoned(Int64)
  /// Later edits build on the edit that should be undone alone.
  /// - Parameter steps: how many edits `undo` would have to undo to reach it.
  case undoConflict(JournalEntry, by: [JournalEntry], steps: Int)
  /// A stored changeset cannot be applied although no later edit prevents it.
  case journalDoesNotFit(revision: Int64, detail: String)
  case exists(path: String)
}

extension StoreError: CustomStringConvertible {
  /// The detail of a file that is damaged as far as a step budget can tell: it may also be whole, and the command long.
  static let tooManySteps = "reading it takes more steps than a valid file of its size needs"

  public var description: String {
    switch self {
    case .missing(let path): "There is no project file at '\(path)'."
    case .notAProject(let path): "'\(path)' is not a project file of daw."
    case .newer(let path, let found, let supported):
      "'\(path)' was written by a newer daw (schema \(found); this one knows up to \(supported)). Nothing was changed. "
        + "Use that version, or update this one."
    case .damaged(let path, Self.tooManySteps):
      "The command takes more steps than reading a valid file of the size of '\(path)' needs. Nothing was changed. "
        + "'daw check' says whether the file is damaged; if it is not, do it in smaller parts."
    case .damaged(let path, let detail):
      "The project file '\(path)' is damaged (\(detail)). Nothing was changed. 'daw recover' makes a new "
        + "project of what can be read of it."
    case .unsafeFile(let path, let detail): "'\(path)' \(detail). Nothing was changed."
    case .schemaDiffers(let path, let differences):
      "The project file '\(path)' does not have the schema of a daw project: \(differences.prefix(5).joined(separator: "; "))"
        + "\(differences.count > 5 ? "; and \(differences.count - 5) more" : ""). Nothing was changed. "
        + "'daw check --repair' repairs what it can, after a backup."
    case .schemaNotRepairable(let path, let detail):
      "The project file '\(path)' cannot be repaired: \(detail). Nothing was changed. 'daw recover' makes a "
        + "new project of what can be read of it."
    case .busy(let path): "'\(path)' is being written by another process. Nothing was changed. Try again."
    case .readOnly(let path, let reason): "'\(path)' cannot be written: \(reason). Nothing was changed."
    case .diskFull(let path): "The disk that holds '\(path)' is full. Nothing was changed. Make room and try again."
    case .io(let path, let detail): "Reading or writing '\(path)' failed: \(detail). Nothing was changed."
    case .revisionChanged(let expected, let found):
      "The project is at revision \(found), not \(expected): another process changed it first. Nothing was changed. "
        + "Look at what changed with 'daw history', and try again."
    case .nothingToUndo: "There is nothing to undo."
    case .fewerToUndo(let asked, let possible):
      "\(asked) edits cannot be undone: there \(possible == 1 ? "is 1" : "are \(possible)"). Nothing was changed. "
        + "'daw undo \(possible)' undoes all."
    case .fewerToRedo(let asked, let possible):
      "\(asked) edits cannot be redone: there \(possible == 1 ? "is 1" : "are \(possible)"). Nothing was changed. "
        + "'daw redo \(possible)' redoes all."
    case .historyFolded(let revision):
      "Undo reaches back to revision \(revision) only: the edits before it were folded into one because of the journal's limits. "
        + "Nothing was changed."
    case .revisionNotFound(let revision, let newest):
      "There is no revision \(revision): the project is at revision \(newest). Nothing was changed."
    case .revisionPruned(let revision):
      "Revision \(revision) is not in the history any more: it was undone, and removed because of the journal's limits. "
        + "Nothing was changed."
    case .revisionUndone(let revision, let steps):
      "Revision \(revision) was undone. Nothing was changed. 'daw redo\(steps == 1 ? "" : " \(steps)")' leads to it."
    case .revisionAbandoned(let revision):
      "Revision \(revision) cannot be reached by undo: its edits were undone, and later ones took their place. "
        + "Nothing was changed. 'daw diff \(revision)' shows what has changed since."
    case .nothingToRedo: "There is nothing to redo."
    case .undoConflict(let edit, let later, let steps):
      "Edit \(edit.revision) (\(edit.summary)) cannot be undone alone: "
        + (later.count == 1 ? "a later edit builds" : "\(later.count) later edits build")
        + " on it: \(Self.listed(later)). Nothing was changed. "
        + "'daw undo \(steps)' undoes everything since, including the edits of other users."
    case .journalDoesNotFit(let revision, let detail):
      "The journal's entry \(revision) does not fit the project (\(detail)). Nothing was changed. Run 'daw check'."
    case .exists(let path): "'\(path)' exists already. Nothing was changed."
    }
  }

  /// - Parameter edits: oldest first; only the first few are listed.
  private static func listed(_ edits: [JournalEntry]) -> String {
    let most = 5
    let named = edits.prefix(most).map { "\($0.revision) by \($0.author) (\($0.summary))" }
    return (named + (edits.count > most ? ["\(edits.count - most) more"] : [])).joined(separator: ", ")
  }
}

extension StoreError: DAWError {
  public var kind: ErrorKind { report.kind }
  public var code: String { report.code }

  private var report: (kind: ErrorKind, code: String) {
    switch self {
    case .missing: (.noInput, "projectNotFound")
    case .notAProject: (.noInput, "notAProject")
    case .newer: (.invalid, "newerProject")
    case .damaged: (.invalid, "damagedProject")
    case .unsafeFile: (.invalid, "unsafeFile")
    case .schemaDiffers: (.invalid, "schemaMismatch")
    case .schemaNotRepairable: (.invalid, "schemaNotRepairable")
    case .busy: (.tryAgain, "busy")
    case .readOnly: (.io, "readOnly")
    case .diskFull: (.io, "diskFull")
    case .io: (.io, "io")
    case .revisionChanged: (.tryAgain, "revisionChanged")
    case .nothingToUndo, .fewerToUndo: (.invalid, "nothingToUndo")
    case .historyFolded: (.invalid, "historyTruncated")
    case .nothingToRedo, .fewerToRedo: (.invalid, "nothingToRedo")
    case .revisionNotFound: (.noInput, "revisionNotFound")
    case .revisionPruned: (.invalid, "historyTruncated")
    case .revisionUndone, .revisionAbandoned: (.invalid, "revisionNotApplied")
    case .undoConflict: (.invalid, "undoConflict")
    case .journalDoesNotFit: (.invalid, "journalMismatch")
    case .exists: (.cannotCreate, "alreadyExists")
    }
  }
}
