/// Which entity a row is of. The raw value stands in the UUID of an identifier and never changes. 22 stands in those of
/// a recording's passes and 25 in those of jobs, which are no entities; a recording has the number of its note, whose
/// id it shares, and a transcript that of its text.
public enum EntityKind: UInt8, CaseIterable, Sendable, Codable {
  case track = 1
  case region = 2
  case note = 3
  case audioFile = 4
  case soundFont = 5
  case event = 6
  case tempoChange = 7
  case meterChange = 8
  case keySignature = 9
  case marker = 10
  case instrument = 11
  case comment = 12
  case send = 13
  case trackGroup = 14
  case groupMember = 15
  case lane = 16
  case lanePoint = 17
  case effect = 18
  case effectSetting = 19
  case take = 20
  case recordingNote = 21
  case transcriptText = 24

  public var entity: any Entity.Type {
    switch self {
    case .track: Track.self
    case .region: Region.self
    case .note: MIDINote.self
    case .audioFile: AudioFile.self
    case .soundFont: SoundFont.self
    case .event: RegionEvent.self
    case .tempoChange: TempoChange.self
    case .meterChange: MeterChange.self
    case .keySignature: KeySignature.self
    case .marker: Marker.self
    case .instrument: Instrument.self
    case .comment: Comment.self
    case .send: Send.self
    case .trackGroup: TrackGroup.self
    case .groupMember: GroupMember.self
    case .lane: Lane.self
    case .lanePoint: LanePoint.self
    case .effect: Effect.self
    case .effectSetting: EffectSetting.self
    case .take: Take.self
    case .recordingNote: RecordingNote.self
    case .transcriptText: TranscriptText.self
    }
  }
}

/// Rows of one entity.
public enum Rows: Equatable, Sendable, Codable {
  case tracks([Track])
  case regions([Region])
  case notes([MIDINote])
  case audioFiles([AudioFile])
  case soundFonts([SoundFont])
  case events([RegionEvent])
  case tempoChanges([TempoChange])
  case meterChanges([MeterChange])
  case keySignatures([KeySignature])
  case markers([Marker])
  case instruments([Instrument])
  case comments([Comment])
  case sends([Send])
  case groups([TrackGroup])
  case groupMembers([GroupMember])
  case lanes([Lane])
  case lanePoints([LanePoint])
  case effects([Effect])
  case effectSettings([EffectSetting])
  case takes([Take])
  case recordingNotes([RecordingNote])
  case transcriptTexts([TranscriptText])

  var array: any EntityArray {
    switch self {
    case .tracks(let rows): rows
    case .regions(let rows): rows
    case .notes(let rows): rows
    case .audioFiles(let rows): rows
    case .soundFonts(let rows): rows
    case .events(let rows): rows
    case .tempoChanges(let rows): rows
    case .meterChanges(let rows): rows
    case .keySignatures(let rows): rows
    case .markers(let rows): rows
    case .instruments(let rows): rows
    case .comments(let rows): rows
    case .sends(let rows): rows
    case .groups(let rows): rows
    case .groupMembers(let rows): rows
    case .lanes(let rows): rows
    case .lanePoints(let rows): rows
    case .effects(let rows): rows
    case .effectSettings(let rows): rows
    case .takes(let rows): rows
    case .recordingNotes(let rows): rows
    case .transcriptTexts(let rows): rows
    }
  }
}

/// An array of rows whose entity is known only at run time.
protocol EntityArray {
  associatedtype Row: Entity
  var rows: [Row] { get }
}

extension Array: EntityArray where Element: Entity {
  var rows: [Element] { self }
}
