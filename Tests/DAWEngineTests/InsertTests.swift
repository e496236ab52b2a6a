import DAWTestSupport
import Testing

@testable import DAWEngine

@Suite struct InsertTests {
  /// A random mix with effects, and its frames from one runner in blocks of 1,024.
  private static func mix(_ seed: UInt64, _ kinds: [EffectKind] = EffectKind.allCases) throws -> RandomMix {
    var random = SeededGenerator(seed: seed)
    return try RandomMix(seed: seed) { $0.withRandomEffects(kinds, using: &random) }
  }

  @Test(arguments: 0..<12)
  func blocksDoNotChangeABit(round: Int) throws {
    let seed = Seed.current() &+ UInt64(round)
    let mix = try Self.mix(seed)
    let whole = bits(try mix.render())
    for (blocks, longest) in [([1], 1), ([16], 16), ([1, 17, 500, 3], 64), ([6_000], 65_536)] {
      #expect(
        bits(try mix.render(blocks: blocks, maximumFrames: longest)) == whole, "blocks of \(blocks), seed \(seed)")
    }
  }

  @Test(arguments: 0..<12)
  func stagesAreTheWholePlan(round: Int) throws {
    let seed = Seed.current() &+ UInt64(round)
    let mix = try Self.mix(seed)
    let whole = bits(try mix.render())
    for (threads, blockFrames) in [(0, 6_000), (0, 100), (3, 64), (2, 777)] {
      #expect(
        bits(try mix.renderStaged(threads: threads, blockFrames: blockFrames)) == whole,
        "\(threads) threads, blocks of \(blockFrames), seed \(seed)")
    }
  }

  @Test(arguments: 0..<12)
  func playedLiveItIsTheSame(round: Int) throws {
    let seed = Seed.current() &+ UInt64(round)
    let mix = try Self.mix(seed)
    let stage = LiveStage(seed: seed, blockFrames: 1...2_000)
    stage.engine.publish(mix.plan)
    stage.waitForStreams()
    #expect(stage.engine.send(.start))
    stage.driver.play(mix.frameCount + mix.plan.withDelays.latency)
    let late = mix.plan.withDelays.latency
    let heard = stage.sides.map { Array($0[late..<(late + mix.frameCount)]) }
    #expect(stage.sides.allSatisfy { $0.prefix(late).allSatisfy { $0 == 0 } })
    #expect(try bits(heard) == bits(mix.render()), "seed \(seed)")
    #expect(stage.engine.record.lateFrameCount == 0)
  }

  @Test(arguments: 0..<12)
  func latencyIsNotHeard(round: Int) throws {
    let seed = Seed.current() &+ UInt64(round)
    var random = SeededGenerator(seed: seed)
    // All bypassed: what is left of them is their latency.
    let mix = try RandomMix(seed: seed) { plan in
      var plan = plan.withRandomEffects([.limiter, .compressor], using: &random)
      for index in plan.inserts.indices { plan.inserts[index].share = .constant(0) }
      return plan
    }
    #expect(mix.plan.inserts.isEmpty || mix.plan.withDelays.latency >= 0)
    let plain = try RandomMix(seed: seed)
    #expect(bits(try mix.render()) == bits(try plain.render()), "seed \(seed)")
  }
}
