import DAWTestSupport
import DAWTime
import Testing

@testable import DAWEngine

@Test func aTrackThatIsMutedAndHeardAgainIsNoLateDisk() throws {
  let seed = Seed.current()
  let mix = try SineMix(frameCount: 700_000, hertz: [50, 61])
  let song = mix.song()
  var muted = song
  muted.tracks[1].isMuted = true
  let stage = LiveStage(seed: seed, blockFrames: 64...1_024) { $0.readAheadSeconds = 0.5 }
  stage.engine.publish(mix.plan(song))
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(2_048)
  for _ in 0..<8 {
    for song in [muted, song] {
      stage.engine.publish(mix.plan(song))
      stage.driver.play(30_000)
    }
  }
  #expect(stage.engine.record.lateFrameCount == 0)
  #expect(stage.engine.readAheadFrames == 24_000, "seed \(seed)")
}

@Test func aLateDiskIsReadFurtherAheadUntilItHasBeenInTimeForAWhile() throws {
  let seed = Seed.current()
  let mix = try SineMix(frameCount: 700_000, hertz: [50, 61])
  let stage = LiveStage(seed: seed, blockFrames: 64...1_024) {
    $0.readAheadSeconds = 0.2
    $0.quietSeconds = 2
  }
  stage.driver.framesBetweenWaits = 2_000
  stage.engine.publish(mix.plan(mix.song()))
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(10_000)
  let bytes = stage.engine.streamBytes
  stage.engine.pauseButler(true)
  stage.driver.framesBetweenWaits = nil
  stage.driver.play(20_000)
  #expect(stage.engine.record.lateFrameCount > 0)
  stage.engine.pauseButler(false)
  stage.driver.framesBetweenWaits = 2_000
  stage.waitForStreams()
  stage.driver.play(10_000)
  stage.waitForStreams()
  #expect(stage.engine.readAheadFrames == 19_200)
  #expect(stage.engine.streamBytes > bytes)
  let late = stage.engine.record.lateFrameCount
  stage.driver.play(200_000)
  #expect(stage.engine.readAheadFrames == 9_600, "seed \(seed)")
  #expect(stage.engine.streamBytes == bytes)
  #expect(stage.engine.record.lateFrameCount == late)
  let frame = stage.engine.record.nextFrame - 190_000
  let expected = try bounced(mix.plan(mix.song()), from: frame, 190_000)
  #expect(bits([Array(stage.driver.left.suffix(190_000))]) == bits([expected[0]]), "seed \(seed)")
}

@Test func aClockThatBeginsAgainDoesNotKeepTheReadAhead() throws {
  let seed = Seed.current()
  let mix = try SineMix(frameCount: 300_000, hertz: [50, 61])
  let stage = LiveStage(seed: seed, blockFrames: 64...1_024) { $0.readAheadSeconds = 0.2 }
  stage.driver.framesBetweenWaits = 2_000
  stage.engine.publish(mix.plan(mix.song()))
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(10_000)
  stage.engine.pauseButler(true)
  stage.driver.framesBetweenWaits = nil
  stage.driver.play(20_000)
  stage.engine.pauseButler(false)
  stage.driver.framesBetweenWaits = 2_000
  stage.waitForStreams()
  stage.driver.play(10_000)
  stage.waitForStreams()
  #expect(stage.engine.readAheadFrames == 19_200, "seed \(seed)")
  // Long before a minute has passed on either clock.
  stage.driver.restartClock()
  stage.driver.play(10_000)
  stage.waitForStreams()
  #expect(stage.engine.readAheadFrames == 9_600, "seed \(seed)")
}

@Test(arguments: [8_192, 30_000])
func longBlocksHaveLongWindows(blockFrames: Int) throws {
  let mix = try SineMix(frameCount: 300_000, hertz: [50, 61])
  let plan = mix.plan(mix.song())
  let stage = LiveStage(seed: 1, blockFrames: 64...64) { $0.readAheadSeconds = 0.05 }
  stage.engine.publish(plan)
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(1_024)
  // The host's blocks become longer while it plays.
  stage.engine.announceBlocks(frameCount: blockFrames)
  stage.waitForStreams()
  stage.driver.blockFrames = blockFrames...blockFrames
  stage.driver.play(6 * blockFrames)
  #expect(stage.engine.record.lateFrameCount == 0)
  #expect(try bits(stage.sides) == bits(bounced(plan, 1_024 + 6 * blockFrames)))
}

@Test func aRegionThatIsLengthenedWhileItPlaysIsWhole() throws {
  let mix = try SineMix(frameCount: 300_000, hertz: [50, 61])
  var song = mix.song()
  song.tracks[0].regions[0].frames = 0..<5_000
  let stage = LiveStage(seed: 1, blockFrames: 1_024...1_024) { $0.readAheadSeconds = 0.5 }
  stage.engine.announceBlocks(frameCount: 8_192)
  stage.engine.publish(mix.plan(song))
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(1_024)
  song.tracks[0].regions[0].frames = 0..<200_000
  stage.engine.publish(mix.plan(song))
  stage.waitForStreams()
  stage.driver.blockFrames = 8_192...8_192
  stage.driver.play(10 * 8_192)
  #expect(stage.engine.record.lateFrameCount == 0)
  #expect(try bits(stage.sides) == bits(bounced(mix.plan(song), 1_024 + 10 * 8_192)))
}

@Test func publishesInATightLoopAreAllPrimed() throws {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  let mix = try SineMix(frameCount: 300_000, hertz: [50, 61, 73, 87])
  var song = mix.song()
  let stage = LiveStage(seed: seed, blockFrames: 64...256)
  stage.engine.publish(mix.plan(song))
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(2_048)
  for _ in 0..<500 {
    song.tracks[Int.random(in: 0...3, using: &random)].regions[0].offset = Int.random(in: 0...10_000, using: &random)
    let number = stage.engine.publish(mix.plan(song))
    guard stage.engine.primedPlan >= number else {
      Issue.record("plan \(number) was published unprimed, seed \(seed)")
      return
    }
    if Int.random(in: 0...9, using: &random) == 0 { stage.driver.play(Int.random(in: 1...300, using: &random)) }
  }
  #expect(stage.engine.record.lateFrameCount == 0, "seed \(seed)")
}
