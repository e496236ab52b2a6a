import DAWTestSupport
import DAWTime
import Testing

@testable import DAWEngine

/// A mix with an instrument in it.
private func plan(_ mix: SineMix, _ song: SineMix.Song, _ tune: Tune, _ keys: [UInt8]) -> RenderPlan {
  var plan = mix.plan(song)
  let notes = keys.enumerated().map { index, key in
    (key, TimelineFrame(index * 5_000)..<TimelineFrame(index * 5_000 + 4_000))
  }
  plan.instruments = tune.plan(notes).instruments
  plan.steps.insert(
    contentsOf: [
      .playInstrument(StripID(7), 0, into: 1),
      .mix(
        Connection(from: StripID(7), to: StripID(0)), 1, width: .stereo, into: 0, left: .constant(0.5),
        right: .constant(0.25)),
    ], at: plan.steps.count - 1)
  return plan
}

@Test func afterManyEditsALocateSoundsAsThePlanThatIsLeftDoesAlone() throws {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  let mix = try SineMix(frameCount: 400_000, hertz: [50, 61, 73, 87])
  let tune = Tune()
  var song = mix.song()
  var keys = (0..<60).map { _ in UInt8.random(in: 1...100, using: &random) }
  let stage = tune.stage(seed: seed, blockFrames: 1...1_024)
  stage.engine.publish(plan(mix, song, tune, keys))
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  var nextSlot: Int64 = 1_000
  for _ in 0..<200 {
    if Bool.random(using: &random) {
      song = edited(song, mix, &nextSlot, using: &random)
    } else {
      keys[Int.random(in: keys.indices, using: &random)] = UInt8.random(in: 1...100, using: &random)
    }
    stage.engine.publish(plan(mix, song, tune, keys))
    stage.driver.play(Int.random(in: 1...700, using: &random))
  }
  let fresh = tune.stage(seed: seed, blockFrames: 1...1_024)
  fresh.engine.publish(plan(mix, song, tune, keys))
  let target = TimelineFrame.random(in: 1_000...250_000, using: &random)
  for stage in [stage, fresh] {
    stage.waitForStreams()
    #expect(stage.engine.send(.locate(target)))
    #expect(stage.engine.send(.start))
    stage.driver.play(2_000)
    #expect(stage.driver.play(until: .rolling))
    let late = stage.engine.record.lateFrameCount
    stage.driver.play(20_000)
    #expect(stage.engine.record.lateFrameCount == late, "seed \(seed)")
  }
  let count = min(stage.engine.record.rolledFrame, fresh.engine.record.rolledFrame, 20_000).number
  func heard(_ stage: LiveStage) -> [[Float]] {
    let start = stage.driver.frameCount - stage.engine.record.rolledFrame.number
    return stage.sides.map { Array($0[start..<start + count]) }
  }
  #expect(count > 10_000)
  #expect(bits(heard(stage)) == bits(heard(fresh)), "seed \(seed), from \(target)")
  #expect(heard(stage)[0].contains { $0 != 0 })
}
