import DAWTime

/// The notes of one region that an edit is about. The musical edits are its extensions: pure, each from notes to
/// `NoteChanges`. Rules are for whoever makes the changes to see to.
public struct ChosenNotes: Equatable, Sendable {
  public var region: RegionID
  /// Where the region begins on the timeline, and how long it is.
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

  /// The changes that `change` makes note by note; what it leaves as it is, is none.
  func changing(_ change: (inout MIDINote) -> Void) -> NoteChanges {
    var changes = NoteChanges()
    for note in notes {
      var next = note
      change(&next)
      if next != note { changes.changed.append(next) }
    }
    return changes
  }
}

/// What becomes of notes.
public struct NoteChanges: Equatable, Sendable {
  /// Notes that are there, as they become.
  public var changed: [MIDINote] = []
  /// New notes: each has the id of the note that it comes from until it is given its own.
  public var added: [MIDINote] = []
  public var removed: [NoteID] = []

  public init() {}

  public static func += (all: inout Self, more: Self) {
    all.changed += more.changed
    all.added += more.added
    all.removed += more.removed
  }
}
