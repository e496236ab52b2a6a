import DAWTestSupport
import DAWTime
import Testing

@testable import DAWEngine

@Test(arguments: [1, 777, 5_000])
func playedFromTheMiddleItIsTheBouncesCut(first: TimelineFrame) throws {
  let seed = Seed.current()
  let mix = try RandomMix(seed: seed)
  let stage = LiveStage(seed: seed)
  stage.engine.publish(mix.plan)
  #expect(stage.engine.send(.locate(first)))
  stage.roll()
  #expect(stage.driver.play(until: .rolling))
  let begun = stage.driver.frameCount
  stage.driver.play(mix.frameCount)
  // Everything before it rolled is silence, so the rest is the cut.
  let record = stage.engine.record
  #expect(record.nextFrame == first + record.rolledFrame.number)
  let start = stage.driver.frameCount - record.rolledFrame.number
  #expect(start <= begun)
  let expected = try bounced(mix.plan, from: first, mix.frameCount - first.number)
  #expect(
    bits(stage.sides.map { Array($0[start...].prefix(mix.frameCount - first.number)) }) == bits(expected),
    "seed \(seed)")
}

@Test(arguments: [1...1_024, 1...64, 4_096...4_096])
func aLoopIsGaplessToTheSample(blockFrames: ClosedRange<Int>) throws {
  let seed = Seed.current()
  let mix = try RandomMix(seed: seed)
  let whole = try bounced(mix.plan, 6_000)
  for loop in [1_000..<4_500, 0..<6_000, 2_000..<2_001, 100..<164] as [Range<TimelineFrame>] {
    let stage = LiveStage(seed: seed, blockFrames: blockFrames)
    stage.engine.publish(mix.plan)
    #expect(stage.engine.send(.loop(first: loop.lowerBound, end: loop.upperBound)))
    #expect(stage.engine.send(.locate(50)))
    stage.driver.playBlock(1)
    stage.waitForStreams()
    stage.driver.clear()
    #expect(stage.engine.send(.start))
    stage.driver.play(15_000)
    var frame: TimelineFrame = 50
    let expected = (0..<15_000).map { _ in
      defer {
        frame += 1
        if frame == loop.upperBound { frame = loop.lowerBound }
      }
      return whole[0][frame.number].bitPattern
    }
    let played = stage.driver.left.map(\.bitPattern)
    let first = zip(played, expected).enumerated().first { $0.1.0 != $0.1.1 }?.offset
    #expect(first == nil, "seed \(seed), loop \(loop), \(stage.engine.record.lateFrameCount) late")
    #expect(stage.engine.record.wrapCount > 0)
  }
}

@Test func aLongLoopPlaysOnFromWhatStaysInMemory() throws {
  let seed = Seed.current()
  let mix = try SineMix(frameCount: 200_000, hertz: [100, 130, 170])
  let plan = mix.plan(mix.song())
  let stage = LiveStage(seed: seed) {
    $0.readAheadSeconds = 0.5
    $0.heldSeconds = 0.2
  }
  stage.engine.publish(plan)
  #expect(stage.engine.send(.loop(first: 20_000, end: 80_000)))
  #expect(stage.engine.send(.locate(10_000)))
  stage.driver.playBlock(1)
  stage.waitForStreams()
  stage.driver.clear()
  #expect(stage.engine.send(.start))
  stage.driver.play(200_000)
  let whole = try bounced(plan, 80_000)
  var expected = Array(whole[0][10_000...])
  while expected.count < 200_000 { expected += whole[0][20_000...] }
  #expect(bits([stage.driver.left]) == bits([Array(expected.prefix(200_000))]), "seed \(seed)")
}

@Test func whatStopsFadesAndThenIsSilent() throws {
  let seed = Seed.current()
  let mix = try SineMix(frameCount: 100_000, hertz: [100])
  let stage = LiveStage(seed: seed)
  let plan = mix.plan(mix.song())
  stage.engine.publish(plan)
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(5_000)
  #expect(stage.engine.send(.stop))
  let stopped = stage.engine.record.nextFrame.number
  stage.driver.play(5_000)
  let whole = try bounced(plan, 10_000)[0]
  for i in 0..<256 {
    #expect(stage.driver.left[stopped + i] == whole[stopped + i] * (1 - Float(i) / 256))
  }
  #expect(stage.driver.left[(stopped + 256)...].allSatisfy { $0 == 0 })
  #expect(stage.engine.record.state == .stopped)
  #expect(stage.engine.record.nextFrame == TimelineFrame(stopped), "the playhead stands where it was stopped")
  stage.waitForStreams()
  stage.driver.clear()
  #expect(stage.engine.send(.start))
  stage.driver.play(5_000)
  #expect(bits([stage.driver.left]) == bits([Array(whole[stopped..<stopped + 5_000])]), "it goes on from there")
}

@Test func aLocateWhileRollingWaitsForTheStreamsAndThenRolls() throws {
  let seed = Seed.current()
  let mix = try SineMix(frameCount: 400_000, hertz: [100, 150])
  let plan = mix.plan(mix.song())
  let stage = LiveStage(seed: seed) { $0.readAheadSeconds = 0.5 }
  stage.engine.publish(plan)
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(5_000)
  for target in [300_000, 7, 299_000, 150_000] as [TimelineFrame] {
    #expect(stage.engine.send(.locate(target)))
    stage.driver.playBlock(300)
    #expect(stage.engine.record.state == .starting)
    #expect(stage.driver.play(until: .rolling))
    stage.driver.play(20_000)
    let record = stage.engine.record
    #expect(record.nextFrame == target + record.rolledFrame.number)
    let count = record.rolledFrame.number
    #expect(
      bits([Array(stage.driver.left.suffix(count))]) == bits([try bounced(plan, from: target, count)[0]]),
      "seed \(seed), to \(target)")
  }
  #expect(stage.engine.record.startTimeoutCount == 0)
  #expect(stage.engine.record.lateFrameCount == 0)
}

@Test func aLocateToTheLastOfWhatHasBeenReadAheadHasItsStreamsInTime() throws {
  let seed = Seed.current()
  let mix = try SineMix(frameCount: 400_000, hertz: [100])
  let stage = LiveStage(seed: seed) { $0.readAheadSeconds = 0.5 }
  stage.engine.publish(mix.plan(mix.song()))
  for target in stride(from: TimelineFrame(12_000), through: 25_000, by: 500) {
    for place in [0, target] {
      #expect(stage.engine.send(.locate(place)))
      stage.driver.playBlock(16)
      stage.waitForStreams()
    }
    #expect(stage.engine.send(.start))
    #expect(stage.driver.play(until: .rolling))
    #expect(stage.engine.record.startTimeoutCount == 0, "seed \(seed), to \(target)")
    #expect(stage.engine.send(.stop))
    #expect(stage.driver.play(until: .stopped))
  }
}

@Test func aStartWaitsNoLongerThanItsLimit() throws {
  let mix = try SineMix(frameCount: 100_000, hertz: [100])
  let stage = LiveStage(seed: 1, blockFrames: 480...480) { $0.startWaitSeconds = 0.1 }
  stage.engine.pauseButler(true)
  stage.engine.publish(mix.plan(mix.song()))
  stage.driver.framesBetweenWaits = nil
  #expect(stage.engine.send(.start))
  stage.driver.play(4_800)
  #expect(stage.engine.record.state == .starting)
  stage.driver.play(960)
  #expect(stage.engine.record.state == .rolling)
  #expect(stage.engine.record.startTimeoutCount == 1)
  #expect(stage.engine.record.lateFrameCount > 0)
  #expect(stage.driver.left.allSatisfy { $0 == 0 })
}

@Test func theHostsTransportIsFollowed() throws {
  let seed = Seed.current()
  let mix = try SineMix(frameCount: 100_000, hertz: [100])
  let plan = mix.plan(mix.song())
  let whole = try bounced(plan, 60_000)[0]
  let stage = LiveStage(seed: seed)
  stage.engine.publish(plan)
  stage.driver.followed = FollowedTransport(state: .stopped, frame: 0)
  stage.driver.play(1_000)
  #expect(stage.engine.record.state == .stopped)
  // The host moves, and asks until all clients are ready.
  var isReady = false
  for _ in 0..<1_000 where !isReady {
    isReady = stage.engine.isReady(at: 40_000)
    stage.driver.followed = FollowedTransport(state: .starting, frame: 40_000)
    stage.driver.playBlock(64)
    stage.waitForStreams()
  }
  #expect(isReady)
  stage.driver.clear()
  stage.driver.followed = FollowedTransport(state: .rolling, frame: 40_000)
  stage.driver.play(10_000)
  #expect(bits([stage.driver.left]) == bits([Array(whole[40_000..<50_000])]), "seed \(seed)")
  stage.driver.followed = FollowedTransport(state: .stopped, frame: 50_000)
  stage.driver.play(1_000)
  #expect(stage.engine.record.state == .stopped)
  #expect(stage.engine.record.nextFrame == 50_000)
  #expect(stage.driver.left.suffix(500).allSatisfy { $0 == 0 })
}
