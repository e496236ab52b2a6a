import DAWTime

public typealias LaneID = Identifier<Lane>

/// A curve of one parameter over time. While it is read, it stands in place of the value that is set.
public struct Lane: Hashable, Sendable, Identifiable {
  public var id: LaneID
  /// The owner: exactly one of `track`, `send`, `group` and `effect`.
  public var track: TrackID?
  public var send: SendID?
  public var group: TrackGroupID?
  public var effect: EffectID?
  /// What it moves: a name among `LaneParameter`s of its owner. One lane for each owner and parameter.
  public var parameter: String
  /// What the positions of its points count: ticks, or flicks. Points of a musical lane follow changes of tempo.
  public var timeBase: TimeBase
  /// Whether it is heard; otherwise the set value holds.
  public var isRead: Bool

  /// What a lane belongs to.
  public enum Owner: Hashable, Sendable {
    case track(TrackID)
    case send(SendID)
    case group(TrackGroupID)
    case effect(EffectID)
  }

  public init(
    id: LaneID, of owner: Owner, parameter: String, timeBase: TimeBase = .musical, isRead: Bool = true
  ) {
    self.init(blank: id)
    self.owner = owner
    self.parameter = parameter
    self.timeBase = timeBase
    self.isRead = isRead
  }

  /// `nil` unless it has exactly one.
  public var owner: Owner? {
    get {
      switch (track, send, group, effect) {
      case (let track?, nil, nil, nil): .track(track)
      case (nil, let send?, nil, nil): .send(send)
      case (nil, nil, let group?, nil): .group(group)
      case (nil, nil, nil, let effect?): .effect(effect)
      default: nil
      }
    }
    set {
      (track, send, group, effect) = (nil, nil, nil, nil)
      switch newValue {
      case .track(let id): track = id
      case .send(let id): send = id
      case .group(let id): group = id
      case .effect(let id): effect = id
      case nil: break
      }
    }
  }

  /// Where a point of the lane lies.
  public func place(of point: LanePoint) -> TimelinePosition { TimelinePosition(point.position, in: timeBase) }
}

extension Lane: Entity {
  public static let kind = EntityKind.lane
  public static let noun = "lane"
  public static let table = "lane"
  public static let parents = [
    ParentReference(.track, column: "track"), ParentReference(.send, column: "send"),
    ParentReference(.trackGroup, column: "trackGroup"), ParentReference(.effect, column: "effect"),
  ]
  public static let collection: RowCollection<Lane>? = \Project.lanes

  /// `group` is a word of SQL.
  public static let fields: [Field<Lane>] = [
    Field("track", \.track, rule: .laneOwner),
    Field("send", \.send, rule: .laneOwner),
    Field("trackGroup", \.group, rule: .laneOwner),
    Field("effect", \.effect, rule: .laneOwner),
    Field("parameter", \.parameter, rule: .laneParameter),
    Field("timeBase", \.timeBase, rule: .timeBase),
    Field("isRead", \.isRead, rule: .flag),
  ]

  public init(blank id: LaneID) {
    self.id = id
    parameter = ""
    timeBase = .musical
    isRead = true
  }

  public var subject: String { "lane '\(parameter)'" }

  /// The columns that refer to owners, each with what it holds.
  private var owners: [(column: String, id: Int64?)] {
    [
      ("track", track?.rawValue), ("send", send?.rawValue), ("trackGroup", group?.rawValue),
      ("effect", effect?.rawValue),
    ]
  }

  public func validate() throws(RuleViolation) {
    try requireID()
    let count = owners.count { $0.id != nil }
    try require(count == 1, .laneOwner, count == 0 ? "a lane of nothing" : "a lane of \(count) owners", of: subject)
    // Which names an effect has depends on its kind.
    let names = LaneParameter.ofOwner(owner).map(\.name)
    let isKnown = effect == nil ? names.contains(parameter) : (1...64).contains(parameter.unicodeScalars.count)
    guard isKnown else { throw Self.unknownParameter(parameter, among: names) }
  }

  static func unknownParameter(_ name: String, among names: [String]) -> RuleViolation {
    RuleViolation(
      .laneParameter, value: "a lane of '\(name)'",
      accepted: "A lane moves one of \(names.joined(separator: ", ")) here.")
  }

  public func validate(in tables: some ModelTables, replacing old: Lane?) throws {
    guard owner != old?.owner || parameter != old?.parameter else { return }
    _ = try tables.parameter(of: self)
    for case (let column, let id?) in owners {
      let isSecond = try tables.rows(Lane.self, where: column, is: id).contains {
        $0.parameter == parameter && $0.id != self.id
      }
      try require(!isSecond, .laneIsOnce, "a second lane of '\(parameter)'")
    }
  }
}

// MARK: Parameters

/// A parameter that a lane can move.
public struct LaneParameter: Hashable, Sendable {
  /// Canonical, as it is stored: `volume`, `band2.gain`.
  public var name: String
  /// Behind a number: " dB", or empty.
  public var unit: String
  public var range: ClosedRange<Double>
  /// Whether −∞ (silence) is a value.
  public var isSilenceAccepted: Bool
  /// Whether its values are steps, not points of a curve: only `hold` leads from one to the next.
  public var isStepped: Bool

  public init(
    _ name: String, unit: String = "", range: ClosedRange<Double>, isSilenceAccepted: Bool = false,
    isStepped: Bool = false
  ) {
    self.name = name
    self.unit = unit
    self.range = range
    self.isSilenceAccepted = isSilenceAccepted
    self.isStepped = isStepped
  }

  public func accepts(_ value: Double) -> Bool {
    range.contains(value) || (isSilenceAccepted && value == -.infinity)
  }

  /// The parameters of a kind of owner; of an effect, those that every kind of effect has.
  public static func ofOwner(_ owner: Lane.Owner?) -> [LaneParameter] {
    switch owner {
    case .track: ofTracks
    case .send: ofSends
    case .group: ofGroups
    case .effect, nil: ofEffects
    }
  }

  private static func level(_ name: String) -> LaneParameter {
    LaneParameter(name, unit: " dB", range: Level.acceptedDecibels, isSilenceAccepted: true)
  }
  private static func toggle(_ name: String) -> LaneParameter {
    // Of 0 and 1 only the whole numbers; `validate` asks for these.
    LaneParameter(name, range: 0...1, isStepped: true)
  }

  /// The parameters of tracks, buses and the master.
  public static let ofTracks = [
    level("volume"), LaneParameter("pan", range: -1...1), toggle("mute"),
    LaneParameter("trim", unit: " dB", range: Track.acceptedTrim),
    LaneParameter("stereoWidth", range: Track.acceptedStereoWidth),
  ]
  public static let ofSends = [level("level"), LaneParameter("pan", range: -1...1), toggle("mute")]
  public static let ofGroups = [level("volume"), toggle("mute")]
  public static let ofEffects = [toggle("bypass")]

  /// The parameters of an effect of a kind: its bypass, and what can be automated.
  public static func of(_ kind: EffectKind) -> [LaneParameter] {
    ofEffects + kind.parameters.filter(\.isAutomatable).map(LaneParameter.init)
  }

  /// One of them; `nil` if there is none of that name.
  public static func named(_ name: String, of kind: EffectKind) -> LaneParameter? {
    if let parameter = kind.parameter(name), parameter.isAutomatable { return LaneParameter(parameter) }
    return ofEffects.first { $0.name == name }
  }

  private init(_ parameter: EffectParameter) {
    self.init(parameter.name, unit: parameter.suffix, range: parameter.range)
  }
}

extension ModelTables {
  /// The parameters that the owner of a lane has.
  /// - Throws: `EditError.missing` if there is no such owner.
  func parameters(of owner: Lane.Owner) throws -> [LaneParameter] {
    switch owner {
    case .track(let id): _ = try require(id)
    case .send(let id): _ = try require(id)
    case .group(let id): _ = try require(id)
    case .effect(let id): return LaneParameter.of(try require(id).kind)
    }
    return LaneParameter.ofOwner(owner)
  }

  /// What a lane moves.
  /// - Throws: `RuleViolation` if its owner has no such parameter, `EditError.missing` if there is no such owner.
  func parameter(of lane: Lane) throws -> LaneParameter {
    guard let owner = lane.owner else { throw RuleViolation(.laneOwner, value: "a lane of nothing") }
    let all = try parameters(of: owner)
    guard let parameter = all.first(where: { $0.name == lane.parameter }) else {
      throw Lane.unknownParameter(lane.parameter, among: all.map(\.name))
    }
    return parameter
  }
}
