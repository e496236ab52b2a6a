import DAWTime

/// The notes of one region that an edit concerns. Its extensions are the musical edits: pure functions from notes to
/// `NoteChanges`. They do not check rules; applying the changes does.
public struct ChosenNotes: Equatable, Sendable {
  public var region: RegionID
  /// The region's start on the timeline, and its length.
  public var start: TickPosition
  public var length: TickCount
  /// In order of start, then of id.
  public var notes: [MIDINote]

  public init(region: RegionID, start: TickPosition, length: TickCount, notes: [MIDINote]) {
    self.region = region
    self.start = start
    self.length = length
    self.notes = notes
  }

  /// Gives the notes new values.
  /// - Parameter length: of the note at a position on the timeline; `nil` keeps it.
  public func setting(
    _ change: Change<MIDINote>, length: (TickPosition) throws -> TickCount? = { _ in nil }
  ) rethrows -> NoteChanges {
    try changing { note in
      change.apply(to: &note)
      if let length = try length(start + note.start) { note.duration = length }
    }
  }

  /// Removes the notes.
  public func removingAll() -> NoteChanges {
    var changes = NoteChanges()
    changes.removed = notes.map(\.id)
    return changes
  }

  /// Runs `change` on each note, and returns the notes that differ afterwards.
  func changing(_ change: (inout MIDINote) throws -> Void) rethrows -> NoteChanges {
    var changes = NoteChanges()
    for note in notes {
      var next = note
      try change(&next)
      if next != note { changes.changed.append(next) }
    }
    return changes
  }
}

/// The result of a musical edit.
public struct NoteChanges: Equatable, Sendable {
  /// Existing notes with their new values.
  public var changed: [MIDINote] = []
  /// New notes. Each has the id of its original until the caller assigns a new one.
  public var added: [MIDINote] = []
  public var removed: [NoteID] = []

  public init() {}

  public static func += (all: inout Self, more: Self) {
    all.changed += more.changed
    all.added += more.added
    all.removed += more.removed
  }
}
