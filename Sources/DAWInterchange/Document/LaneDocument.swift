import DAWModel
import DAWProject
import DAWStore
import DAWTime

/// A lane as JSON, within what it belongs to.
@dynamicMemberLookup
public struct LaneDocument {
  public var row: Lane
  public var pointCount = 0
  /// In order of position; `nil` where only their number is asked for.
  public var points: [LanePointDocument]?

  public subscript<Value>(dynamicMember path: KeyPath<Lane, Value>) -> Value { row[keyPath: path] }
}

extension LaneDocument: JSONRecord {
  package static var blank: LaneDocument { LaneDocument(row: Lane(blank: LaneID(rawValue: 0))) }

  package static let members: JSONMembers<LaneDocument> = [
    JSONMember(id: \.row.id),
    JSONMember("parameter", \.row.parameter, isRequired: true),
    JSONMember("timeBase", \.row.timeBase),
    JSONMember("isRead", \.row.isRead),
    JSONMember("pointCount", \.pointCount),
    JSONMember(ifPresent: "points", \.points),
  ]

  /// Refuses points whose number alone is there.
  package func complete() throws {
    if pointCount > 0, points == nil { throw JSONError.Problem.onlyCounted("points", pointCount) }
  }
}

/// A point of a lane as JSON. Of the integers only that of the lane's clock is there.
public struct LanePointDocument {
  /// Without its position, when it was read.
  public var row: LanePoint
  public var start = WrittenTime(seconds: 0)
  /// In the parameter's unit; of a level also −∞.
  var value: Level {
    get { Level(decibels: row.value) }
    set { row.value = newValue.decibels }
  }
}

extension LanePointDocument: JSONRecord {
  package static var blank: LanePointDocument { LanePointDocument(row: LanePoint(blank: LanePointID(rawValue: 0))) }

  package static let members = JSONMembers<LanePointDocument>(
    JSONMember.start(\.start) + [
      JSONMember(id: \.row.id),
      JSONMember("value", \.value, isRequired: true),
      JSONMember("shape", \.row.shape),
    ])
}

// MARK: Writing

/// The lanes of a project, by what they belong to.
struct ProjectLanes {
  private var byOwner: [Lane.Owner: [LaneDocument]] = [:]

  /// - Parameters:
  ///   - lanes: in order of id.
  ///   - includesPoints: otherwise only their number.
  init(_ lanes: [Lane], _ view: ProjectView, in map: TempoMap, includesPoints: Bool) throws {
    for lane in lanes {
      guard let owner = lane.owner else { continue }
      let points = try view.points(of: lane.id)
      byOwner[owner, default: []].append(
        LaneDocument(
          row: lane, pointCount: points.count,
          points: includesPoints
            ? points.map { LanePointDocument(row: $0, start: WrittenTime(lane.place(of: $0), in: map)) } : nil))
    }
  }

  /// `nil` if there are none.
  func of(_ owner: Lane.Owner) -> [LaneDocument]? { byOwner[owner] }
}

// MARK: Reading

extension Editor {
  /// Adds the lanes of an owner with their points.
  func add(_ lanes: [LaneDocument]?, of owner: Lane.Owner, in map: TempoMap) throws {
    for document in lanes ?? [] {
      var lane = document.row
      lane.owner = owner
      lane = try add([lane], \.id)[0]
      try add(
        (document.points ?? []).map { document in
          var point = document.row
          point.lane = lane.id
          switch try document.start.position(lane.timeBase, in: map) {
          case .musical(let ticks): point.position = ticks.ticks
          case .absolute(let flicks): point.position = flicks.flicks
          }
          return point
        }, \.id)
    }
  }
}
