import DAWTime

/// A project's rows, as far as an edit needs them: `Project` keeps them in memory, the store in SQLite.
///
/// Reads return `nil` for what is not there. Writes are given what `apply(_:)` has checked; a store's own constraints are
/// a second net.
public protocol ModelTables {
  func track(_ id: TrackID) throws -> Track?
  func track(withNameKey key: String) throws -> TrackID?
  func hasRegions(_ track: TrackID) throws -> Bool
  /// The first stereo region of a track, where it has one.
  func stereoRegion(of track: TrackID) throws -> Region?
  func region(_ id: RegionID) throws -> Region?
  /// How many of a region's notes end after a place in it.
  func noteCount(in region: RegionID, endingAfter end: TickCount) throws -> Int
  func note(_ id: NoteID) throws -> MIDINote?
  /// The first of these notes that is there.
  func firstPresent(of notes: [NoteID]) throws -> NoteID?
  /// The first of these notes that is not there.
  func firstAbsent(of notes: [NoteID]) throws -> NoteID?
  /// How many of a region's events come after a place in it.
  func eventCount(in region: RegionID, after end: TickCount) throws -> Int
  func event(_ id: EventID) throws -> RegionEvent?
  func firstPresent(of events: [EventID]) throws -> EventID?
  func firstAbsent(of events: [EventID]) throws -> EventID?
  func mark(_ id: TimelineMark.ID) throws -> TimelineMark?
  /// What stands where this would, of its kind, if there can be only one.
  func rival(of mark: TimelineMark) throws -> TimelineMark.ID?
  func audioFile(_ id: AudioFileID) throws -> AudioFile?
  func audioFile(withHash sha256: String) throws -> AudioFileID?
  func regions(over audioFile: AudioFileID) throws -> [Region]
  func soundFont(_ id: SoundFontID) throws -> SoundFont?
  func soundFont(withHash sha256: String) throws -> SoundFontID?
  func isUsed(_ soundFont: SoundFontID) throws -> Bool

  mutating func write(_ settings: ProjectSettings) throws
  mutating func insert(_ track: Track) throws
  mutating func update(_ track: Track) throws
  mutating func delete(_ track: TrackID) throws
  mutating func insert(_ region: Region) throws
  mutating func update(_ region: Region) throws
  mutating func delete(_ region: RegionID) throws
  mutating func insert(_ notes: [MIDINote]) throws
  mutating func update(_ notes: [MIDINote]) throws
  mutating func delete(_ notes: [NoteID]) throws
  mutating func insert(_ events: [RegionEvent]) throws
  mutating func update(_ events: [RegionEvent]) throws
  mutating func delete(_ events: [EventID]) throws
  mutating func insert(_ mark: TimelineMark) throws
  mutating func update(_ mark: TimelineMark) throws
  mutating func delete(_ mark: TimelineMark.ID) throws
  mutating func insert(_ audioFile: AudioFile) throws
  mutating func update(_ audioFile: AudioFile) throws
  mutating func delete(_ audioFile: AudioFileID) throws
  mutating func insert(_ soundFont: SoundFont) throws
  mutating func update(_ soundFont: SoundFont) throws
  mutating func delete(_ soundFont: SoundFontID) throws
}

extension ModelTables {
  /// Makes one change, or none.
  /// - Throws: `EditError`, and what the tables themselves throw; nothing has changed then.
  public mutating func apply(_ edit: Edit) throws {
    do {
      switch edit {
      case .setProject(let settings):
        try settings.validate()
        try write(settings)
      case .addTrack, .setTrack, .removeTrack: try applyToTracks(edit)
      case .addRegion, .setRegion, .removeRegion: try applyToRegions(edit)
      case .addNotes, .setNotes, .removeNotes: try applyToNotes(edit)
      case .addEvents, .setEvents, .removeEvents: try applyToEvents(edit)
      case .addMark, .setMark, .removeMark: try applyToMarks(edit)
      case .addAudioFile, .setAudioFile, .removeAudioFile: try applyToAudioFiles(edit)
      case .addSoundFont, .setSoundFont, .removeSoundFont: try applyToSoundFonts(edit)
      }
    } catch let violation as RuleViolation {
      throw EditError.rule(violation)
    }
  }
}

extension Optional {
  /// What was looked up, which must be there.
  func found<Kind>(_ id: Identifier<Kind>) throws -> Wrapped {
    guard let self else { throw EditError.missing(noun: Kind.noun, id: id.uuidString) }
    return self
  }
}
