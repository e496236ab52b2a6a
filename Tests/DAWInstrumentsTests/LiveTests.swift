import DAWEngine
import DAWInstruments
import DAWTestSupport
import DAWTime
import Testing

extension InstrumentTests {
  @Suite struct Live {
    @Test(arguments: [48_000, 192_000])
    func playedFromTheStartItIsTheBounceToTheBit(hertz: Int) throws {
      try requireSoundFont()
      let seed = Seed.current()
      let plan = plan(SameBits.events(seed: seed, count: 60, within: 40_000), hertz: hertz)
      let whole = try render(plan, frames: 40_000)
      var options = LiveOptions(sampleRate: hertz)
      options.streamCount = 1
      let engine = LiveEngine(options, makeProducer: { try FluidSynthInstrument(plan: $0) })
      defer { engine.shutDown() }
      engine.publish(
        RenderPlan(
          sampleRate: SampleRate(hertz: hertz), sources: [],
          instruments: [PlannedInstrument(trackID: 1, plan: plan)], regions: [],
          steps: [
            .clear(StripID(0), buffer: 0), .playInstrument(StripID(7), 0, into: 1),
            .mix(Connection(from: StripID(7), to: StripID(0)), 1, width: .stereo, into: 0, left: .unity, right: .unity),
            .output(StripID(0), buffer: 0, left: .unity, right: .unity),
          ], bufferCount: 2, endFrame: 40_000))
      engine.waitForStreams(seconds: LiveDriver.patience)
      let driver = LiveDriver(engine, seed: seed, blockFrames: 1...2_048)
      driver.framesBetweenWaits = 2_000
      #expect(engine.send(.start))
      driver.play(40_000)
      #expect(engine.record.lateFrameCount == 0)
      #expect(Sound(left: driver.left, right: driver.right) == whole, "seed \(seed)")
    }
  }
}
