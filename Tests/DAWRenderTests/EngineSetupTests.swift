import DAWEngine
import DAWMedia
import DAWTestSupport
import DAWTime
import Glibc
import Testing

@testable import DAWRender

@Suite("The engine's side of a bounce")
struct EngineSetupTests {
  @Test("Of several bounces, as of stems, each is finished once")
  func finishing() throws {
    let folder = try TemporaryFolder()
    let setup = try EngineSetup(BounceRequest(), cacheFolder: Place(root: folder.path))
    let insert = PlannedInsert(effectID: 1, setup: EffectSetup(kind: .eq, sampleRate: 48_000), parameters: [])
    let plan = RenderPlan(
      sampleRate: SampleRate(hertz: 48_000), sources: [], instruments: [], regions: [], steps: [], bufferCount: 1,
      endFrame: 0, inserts: [insert])
    // What a killed process has left goes where a bounce that has used the cache is finished.
    func isRemovedByFinishing() throws -> Bool {
      let path = try folder.write([1, 2, 3], to: "renders/a.render.partial-1-1")
      setup.finish()
      return access(path, F_OK) != 0
    }
    for _ in 0..<3 {
      _ = try setup.bouncer(for: plan)
      #expect(try isRemovedByFinishing())
      // It would have to list the folder again, for each stem before it.
      #expect(try !isRemovedByFinishing())
    }
  }
}
