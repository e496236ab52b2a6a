import DAWTestSupport
import DAWTime
import Testing

@testable import DAWEngine

@Suite struct LiveEffectTests {
  /// A mix with effects that are all bypassed: only their latency is left of them.
  private static func late(_ seed: UInt64) throws -> RandomMix {
    var random = SeededGenerator(seed: seed)
    return try RandomMix(seed: seed) { plan in
      while true {
        var late = plan.withRandomEffects([.limiter, .compressor], using: &random)
        for index in late.inserts.indices { late.inserts[index].share = .constant(0) }
        if late.withDelays.latency > 0 { return late }
      }
    }
  }

  @Test(arguments: [1...1_024, 1...64])
  func aLoopIsGaplessThroughLatency(blockFrames: ClosedRange<Int>) throws {
    let seed = Seed.current()
    let late = try Self.late(seed)
    let plain = try RandomMix(seed: seed)
    let whole = try bounced(plain.plan, 6_000)
    let latency = late.plan.withDelays.latency
    for loop in [1_000..<4_500, 0..<6_000, 2_000..<2_001, 100..<164, 40..<300] as [Range<TimelineFrame>] {
      let stage = LiveStage(seed: seed, blockFrames: blockFrames)
      stage.engine.publish(late.plan)
      #expect(stage.engine.send(.loop(first: loop.lowerBound, end: loop.upperBound)))
      #expect(stage.engine.send(.locate(50)))
      stage.driver.playBlock(1)
      stage.waitForStreams()
      stage.driver.clear()
      #expect(stage.engine.send(.start))
      stage.driver.play(latency + 9_000)
      var frame: TimelineFrame = 50
      let expected = (0..<9_000).map { _ in
        defer {
          frame += 1
          if frame == loop.upperBound { frame = loop.lowerBound }
        }
        return whole[0][frame.number].bitPattern
      }
      let played = stage.driver.left.dropFirst(latency).map(\.bitPattern)
      let first = zip(played, expected).enumerated().first { $0.1.0 != $0.1.1 }?.offset
      #expect(first == nil, "seed \(seed), loop \(loop), latency \(latency)")
    }
  }

  @Test func aLocateClearsWhatWasProcessedAhead() throws {
    let seed = Seed.current()
    let late = try Self.late(seed)
    let latency = late.plan.withDelays.latency
    let plain = try RandomMix(seed: seed)
    let whole = try bounced(plain.plan, 6_000)
    let stage = LiveStage(seed: seed, blockFrames: 64...64)
    stage.engine.publish(late.plan)
    stage.waitForStreams()
    #expect(stage.engine.send(.start))
    stage.driver.play(64 * ((latency + 1_000) / 64))
    for target in [3_000, 17, 2_222] as [TimelineFrame] {
      #expect(stage.engine.send(.locate(target)))
      #expect(stage.driver.play(until: .starting))
      stage.waitForStreams()
      #expect(stage.driver.play(until: .rolling))
      stage.driver.play(64 * 10)
      let record = stage.engine.record
      let played = record.rolledFrame.number
      #expect(record.nextFrame == target + record.rolledFrame.number)
      #expect(
        stage.driver.left.suffix(played).map(\.bitPattern)
          == whole[0][target.number..<(target.number + played)].map(\.bitPattern), "seed \(seed), to \(target)")
    }
  }

  @Test func aStopAndAPlanInTheLeadInLeaveNothingBehind() throws {
    let seed = Seed.current()
    let late = try Self.late(seed)
    let latency = late.plan.withDelays.latency
    let plain = try RandomMix(seed: seed)
    let whole = try bounced(plain.plan, 6_000)
    let stage = LiveStage(seed: seed, blockFrames: 16...16)
    stage.engine.publish(late.plan)
    stage.waitForStreams()
    #expect(stage.engine.send(.start))
    stage.driver.playBlock(16)
    stage.driver.playBlock(16)
    #expect(stage.engine.record.state == .starting)
    #expect(stage.engine.send(.stop))
    stage.driver.playBlock(16)
    #expect(stage.engine.record.state == .stopped)
    #expect(stage.engine.record.nextFrame == 0)
    stage.waitForStreams()
    stage.driver.clear()
    #expect(stage.engine.send(.start))
    stage.driver.playBlock(16)
    stage.engine.publish(late.plan)
    stage.waitForStreams()
    stage.driver.play(latency + 2_000 - 16)
    #expect(
      stage.driver.left[latency..<(latency + 2_000)].map(\.bitPattern) == whole[0].prefix(2_000).map(\.bitPattern),
      "seed \(seed), latency \(latency)")
  }

  @Test func aHostThatWaitsIsFollowedFromItsFirstFrame() throws {
    let seed = Seed.current()
    let late = try Self.late(seed)
    let plain = try RandomMix(seed: seed)
    let whole = try bounced(plain.plan, 6_000)
    let stage = LiveStage(seed: seed, blockFrames: 64...64)
    stage.engine.publish(late.plan)
    for start in [0, 1_234, 0] as [TimelineFrame] {
      stage.driver.followed = FollowedTransport(state: .stopped, frame: start)
      stage.driver.play(64 * 8)
      stage.waitForStreams()
      stage.driver.followed = FollowedTransport(state: .starting, frame: start)
      for _ in 0..<1_000 where !stage.engine.isReady(at: start) {
        stage.waitForStreams()
        stage.driver.playBlock(64)
      }
      #expect(stage.engine.isReady(at: start))
      stage.driver.followed = FollowedTransport(state: .rolling, frame: start)
      stage.driver.clear()
      stage.driver.play(2_048)
      #expect(
        stage.driver.left.map(\.bitPattern) == whole[0][start.number..<(start.number + 2_048)].map(\.bitPattern),
        "seed \(seed), from \(start)")
    }
    // Without waiting, what comes first is silent.
    stage.driver.followed = FollowedTransport(state: .rolling, frame: 3_000)
    stage.driver.play(512)
    #expect(stage.driver.play(until: .rolling))
    #expect(stage.engine.record.nextFrame == stage.driver.followed?.frame)
  }

  @Test func anotherLatencyEndsAndBeginsAgainAtTheSamePlace() throws {
    let seed = Seed.current()
    let mix = try SineMix(frameCount: 200_000, hertz: [50, 61])
    let plain = mix.plan(mix.song())
    var random = SeededGenerator(seed: seed)
    var late = plain.withRandomEffects([.limiter], using: &random)
    while late.withDelays.latency == 0 { late = plain.withRandomEffects([.limiter], using: &random) }
    for index in late.inserts.indices { late.inserts[index].share = .constant(0) }
    let whole = try bounced(plain, 60_000)
    let stage = LiveStage(seed: seed, blockFrames: 1...1_024)
    stage.engine.publish(plain)
    stage.waitForStreams()
    #expect(stage.engine.send(.start))
    stage.driver.play(5_000)
    for plan in [late, plain, late] {
      let number = stage.engine.publish(plan)
      for _ in 0..<2_000 where stage.engine.record.planNumber < number || stage.engine.record.state != .rolling {
        stage.waitForStreams()
        stage.driver.playBlock(64)
      }
      stage.driver.play(2_000)
      let record = stage.engine.record
      let played = record.rolledFrame.number
      let first = record.nextFrame.number - played
      #expect(record.state == .rolling)
      #expect(
        stage.driver.left.suffix(played).map(\.bitPattern)
          == whole[0][first..<(first + played)].map(\.bitPattern), "seed \(seed)")
    }
  }

  @Test func aLoopThatIsSetWithinTheLatencyIsPlayed() throws {
    let seed = Seed.current()
    let late = try Self.late(seed)
    let latency = late.plan.withDelays.latency
    let plain = try RandomMix(seed: seed)
    let whole = try bounced(plain.plan, 6_000)
    let stage = LiveStage(seed: seed, blockFrames: 64...64)
    stage.engine.publish(late.plan)
    stage.waitForStreams()
    #expect(stage.engine.send(.start))
    stage.driver.play(64 * Int(latency / 64 + 20))
    let target = stage.engine.record.nextFrame
    let loop = 100..<target + latency / 2
    #expect(stage.engine.send(.loop(first: loop.lowerBound, end: loop.upperBound)))
    stage.driver.play(512)
    stage.waitForStreams()
    #expect(stage.driver.play(until: .rolling))
    stage.driver.play(3_200)
    let played = stage.engine.record.rolledFrame.number
    let expected = (0..<played).map { count -> UInt32 in
      let frame = target + count
      let place = frame < loop.upperBound ? frame : 100 + (frame - loop.upperBound) % loop.count
      return whole[0][place.number].bitPattern
    }
    #expect(played > 3_000 && played < 5_000)
    #expect(stage.driver.left.suffix(played).map(\.bitPattern) == expected, "seed \(seed), latency \(latency)")
  }

  @Test func aStripWithLatencyComesInWithoutAJump() throws {
    let seed = Seed.current()
    let mix = try SineMix(frameCount: 200_000, hertz: [50, 61])
    var song = mix.song()
    let both = mix.plan(song).bypassedLimiter(on: 1, lookAhead: 10)
    song.tracks[1].isMuted = true
    let one = mix.plan(song)
    let stage = LiveStage(seed: seed, blockFrames: 1...500)
    stage.engine.publish(one)
    stage.waitForStreams()
    #expect(stage.engine.send(.start))
    stage.driver.play(1_000)
    for plan in [both, one, both, one, both] {
      stage.engine.publish(plan)
      stage.driver.play(3_001)
    }
    // Two sines of 0.07, each moving by 0.008 of that in a frame, and a passage's line.
    #expect(greatestJump(stage.driver.left) < 2 * 0.07 * (0.008 + 2.0 / 256), "seed \(seed)")
    #expect(stage.engine.record.rolledFrame > 15_000)
  }

  @Test func aParameterGoesToItsNewValueInALine() throws {
    let seed = Seed.current()
    let mix = try SineMix(frameCount: 200_000, hertz: [50])
    let plain = mix.plan(mix.song())
    let makeUp = try #require(EffectKind.compressor.parameterNames.firstIndex(of: "makeUp"))
    func plan(_ level: Double) -> RenderPlan {
      var parameters = EffectKind.compressor.defaults.map { PlannedInsert.Parameter.constant($0) }
      parameters[0] = .constant(0)
      parameters[makeUp] = .constant(level)
      return plain.with(
        PlannedInsert(
          effectID: 1, setup: EffectSetup(kind: .compressor, sampleRate: 48_000), parameters: parameters), on: 0)
    }
    let stage = LiveStage(seed: seed, blockFrames: 1...500)
    stage.engine.publish(plan(0))
    stage.waitForStreams()
    #expect(stage.engine.send(.start))
    stage.driver.play(1_000)
    for edit in 0..<20 {
      stage.engine.publish(plan(edit.isMultiple(of: 2) ? 12 : 0))
      stage.driver.play(1_037)
    }
    // Between 0.07 and four times that; the gain goes by 12 dB in 256 frames.
    #expect(greatestJump(stage.driver.left) < 0.28 * (0.0066 + 1.4 / 256 * 3), "seed \(seed)")
    #expect(stage.driver.left.contains { $0 > 0.25 })
  }

  @Test func editsOfEffectsMakeNoJumpAndEndAsTheBounce() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    let mix = try SineMix(frameCount: 900_000, hertz: [50, 61, 73])
    var song = RoutedSong(tracks: 3, buses: 2, sources: 3)
    var effects = RandomChain()
    let stage = LiveStage(seed: seed, blockFrames: 1...1_024)
    stage.engine.publish(effects.apply(to: song.plan(mix, directOuts: false)))
    stage.waitForStreams()
    #expect(stage.engine.send(.start))
    stage.driver.play(1_000)
    for edit in 0..<1_000 {
      if Int.random(in: 0...3, using: &random) == 0 { song.edit(sources: 3, using: &random) }
      effects.edit(song.strips.map(\.id), using: &random)
      stage.engine.publish(effects.apply(to: song.plan(mix, directOuts: false)))
      let first = max(0, stage.driver.frameCount - 1)
      stage.driver.play(Int.random(in: 1...1_200, using: &random))
      // Boosts of 6 dB, three on a way.
      #expect(greatestJump(Array(stage.driver.left[first...])) < 0.2, "seed \(seed), edit \(edit)")
    }
    let plan = song.plan(mix, directOuts: false)
    let number = stage.engine.publish(plan)
    for _ in 0..<1_000 where stage.engine.record.planNumber < number {
      stage.waitForStreams()
      stage.driver.playBlock(64)
    }
    stage.driver.play(1_000)
    let last = stage.driver.frameCount
    stage.driver.play(3_000)
    let end = stage.engine.record.nextFrame.number
    let expected = try bounced(plan, from: TimelineFrame(end - 3_000), 3_000)
    #expect(stage.driver.left[last...].map(\.bitPattern) == expected[0].map(\.bitPattern), "seed \(seed)")
  }
}

/// Effects on strips that edits add, change and remove.
private struct RandomChain {
  private var chains: [Int64: [PlannedInsert]] = [:]
  private var nextID: Int64 = 1

  mutating func edit(_ strips: [Int64], using random: inout SeededGenerator) {
    guard let strip = strips.randomElement(using: &random) else { return }
    let count = chains[strip]?.count ?? 0
    switch Int.random(in: 0...5, using: &random) {
    case 0, 1:
      guard count < 3 else { return }
      let kind: EffectKind = Bool.random(using: &random) ? .eq : .compressor
      let setup = EffectSetup(kind: kind, sampleRate: 48_000)
      var insert = PlannedInsert(effectID: nextID, setup: setup, parameters: kind.defaults.map { .constant($0) })
      nextID += 1
      insert.change(using: &random)
      chains[strip, default: []].insert(insert, at: .random(in: 0...count, using: &random))
    case 2: if count > 0 { chains[strip]?.remove(at: .random(in: 0..<count, using: &random)) }
    case 3: if count > 0 { chains[strip]?[0].share = .constant(Bool.random(using: &random) ? 0 : 1) }
    default: if count > 0 { chains[strip]?[count - 1].change(using: &random) }
    }
  }

  func apply(to plan: RenderPlan) -> RenderPlan {
    var result = plan
    result.steps = []
    var finished: Set<Int64> = []
    for step in plan.steps {
      if case .mix(let connection, let source, let width, _, _, _) = step,
        finished.insert(connection.source.trackID).inserted
      {
        for insert in chains[connection.source.trackID] ?? [] {
          result.steps.append(
            .insert(connection.source, result.inserts.count, buffer: source, width: width, key: nil))
          result.inserts.append(insert)
        }
      }
      result.steps.append(step)
    }
    return result
  }
}

extension RenderPlan {
  /// The plan with an effect on a track, before its first connection.
  fileprivate func with(_ insert: PlannedInsert, on track: Int64) -> RenderPlan {
    var plan = self
    plan.inserts.append(insert)
    let place = steps.firstIndex {
      if case .mix(let connection, _, _, _, _, _) = $0 { connection.source.trackID == track } else { false }
    }
    guard let place, case .mix(_, let buffer, let width, _, _, _) = steps[place] else { return self }
    plan.steps.insert(.insert(StripID(track), inserts.count, buffer: buffer, width: width, key: nil), at: place)
    return plan
  }

  fileprivate func bypassedLimiter(on track: Int64, lookAhead: Double) -> RenderPlan {
    let setup = EffectSetup(kind: .limiter, sampleRate: 48_000, lookAhead: lookAhead)
    return with(
      PlannedInsert(
        effectID: 7, setup: setup, parameters: EffectKind.limiter.defaults.map { .constant($0) }, share: .constant(0)),
      on: track)
  }
}

extension PlannedInsert {
  /// Sets a bell of an equalizer, or the threshold of a compressor.
  fileprivate mutating func change(using random: inout SeededGenerator) {
    if setup.kind == .eq {
      parameters[0] = .constant(1)
      parameters[1] = .constant(.random(in: 40...2_000, using: &random))
      parameters[2] = .constant(.random(in: -6...6, using: &random))
    } else {
      parameters[0] = .constant(.random(in: -40...0, using: &random))
    }
  }
}
