public typealias GroupMemberID = Identifier<GroupMember>

/// That a track belongs to a group. A track may belong to several.
public struct GroupMember: Hashable, Sendable, Identifiable {
  public var id: GroupMemberID
  public var group: TrackGroupID
  public var track: TrackID

  public init(id: GroupMemberID, of group: TrackGroupID, track: TrackID) {
    self.id = id
    self.group = group
    self.track = track
  }
}

extension GroupMember: Entity {
  public static let kind = EntityKind.groupMember
  public static let noun = "member"
  public static let table = "groupMember"
  public static let parents = [
    ParentReference(.trackGroup, column: "trackGroup"), ParentReference(.track, column: "track"),
  ]
  public static let link: LinkLabel? = LinkLabel(from: "track", "of group", to: "trackGroup")
  public static let collection: RowCollection<GroupMember>? = \Project.groupMembers

  /// `group` is a word of SQL.
  public static let fields: [Field<GroupMember>] = [
    Field("trackGroup", \.group, rule: .groupMember),
    Field("track", \.track, rule: .groupMember),
  ]

  public init(blank id: GroupMemberID) {
    self.init(id: id, of: TrackGroupID(rawValue: 0), track: TrackID(rawValue: 0))
  }

  public var subject: String { "a member of a group" }

  public func validate() throws(RuleViolation) { try requireID() }

  public func validate(in tables: some ModelTables, replacing old: GroupMember?) throws {
    let (group, track) = (try tables.require(group), try tables.require(track))
    try require(track.trackType != .master, .groupMember, "the master in a group", of: group.subject)
    let isSecond = try tables.rows(GroupMember.self, where: "track", is: self.track).contains {
      $0.group == self.group && $0.id != id
    }
    try require(!isSecond, .memberIsOnce, "the \(track.subject) a second time", of: group.subject)
  }
}
