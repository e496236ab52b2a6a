import DAWEngine
import DAWModel
import DAWTestSupport
import DAWTime
import Testing

@testable import DAWCompiler

@Test func lanesOfRandomMixersAreWhatTheDefinitionsSay() throws {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  var movingCount = 0
  for number in 0..<400 {
    let song = Song.randomAutomatedMixer(&random)
    let project = try song.project
    let count = song.tracks.count - 1
    let controls = ControlValues()
    for soloed in [nil, Set([TrackID(rawValue: 1)])] {
      let options = CompileOptions(soloedTracks: soloed)
      let plan = try song.plan(options)
      for _ in 0..<3 {
        let frame = TimelineFrame.random(in: 0...4_000, using: &random)
        let name = "seed \(seed), mixer \(number), frame \(frame), \(options)"
        let run = SignalRun(plan, sourceCount: count, frame: frame, controls: controls)
        #expect(run.mistakes.isEmpty, "\(name): \(run.mistakes)")
        var expected = try #require(ExpectedMixer(project, options, sourceCount: count, frame: frame))
        let output = expected.output()
        #expect(run.output.isClose(to: output, within: 1e-5 * expected.largest), "\(name)\n\(plan)")
        if output.largest > 0, !song.lanes.isEmpty { movingCount += 1 }
      }
    }
  }
  #expect(movingCount > 400)
}

/// A song of a mono track and a bus, with a send.
private func song() -> Song {
  var song = Song()
  let bus = song.addTrack(.bus, channels: 2)
  let track = song.addTrack(channels: 1, volume: -3, pan: 0.25)
  song.addRegion(track)
  song.addSend(track, to: bus, level: -6)
  song.addGroup([track], volume: -1)
  return song
}

private let bus = TrackID(rawValue: 1)
private let track = TrackID(rawValue: 2)
private let send = SendID(rawValue: 1)
private let group = TrackGroupID(rawValue: 1)

@Test func aLaneThatRestsCompilesAsTheValueSetByHand() throws {
  var (automated, byHand) = (song(), song())
  for points in [[(0, -7.5, LaneShape.linear)], [(5, -7.5, .linear), (90, -7.5, .sCurve)]]
    as [[(Int64, Double, LaneShape)]]
  {
    automated.lanes = []
    automated.addLane("volume", of: .track(track), points)
    automated.addLane("pan", of: .track(track), [(0, -0.3, .linear)])
    automated.addLane("trim", of: .track(track), [(0, 2, .linear)])
    automated.addLane("stereoWidth", of: .track(bus), [(0, 0.5, .hold), (7, 0.5, .hold)])
    automated.addLane("level", of: .send(send), [(0, -20, .linear)])
    automated.addLane("volume", of: .group(group), [(0, 1, .linear)])
    byHand.tracks[2].volume = Level(decibels: -7.5)
    byHand.tracks[2].pan = Pan(position: -0.3)
    byHand.tracks[2].trim = Level(decibels: 2)
    byHand.tracks[1].stereoWidth = 0.5
    byHand.sends[0].level = Level(decibels: -20)
    byHand.groups[0].volume = Level(decibels: 1)
    #expect(try automated.plan() == byHand.plan())
  }
  automated.addLane("mute", of: .send(send), [(0, 1, .hold)])
  byHand.sends[0].isMuted = true
  #expect(try automated.plan() == byHand.plan())
}

@Test func aLaneWhereItRestsHasTheBitsOfTheValueSetByHand() throws {
  var (automated, byHand) = (song(), song())
  automated.addLane("volume", of: .track(track), [(0, -7.5, .hold), (14_700_000, -3, .linear), (29_400_000, 0, .hold)])
  automated.addLane("pan", of: .track(track), [(0, -0.3, .hold), (14_700_000, 0.25, .hold)])
  automated.addLane("level", of: .send(send), [(0, -20, .linear), (7_350_000, -20, .linear), (8_000_000, 0, .hold)])
  automated.addLane("trim", of: .track(track), [(0, 2, .linear), (7_350_000, 2, .linear), (8_000_000, 0, .hold)])
  byHand.tracks[2].volume = Level(decibels: -7.5)
  byHand.tracks[2].pan = Pan(position: -0.3)
  byHand.tracks[2].trim = Level(decibels: 2)
  byHand.sends[0].level = Level(decibels: -20)
  func values(_ song: Song, at frame: TimelineFrame) throws -> [Float] {
    try song.plan().steps.flatMap { step -> [Float] in
      switch step {
      case .mix(_, _, _, _, let left, let right): [left.value(at: frame), right.value(at: frame)]
      case .shape(_, _, _, let shape): [shape.trim.value(at: frame)]
      default: []
      }
    }
  }
  for frame in [0, 1, 17, 300, 500] as [TimelineFrame] {
    #expect(try values(automated, at: frame) == values(byHand, at: frame))
  }
  #expect(try values(automated, at: 1_000) != values(byHand, at: 1_000))
}

@Test func aLaneThatIsNotReadOrHasNoPointsChangesNothing() throws {
  var automated = song()
  automated.addLane("volume", of: .track(track), [(0, -7.5, .hold), (14_700_000, -3, .linear)])
  automated.lanes[0].isRead = false
  automated.addLane("pan", of: .track(track), [])
  #expect(try automated.plan() == song().plan())
}

@Test func aLaneAtSilenceThroughoutHasNoStep() throws {
  var automated = song()
  automated.addLane("volume", of: .track(track), [(0, -.infinity, .linear), (50, -.infinity, .linear)])
  #expect(try automated.plan().outline == ["=1000", "out"])
  automated.lanePoints[LaneID(rawValue: 1)]?[1].value = -20
  #expect(try automated.plan().outline.contains("2>1000"))
}

@Test func aMuteThatMovesKeepsTheStripButNotWhereItIsSoloed() throws {
  var automated = song()
  automated.tracks[2].isMuted = true
  automated.addLane("mute", of: .track(track), [(0, 0, .hold), (14_700_000, 1, .hold)])
  func gains() throws -> [Float] {
    try automated.plan().steps.compactMap { step -> Float? in
      guard case .mix(let connection, _, _, _, let left, _) = step, connection.source == StripID(2) else { return nil }
      return left.value(at: 2_000)
    }
  }
  #expect(try gains() == [0, 0])
  automated.tracks[2].isSolo = true
  #expect(try gains().allSatisfy { $0 > 0 })
}

@Test func pointsThatRoundToOneFrameAreAJump() throws {
  var automated = song()
  automated.addLane(
    "volume", of: .track(track),
    [
      (0, -20, .linear), (14_700_000, -10, .linear), (14_700_001, -12, .linear), (14_700_002, 0, .linear),
      (29_400_000, -5, .hold),
    ])
  guard
    case .mix(_, _, _, _, .product(let factors), _)? = try automated.plan().steps.first(where: {
      if case .mix = $0 { true } else { false }
    })
  else {
    Issue.record("no gain moves")
    return
  }
  let curves = factors.compactMap { factor -> Curve? in if case .curve(let curve) = factor { curve } else { nil } }
  #expect(curves.first?.points.map(\.frame) == [0, 1_000, 1_000, 2_000])
  #expect(curves.first?.points.map(\.value)[2] == 1)
}

@Test func partsOfLanesAreReused() throws {
  var automated = song()
  automated.addLane("volume", of: .track(track), [(0, -7.5, .hold), (14_700_000, -3, .linear)])
  automated.addLane("pan", of: .track(track), in: .musical, [(0, -1, .linear), (15_360, 1, .linear)])
  let first = try compile(automated.project, media: automated.media)
  automated.lanePoints[LaneID(rawValue: 1)]?[1].value = -4
  let second = try compile(automated.project, media: automated.media, reusing: first.parts)
  #expect(first.parts.lanes[LaneID(rawValue: 2)] === second.parts.lanes[LaneID(rawValue: 2)])
  #expect(first.parts.pans[LaneID(rawValue: 2)] === second.parts.pans[LaneID(rawValue: 2)])
  #expect(first.parts.lanes[LaneID(rawValue: 1)] !== second.parts.lanes[LaneID(rawValue: 1)])
  #expect(try second.plan == compile(automated.project, media: automated.media).plan)
  // Another law, or another width, is another part.
  automated.settings.panLaw = .linearMinus6dB
  let third = try compile(automated.project, media: automated.media, reusing: second.parts)
  #expect(try third.plan == compile(automated.project, media: automated.media).plan)
  #expect(third.plan != second.plan)
}

@Test func aBypassThatMovesIsALineForEachChange() throws {
  let id = LaneID(rawValue: 1)
  let lane = Lane(id: id, of: .effect(EffectID(rawValue: 1)), parameter: "bypass", timeBase: .absolute)
  func share(_ points: [(Int64, Double)]) throws -> [Float] {
    let clock = try #require(FrameClock(song().project.tempoMap, SampleRate(hertz: 48_000)))
    var curves = LaneCurves(.balance0dB, clock, reusing: nil)
    let rows = points.enumerated().map { index, point in
      LanePoint(
        id: LanePointID(rawValue: Int64(index)), lane: id, position: 14_700 * point.0, value: point.1, shape: .hold)
    }
    let control = curves.share(ofBypass: MovingLane(lane: lane, points: rows))
    let controls = ControlValues()
    return (0..<2_000).map { controls.value(of: control, at: TimelineFrame($0)) }
  }
  #expect(try share([(10, 1), (20, 1)]).allSatisfy { $0 == 0 })
  let once = try share([(0, 0), (320, 1), (400, 1), (1_000, 0)])
  #expect(once[320] == 1)
  #expect(once[448] == 0.5)
  #expect(once[576..<1_000].allSatisfy { $0 == 0 })
  #expect(once[1_128] == 0.5)
  #expect(once[1_256...].allSatisfy { $0 == 1 })
  let turned = try share([(0, 0), (320, 1), (448, 0)])
  #expect(turned[448] == 0.5)
  #expect(turned[576] == 0.75)
  #expect(turned[704...].allSatisfy { $0 == 1 })
}
