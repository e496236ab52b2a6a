import DAWTime

/// A whole project as a value: what the compiler reads, and what the pure interpreter of `Edit` changes.
public struct Project: Equatable, Sendable, Codable {
  public var id: ProjectID
  public var createdDate: Timestamp
  /// When the newest edit was made, undo included.
  public var modifiedDate: Timestamp
  /// The number of the newest edit.
  public var revision: Int64
  public var settings: ProjectSettings
  public internal(set) var tracks: [TrackID: Track] = [:]
  public internal(set) var regions: [RegionID: Region] = [:]
  /// Each region's notes, in order of start and then of id.
  public internal(set) var notes: [RegionID: [MIDINote]] = [:]
  /// Each region's events, in order of start and then of id.
  public internal(set) var events: [RegionID: [RegionEvent]] = [:]
  public internal(set) var audioFiles: [AudioFileID: AudioFile] = [:]
  public internal(set) var soundFonts: [SoundFontID: SoundFont] = [:]
  public internal(set) var tempoMarks: [TempoMarkID: TempoMark] = [:]
  public internal(set) var meterMarks: [MeterMarkID: MeterMark] = [:]
  public internal(set) var keyMarks: [KeyMarkID: KeyMark] = [:]
  public internal(set) var markers: [MarkerID: Marker] = [:]

  /// A project with its master track and nothing else.
  public init(id: ProjectID, createdDate: Timestamp, settings: ProjectSettings, master: TrackID) {
    self.id = id
    self.createdDate = createdDate
    modifiedDate = createdDate
    revision = 0
    self.settings = settings
    tracks = [master: Track(id: master, name: Name(literal: "Master"), orderKey: .master, trackType: .master)]
  }

  /// What a store has loaded, and checked.
  public init(
    id: ProjectID, createdDate: Timestamp, modifiedDate: Timestamp, revision: Int64, settings: ProjectSettings,
    tracks: [Track], regions: [Region], notes: [RegionID: [MIDINote]], events: [RegionID: [RegionEvent]] = [:],
    audioFiles: [AudioFile], soundFonts: [SoundFont], marks: [TimelineMark] = []
  ) {
    self.id = id
    self.createdDate = createdDate
    self.modifiedDate = modifiedDate
    self.revision = revision
    self.settings = settings
    self.tracks = Dictionary(uniqueKeysWithValues: tracks.map { ($0.id, $0) })
    self.regions = Dictionary(uniqueKeysWithValues: regions.map { ($0.id, $0) })
    self.notes = notes
    self.events = events
    self.audioFiles = Dictionary(uniqueKeysWithValues: audioFiles.map { ($0.id, $0) })
    self.soundFonts = Dictionary(uniqueKeysWithValues: soundFonts.map { ($0.id, $0) })
    for mark in marks { insert(mark) }
  }

  /// In their order, the master last. A track's `index` is its place here.
  public var tracksInOrder: [Track] { tracks.values.sorted { ($0.orderKey, $0.id) < ($1.orderKey, $1.id) } }

  /// In order of id, which is the order that they are summed in.
  public func regions(of track: TrackID) -> [Region] {
    regions.values.filter { $0.track == track }.sorted { $0.id < $1.id }
  }

  /// Every track's regions in order of id, found in one pass.
  public var regionsByTrack: [TrackID: [Region]] {
    Dictionary(grouping: regions.values.sorted { $0.id < $1.id }, by: \.track)
  }
}
