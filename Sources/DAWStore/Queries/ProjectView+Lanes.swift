import DAWModel
import GRDB

extension ProjectView {
  /// The points of a lane within a range, in order of position.
  public func points(of lane: LaneID, within positions: ClosedRange<Int64>) throws -> [LanePoint] {
    try tables.points(of: lane, within: positions)
  }

  /// The number of a lane's points.
  public func pointCount(_ lane: LaneID) throws -> Int {
    try memory.pointCount(of: lane) {
      try Int.fetchOne(
        database.cachedStatement(sql: "SELECT count(*) FROM lanePoint WHERE lane = ?"), arguments: [lane.rawValue])
        ?? 0
    }
  }

  /// Whether a lane has a point that is not −∞.
  public func hasFinitePoint(_ lane: LaneID) throws -> Bool {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT 1 FROM lanePoint WHERE lane = ? AND value > -9e999 LIMIT 1"),
      arguments: [lane.rawValue]) != nil
  }

  /// The point of a lane that is nearest to a position, the earlier one of two; `nil` if it has none.
  public func point(of lane: LaneID, nearest position: Int64) throws -> LanePoint? {
    let earlier = try LanePoint.fetch(
      "WHERE lane = ? AND position <= ? ORDER BY position DESC, id DESC LIMIT 1", [lane.rawValue, position],
      in: database)
    let later = try LanePoint.fetch(
      "WHERE lane = ? AND position > ? ORDER BY position, id LIMIT 1", [lane.rawValue, position], in: database)
    return (earlier + later).min { ($0.position - position).magnitude < ($1.position - position).magnitude }
  }
}
