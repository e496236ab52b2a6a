import DAWEngine
import DAWMedia
import DAWModel
import DAWTestSupport
import DAWTime
import Testing

@testable import DAWPlay

/// By which plans passes were played, and what follows the end of one.
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

  @Test(arguments: DAWEngine.EffectKind.allCases)
  func behindTheEndDelaysAndReverbsRingOnAndNoOtherEffects(kind: DAWEngine.EffectKind) {
    let project = Project(
      id: .random(), createdDate: Timestamp(milliseconds: 0), settings: ProjectSettings(name: Name(literal: "Song")))
    func ringsOn(share: Control) -> Bool {
      let insert = PlannedInsert(
        effectID: 1, setup: EffectSetup(kind: kind, sampleRate: 48_000), parameters: [], share: share)
      let plan = RenderPlan(
        sampleRate: SampleRate(hertz: 48_000), sources: [], instruments: [], regions: [], steps: [], bufferCount: 1,
        endFrame: 0, inserts: [insert])
      return PlayedProject(project, plan: plan, to: 0, countInEnd: nil, silentMedia: 0).ringsOn
    }
    #expect(ringsOn(share: .constant(1)) == (kind == .delay || kind == .reverb))
    #expect(!ringsOn(share: .constant(0)))
  }
}
