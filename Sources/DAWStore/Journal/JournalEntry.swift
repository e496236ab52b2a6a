import DAWModel

/// One entry of the journal: an edit, an undo or a redo.
public struct JournalEntry: Equatable, Sendable {
  public enum Kind: String, Sendable, Codable {
    /// The project was created: the root, which cannot be undone.
    case create
    case `do`
    case undo
    case redo
    /// Undoes one edit that is not the newest.
    case revert
    case merge
    /// Another program wrote to the file; recorded afterwards.
    case externalWrite = "outside"
    /// A copy got an id of its own. It is not an edit, and does not move the head.
    case identity
    /// The oldest edits, folded into one because of the journal's limits. It cannot be undone.
    case base

    /// Whether it made a state of its own, on which later entries build.
    var makesState: Bool { ![.undo, .redo, .identity].contains(self) }
  }

  /// The number of the entry: one more than the previous entry's.
  public var revision: Int64
  /// Unique, also among copies of a project that are edited separately.
  public var id: Int64
  /// The id of the entry whose state this one was based on.
  public var parent: Int64
  /// The id of the entry that is undone, redone or reverted.
  public var target: Int64?
  public var kind: Kind
  public var schemaVersion: Int
  public var date: Timestamp
  /// The author, as user@host.
  public var author: String
  /// One line of at most 1,000 characters that describes the edit.
  public var summary: String
  /// The command line as it was typed.
  public var commandLine: String

  /// The id of the entry whose state the model's tables are in after this entry.
  /// - Parameter parentOf: returns the parent of an entry.
  func head(parentOf: (Int64) throws -> Int64) rethrows -> Int64 {
    switch kind {
    case .create, .do, .revert, .merge, .externalWrite, .base: id
    case .redo: target ?? id
    case .identity: parent
    case .undo: try parentOf(target ?? id)
    }
  }
}

/// Whether an entry is part of the current state.
public enum JournalStatus: String, Sendable, Codable {
  /// Part of the current state.
  case applied
  /// Undone; `redo` reapplies it.
  case undone
  /// Undone, and no longer reachable by redo because of a later edit.
  case abandoned
}

/// The author of an edit, and its command line.
public struct EditOrigin: Sendable {
  /// user@host.
  public var author: String
  /// The command line as it was typed.
  public var commandLine: String

  /// - Parameters:
  ///   - author: truncated to 255 characters.
  ///   - commandLine: truncated to 64 KiB.
  public init(author: String, commandLine: String) {
    self.author = JournalEntry.shortened(author, to: JournalEntry.maximumAuthorLength)
    self.commandLine = JournalEntry.shortened(commandLine, to: JournalEntry.maximumCommandLineLength)
  }
}

extension JournalEntry {
  // What texts are cut to when they are written, and again when they are read, in Unicode scalars.
  static let maximumAuthorLength = 255
  static let maximumSummaryLength = 1000
  static let maximumCommandLineLength = 64 << 10

  /// Truncates a text, which then ends with "…".
  static func shortened(_ text: String, to length: Int) -> String {
    // A quick check for short texts, which are most.
    guard text.utf8.count > length, text.unicodeScalars.count > length else { return text }
    var result = String.UnicodeScalarView(text.unicodeScalars.prefix(length - 1))
    result.append("…")
    return String(result)
  }
}
