import DAWErrors

/// One change to a project, as a value: it can be stored, replayed, sent and fuzzed.
///
/// Every change is made of these, row by row; what people call an edit (a split, a batch) is a list of them in one
/// transaction. After each of them every rule holds.
/// - SeeAlso: `ModelTables.apply(_:)`
public enum Edit: Equatable, Sendable, Codable {
  case setProject(ProjectSettings)

  case addTrack(Track)
  /// The row with this id becomes this.
  case setTrack(Track)
  /// With its regions, their notes and events.
  case removeTrack(TrackID)

  case addRegion(Region)
  case setRegion(Region)
  /// With its notes and events.
  case removeRegion(RegionID)

  case addNotes([MIDINote])
  case setNotes([MIDINote])
  case removeNotes([NoteID])

  case addEvents([RegionEvent])
  case setEvents([RegionEvent])
  case removeEvents([EventID])

  case addMark(TimelineMark)
  case setMark(TimelineMark)
  case removeMark(TimelineMark.ID)

  case addAudioFile(AudioFile)
  case setAudioFile(AudioFile)
  case removeAudioFile(AudioFileID)

  case addSoundFont(SoundFont)
  case setSoundFont(SoundFont)
  case removeSoundFont(SoundFontID)
}

/// Why an edit was refused. Nothing was changed.
public enum EditError: Error, Equatable, Sendable {
  case rule(RuleViolation)
  /// What the edit refers to is not there.
  case missing(noun: String, id: String)
}

extension EditError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .rule(let violation): violation.description
    case .missing(let noun, let id): "There is no \(noun) with the id \(id)."
    }
  }
}

extension EditError: DAWError {
  public var kind: ErrorKind {
    switch self {
    case .rule(let violation): violation.kind
    case .missing: .noInput
    }
  }
  public var code: String {
    switch self {
    case .rule(let violation): violation.code
    case .missing(let noun, _): "\(noun)NotFound"
    }
  }
  public var message: String {
    switch self {
    case .rule(let violation): violation.message
    case .missing: "\(description) Nothing was changed."
    }
  }
  public var hint: String? {
    switch self {
    case .rule(let violation): violation.hint
    case .missing: nil
    }
  }
}
