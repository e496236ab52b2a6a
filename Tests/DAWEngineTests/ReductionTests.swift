import DAWTestSupport
import DAWTime
import Testing

@testable import DAWEngine

@Suite struct ReductionTests {
  /// What each effect of a plan takes away at each frame of its output: by its id, then from frame 0 on. None for what
  /// is bypassed.
  private static func levels(of mix: RandomMix) throws -> [Int64: [(greatest: Double, mean: Double)]] {
    let (plan, delayed) = (mix.plan, mix.plan.withDelays)
    let feeder = DirectFeeder(DirectStreams(plan, instruments: nil), maximumFrames: 1)
    var found: [Int64: [(greatest: Double, mean: Double)]] = [:]
    for frame in -feeder.latency..<mix.frameCount {
      for index in plan.inserts.indices { feeder.effect(index).clearReduction() }
      var (left, right): (Float, Float) = (0, 0)
      try feeder.render(frame: TimelineFrame(frame), left: &left, right: &right, frameCount: 1)
      for (step, lead) in zip(delayed.steps, delayed.leads) {
        guard case .insert(_, let index, _, _, _) = step, plan.inserts[index].share != .constant(0) else { continue }
        // The effect reads ahead by the lead, and its output is late by its latency.
        let place = frame + lead - plan.inserts[index].latency
        let level = feeder.effect(index).reduction
        if place >= 0, place < mix.frameCount { found[plan.inserts[index].effectID, default: []].append(level) }
      }
    }
    return found
  }

  @Test(arguments: 0..<6)
  func reductionsAreThoseOfTheFramesOfTheRange(round: Int) throws {
    let seed = Seed.current() &+ UInt64(round)
    var random = SeededGenerator(seed: seed)
    let mix = try RandomMix(seed: seed) {
      $0.withRandomEffects([.compressor, .gate, .limiter, .compressor, .eq], using: &random)
    }
    let levels = try Self.levels(of: mix)
    for (threads, blockFrames, range) in [
      (0, 6_000, 0..<6_000), (0, 100, 1_234..<4_321), (3, 64, 0..<6_000), (2, 777, 1_234..<4_321), (1, 500, 777..<778),
    ] {
      let name = "\(threads) threads, blocks of \(blockFrames), \(range), seed \(seed)"
      let measured = MeasuredReductions(over: TimelineFrame(range.lowerBound)..<TimelineFrame(range.upperBound))
      let samples = try mix.renderStaged(threads: threads, blockFrames: blockFrames, reductions: measured)
      #expect(try bits(samples) == bits(mix.renderStaged(threads: 0, blockFrames: 6_000)), "\(name)")
      let reductions = measured.reductions
      let dynamics = mix.plan.inserts.filter { $0.setup.kind.isDynamics && $0.share != .constant(0) }
      #expect(Set(reductions.keys) == Set(dynamics.map(\.effectID)), "\(name)")
      for insert in dynamics {
        let reduction = try #require(reductions[insert.effectID])
        let expected = levels[insert.effectID].map { $0[range] } ?? []
        #expect(reduction.greatest == expected.map(\.greatest).max() ?? 0, "\(insert.setup.kind), \(name)")
        let mean = expected.map(\.mean).reduce(0, +) / Double(max(1, expected.count))
        #expect(abs(reduction.mean - mean) <= 1e-9 * max(1, mean), "\(insert.setup.kind), \(name)")
      }
    }
  }
}
