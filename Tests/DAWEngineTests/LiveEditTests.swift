import DAWTestSupport
import DAWTime
import Testing

@testable import DAWEngine

@Test func aThousandEditsMakeNoJumpAndEndAsTheBounce() throws {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  let mix = try SineMix(frameCount: 700_000, hertz: [50, 61, 73, 87, 94, 110])
  var song = mix.song()
  let stage = LiveStage(seed: seed, blockFrames: 1...1_024)
  stage.engine.publish(mix.plan(song))
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(1_000)
  var nextID: Int64 = 1_000
  for _ in 0..<1_000 {
    song = edited(song, mix, &nextID, using: &random)
    stage.engine.publish(mix.plan(song))
    stage.driver.play(Int.random(in: 1...1_200, using: &random))
  }
  // The last plan is taken up once the butler has collected those before.
  for _ in 0..<1_000 where stage.engine.record.planNumber < 1_001 {
    stage.waitForStreams()
    stage.driver.playBlock(64)
  }
  stage.driver.play(1_000)
  let record = stage.engine.record
  #expect(record.lateFrameCount == 0, "seed \(seed)")
  #expect(record.planNumber == 1_001)
  let begun = stage.driver.frameCount
  stage.driver.play(20_000)
  let expected = try bounced(mix.plan(song), from: TimelineFrame(begun), 20_000)
  #expect(bits(stage.sides.map { Array($0[begun...]) }) == bits(expected), "seed \(seed)")
  // Sines of 0.1 at 110 Hz move by 0.00144 a frame, times 24 regions at most; a ramp by 1/256 of twice their sum.
  let allowed: Float = 24 * 0.1 * (0.0144 + 2.0 / 256)
  #expect(greatestJump(stage.driver.left) < allowed, "seed \(seed)")
}

@Test func aTrackThatWasMutedForAWhileIsPrimedAtOnceWhenItIsHeardAgain() throws {
  let seed = Seed.current()
  let mix = try SineMix(frameCount: 700_000, hertz: [50, 61])
  let song = mix.song()
  var muted = song
  muted.tracks[1].isMuted = true
  let stage = LiveStage(seed: seed, blockFrames: 64...64) {
    $0.readAheadSeconds = 0.5
    $0.publishWaitSeconds = 0
  }
  stage.engine.publish(mix.plan(song))
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(2_048)
  for frames in stride(from: 12_032, through: 25_000, by: 1_024) {
    stage.engine.publish(mix.plan(muted))
    stage.driver.play(frames)
    let number = stage.engine.publish(mix.plan(song))
    // No block is processed meanwhile.
    stage.waitForStreams()
    #expect(stage.engine.primedPlan == number, "seed \(seed), after \(frames) frames")
    stage.driver.play(4_096)
  }
}

@Test func aPlanThatIsSwappedWithoutARampJumps() throws {
  // The check above can fail: the measure finds a planted jump.
  #expect(greatestJump([Float](repeating: 0.1, count: 10) + [Float](repeating: 0.9, count: 10)) > 0.5)
}

func edited(
  _ song: SineMix.Song, _ mix: SineMix, _ nextID: inout Int64, using random: inout SeededGenerator
) -> SineMix.Song {
  var song = song
  guard let track = song.tracks.indices.randomElement(using: &random) else { return song }
  switch Int.random(in: 0...6, using: &random) {
  case 0: song.tracks[track].left = Float.random(in: 0...1, using: &random)
  case 1: song.tracks[track].isMuted.toggle()
  case 2: song.masterGain = Float.random(in: 0.2...1, using: &random)
  case 3:
    guard song.tracks[track].regions.count < 4 else { return song }
    song.tracks[track].regions.append(
      SineMix.Song.Region(
        id: nextID, source: Int.random(in: mix.sources.indices, using: &random),
        offset: Int.random(in: 0...10_000, using: &random)))
    nextID += 1
  case 4: if !song.tracks[track].regions.isEmpty { song.tracks[track].regions.removeLast() }
  case 5:
    if let region = song.tracks[track].regions.indices.randomElement(using: &random) {
      song.tracks[track].regions[region].offset = Int.random(in: 0...10_000, using: &random)
    }
  default:
    if let region = song.tracks[track].regions.indices.randomElement(using: &random) {
      song.tracks[track].regions[region].gain = Float.random(in: 0.3...1, using: &random)
      song.tracks[track].regions[region].source = Int.random(in: mix.sources.indices, using: &random)
    }
  }
  return song
}

@Test func aTempoEditKeepsTheMusicalPlaceOfPlayheadAndLoop() throws {
  let seed = Seed.current()
  let mix = try SineMix(frameCount: 400_000, hertz: [100])
  let plan = mix.plan(mix.song())
  let stage = LiveStage(seed: seed)
  stage.engine.publish(plan)
  #expect(stage.engine.send(.loop(first: 0, end: 100_000)))
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(20_000)
  let before = stage.engine.record
  // Twice as slow.
  stage.engine.publish(plan) { TimelineFrame(2 * $0.number) }
  stage.driver.play(10_000)
  let record = stage.engine.record
  #expect(record.nextFrame == TimelineFrame(2 * before.nextFrame.number + 10_000))
  #expect(record.loop == 0..<200_000)
  #expect(record.state == .rolling)
  #expect(record.lateFrameCount == 0)
  #expect(greatestJump(stage.driver.left) < 0.1 * (0.0131 + 2.0 / 256))
  let expected = try bounced(plan, from: record.nextFrame - 9_000, 9_000)[0]
  #expect(bits([Array(stage.driver.left.suffix(9_000))]) == bits([expected]), "seed \(seed)")
}

@Test func tracksComeOutByThemselvesAndBeatsTick() throws {
  let seed = Seed.current()
  let mix = try SineMix(frameCount: 50_000, hertz: [100, 200])
  var song = mix.song()
  let clicks = [Click(frame: 0, isAccent: true), Click(frame: 10_000, isAccent: false)]
  let stage = LiveStage(seed: seed, tracks: [1, 0, 99])
  stage.engine.publish(mix.plan(song, directOuts: true, clicks: clicks))
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(12_000)
  for track in [0, 1] as [Int64] {
    var alone = song
    for index in alone.tracks.indices where alone.tracks[index].id != track { alone.tracks[index].isMuted = true }
    let expected = try bounced(mix.plan(alone), 12_000)
    let direct = try #require(stage.driver.directOuts[track])
    #expect(bits([direct.left, direct.right]) == bits(expected), "seed \(seed), track \(track)")
  }
  #expect(stage.driver.directOuts[99]?.left.allSatisfy { $0 == 0 } == true, "a track that the plan does not have")
  let ticks = stage.driver.click
  #expect(ticks[0..<48].contains { $0 != 0 })
  #expect(ticks[1_920..<10_001].allSatisfy { $0 == 0 })
  #expect(ticks[10_001..<10_049].contains { $0 != 0 })
  #expect(Array(ticks[0..<500]) != Array(ticks[10_000..<10_500]), "the bar's beginning sounds different")
  // A track that is muted fades from its own output too.
  song.tracks[0].isMuted = true
  stage.engine.publish(mix.plan(song, directOuts: true))
  stage.driver.play(5_000)
  let direct = try #require(stage.driver.directOuts[0])
  #expect(greatestJump(direct.left) < 0.02)
  #expect(direct.left.suffix(4_000).allSatisfy { $0 == 0 })
}
