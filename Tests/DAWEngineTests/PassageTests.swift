import DAWTestSupport
import DAWTime
import Testing

@testable import DAWEngine

/// The frames of a passage between two plans over the same sources, and of both plans alone.
private struct Rendering {
  var old: [[Float]]
  var new: [[Float]]
  /// `nil` if both plans sound the same.
  var passage: [[Float]]?

  /// - Parameter samples: of each source.
  init(_ samples: [[Float]], from old: RenderPlan, to new: RenderPlan, at frame: TimelineFrame) throws {
    self.old = try bounced(old, from: frame, Passage.frameCount)
    self.new = try bounced(new, from: frame, Passage.frameCount)
    passage = Self.passage(samples, from: old, to: new, at: frame)
  }

  static func passage(
    _ samples: [[Float]], from old: RenderPlan, to new: RenderPlan, at frame: TimelineFrame, blocks: [Int] = [256]
  ) -> [[Float]]? {
    guard let joined = Passage(from: old, to: new, isMoved: false) else { return nil }
    let states = ProcessorStates(joined.plan)
    let linked = LinkedPlan(delayed: joined.plan, streams: joined.streams, states: states, maximumFrames: 256)
    let runner = PlanRunner(linked)
    var sides: [[Float]] = [[], []]
    var turn = 0
    while sides[0].count < Passage.frameCount {
      let done = sides[0].count
      let count = min(blocks[turn % blocks.count], Passage.frameCount - done)
      turn += 1
      let now = frame + done
      runner.begin(
        PlanRunner.Slice(frame: now, position: RolledFrame(at: now, from: 0)), frameCount: count, passed: done)
      while let request = runner.next() {
        guard case .region(_, let source, let first) = request.stream else { break }
        samples[source % samples.count].withUnsafeBytes { bytes in
          guard let base = bytes.baseAddress else { return }
          runner.supply(base + first.number * 4, frameCount: request.frameCount)
        }
      }
      sides[0] += UnsafeBufferPointer(start: runner.left, count: count)
      sides[1] += UnsafeBufferPointer(start: runner.right, count: count)
    }
    return sides
  }
}

@Test(arguments: 0..<10)
func aPassageBeginsAsTheOldPlanAndEndsAsTheNewOne(round: Int) throws {
  let seed = Seed.current() &+ UInt64(round)
  var random = SeededGenerator(seed: seed)
  let mix = try SineMix(frameCount: 700_000, hertz: [50, 61, 73, 87])
  let samples = try mix.samples()
  var song = RoutedSong(tracks: 5, buses: 4, sources: 4)
  for _ in 0..<30 { song.edit(sources: 4, using: &random) }
  for _ in 0..<25 {
    let old = song.plan(mix, directOuts: Bool.random(using: &random))
    let before = song.potential
    for _ in 0..<Int.random(in: 1...6, using: &random) { song.edit(sources: 4, using: &random) }
    let new = song.plan(mix, directOuts: Bool.random(using: &random))
    let frame = TimelineFrame.random(in: 0...40_000, using: &random)
    let rendering = try Rendering(samples, from: old, to: new, at: frame)
    guard let passage = rendering.passage else {
      #expect(bits(rendering.old) == bits(rendering.new), "seed \(seed)")
      continue
    }
    for side in 0..<2 {
      #expect(abs(passage[side][0] - rendering.old[side][0]) < 1e-6, "seed \(seed), frame \(frame)")
      // The last frame has 255/256 of the way behind it, and several gains of one way may be on theirs.
      let rest = 4 * max(before, song.potential) / 256
      #expect(abs(passage[side][255] - rendering.new[side][255]) <= rest, "seed \(seed), frame \(frame)")
      let allowed = 2 * max(before, song.potential) * (0.0114 + 2.0 / 256)
      #expect(greatestJump(passage[side]) <= allowed, "seed \(seed), frame \(frame)")
    }
    let cut = Rendering.passage(samples, from: old, to: new, at: frame, blocks: [1, 17, 64, 3])
    #expect(bits(cut ?? []) == bits(passage), "seed \(seed), frame \(frame)")
  }
}

@Test func aStripOfBothPlansRunsOnceAndWhatIsUnchangedHasItsGain() throws {
  let mix = try SineMix(frameCount: 100_000, hertz: [50, 61])
  var song = RoutedSong(tracks: 3, buses: 1, sources: 2)
  song.strips[0].output = 50
  let old = song.plan(mix, directOuts: false)
  song.strips[1].output = 50
  song.strips[0].sends[50] = 0.3
  let new = song.plan(mix, directOuts: false)
  let passage = try #require(Passage(from: old, to: new, isMoved: false))
  var sums = 0
  var moving: [Connection] = []
  for step in passage.plan.steps {
    switch step {
    case .sumRegions: sums += 1
    case .mix(let connection, _, _, _, .passage, .passage): moving.append(connection)
    default: break
    }
  }
  #expect(sums == 3)
  let ids = (0...50).map { StripID(Int64($0)) }
  #expect(
    Set(moving) == [
      Connection(from: ids[2], to: ids[0]), Connection(from: ids[2], to: ids[50]),
      Connection(from: ids[1], to: ids[50], .send(1_050)),
    ])
  #expect(passage.streams.allSatisfy { !$0.isOfPlanBefore })
  #expect(Passage(from: new, to: new, isMoved: false) == nil)
}

@Test func routingThatIsTurnedRoundRunsEachBusOncePerPlan() throws {
  let mix = try SineMix(frameCount: 100_000, hertz: [50])
  var song = RoutedSong(tracks: 1, buses: 2, sources: 1)
  song.strips[0].output = 50
  song.strips[1].output = 51
  let old = song.plan(mix, directOuts: false)
  song.strips.swapAt(1, 2)
  song.strips[1].output = 50
  song.strips[2].output = 0
  song.strips[0].output = 51
  let new = song.plan(mix, directOuts: false)
  let rendering = try Rendering(mix.samples(), from: old, to: new, at: 5_000)
  let passage = try #require(rendering.passage)
  for frame in 0..<256 {
    let share = Float(frame) / 256
    let expected = rendering.old[0][frame] + (rendering.new[0][frame] - rendering.old[0][frame]) * share
    #expect(abs(passage[0][frame] - expected) < 1e-6)
  }
}

@Test func aThousandEditsOfRoutingMakeNoJumpAndEndAsTheBounce() throws {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  let mix = try SineMix(frameCount: 900_000, hertz: [50, 61, 73, 87])
  var song = RoutedSong(tracks: 5, buses: 4, sources: 4)
  let tracks = song.strips.map(\.id)
  let stage = LiveStage(seed: seed, blockFrames: 1...1_024, tracks: tracks)
  stage.engine.publish(song.plan(mix))
  stage.waitForStreams()
  #expect(stage.engine.send(.start))
  stage.driver.play(1_000)
  /// The greatest samples that the last plans can have; a plan may wait for the passages before.
  var potentials = [song.potential]
  for edit in 0..<1_000 {
    song.edit(sources: 4, using: &random)
    potentials = potentials.suffix(5) + [song.potential]
    stage.engine.publish(song.plan(mix))
    let first = max(0, stage.driver.frameCount - 1)
    stage.driver.play(Int.random(in: 1...1_200, using: &random))
    // A sine at 87 Hz moves by 0.0114 of its amplitude in a frame, a passage by 1/256, by twice that where two gains of
    // a way change.
    let allowed = 2 * (potentials.max() ?? 0) * (0.0114 + 2.0 / 256)
    for samples in [stage.driver.left] + tracks.map({ stage.driver.directOuts[$0]?.left ?? [] }) {
      #expect(greatestJump(Array(samples[first...])) <= allowed, "seed \(seed), edit \(edit)")
    }
  }
  for _ in 0..<1_000 where stage.engine.record.planNumber < 1_001 {
    stage.waitForStreams()
    stage.driver.playBlock(64)
  }
  stage.driver.play(1_000)
  #expect(stage.engine.record.lateFrameCount == 0, "seed \(seed)")
  #expect(stage.engine.record.planNumber == 1_001)
  let begun = stage.driver.frameCount
  stage.driver.play(20_000)
  let expected = try bounced(song.plan(mix), from: TimelineFrame(begun), 20_000)
  #expect(bits(stage.sides.map { Array($0[begun...]) }) == bits(expected), "seed \(seed)")
}
