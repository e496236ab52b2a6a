import DAWModel

/// One entry of the journal: an edit, or the taking back of one.
public struct JournalEntry: Equatable, Sendable {
  public enum Kind: String, Sendable, Codable {
    /// The making of the project: the root, which cannot be undone.
    case create
    case `do`
    case undo
    case redo
    /// Takes one edit back that is not the newest.
    case revert
    case merge
    /// What another program wrote behind our back, recorded afterwards.
    case outside
    /// A copy became a project of its own. It is no edit, and leaves the place in the history as it was.
    case identity
    /// The oldest edits, folded into one by the journal's limits. It cannot be undone.
    case base

    /// Whether it made a state of its own, which later entries build on.
    var makesState: Bool { ![.undo, .redo, .identity].contains(self) }
  }

  /// The number of the edit; each entry has the one after its predecessor's.
  public var revision: Int64
  /// Unique, also among copies of a project that were edited apart.
  public var id: Int64
  /// The id of the entry whose state this one was made on.
  public var parent: Int64
  /// The id of the entry that is undone, redone or reverted.
  public var target: Int64?
  public var kind: Kind
  public var schemaVersion: Int
  public var date: Timestamp
  /// Who made it: user@host.
  public var author: String
  /// One line that says what it did, of at most 1,000 characters.
  public var summary: String
  /// As it was typed.
  public var commandLine: String

  /// The id of the entry whose state the model's tables have after this one.
  /// - Parameter parentOf: the parent of an entry.
  func node(parentOf: (Int64) throws -> Int64) rethrows -> Int64 {
    switch kind {
    case .create, .do, .revert, .merge, .outside, .base: id
    case .redo: target ?? id
    case .identity: parent
    case .undo: try parentOf(target ?? id)
    }
  }
}

/// Where an entry of the history stands now.
public enum JournalStanding: String, Sendable, Codable {
  /// Part of what the project is.
  case applied
  /// Taken back; `redo` brings it again.
  case undone
  /// Taken back, and left behind by a later edit.
  case abandoned
}

/// Who makes an edit, and how it was asked for.
public struct EditOrigin: Sendable {
  /// user@host.
  public var author: String
  /// As it was typed.
  public var commandLine: String

  /// - Parameters:
  ///   - author: what is beyond 255 characters is left out.
  ///   - commandLine: what is beyond 64 KiB is left out.
  public init(author: String, commandLine: String) {
    self.author = JournalEntry.shortened(author, to: 255)
    self.commandLine = JournalEntry.shortened(commandLine, to: 64 << 10)
  }
}

extension JournalEntry {
  /// In characters.
  static let longestSummary = 1000

  /// Ends with "…" where something was left out.
  static func shortened(_ text: String, to length: Int) -> String {
    // Cheap for what is short, which almost all is.
    guard text.utf8.count > length, text.unicodeScalars.count > length else { return text }
    var result = String.UnicodeScalarView(text.unicodeScalars.prefix(length - 1))
    result.append("…")
    return String(result)
  }
}
