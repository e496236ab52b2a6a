import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWEngine

/// A stage whose every sample depends on all before it, its own and its inputs', which it reads ahead.
private final class Memory: StageProducer {
  private let seed: Float
  private let sources: [Int]
  private let latency: Int
  private var level: Float = 0
  private var frame = 0

  init(seed: Int, sources: [Int] = [], latency: Int = 0) {
    self.seed = Float(seed + 1)
    self.sources = sources
    self.latency = latency
  }

  func produce(
    frameCount: Int, inputs: StageInputs, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) {
    for i in 0..<frameCount {
      let place = TimelineFrame(frame + latency)
      frame += 1
      level = level * 0.9 + (seed * Float(frame % 1_009)).truncatingRemainder(dividingBy: 1)
      for source in sources {
        inputs.withFrames(of: source, from: place, atMost: 1) { left, right, _ in
          level += left[0] * 0.3 - right[0] * 0.2
        }
      }
      left[i] = level
      right[i] = level * 0.5 - seed
    }
  }
}

private struct Failing: Error {}

/// A part of a plan of a hundred strips must not allocate the buffers of all of them.
@Test func aPartHasTheBuffersThatItUses() throws {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  var plan = RenderPlan(
    sampleRate: SampleRate(hertz: 48_000), sources: [], instruments: [], regions: [],
    steps: [.clear(StripID(0), buffer: 0)],
    bufferCount: 101, endFrame: 1_000)
  for track in 1...100 {
    plan.steps += [
      .sumRegions(StripID(Int64(track)), 0..<0, into: track, width: .stereo),
      .mix(
        Connection(from: StripID(Int64(track)), to: StripID(0)), track, width: .stereo, into: 0, left: .unity,
        right: .unity),
    ]
  }
  plan.steps.append(.output(StripID(0), buffer: 0, left: .unity, right: .unity))
  let parts = plan.withRandomEffects([.eq], using: &random).staged().parts
  #expect(parts.count > 20, "seed \(seed)")
  for part in parts where part.strip != StripID(0) { #expect(part.plan.bufferCount == 1, "seed \(seed)") }
}

@Suite struct StageTests {
  /// Stages that take the frames of up to three earlier ones.
  private static func stages(_ count: Int, seed: UInt64) -> [Stage] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { index in
      let inputs = (0..<index).shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
      let latency = [0, 0, 1, 64, 100].randomElement(using: &random) ?? 0
      return Stage(inputs: inputs.sorted(), latency: latency) {
        Memory(seed: index, sources: inputs.sorted(), latency: latency)
      }
    }
  }

  /// What one stage after the other renders, all frames at once.
  private static func expected(_ stages: [Stage], frames: Int) throws -> [[Float]] {
    // Each renders what the stages behind it read ahead besides.
    let most = frames + stages.count * 100
    var streams: [Int: StageStream] = [:]
    for (index, stage) in stages.enumerated() {
      let stream = StageStream(stage, blockFrames: most, blockCount: 1)
      try stream.render(
        block: 0, 0..<(most - index * 100),
        inputs: StageInputs(streams: streams, origin: 0, blockFrames: most))
      streams[index] = stream
    }
    return stages.indices.map { index in
      guard let samples = streams[index]?.samples(ofBlock: 0) else { return [] }
      return Array(UnsafeBufferPointer(start: samples.left, count: frames))
        + UnsafeBufferPointer(start: samples.right, count: frames)
    }
  }

  /// The frames of some stages, read block by block while threads render.
  private static func read(
    _ wanted: [Int], of ahead: RenderedAhead, from origin: TimelineFrame, frames: Int, blockFrames: Int, threads: Int
  ) throws -> [[Float]] {
    var (left, right) = ([[Float]](repeating: [], count: wanted.count), [[Float]](repeating: [], count: wanted.count))
    try ahead.whileRendered(byThreads: threads) {
      for first in stride(from: 0, to: frames, by: blockFrames) {
        for (place, stage) in wanted.enumerated() {
          let count = min(blockFrames, frames - first)
          try ahead.withFrames(of: stage, from: origin + first, atMost: count) {
            left[place] += UnsafeBufferPointer(start: $0, count: $2)
            right[place] += UnsafeBufferPointer(start: $1, count: $2)
          }
        }
        ahead.release(before: first / blockFrames + 1)
      }
    }
    return zip(left, right).map { $0 + $1 }
  }

  @Test(arguments: [0, 1, 2, 7], [64, 333])
  func threadsAndBlocksDoNotChangeABit(threads: Int, blockFrames: Int) throws {
    let seed = Seed.current()
    let stages = Self.stages(9, seed: seed)
    let (origin, frames) = (1_000, 5_000)
    let whole = try Self.expected(stages, frames: origin + frames).map { sides in
      Array(sides[origin..<(origin + frames)] + sides[(2 * origin + frames)...])
    }
    for ahead in [1, 2, 5] {
      let rendered = RenderedAhead(
        stages, origin: TimelineFrame(origin), warmUp: origin, blockFrames: blockFrames, blocksAhead: ahead,
        end: (frames + blockFrames - 1) / blockFrames)
      // Those in the middle are read by other stages alone.
      let wanted = [0, 4, 8]
      let found = try Self.read(
        wanted, of: rendered, from: TimelineFrame(origin), frames: frames, blockFrames: blockFrames, threads: threads)
      #expect(found == wanted.map { whole[$0] }, "\(ahead) blocks ahead, seed \(seed)")
    }
  }

  @Test func aChainRendersItsLastStage() throws {
    let seed = Seed.current()
    let stages = Self.stages(9, seed: seed)
    let frames = 20_000
    let whole = try #require(try Self.expected(stages, frames: frames).last)
    for count in [1_000, 4_096, 7_000, frames] {
      let chain = StageChain(stages)
      var sides = [[Float]](repeating: [Float](repeating: 0, count: frames), count: 2)
      for first in stride(from: 0, to: frames, by: count) {
        let wanted = min(count, frames - first)
        var (left, right) = ([Float](repeating: 0, count: wanted), [Float](repeating: 0, count: wanted))
        try chain.produce(frameCount: wanted, inputs: .none, left: &left, right: &right)
        sides[0].replaceSubrange(first..<first + wanted, with: left)
        sides[1].replaceSubrange(first..<first + wanted, with: right)
      }
      #expect(sides[0] + sides[1] == whole, "\(count) frames at a time, seed \(seed)")
    }
  }

  @Test func aStageThatFailsEndsAllWithItsPath() throws {
    let stages = [
      Stage { Memory(seed: 0) }, Stage(inputs: [0], path: "/effect") { throw Failing() },
      Stage(inputs: [1]) { Memory(seed: 2) },
    ]
    for threads in [0, 3] {
      let ahead = RenderedAhead(stages, blockFrames: 64, blocksAhead: 2)
      #expect {
        try Self.read([2], of: ahead, from: 0, frames: 64, blockFrames: 64, threads: threads)
      } throws: { if case StreamError.instrument("/effect", _) = $0 { true } else { false } }
    }
  }
}
