public typealias TakeID = Identifier<Take>

/// What the user sees of a recorded pass, or of another version of a passage: regions that are used together or not.
public struct Take: Hashable, Sendable, Identifiable {
  public var id: TakeID
  /// Stays the same while regions are parts of the take.
  public var track: TrackID
  public var name: Name
  /// 0: none.
  public var rating: Int
  /// The user's; those that `daw` finds are facts of the pass.
  public var tags: Tags
  /// The recorded pass; `nil` for a take that was not recorded. It need not be known any more.
  public var pass: PassID?

  public init(id: TakeID, track: TrackID, name: Name, rating: Int = 0, tags: Tags = Tags(), pass: PassID? = nil) {
    self.id = id
    self.track = track
    self.name = name
    self.rating = rating
    self.tags = tags
    self.pass = pass
  }

  public static let acceptedRating = 0...5
}

extension Take: Entity {
  public static let kind = EntityKind.take
  public static let noun = "take"
  public static let table = "take"
  public static let parents = [ParentReference(.track, column: "track")]
  public static let collection: RowCollection<Take>? = \Project.takes

  public static let fields: [Field<Take>] = [
    Field("track", \.track, rule: .referenceExists),
    Field("name", \.name, rule: .name),
    Field("nameKey", rule: .nameKey) { $0.name.key },
    Field("rating", \.rating, rule: .takeRating),
    Field("tags", \.tags, rule: .takeTags),
    Field("pass", \.pass, rule: .identifier),
  ]

  public init(blank id: TakeID) {
    self.init(id: id, track: TrackID(rawValue: 0), name: Name(unchecked: ""))
  }

  public var subject: String { "take '\(name)'" }

  public func validate() throws(RuleViolation) {
    try requireID()
    try name.validate()
    try require(Self.acceptedRating.contains(rating), .takeRating, "a rating of \(rating)", of: subject)
    try require(tags.isAccepted, .takeTags, "the tags '\(tags.simple)'", of: subject)
    try require(
      pass.map { $0.rawValue > 0 } ?? true, .identifier, "the pass \(pass?.rawValue ?? 0)", of: subject)
  }

  public func validate(in tables: some ModelTables, replacing old: Take?) throws {
    _ = try tables.require(track)
    guard let old, old.track != track else { return }
    try require(
      try tables.firstID(of: Region.self, where: "take", is: id) == nil, .regionOfTake,
      "another track while regions are parts of it", of: old.subject)
  }
}
