import DAWEngine
import DAWMedia
import DAWTestSupport
import DAWTime
import Testing

@testable import DAWPlay

/// By which plans passes were played.
@Suite struct PlayedPlanTests {
  @Test func aPassOfMIDIKnowsFromWhereOnAnEditOfTheTempoWasHeard() throws {
    let seed = Seed.current()
    let stage = try WriterStage(seed: seed, hasKeys: true)
    stage.roll()
    let number = stage.engine.record.planNumber
    stage.engine.publish(stage.numbers.plan, moved: { $0 + 100_000 })
    stage.play(20_000)
    stage.stop()
    let recording = try #require(stage.finished.first)
    let pass = try #require(recording.description.passes.first { $0.header.kind == .midi })
    let plans = try #require(recording.plans[pass.header.pass])
    #expect(plans.map(\.number) == [number, number + 1], "seed \(seed)")
    #expect(plans.map(\.atFrame) == pass.pieces.map(\.passFrame), "seed \(seed)")
    #expect(recording.plans.count == 1, "seed \(seed)")
  }
}
