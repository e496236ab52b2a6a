import DAWTime

/// Inserting, deleting or copying time: the edits that put a project's rows into a new layout of its timeline.
///
/// Pure: from rows to edits. A further kind of row that lies on the timeline joins in `edits()`: with `map` if it is a
/// position or a range; with `Region.part` if a cut divides it.
public struct TimeEdit {
  /// What the edit reads, and where new rows get their ids and names.
  public struct Source {
    public var settings: ProjectSettings
    public var tempoChanges: [TempoChange]
    public var meterChanges: [MeterChange]
    public var keySignatures: [KeySignature]
    public var markers: [Marker]
    public var comments: [Comment]
    public var regions: [Region]
    public var notes: (RegionID) throws -> [MIDINote]
    public var events: (RegionID) throws -> [RegionEvent]
    public var lanes: [Lane]
    public var lanePoints: (LaneID) throws -> [LanePoint]
    /// The track on which a lane, its send or its effect is; `nil` for a group's.
    public var trackOfLane: (Lane) -> TrackID?
    /// The tracks on which overlapping regions are crossfaded.
    public var crossfadingTracks: Set<TrackID>
    /// How values of the lane's parameter are interpolated.
    public var interpolationOfLane: (Lane) -> EffectParameter.Interpolation
    /// The first new id of each kind.
    public var firstID: (EntityKind) throws -> Int64
    /// Names that no other region of the track has.
    public var freeNames: ([Name], TrackID) throws -> [Name]

    public init(
      settings: ProjectSettings, tempoChanges: [TempoChange], meterChanges: [MeterChange],
      keySignatures: [KeySignature], markers: [Marker], comments: [Comment], regions: [Region],
      notes: @escaping (RegionID) throws -> [MIDINote], events: @escaping (RegionID) throws -> [RegionEvent],
      lanes: [Lane], lanePoints: @escaping (LaneID) throws -> [LanePoint],
      trackOfLane: @escaping (Lane) -> TrackID?, crossfadingTracks: Set<TrackID> = [],
      interpolationOfLane: @escaping (Lane) -> EffectParameter.Interpolation = { _ in .plain },
      firstID: @escaping (EntityKind) throws -> Int64,
      freeNames: @escaping ([Name], TrackID) throws -> [Name]
    ) {
      self.settings = settings
      self.tempoChanges = tempoChanges
      self.meterChanges = meterChanges
      self.keySignatures = keySignatures
      self.markers = markers
      self.comments = comments
      self.regions = regions
      self.notes = notes
      self.events = events
      self.lanes = lanes
      self.lanePoints = lanePoints
      self.trackOfLane = trackOfLane
      self.crossfadingTracks = crossfadingTracks
      self.interpolationOfLane = interpolationOfLane
      self.firstID = firstID
      self.freeNames = freeNames
    }
  }

  /// How many rows an edit concerns.
  public struct Counts: Equatable, Sendable {
    public var movedRegions = 0
    /// Regions that a cut divides or shortens.
    public var cutRegions = 0
    public var removedRegions = 0
    public var copiedRegions = 0
    /// Markers, comments and changes of tempo, meter and key that are moved, made or removed.
    public var marks = 0
    /// Points of lanes that are moved, made or removed.
    public var points = 0

    public init() {}
  }

  let layout: TimelineLayout
  /// `nil`: all, and with them the tempo map, meters, keys and markers.
  let tracks: Set<TrackID>?
  let source: Source
  let before: TempoMap
  var after: TempoMap
  public private(set) var counts = Counts()
  public internal(set) var cuts = Cuts()
  private var result: [Edit] = []
  /// Known once the regions are laid out.
  var removedRegions: Set<RegionID> = []
  private var nextIDs: [EntityKind: Int64] = [:]

  /// - Parameter tracks: the only ones that are edited, without tempo map, meters, keys and markers; `nil`: everything.
  public init(_ layout: TimelineLayout, of source: Source, map: TempoMap, tracks: Set<TrackID>? = nil) {
    self.layout = layout
    self.tracks = tracks
    self.source = source
    before = map
    after = map
  }

  /// The edits, each of which keeps every rule.
  /// - Throws: `TimeEditError`, and what the source throws.
  public mutating func edits() throws -> [Edit] {
    result = []
    cuts = Cuts()
    if tracks == nil { try layOutTempoMap() }
    try layOutRegions()
    if tracks == nil { try layOutMarkers() }
    layOutComments()
    try layOutLanes()
    return result
  }

  // MARK: Ids and edits

  mutating func append(_ edit: Edit) { result.append(edit) }

  mutating func newID<E: Entity>(of entity: E.Type = E.self) throws -> Identifier<E> {
    let id = Identifier<E>(rawValue: try nextIDs[E.kind] ?? source.firstID(E.kind))
    nextIDs[E.kind] = id.advanced(by: 1).rawValue
    return id
  }

  mutating func count(_ change: (inout Counts) -> Void) { change(&counts) }

  /// Replaces rows of which only one may be at a position: each after the one that lies where it goes.
  mutating func setInOrder<E: Entity>(_ rows: [(old: Int64, new: Int64, row: E)]) {
    let moved = rows.sorted { $0.old < $1.old }
    let isLater = moved.contains { $0.new > $0.old }
    for entry in isLater ? moved.reversed() : moved { append(.set(entry.row)) }
  }
}
