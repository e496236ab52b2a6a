import DAWModel
import DAWTime
import GRDB

/// Selects rows of a table of what MIDI regions contain, by the region and by places on the timeline.
struct MIDIRowConditions {
  /// What follows `FROM`.
  let source: String
  private var conditions = ["region.regionType = 'midi'", "region.timeBase = 'musical'"]
  private(set) var arguments: StatementArguments = []

  /// - Parameters:
  ///   - table: has the columns `region` and `startTime`.
  ///   - from: regions that end before this position are left out; where a row must lie, its caller says.
  ///   - to: rows that start at or after this position are left out.
  init(_ table: String, region: RegionID?, track: TrackID?, _ from: TickPosition?, _ to: TickPosition?) {
    source = "region CROSS JOIN \(table) ON \(table).region = region.id"
    require("region.id = ?", region?.rawValue)
    require("region.track = ?", track?.rawValue)
    require("\(table).startTime < ? - region.startTime", to?.ticks)
    require("region.startTime < ?", to?.ticks)
    // For an index: no region that starts earlier can reach the position.
    require(
      "region.startTime >= ? - (SELECT max(duration) FROM region WHERE regionType = 'midi' AND timeBase = 'musical')",
      from?.ticks)
  }

  /// Adds a condition on a value, if there is one.
  mutating func require(_ condition: String, _ value: Int64?) {
    guard let value else { return }
    conditions.append(condition)
    arguments += [value]
  }

  var text: String { "WHERE \(conditions.joined(separator: " AND "))" }
}
