import DAWTime

public typealias LanePointID = Identifier<LanePoint>

/// How a lane goes from one of its points to the next.
public enum LaneShape: String, CaseIterable, Sendable {
  case hold, linear, exponential, logarithmic, sCurve
}

/// A point of a lane. Before the first point of a lane its value holds, and that of the last behind it.
public struct LanePoint: Hashable, Sendable, Identifiable {
  public var id: LanePointID
  public var lane: LaneID
  /// Ticks or flicks from the start of the timeline, by the lane's time base. A lane has one point at a position.
  public var position: Int64
  /// In the parameter's unit; −∞ is the silence of a level.
  public var value: Double
  /// The shape of the curve from here to the next point.
  public var shape: LaneShape

  public init(id: LanePointID, lane: LaneID, position: Int64 = 0, value: Double = 0, shape: LaneShape = .linear) {
    self.id = id
    self.lane = lane
    self.position = position
    self.value = value == 0 ? 0 : value  // never −0
    self.shape = shape
  }
}

extension LanePoint: Content {
  public static let kind = EntityKind.lanePoint
  public static let noun = "point"
  public static let table = "lanePoint"
  public static let parents = [ParentReference(.lane, column: "lane")]
  public static let contents: ContentCollection<LanePoint> = \Project.lanePoints

  public static let fields: [Field<LanePoint>] = [
    Field("lane", \.lane, rule: .referenceExists),
    Field("position", \.position, rule: .pointPosition, as: LanePlace.init),
    Field("value", \.value, rule: .pointValue),
    Field("shape", \.shape, rule: .pointShape),
  ]

  public init(blank id: LanePointID) { self.init(id: id, lane: LaneID(rawValue: 0)) }

  /// Reads the columns of `fields`, in order: without them, since a project may have a million points.
  public init(_ columns: some StoredColumns) throws(RuleViolation) {
    let (value, shape) = (columns.value(3), columns.value(4))
    guard let number = Double(stored: value) else { throw RuleViolation(.pointValue, value: "\(value)") }
    guard let known = LaneShape(stored: shape) else { throw RuleViolation(.pointShape, value: "\(shape)") }
    self.init(
      id: LanePointID(rawValue: columns.integer(0)), lane: LaneID(rawValue: columns.integer(1)),
      position: columns.integer(2), value: number, shape: known)
  }

  public var owner: LaneID { lane }
  public var place: Int64 { position }
  public var subject: String { "point \(id)" }

  public func validate() throws(RuleViolation) {
    try requireID()
    try require(position >= 0, .pointPosition, "a point before the start of the timeline", of: subject)
    try require(position <= TimelineLimit.flicks, .timelineEnd, "a point at \(position)", of: subject)
    try require(value < .infinity, .pointValue, "a value of \(value)", of: subject)
  }

  /// Checks the rules that involve its lane.
  func validate(in lane: Lane, _ parameter: LaneParameter) throws(RuleViolation) {
    let end = lane.timeBase == .musical ? TimelineLimit.ticks : TimelineLimit.flicks
    try require(position <= end, .timelineEnd, "a point at \(position)", of: lane.subject)
    let isAccepted = parameter.accepts(value) && (!parameter.isStepped || value == value.rounded())
    guard isAccepted else {
      throw RuleViolation(
        .pointValue, value: "a value of \(formatDecimal(value))", subject: lane.subject,
        accepted: parameter.acceptedValues)
    }
    try require(
      !parameter.isStepped || shape == .hold, .pointShape, "the shape \(shape.rawValue) in steps", of: lane.subject)
  }

  /// Lanes are fetched once for all points of a lane that come together, and of its other points those between them.
  public static func validate(_ rows: [LanePoint], in tables: some ModelTables, areNew: Bool) throws {
    if !areNew, let absent = try tables.firstAbsent(of: rows.map(\.id)) {
      throw EditError.missing(noun: noun, id: absent.uuidString)
    }
    for row in rows { try row.validate() }
    let changed = Set(rows.map(\.id))
    for (id, points) in Dictionary(grouping: rows, by: \.lane).sorted(by: { $0.key < $1.key }) {
      let lane = try tables.require(id)
      let parameter = try tables.parameter(of: lane)
      for point in points { try point.validate(in: lane, parameter) }
      let places = points.map(\.position)
      guard let first = places.min(), let last = places.max() else { continue }
      let others = try tables.points(of: id, within: first...last).filter { !changed.contains($0.id) }
      var positions = Set(others.map(\.position))
      for point in points where !positions.insert(point.position).inserted {
        throw RuleViolation(.pointIsOnce, value: "a second point at one position", subject: lane.subject)
      }
    }
  }
}

extension LaneParameter {
  /// What values it has, as a sentence.
  package var acceptedValues: String {
    guard !isStepped || range != 0...1 else { return "A value of '\(name)' is 0 (off) or 1 (on)." }
    let ends = "\(formatDecimal(range.lowerBound)) … \(formatDecimal(range.upperBound))\(unit)"
    return "A value of '\(name)' is \(isSilenceAccepted ? "-inf, or " : "")\(ends)."
  }
}

/// The position of a point, in ticks or flicks: its lane's time base says which.
public struct LanePlace: FieldValue {
  public var number: Int64
  public var stored: StoredValue { number.stored }

  public init(number: Int64) { self.number = number }
}
