import DAWModel
import DAWTestSupport
import DAWTime
import Testing

@Suite("Lanes")
struct LaneTests {
  private static let map = TempoMap(tempo: Tempo(bpm: 120), timeSignature: .fourFour)

  private func curve(_ points: [(Int64, Double, LaneShape)]) -> LaneCurve {
    LaneCurve(
      points.enumerated().map { index, point in
        LanePoint(
          id: LanePointID(rawValue: Int64(index + 1)), lane: LaneID(rawValue: 1), position: point.0, value: point.1,
          shape: point.2)
      }, .musical, in: Self.map)
  }

  @Test("A curve has its points' values at them, the nearest's outside, and goes by the shape between")
  func values() {
    // 16 ticks are whole flicks at this tempo.
    let line = curve([(1600, -6, .linear), (3200, 6, .hold), (4800, 0, .linear)])
    for (place, value) in [(0, -6), (1600, -6), (2400, 0), (3184, 5.88), (3200, 6), (4799, 6), (4800, 0), (9999, 0)] {
      #expect(abs((line.value(at: Int64(place)) ?? 99) - value) < 1e-9, "\(place)")
    }
    for shape in LaneShape.allCases {
      let curve = curve([(0, 0, shape), (1000, 1, .hold)])
      let values = (0...1000).compactMap { curve.value(at: $0) }
      #expect(values.first == 0 && values.last == 1 && zip(values, values.dropFirst()).allSatisfy(<=), "\(shape)")
    }
    // (e² − 1)/(e⁴ − 1), and the same from the other end.
    #expect(abs((curve([(0, 0, .exponential), (160, 1, .hold)]).value(at: 80) ?? 0) - 0.119202922) < 1e-9)
    #expect(abs((curve([(0, 0, .logarithmic), (160, 1, .hold)]).value(at: 80) ?? 0) - 0.880797078) < 1e-9)
    #expect(curve([(0, 0, .sCurve), (160, 1, .hold)]).value(at: 80) == 0.5)
    #expect(curve([]).value(at: 5) == nil)
  }

  @Test("To and from silence a curve goes in gain")
  func silence() {
    let fade = curve([(0, 0, .linear), (1000, -.infinity, .linear)])
    #expect(abs((fade.value(at: 500) ?? 0) + 6.0206) < 1e-4)
    #expect(fade.value(at: 1000) == -.infinity)
    #expect(fade.value(at: 9999) == -.infinity)
  }

  @Test("Thinning out moves no value by more than the tolerance, and keeps the ends and what is curved")
  func thinning() {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    for turn in 0..<50 {
      var position: Int64 = 0
      let points = (0..<60).map { _ -> (Int64, Double, LaneShape) in
        position += Int64.random(in: 1...5000, using: &random)
        let isCurved = Int.random(in: 0..<15, using: &random) == 0
        return (
          position, Double(Int.random(in: -20...20, using: &random)) / 10,
          isCurved ? [.hold, .sCurve].randomElement(using: &random) ?? .hold : .linear
        )
      }
      let before = curve(points)
      let tolerance = Double(Int.random(in: 0...10, using: &random)) / 10
      let removed = Set(before.removable(within: 0..<Int64.max, tolerance: tolerance).map(\.id))
      let after = LaneCurve(before.points.filter { !removed.contains($0.id) }, .musical, in: Self.map)
      #expect(after.points.first == before.points.first && after.points.last?.value == before.points.last?.value)
      for _ in 0..<300 {
        let place = Int64.random(in: 0...position, using: &random)
        let moved = abs((before.value(at: place) ?? 0) - (after.value(at: place) ?? 99))
        #expect(moved <= tolerance + 1e-9, "seed \(seed), turn \(turn), at \(place)")
      }
    }
  }

  @Test("A frequency goes by its logarithm, and what lies on that line is needless")
  func frequencies() {
    let points = (0...4).map { index in
      LanePoint(
        id: LanePointID(rawValue: Int64(index + 1)), lane: LaneID(rawValue: 1), position: Int64(index) * 160,
        value: [20, 63.245_553_2, 200, 632.455_532, 2_000][index], shape: .linear)
    }
    let ends = LaneCurve([points[0], points[4]], .musical, in: Self.map, .logarithmic)
    #expect(abs((ends.value(at: 320) ?? 0) - 200) < 1e-9 && ends.value(at: 640) == 2_000 && ends.value(at: 0) == 20)
    let whole = LaneCurve(points, .musical, in: Self.map, .logarithmic)
    #expect(whole.removable(within: 0..<Int64.max, tolerance: 0.01).map(\.id.rawValue) == [2, 3, 4])
    let plain = LaneCurve(points, .musical, in: Self.map)
    #expect(plain.removable(within: 0..<Int64.max, tolerance: 0.01).isEmpty)
    // From 0, which is off, there is no logarithm.
    var off = points
    off[0].value = 0
    #expect(LaneCurve([off[0], off[4]], .musical, in: Self.map, .logarithmic).value(at: 320) == 1_000)
  }

  @Test("A straight line of many points is its ends, and steps that repeat go")
  func needless() {
    let line = curve((0...100).map { ($0 * 160, Double($0) / 10, .linear) })
    #expect(line.removable(within: 0..<Int64.max, tolerance: 1e-9).count == 99)
    let steps = curve([(0, 1, .hold), (1, 1, .hold), (2, 0, .hold), (3, 0, .hold), (4, 1, .hold)])
    #expect(steps.removable(within: 0..<Int64.max, tolerance: 0).map(\.position) == [1, 3])
    #expect(
      curve([(0, 0, .linear), (1, -.infinity, .linear), (2, 0, .linear)]).removable(
        within: 0..<Int64.max, tolerance: 99
      ).isEmpty)
  }

  @Test("A long zigzag is thinned out in time by its number of points, and keeps all that it needs")
  func zigzag() {
    let count: Int64 = 20_000
    let points: [(Int64, Double, LaneShape)] = (0...count).map { ($0 * 160, $0.isMultiple(of: 2) ? 0 : -6, .linear) }
    let line: [(Int64, Double, LaneShape)] = (1...count).map { ((count + $0) * 160, Double($0) / 100, .linear) }
    // By the square of their number, it would take minutes.
    #expect(curve(points).removable(within: 0..<Int64.max, tolerance: 1).isEmpty)
    let removed = curve(points + line).removable(within: 0..<Int64.max, tolerance: 1)
    #expect(removed.count == Int(count) - 1 && removed.allSatisfy { $0.position > count * 160 })
  }

  @Test("Rules of a lane's owner and parameter, and of values, shapes and places of points")
  func rules() throws {
    var project = Project(
      id: ProjectID.random(), createdDate: Timestamp(milliseconds: 0), settings: ProjectSettings(),
      master: TrackID(rawValue: 1))
    let (lane, mute) = (LaneID(rawValue: 1), LaneID(rawValue: 2))
    let master = Lane.Owner.track(TrackID(rawValue: 1))
    project = try project.applying(
      .add([Lane(id: lane, of: master, parameter: "volume"), Lane(id: mute, of: master, parameter: "mute")]))
    func point(_ id: Int64, _ lane: LaneID, _ position: Int64, _ value: Double, _ shape: LaneShape) -> LanePoint {
      LanePoint(id: LanePointID(rawValue: id), lane: lane, position: position, value: value, shape: shape)
    }
    project = try project.applying(.add([point(1, lane, 0, -.infinity, .linear), point(2, lane, 10, 12, .hold)]))
    func rule(_ edit: Edit) -> Rule? {
      do { _ = try project.applying(edit) } catch EditError.rule(let violation) { return violation.rule } catch {}
      return nil
    }
    #expect(rule(.add(Lane(id: LaneID(rawValue: 3), of: master, parameter: "volume"))) == .laneIsOnce)
    #expect(rule(.add(Lane(id: LaneID(rawValue: 3), of: master, parameter: "level"))) == .laneParameter)
    #expect(rule(.add(point(3, lane, 5, 12.1, .linear))) == .pointValue)
    #expect(rule(.add(point(3, lane, 5, .nan, .linear))) == .pointValue)
    #expect(rule(.add(point(3, mute, 5, 0.5, .hold))) == .pointValue)
    #expect(rule(.add(point(3, mute, 5, 1, .linear))) == .pointShape)
    #expect(rule(.add(point(3, lane, 10, 0, .linear))) == .pointIsOnce)
    #expect(rule(.add(point(3, lane, -1, 0, .linear))) == .pointPosition)
    #expect(rule(.add(point(3, lane, TimelineLimit.ticks + 1, 0, .linear))) == .timelineEnd)
    // Points that are moved together may take each other's places.
    project = try project.applying(.set([point(1, lane, 10, 0, .linear), point(2, lane, 0, 0, .linear)]))
    #expect(project.lanePoints[lane]?.map(\.id.rawValue) == [2, 1])
    #expect(try project.applying(.remove(lane)).lanePoints[lane] == nil)
  }
}
