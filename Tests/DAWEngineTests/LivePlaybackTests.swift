import DAWTestSupport
import Testing

@testable import DAWEngine

/// A test's own engine, shut down at its end.
final class LiveStage {
  let engine: LiveEngine
  let driver: LiveDriver

  init(
    seed: UInt64, blockFrames: ClosedRange<Int> = 1...4_096, tracks: [Int64] = [],
    _ change: (inout LiveOptions) -> Void = { _ in },
    makeProducer: @escaping LiveEngine.InstrumentFactory = { _ in throw StreamError.stopped }
  ) {
    var options = LiveOptions(sampleRate: 48_000)
    options.streamCount = 128
    // So that a busy machine does not fail the test.
    options.publishWaitSeconds = 60
    change(&options)
    engine = LiveEngine(options, makeProducer: makeProducer)
    driver = LiveDriver(engine, seed: seed, blockFrames: blockFrames, tracks: tracks)
  }

  deinit { engine.shutDown() }

  /// Starts, and drops the silence before it rolls.
  func roll() {
    #expect(engine.send(.start))
    waitForStreams()
    driver.playBlock(1)
    waitForStreams()
  }

  /// With a long timeout.
  func waitForStreams() { #expect(engine.waitForStreams(seconds: LiveDriver.patience)) }

  var sides: [[Float]] { [driver.left, driver.right] }
}

@Test(arguments: [1...1, 16...16, 64...64, 1...4_096, 4_096...4_096])
func playedFromTheStartItIsTheBounceToTheBit(blockFrames: ClosedRange<Int>) throws {
  let seed = Seed.current()
  let mix = try RandomMix(seed: seed)
  let stage = LiveStage(seed: seed, blockFrames: blockFrames)
  stage.engine.publish(mix.plan)
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(mix.frameCount)
  #expect(try bits(stage.sides) == bits(mix.render()), "seed \(seed)")
  #expect(stage.engine.record.lateFrameCount == 0)
}
