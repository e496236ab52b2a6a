import DAWTime

/// A whole project as a value: the compiler's input.
public struct Project: Equatable, Sendable {
  public var id: ProjectID
  public var createdDate: Timestamp
  /// The date of the newest edit; undo counts as one.
  public var modifiedDate: Timestamp
  /// The number of the newest edit.
  public var revision: Int64
  public var settings: ProjectSettings
  public var tracks: [TrackID: Track] = [:]
  /// The instruments of MIDI tracks.
  public var instruments: [InstrumentID: Instrument] = [:]
  public var regions: [RegionID: Region] = [:]
  /// Each region's notes, in order of start and then of id.
  public var notes: [RegionID: [MIDINote]] = [:]
  /// Each region's events, in order of start and then of id.
  public var events: [RegionID: [RegionEvent]] = [:]
  public var audioFiles: [AudioFileID: AudioFile] = [:]
  public var soundFonts: [SoundFontID: SoundFont] = [:]
  public var tempoChanges: [TempoChangeID: TempoChange] = [:]
  public var meterChanges: [MeterChangeID: MeterChange] = [:]
  public var keySignatures: [KeySignatureID: KeySignature] = [:]
  public var markers: [MarkerID: Marker] = [:]
  public var comments: [CommentID: Comment] = [:]
  public var sends: [SendID: Send] = [:]
  public var groups: [TrackGroupID: TrackGroup] = [:]
  public var groupMembers: [GroupMemberID: GroupMember] = [:]
  public var lanes: [LaneID: Lane] = [:]
  /// Each lane's points, in order of position.
  public var lanePoints: [LaneID: [LanePoint]] = [:]
  public var effects: [EffectID: Effect] = [:]
  public var effectSettings: [EffectSettingID: EffectSetting] = [:]
  public var takes: [TakeID: Take] = [:]
  public var recordingNotes: [RecordingNoteID: RecordingNote] = [:]
  public var transcriptTexts: [TranscriptTextID: TranscriptText] = [:]

  /// A project without rows, to be filled by a store.
  public init(id: ProjectID, createdDate: Timestamp, settings: ProjectSettings) {
    self.id = id
    self.createdDate = createdDate
    modifiedDate = createdDate
    revision = 0
    self.settings = settings
  }

  /// A project with only its master track.
  public init(id: ProjectID, createdDate: Timestamp, settings: ProjectSettings, master: TrackID) {
    self.init(id: id, createdDate: createdDate, settings: settings)
    tracks = [master: Track(id: master, name: Name(literal: "Master"), orderKey: .master, trackType: .master)]
  }

  /// Inserts rows, replacing those with the same ids. Does nothing for `Content`, which is kept by its owner.
  public mutating func insert<E: Entity>(_ rows: [E]) {
    guard let collection = E.collection else { return }
    for row in rows { self[keyPath: collection][row.id] = row }
  }

  /// Replaces all rows of an entity.
  public mutating func replace<E: Entity>(with rows: [E]) {
    guard let collection = E.collection else { return }
    self[keyPath: collection] = Dictionary(rows.map { ($0.id, $0) }) { $1 }
  }

  /// In order of `orderKey`, the master last. A track's `index` is its place in this array.
  public var tracksInOrder: [Track] { tracks.values.sorted { ($0.orderKey, $0.id) < ($1.orderKey, $1.id) } }

  /// `nil` if the track has none.
  public func instrument(of track: TrackID) -> Instrument? { instruments[InstrumentID(of: track)] }

  /// In order of id, which is the order in which they are summed.
  public func regions(of track: TrackID) -> [Region] {
    regions.values.filter { $0.track == track }.sorted { $0.id < $1.id }
  }

  /// Every track's regions in order of id, grouped in one pass.
  public var regionsByTrack: [TrackID: [Region]] {
    Dictionary(grouping: regions.values.sorted { $0.id < $1.id }, by: \.track)
  }
}
