public typealias TrackGroupID = Identifier<TrackGroup>

/// Tracks that are made louder, muted and soloed together; each keeps its own settings.
public struct TrackGroup: Hashable, Sendable, Identifiable {
  public var id: TrackGroupID
  /// Unique among the groups of a project.
  public var name: Name
  /// Added to the volumes of its tracks, as those of their other groups are.
  public var volume: Level
  public var isMuted: Bool
  public var isSolo: Bool

  public init(
    id: TrackGroupID, name: Name, volume: Level = .unity, isMuted: Bool = false, isSolo: Bool = false
  ) {
    self.id = id
    self.name = name
    self.volume = volume
    self.isMuted = isMuted
    self.isSolo = isSolo
  }
}

extension TrackGroup: Entity {
  public static let kind = EntityKind.trackGroup
  public static let noun = "group"
  public static let table = "trackGroup"
  public static let collection: RowCollection<TrackGroup>? = \Project.groups

  public static let fields: [Field<TrackGroup>] = [
    Field("name", \.name, rule: .name),
    Field("nameKey", rule: .nameKey) { $0.name.key },
    Field("volume", \.volume, rule: .volume),
    Field("isMuted", \.isMuted, rule: .flag),
    Field("isSolo", \.isSolo, rule: .flag),
  ]

  public init(blank id: TrackGroupID) {
    self.init(id: id, name: Name(unchecked: ""))
  }

  public var subject: String { "group '\(name)'" }

  public func validate() throws(RuleViolation) {
    try requireID()
    try name.validate()
    try require(volume.isAccepted, .volume, "a volume of \(volume)", of: subject)
  }

  public func validate(in tables: some ModelTables, replacing old: TrackGroup?) throws {
    guard try tables.firstID(of: TrackGroup.self, where: "nameKey", is: name.key, besides: id) != nil else { return }
    throw RuleViolation(.groupNameIsUnique, value: "the name '\(name)', which another group has")
  }
}
