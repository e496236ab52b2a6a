import DAWTime

/// Where notes go.
public struct NoteDestination: Hashable, Sendable {
  /// Along the timeline; back, where it is negative.
  public var shift: TickCount
  /// The region that they go to, and its start; `nil`: each note's own.
  public var region: RegionID?
  public var regionStart: TickPosition

  public init(shift: TickCount, region: RegionID? = nil, regionStart: TickPosition = .zero) {
    self.shift = shift
    self.region = region
    self.regionStart = regionStart
  }
}

extension ChosenNotes {
  /// The notes at their new places; where these are outside of their region, a rule is broken.
  public func moved(to destination: NoteDestination) -> NoteChanges { changing { put(&$0, destination) } }

  /// Copies of the notes at other places.
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
