import DAWTime

/// Inserting, deleting or copying time: the edits that put a project's rows into a new layout of its timeline.
///
/// Pure: from rows to edits. A further kind of row that lies on the timeline joins in `edits()`: with `moved(_:with:)`
/// if it has a position or a range; with `Region.part` if a cut divides it.
public struct TimeEdit {
  /// What the edit reads, and where new rows get their ids and names.
  public struct Source {
    /// Its notes, events and points of lanes are not read: there may be millions.
    public var project: Project
    public var notes: (RegionID) throws -> [MIDINote]
    public var events: (RegionID) throws -> [RegionEvent]
    /// In order of position.
    public var lanePoints: (LaneID) throws -> [LanePoint]
    /// The first new id of each kind.
    public var firstID: (EntityKind) throws -> Int64
    /// Names that no other region of the track has.
    public var freeNames: ([Name], TrackID) throws -> [Name]

    public init(
      project: Project, notes: @escaping (RegionID) throws -> [MIDINote],
      events: @escaping (RegionID) throws -> [RegionEvent], lanePoints: @escaping (LaneID) throws -> [LanePoint],
      firstID: @escaping (EntityKind) throws -> Int64, freeNames: @escaping ([Name], TrackID) throws -> [Name]
    ) {
      self.project = project
      self.notes = notes
      self.events = events
      self.lanePoints = lanePoints
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
  /// The first place where a key signature holds on that had none before.
  public internal(set) var lastingKey: LastingKey?
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
    lastingKey = nil
    try requireFewCopiedRows()
    if tracks == nil { try layOutTempoMap() }
    try layOutRegions()
    if tracks == nil { try layOutMarkers() }
    layOutComments()
    try layOutLanes()
    return result
  }

  // MARK: Rows, ids and edits

  /// The project's rows of an entity, in order of id.
  func rows<E: Entity>(_ collection: KeyPath<Project, [Identifier<E>: E]>) -> [E] {
    source.project[keyPath: collection].values.sorted { $0.id < $1.id }
  }

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
