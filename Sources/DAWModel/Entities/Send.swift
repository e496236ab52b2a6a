public typealias SendID = Identifier<Send>

/// A connection from a track to a bus, beside the track's output.
public struct Send: Hashable, Sendable, Identifiable {
  public var id: SendID
  /// What it takes its signal from.
  public var track: TrackID
  /// What it feeds. A track has at most one send to a bus.
  public var bus: TrackID
  public var level: Level
  /// `nil`: the track's own.
  public var pan: Pan?
  /// Whether it takes the signal before the track's fader, and not behind it.
  public var isPreFader: Bool
  public var isMuted: Bool

  public init(
    id: SendID, from track: TrackID, to bus: TrackID, level: Level = .unity, pan: Pan? = nil, isPreFader: Bool = false,
    isMuted: Bool = false
  ) {
    self.id = id
    self.track = track
    self.bus = bus
    self.level = level
    self.pan = pan
    self.isPreFader = isPreFader
    self.isMuted = isMuted
  }
}

extension Send: Entity {
  public static let kind = EntityKind.send
  public static let noun = "send"
  public static let table = "send"
  /// A bus is removed only when nothing feeds it.
  public static let parents = [ParentReference(.track, column: "track")]
  public static let link: LinkLabel? = LinkLabel(from: "track", "→", to: "bus")
  public static let collection: RowCollection<Send>? = \Project.sends

  public static let fields: [Field<Send>] = [
    Field("track", \.track, rule: .send),
    Field("bus", \.bus, rule: .send),
    Field("level", \.level, rule: .sendLevel),
    Field("pan", \.pan, rule: .pan, as: { NamedDefault(value: $0, name: "strip") }),
    Field("isPreFader", \.isPreFader, rule: .flag),
    Field("isMuted", \.isMuted, rule: .flag),
  ]

  public init(blank id: SendID) {
    self.init(id: id, from: TrackID(rawValue: 0), to: TrackID(rawValue: 0))
  }

  public var subject: String { "a send" }

  public func validate() throws(RuleViolation) {
    try requireID()
    try require(track != bus, .send, "a send of a bus to itself", of: subject)
    try require(level.isAccepted, .sendLevel, "a level of \(level)", of: subject)
    if let pan { try require(Pan.accepted.contains(pan.position), .pan, "a pan of \(pan)", of: subject) }
  }

  public func validate(in tables: some ModelTables, replacing old: Send?) throws {
    guard track != old?.track || bus != old?.bus else { return }
    let (source, target) = (try tables.require(track), try tables.require(bus))
    try require(source.trackType != .master, .send, "a send of the master", of: source.subject)
    try require(
      target.trackType == .bus, .send, "a send to the \(target.subject), which is no bus", of: source.subject)
    let isSecond = try tables.rows(Send.self, where: "track", is: track).contains { $0.bus == bus && $0.id != id }
    try require(!isSecond, .sendIsOnce, "a second send to the \(target.subject)", of: source.subject)
  }

  public static func validate(_ rows: [Send], in tables: some ModelTables, areNew: Bool) throws {
    var connecting: [Send] = []
    for row in rows {
      let old = areNew ? nil : try tables.require(row.id)
      try row.validate()
      try row.validate(in: tables, replacing: old)
      if row.track != old?.track || row.bus != old?.bus { connecting.append(row) }
    }
    if !connecting.isEmpty { try tables.requireNoCycle(sends: connecting) }
  }
}
