import DAWTime

/// Where notes are moved or copied to.
public struct NoteDestination: Hashable, Sendable {
  /// Added to each start; negative is earlier.
  public var shift: TickCount
  /// The target region, and its start; `nil` keeps each note's region.
  public var region: RegionID?
  public var regionStart: TickPosition

  public init(shift: TickCount, region: RegionID? = nil, regionStart: TickPosition = .zero) {
    self.shift = shift
    self.region = region
    self.regionStart = regionStart
  }
}

extension ChosenNotes {
  /// Moves the notes. They may leave their region; applying the changes then fails.
  public func moved(to destination: NoteDestination) -> NoteChanges { changing { put(&$0, destination) } }

  /// Copies the notes; likewise.
  public func copied(to destination: NoteDestination) -> NoteChanges {
    var changes = NoteChanges()
    changes.added = notes.map { note in
      var note = note
      put(&note, destination)
      return note
    }
    return changes
  }

  private func put(_ note: inout MIDINote, _ destination: NoteDestination) {
    note.start = note.start + destination.shift
    guard let region = destination.region else { return }
    note.region = region
    note.start = note.start + (start - destination.regionStart)
  }
}
