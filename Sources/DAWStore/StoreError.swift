import DAWErrors

/// Why the store could not do what it was asked. Unless a case says otherwise, the file is as it was.
public enum StoreError: Error, Equatable, Sendable {
  /// Nothing is there.
  case missing(path: String)
  /// A file is there, but no project file.
  case notAProject(path: String)
  /// Written by a newer program.
  case newer(path: String, found: Int, supported: Int)
  case damaged(path: String, detail: String)
  /// A file, or one that SQLite keeps beside it, leads to another one.
  case unsafeFile(path: String, detail: String)
  /// Triggers, views or tables that no daw has made, or that were changed.
  /// - Parameter differences: each is a clause.
  case schemaDiffers(path: String, differences: [String])
  /// `ProjectStore.repairSchema` cannot make the schema right.
  case schemaNotRepairable(path: String, detail: String)
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
  /// Later edits build on the one that should be undone out of order.
  /// - Parameter steps: so many edits `undo` would have to take back to reach it.
  case undoneEditIsNeeded(JournalEntry, by: [JournalEntry], steps: Int)
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
    case .unsafeFile(let path, let detail): "'\(path)' \(detail). Nothing was changed."
    case .schemaDiffers(let path, let differences):
      "The project file '\(path)' is not built as daw builds one: \(differences.prefix(5).joined(separator: "; "))"
        + "\(differences.count > 5 ? "; and \(differences.count - 5) more" : ""). Nothing was changed. "
        + "'daw check --repair' puts that right where it can, after a backup."
    case .schemaNotRepairable(let path, let detail):
      "The project file '\(path)' cannot be put right: \(detail). Nothing was changed. Backups/ beside it may hold a "
        + "whole copy."
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
    case .undoneEditIsNeeded(let edit, let later, let steps):
      "Edit \(edit.revision) (\(edit.summary)) cannot be undone alone: "
        + (later.count == 1 ? "a later edit builds" : "\(later.count) later edits build")
        + " on it: \(Self.listed(later)). Nothing was changed. "
        + "'daw undo \(steps)' takes back everything since, the edits of others too."
    case .journalDoesNotFit(let revision, let detail):
      "The journal's entry \(revision) does not fit the project (\(detail)). Nothing was changed. Run 'daw check'."
    case .exists(let path): "'\(path)' exists already. Nothing was changed."
    }
  }

  /// - Parameter edits: oldest first; of many only the first are named.
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
    case .schemaDiffers: (.invalid, "schemaDiffers")
    case .schemaNotRepairable: (.invalid, "schemaNotRepairable")
    case .busy: (.tryAgain, "busy")
    case .readOnly: (.io, "readOnly")
    case .diskFull: (.io, "diskFull")
    case .io: (.io, "io")
    case .revisionChanged: (.tryAgain, "revisionChanged")
    case .nothingToUndo, .fewerToUndo: (.invalid, "nothingToUndo")
    case .historyFolded: (.invalid, "historyFolded")
    case .nothingToRedo, .fewerToRedo: (.invalid, "nothingToRedo")
    case .undoneEditIsNeeded: (.invalid, "undoneEditIsNeeded")
    case .journalDoesNotFit: (.invalid, "journalDoesNotFit")
    case .exists: (.cannotCreate, "exists")
    }
  }
}
