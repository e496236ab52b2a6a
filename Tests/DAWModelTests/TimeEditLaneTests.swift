import DAWModel
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@Suite("Edits of time and lanes")
struct TimeEditLaneTests {
  /// A lane of ways of all shapes with random points up to 1,000,000 ticks.
  private func project(
    _ random: inout SeededGenerator, _ timeBase: TimeBase, _ parameter: String = "pan"
  ) throws -> Project {
    var project = Project(
      id: ProjectID.random(), createdDate: Timestamp(milliseconds: 0), settings: ProjectSettings(),
      master: TrackID(rawValue: 1))
    let lane = Lane(id: LaneID(rawValue: 1), of: .track(TrackID(rawValue: 1)), parameter: parameter, timeBase: timeBase)
    var places: Set<Int64> = []
    for _ in 0..<Int.random(in: 1...12, using: &random) { places.insert(Int64.random(in: 0...60, using: &random)) }
    let unit = timeBase == .musical ? Int64(15_360) : project.tempoMap.flicks(at: TickPosition(ticks: 15_360)).flicks
    let points = places.sorted().enumerated().map { index, place in
      LanePoint(
        id: LanePointID(rawValue: Int64(index + 1)), lane: lane.id, position: place * unit,
        value: Double(Int.random(in: -10...10, using: &random)) / 10,
        shape: LaneShape.allCases.randomElement(using: &random) ?? .hold)
    }
    project = try project.applying(.add(lane))
    return try project.applying(.add(points))
  }

  private func edited(_ project: Project, _ layout: TimelineLayout) throws -> Project {
    var edit = TimeEdit(
      layout,
      of: TimeEdit.Source(
        project: project, notes: { _ in [] }, events: { _ in [] },
        lanePoints: { project.lanePoints[$0] ?? [] },
        firstID: { _ in 1 + (project.lanePoints.values.joined().map(\.id.rawValue).max() ?? 0) },
        freeNames: { names, _ in names }),
      map: project.tempoMap)
    return try edit.edits().reduce(project) { try $0.applying($1) }
  }

  /// The curve of a project's lane, made once for many places.
  private struct Values {
    private let curve: LaneCurve
    private let timeBase: TimeBase
    private let map: TempoMap

    init(_ project: Project) throws {
      let lane = try #require(project.lanes.values.first)
      (timeBase, map) = (lane.timeBase, project.tempoMap)
      curve = LaneCurve(project.lanePoints[lane.id] ?? [], timeBase, in: map)
    }

    func value(at place: TickPosition) throws -> Double {
      try #require(curve.value(at: timeBase == .musical ? place.ticks : map.flicks(at: place).flicks))
    }
  }

  /// The curve before and after at many places, but those within a step of an edge, where it jumps.
  private func compare(
    _ old: Project, _ new: Project, _ edges: [Int64], _ what: Testing.Comment, _ source: (Int64) -> Int64
  ) throws {
    let (before, after) = (try Values(old), try Values(new))
    for tick in stride(from: Int64(0), to: 1_400_000, by: 3_001) where !edges.contains(where: { abs($0 - tick) <= 64 })
    {
      let (was, now) = (
        try before.value(at: TickPosition(ticks: source(tick))), try after.value(at: TickPosition(ticks: tick))
      )
      // A curved way that is cut becomes straight ones, near enough: 0.0005 of what it goes, which is 2 at most.
      #expect(abs(was - now) < 1.1e-3, "at \(tick): \(was) → \(now), \(what)")
    }
  }

  @Test("The curve goes with its place: inserted time holds its value, copies repeat it", arguments: TimeBase.allCases)
  func curves(timeBase: TimeBase) throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    for turn in 0..<30 {
      let old = try project(&random, timeBase)
      let first = Int64.random(in: 0...40, using: &random) * 15_360
      let length = Int64.random(in: 1...20, using: &random) * 15_360
      let (start, count) = (TickPosition(ticks: first), TickCount(ticks: length))
      let what: Testing.Comment = "seed \(seed), turn \(turn), \(first) for \(length)"
      let inserted = try edited(old, .inserting(count, at: start))
      if first > 0 {
        try compare(old, inserted, [first, first + length], what) { tick in
          // What holds is the value that it had just before.
          tick < first ? tick : tick < first + length ? first - 1 : tick - length
        }
      }
      try compare(old, edited(inserted, .deleting(start..<start + count)), [first], what) { $0 }
      let deleted = try? edited(old, .deleting(start..<start + count))
      let isLeft = (old.lanePoints.values.joined().map(\.position).max() ?? 0) > 0
      if let deleted, isLeft, deleted.lanePoints.values.joined().isEmpty == false {
        try compare(old, deleted, [first], what) { $0 < first ? $0 : $0 + length }
      }
      let place = Int64.random(in: 1...60, using: &random) * 15_360
      let copied = try edited(old, .copying(start..<start + count, to: TickPosition(ticks: place), count: 2))
      let edges = [place, place + length, place + 2 * length]
      try compare(old, copied, edges, what) { tick in
        if tick < place { return tick }
        if tick >= place + 2 * length { return tick - 2 * length }
        return first + (tick - place) % length
      }
    }
  }

  @Test(
    "A cut leaves a frequency where it goes by its logarithm, and a level on its way from silence",
    arguments: [
      ("band1.frequency", 20.0, 20_000.0, EffectParameter.Interpolation.logarithmic),
      ("volume", -.infinity, -6, .plain), ("volume", 0, -.infinity, .plain),
    ])
  func otherUnits(
    parameter: String, from: Double, to: Double, interpolation: EffectParameter.Interpolation
  ) throws {
    var random = SeededGenerator(seed: 2)
    for shape in LaneShape.allCases {
      var old = try project(&random, .musical, "volume")
      if interpolation == .logarithmic {
        let effect = Effect(
          id: EffectID(rawValue: 1), on: TrackID(rawValue: 1), .eq, orderKey: OrderKey.between(nil, nil))
        old = try old.applying(.add(effect))
        old.lanes[LaneID(rawValue: 1)]?.owner = .effect(effect.id)
        old.lanes[LaneID(rawValue: 1)]?.parameter = parameter
      }
      old.lanePoints[LaneID(rawValue: 1)] = [(1, 0, from), (2, 100_000, to)].map { id, position, value in
        LanePoint(
          id: LanePointID(rawValue: id), lane: LaneID(rawValue: 1), position: position, value: value, shape: shape)
      }
      let new = try edited(old, .inserting(TickCount(ticks: 5_000), at: TickPosition(ticks: 30_011)))
      let (before, after) = (
        LaneCurve(old.lanePoints[LaneID(rawValue: 1)] ?? [], .musical, in: old.tempoMap, interpolation),
        LaneCurve(new.lanePoints[LaneID(rawValue: 1)] ?? [], .musical, in: new.tempoMap, interpolation)
      )
      func level(_ curve: LaneCurve, _ place: Int64) throws -> Double {
        let value = try #require(curve.value(at: place))
        return interpolation == .logarithmic ? log(value / from) / log(to / from) : pow(10, value / 20)
      }
      for place in stride(from: Int64(0), through: 100_000, by: 499) where abs(place - 30_011) > 64 {
        let moved = place < 30_011 ? place : place + 5_000
        let (was, now) = (try level(before, place), try level(after, moved))
        // A level below −60 dB counts as silence.
        #expect(
          abs(was - now) < (interpolation == .logarithmic ? 6e-4 : 1.2e-3), "\(shape) at \(place): \(was) → \(now)")
      }
    }
  }

  @Test(
    "A way that rests at an end of a parameter's range is cut at that value, and not beyond it",
    arguments: [("band1.frequency", 20.0), ("band1.frequency", 20_000), ("band1.q", 30)])
  func restAtEnd(parameter: String, value: Double) throws {
    var random = SeededGenerator(seed: 3)
    let lane = LaneID(rawValue: 1)
    let effect = Effect(
      id: EffectID(rawValue: 1), on: TrackID(rawValue: 1), .eq, orderKey: OrderKey.between(nil, nil))
    var old = try project(&random, .musical, "volume").applying(.add(effect))
    old.lanes[lane]?.owner = .effect(effect.id)
    old.lanes[lane]?.parameter = parameter
    old.lanePoints[lane] = [(1, 0), (2, 100_000)].map { id, position in
      LanePoint(id: LanePointID(rawValue: id), lane: lane, position: position, value: value, shape: .linear)
    }
    let new = try edited(old, .inserting(TickCount(ticks: 5_000), at: TickPosition(ticks: 30_011)))
    let points = try #require(new.lanePoints[lane])
    #expect(points.map(\.position).max() == 105_000 && points.allSatisfy { $0.value == value })
  }

  @Test("A lane that rests at a cut gets no points")
  func rest() throws {
    var random = SeededGenerator(seed: 1)
    var project = try project(&random, .musical)
    project.lanePoints[LaneID(rawValue: 1)] = [
      LanePoint(id: LanePointID(rawValue: 1), lane: LaneID(rawValue: 1), position: 100, value: 0.5, shape: .linear)
    ]
    let inserted = try edited(project, .inserting(TickCount(ticks: 10), at: TickPosition(ticks: 500)))
    #expect(inserted.lanePoints == project.lanePoints)
    let before = try edited(project, .inserting(TickCount(ticks: 10), at: TickPosition(ticks: 50)))
    #expect(before.lanePoints.values.joined().map(\.position) == [110])
  }
}
