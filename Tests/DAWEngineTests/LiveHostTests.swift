import DAWTestSupport
import DAWTime
import Testing

@testable import DAWEngine

/// The engine follows a host's transport.
@Suite struct LiveHostTests {
  /// A stage whose host rolls from a frame on.
  private func rolling(
    _ plan: RenderPlan, from frame: TimelineFrame, seed: UInt64, blockFrames: ClosedRange<Int> = 64...64
  ) -> LiveStage {
    let stage = LiveStage(seed: seed, blockFrames: blockFrames)
    stage.engine.publish(plan)
    stage.driver.followed = FollowedTransport(state: .starting, frame: frame)
    stage.driver.playBlock(64)
    stage.waitForStreams()
    stage.driver.followed = FollowedTransport(state: .rolling, frame: frame)
    stage.driver.play(2_048)
    return stage
  }

  @Test func aHostThatRollsElsewhereIsFollowedThere() throws {
    let seed = Seed.current()
    let mix = try SineMix(frameCount: 100_000, hertz: [100])
    let plan = mix.plan(mix.song())
    let whole = try bounced(plan, 100_000)[0]
    let stage = rolling(plan, from: 0, seed: seed)
    stage.driver.followed = FollowedTransport(state: .rolling, frame: 50_000)
    stage.driver.clear()
    stage.driver.play(256)
    let faded: [Float] = (0..<256).map { whole[2_048 + $0] * (1 - Float($0) / 256) }
    #expect(stage.driver.left == faded, "what sounded fades, seed \(seed)")
    #expect(stage.driver.play(until: .rolling))
    stage.waitForStreams()
    stage.driver.clear()
    let here = stage.engine.record.nextFrame
    #expect(stage.driver.followed?.frame == here)
    stage.driver.play(4_096)
    #expect(stage.driver.left == Array(whole[here.number..<here.number + 4_096]), "seed \(seed)")
  }

  @Test func aHostThatStopsAndRollsAtOnceCutsNoFade() throws {
    let seed = Seed.current()
    let mix = try SineMix(frameCount: 100_000, hertz: [100])
    let plan = mix.plan(mix.song())
    let whole = try bounced(plan, 10_000)[0]
    let stage = rolling(plan, from: 0, seed: seed)
    stage.driver.clear()
    stage.driver.followed = FollowedTransport(state: .stopped, frame: 2_048)
    stage.driver.play(64)
    stage.driver.followed = FollowedTransport(state: .rolling, frame: 2_048)
    stage.driver.play(192)
    let faded: [Float] = (0..<256).map { whole[2_048 + $0] * (1 - Float($0) / 256) }
    #expect(stage.driver.left == faded, "seed \(seed)")
    #expect(stage.driver.play(until: .rolling))
    #expect(stage.engine.record.nextFrame == stage.driver.followed?.frame)
  }

  @Test func aTimelineGoesOnBehindCyclesThatWereMissed() throws {
    let seed = Seed.current()
    let tune = Tune()
    let plan = tune.plan([(60, 0..<50_000), (62, 9_000..<60_000)])
    let stage = tune.stage(seed: seed, blockFrames: 64...64)
    stage.engine.publish(plan)
    stage.driver.followed = FollowedTransport(state: .starting, frame: 0)
    stage.driver.playBlock(64)
    stage.waitForStreams()
    stage.driver.followed = FollowedTransport(state: .rolling, frame: 0)
    stage.driver.play(2_048)
    // The frames rendered ahead by now end before the second note.
    tune.told.withLock { $0 = [] }
    stage.driver.miss(512)
    stage.driver.clear()
    stage.driver.play(8_192)
    let whole = try bounced(plan, 2_048 + 512 + 8_192)[0]
    #expect(bits([stage.driver.left]) == bits([Array(whole[2_560...])]), "seed \(seed)")
    #expect(stage.engine.record.lateFrameCount == 0)
    #expect(tune.told.withLock { $0.map(\.data1) } == [62], "the instrument goes on")
  }

  @Test func aTracksOwnOutputFadesWithTheMaster() throws {
    let seed = Seed.current()
    let mix = try SineMix(frameCount: 100_000, hertz: [100])
    let plan = mix.plan(mix.song(), directOuts: true)
    let stage = LiveStage(seed: seed, tracks: [0])
    stage.engine.publish(plan)
    stage.waitForStreams()
    #expect(stage.engine.send(.start))
    stage.driver.play(5_000)
    #expect(stage.engine.send(.stop))
    stage.driver.play(1_000)
    let out = try #require(stage.driver.directOuts[0])
    #expect(bits([out.left, out.right]) == bits(stage.sides), "one track alone is the master, seed \(seed)")
    #expect(out.left[5_000..<5_200].contains { $0 != 0 } && out.left[5_256...].allSatisfy { $0 == 0 })
  }
}
