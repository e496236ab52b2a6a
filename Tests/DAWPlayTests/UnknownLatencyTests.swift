import DAWEngine
import DAWMedia
import DAWTestSupport
import DAWTime
import Glibc
import Testing

@testable import DAWPlay

@Test("What comes in before the latencies of the inputs are known waits for them; behind a server, the last ones hold")
func inputBeforeLatencies() throws {
  let stage = try WriterStage(seed: 3)
  stage.latenciesAreKnown.update { $0 = false }
  #expect(stage.engine.send(.start))
  stage.play(1)
  #expect(stage.engine.waitForStreams(seconds: LiveDriver.patience))
  stage.play(10_000)
  // Some rounds of the writing thread.
  usleep(300_000)
  stage.takeEvents()
  #expect(!stage.hasBegun && stage.ring.untakenCount == 10_001)
  stage.latenciesAreKnown.update { $0 = true }
  #expect(stage.wait { stage.hasBegun })
  stage.play(20_000)
  #expect(stage.wait { stage.written.values.max() ?? 0 > 10_000 })
  // What is left in the ring is taken when the server is said to be gone.
  stage.latenciesAreKnown.update { $0 = false }
  stage.play(5_000)
  stage.writer.loseServer(waits: false)
  #expect(stage.waitForEnd(1))
  stage.stop()
  let passes = try #require(stage.finished.first).description.passes
  #expect(passes.map(\.header.captureLatency) == [WriterStage.lag - 300] && passes[0].latencies.isEmpty)
  #expect(passes[0].frames > 30_000)
  try stage.check("latencies that were not known")
}
