import DAWModel
import DAWTestSupport
import DAWTime
import GRDB
import Testing

@testable import DAWStore

extension AgreementTests {
  private static let owners: [(owner: Lane.Owner, parameters: [LaneParameter])] = [
    (.track(TrackID(rawValue: 11)), LaneParameter.ofTracks), (.send(SendID(rawValue: 70)), LaneParameter.ofSends),
    (.group(TrackGroupID(rawValue: 80)), LaneParameter.ofGroups),
    // Which parameters effects have, and the values of those, only a commit knows.
    (.effect(EffectID(rawValue: 100)), LaneParameter.ofEffects),
  ]

  /// The sample project's tables in memory.
  private func tables() throws -> MemoryTables {
    let store = try ProjectStore.inMemory()
    for edit in try SampleProject.edits() { _ = try store.edit(origin) { try $0.apply(edit) } }
    return MemoryTables(try store.read { try $0.project() })
  }

  @Test("accept the same lanes")
  func lanes() throws {
    let tables = try tables()
    let names = Self.owners.flatMap(\.parameters).map(\.name) + ["", "volumes"]
    try compare(1500) { generator in
      guard let (owner, _) = Self.owners.randomElement(using: &generator) else { return nil }
      var lane = Lane(id: LaneID(rawValue: integer([199, 1], &generator)), of: owner, parameter: "mute")
      lane.timeBase = Bool.random(using: &generator) ? .absolute : .musical
      lane.isRead = Bool.random(using: &generator)
      let known = lane.effect == nil ? names : ["bypass", "mix", "threshold", ""]
      lane.parameter = known.randomElement(using: &generator) ?? ""
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: lane.owner = nil
      case 1: lane.group = TrackGroupID(rawValue: 80)
      default: break
      }
      return Sample(sql: Lane.sql.insert, arguments: lane.arguments, text: "\(lane)") { [lane] in
        try lane.validate()
        try lane.validate(in: tables, replacing: nil)
      }
    }
  }

  @Test("accept the same points of them")
  func points() throws {
    let tables = try tables()
    try compare(3000) { generator in
      guard let (owner, parameters) = Self.owners.randomElement(using: &generator),
        let parameter = parameters.randomElement(using: &generator)
      else { return nil }
      let lane = Lane(
        id: LaneID(rawValue: 199), of: owner, parameter: parameter.name,
        timeBase: Bool.random(using: &generator) ? .absolute : .musical)
      // The sample project has some of these lanes.
      guard (try? lane.validate(in: tables, replacing: nil)) != nil else { return nil }
      let point = LanePoint(
        id: LanePointID(rawValue: integer([199, 1], &generator)), lane: lane.id,
        position: integer([0, TimelineLimit.ticks, TimelineLimit.flicks, .max], &generator),
        value: number(parameter.range, &generator),
        shape: Int.random(in: 0..<3, using: &generator) == 0 ? .sCurve : .hold)
      var withLane = tables
      withLane.insert([lane])
      return Sample(
        sql: "\(Lane.sql.insert); \(LanePoint.sql.insert)", arguments: lane.arguments + point.arguments,
        text: "\(parameter.name) \(lane.timeBase) \(point)"
      ) { [withLane] in
        try LanePoint.validate([point], in: withLane, areNew: true)
      }
    }
  }
}
