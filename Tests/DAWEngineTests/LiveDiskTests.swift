import DAWMedia
import DAWTestSupport
import DAWTime
import Glibc
import Testing

@testable import DAWEngine

@Test func aStarvedDiskIsSilenceAndACount() throws {
  let seed = Seed.current()
  let mix = try SineMix(frameCount: 400_000, hertz: (0..<32).map { 50 + Double($0) }, amplitude: 0.01)
  let plan = mix.plan(mix.song())
  let stage = LiveStage(seed: seed) { $0.readAheadSeconds = 0.5 }
  stage.engine.publish(plan)
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(10_000)
  #expect(stage.engine.record.lateFrameCount == 0)
  // The butler is paused: what was read ahead is played, then there is silence.
  stage.engine.pauseButler(true)
  stage.driver.framesBetweenWaits = nil
  stage.driver.play(60_000)
  #expect(stage.engine.record.state == .rolling)
  #expect(stage.driver.left.suffix(10_000).allSatisfy { $0 == 0 })
  let late = stage.engine.record.lateFrameCount
  #expect(late >= 32 * 10_000)
  // The sound returns, at its position, when the disk does.
  stage.engine.pauseButler(false)
  stage.waitForStreams()
  stage.driver.framesBetweenWaits = 8_000
  stage.driver.play(10_000)
  let frame = stage.engine.record.nextFrame - 10_000
  #expect(stage.engine.record.lateFrameCount == late, "seed \(seed)")
  #expect(try bits([Array(stage.driver.left.suffix(10_000))]) == bits([bounced(plan, from: frame, 10_000)[0]]))
  // New streams are longer; those open already are primed all the same.
  #expect(stage.engine.send(.locate(1_000)))
  #expect(stage.driver.play(until: .starting) && stage.driver.play(until: .rolling))
  #expect(stage.engine.record.startTimeoutCount == 0)
}

@Test func aFileThatVanishesIsSilentAndReported() throws {
  let mix = try SineMix(frameCount: 50_000, hertz: [100, 200])
  let plan = mix.plan(mix.song())
  #expect(unlink(plan.sources[0].path) == 0)
  let stage = LiveStage(seed: 1)
  stage.engine.publish(plan)
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(10_000)
  #expect(stage.engine.record.state == .rolling)
  let problems = stage.engine.takeProblems()
  #expect(problems.count == 1)
  #expect(stage.engine.takeProblems().isEmpty)
  var alone = mix.song()
  alone.tracks[0].isMuted = true
  #expect(try bits([stage.driver.left]) == bits([bounced(mix.plan(alone), 10_000)[0]]), "the rest goes on")
}

@Test func moreRegionsThanStreamsAreReportedAndTheOthersPlay() throws {
  let mix = try SineMix(frameCount: 50_000, hertz: (0..<8).map { 100 + 10 * Double($0) })
  let song = mix.song()
  let stage = LiveStage(seed: 1) { $0.streamCount = 5 }
  stage.engine.publish(mix.plan(song))
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(20_000)
  #expect(stage.engine.takeProblems() == [.tooManyRegions(limit: 5)])
  #expect(stage.engine.record.lateFrameCount == 3 * 20_000)
  var heard = song
  heard.tracks.removeLast(3)
  #expect(try bits(stage.sides) == bits(bounced(mix.plan(heard), 20_000)), "those that have a stream play")
  stage.driver.play(5_000)
  #expect(stage.engine.takeProblems().isEmpty, "it is said once")
  #expect(stage.engine.send(.locate(0)))
  #expect(stage.driver.play(until: .starting) && stage.driver.play(until: .rolling))
  #expect(stage.engine.takeProblems() == [.tooManyRegions(limit: 5)], "and again at another place")
  stage.engine.publish(mix.plan(heard))
  stage.driver.play(5_000)
  #expect(stage.engine.send(.locate(1_000)))
  #expect(stage.driver.play(until: .starting) && stage.driver.play(until: .rolling))
  stage.driver.play(5_000)
  #expect(stage.engine.takeProblems().isEmpty, "where there are enough there is nothing to say")
}

@Test func tenThousandRegionsPlayWithFewDescriptors() throws {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  let folder = try TemporaryFolder()
  // A file for each region, as links to a few files.
  let mix = try SineMix(frameCount: 30_000, hertz: [100, 170, 230])
  var sources: [AudioSource] = []
  for index in 0..<10_000 {
    var source = mix.sources[index % 3]
    #expect(link(source.path, folder.path("\(index)")) == 0)
    source.path = folder.path("\(index)")
    sources.append(source)
  }
  var plan = RenderPlan(
    sampleRate: SampleRate(hertz: 48_000), sources: sources, instruments: [], regions: [],
    steps: [.clear(StripID(0), buffer: 0)],
    bufferCount: 2, endFrame: 0)
  for track in 0..<20 {
    for index in 0..<500 {
      let start = TimelineFrame(index * 600 + track)
      let offset = Int.random(in: 0...10_000, using: &random)
      plan.regions.append(
        PlannedRegion(
          regionID: Int64(plan.regions.count), source: track * 500 + index, frames: start..<(start + 600),
          anchor: start - offset, channels: .one(0)))
    }
    plan.steps += [
      .sumRegions(StripID(Int64(track + 1)), (track * 500)..<((track + 1) * 500), into: 1, width: .mono),
      .mix(
        Connection(from: StripID(Int64(track + 1)), to: StripID(0)), 1, width: .mono, into: 0, left: .constant(0.3),
        right: .constant(0.2)),
    ]
  }
  plan.steps.append(.output(StripID(0), buffer: 0, left: .unity, right: .unity))
  let stage = LiveStage(seed: seed, blockFrames: 1...1_024) {
    $0.streamCount = 512
    $0.readAheadSeconds = 0.2
  }
  stage.driver.framesBetweenWaits = 2_000
  stage.engine.publish(plan)
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(100_000)
  #expect(stage.engine.record.lateFrameCount == 0, "seed \(seed)")
  #expect(try bits(stage.sides) == bits(bounced(plan, 100_000)), "seed \(seed)")
}

@Test(arguments: [16...16, 1_024...1_024, 4_096...4_096])
func freewheelingWaitsForItsStreams(blockFrames: ClosedRange<Int>) throws {
  let seed = Seed.current()
  let mix = try SineMix(frameCount: 300_000, hertz: [100, 130, 170])
  let plan = mix.plan(mix.song())
  let stage = LiveStage(seed: seed, blockFrames: blockFrames) { $0.readAheadSeconds = 0.1 }
  stage.driver.framesBetweenWaits = nil
  stage.driver.isFreewheeling = true
  stage.engine.publish(plan)
  #expect(stage.engine.send(.start))
  stage.driver.play(150_000)
  #expect(stage.engine.record.lateFrameCount == 0)
  #expect(try bits(stage.sides) == bits(bounced(plan, 150_000)), "seed \(seed)")
}
