import DAWMedia
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWEngine

@Test(arguments: 0..<8)
func aMixLiesWithinItsRoundingsOfOneByPlainDoubles(round: Int) throws {
  let seed = Seed.current() &+ UInt64(round)
  let mix = try RandomMix(seed: seed)
  let rendered = try mix.render()
  for side in 0..<2 {
    for frame in 0..<mix.frameCount {
      let expected = mix.reference(frame: TimelineFrame(frame), side: side)
      let error = abs(Double(rendered[side][frame]) - expected.value)
      // A lane's value is rounded to a double's precision: where it goes to zero, not even the gain is exact.
      guard error <= expected.tolerance + 0x1p-53 else {
        Issue.record("seed \(seed): frame \(frame), side \(side) is off by \(error), allowed \(expected.tolerance)")
        return
      }
    }
  }
}

@Test(arguments: [[1], [17], [64], [333], [1_023, 2], [4_096], [65_536]], [64, 1_024, 8_192])
func blockAndSliceSizesDoNotChangeABit(blocks: [Int], maximumFrames: Int) throws {
  let seed = Seed.current()
  let mix = try RandomMix(seed: seed)
  #expect(
    try bits(mix.render(blocks: blocks, maximumFrames: maximumFrames)) == bits(mix.render()), "seed \(seed)")
}

@Test func aRangeEqualsItsCutFromTheWhole() throws {
  let seed = Seed.current()
  let mix = try RandomMix(seed: seed)
  let whole = try bits(mix.render())
  for first in [1, 777, 5_999] {
    #expect(try bits(mix.render(from: TimelineFrame(first))) == whole.map { Array($0[first...]) }, "seed \(seed)")
  }
}

@Test func portableInstructionsGiveTheSameBits() throws {
  let seed = Seed.current()
  let mix = try RandomMix(seed: seed)
  #expect(try bits(mix.render(instructions: .portable)) == bits(mix.render()), "seed \(seed)")
}

@Test func goingBackRendersTheSameAgain() throws {
  let seed = Seed.current()
  let mix = try RandomMix(seed: seed)
  let plan = LinkedPlan(mix.plan)
  let runner = PlanRunner(plan)
  func activeRegions(at frame: TimelineFrame) -> [Int64] {
    var regionIDs: [Int64] = []
    runner.begin(frame: frame, frameCount: 100)
    while let request = runner.next() {
      if case .region(let index, _, _) = request.stream { regionIDs.append(mix.plan.regions[index].regionID) }
      runner.supplySilence(frameCount: request.frameCount)
    }
    return regionIDs
  }
  for frame in [4_000, 0, 3_000, 100, 5_900, 2_999] as [TimelineFrame] {
    let expected = mix.plan.regions.filter { $0.frames.overlaps(frame..<(frame + 100)) }.map(\.regionID)
    var found = activeRegions(at: frame)
    found = found.indices.filter { $0 == 0 || found[$0] != found[$0 - 1] }.map { found[$0] }
    #expect(found == expected, "seed \(seed), frame \(frame)")
  }
}

/// Many regions on one strip, so that a jump searches for those that sound rather than walking there.
@Test func afterAJumpTheRegionsThatSoundAreFound() throws {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  for count in [1, 2, 33, 64, 500, 1_000] {
    var plan = unityPlan(
      AudioSource(
        path: "", sha256: "", frameCount: 1_000_000, channelCount: 1,
        content: .plain(PCMLayout(dataOffset: 0, encoding: .int16, channelCount: 1))))
    plan.regions = (0..<count).map { id in
      let first = TimelineFrame.random(in: 0..<900_000, using: &random)
      let length = Int.random(in: 1...(id.isMultiple(of: 50) ? 90_000 : 2_000), using: &random)
      return PlannedRegion(
        regionID: Int64(id), source: 0, frames: first..<first + length, anchor: 0, channels: .one(0))
    }
    plan.steps[1] = .sumRegions(StripID(1), 0..<count, into: 1, width: .mono)
    let runner = PlanRunner(LinkedPlan(plan))
    var frame: TimelineFrame = 0
    for _ in 0..<300 {
      // On from there, a little back, as a short loop does, or anywhere.
      switch Int.random(in: 0...2, using: &random) {
      case 0: frame += 100
      case 1: frame = max(0, frame - Int.random(in: 0...4_000, using: &random))
      default: frame = TimelineFrame.random(in: -200...950_000, using: &random)
      }
      var found: [Int64] = []
      runner.begin(frame: frame, frameCount: 100)
      while let request = runner.next() {
        if case .region(let index, _, _) = request.stream, found.last != Int64(index) { found.append(Int64(index)) }
        runner.supplySilence(frameCount: request.frameCount)
      }
      let expected = plan.regions.filter { $0.frames.overlaps(frame..<frame + 100) }.map(\.regionID)
      #expect(found == expected, "seed \(seed), \(count) regions, frame \(frame)")
    }
  }
}

/// A plan of one region at frame 0, with unity gains.
private func unityPlan(_ source: AudioSource) -> RenderPlan {
  let isMono = source.channelCount == 1
  return RenderPlan(
    sampleRate: SampleRate(hertz: 48_000), sources: [source], instruments: [],
    regions: [
      PlannedRegion(
        regionID: 1, source: 0, frames: 0..<TimelineFrame(Int(source.frameCount)), anchor: 0,
        channels: isMono ? .one(0) : .two(0, 1))
    ],
    steps: [
      .clear(StripID(0), buffer: 0), .sumRegions(StripID(1), 0..<1, into: 1, width: isMono ? .mono : .stereo),
      .mix(
        Connection(from: StripID(1), to: StripID(0)), 1, width: isMono ? .mono : .stereo, into: 0, left: .unity,
        right: .unity),
      .output(StripID(0), buffer: 0, left: .unity, right: .unity),
    ],
    bufferCount: 2, endFrame: TimelineFrame(Int(source.frameCount)))
}

/// Runs a plan of one source, whose stream is `bytes`, in one slice.
private func run(_ source: AudioSource, _ bytes: [UInt8]) -> (left: [Float], right: [Float], invalid: Int) {
  let runner = PlanRunner(LinkedPlan(unityPlan(source)))
  runner.begin(frame: 0, frameCount: Int(source.frameCount))
  bytes.withUnsafeBytes { stream in
    while let request = runner.next() {
      guard let base = stream.baseAddress, case .region(_, _, let first) = request.stream else { return }
      runner.supply(base + first.number * source.bytesPerFrame, frameCount: request.frameCount)
    }
  }
  let count = Int(source.frameCount)
  return (
    Array(UnsafeBufferPointer(start: runner.left, count: count)),
    Array(UnsafeBufferPointer(start: runner.right, count: count)), runner.invalidSampleCount
  )
}

@Test(arguments: SampleEncoding.allCases)
func aStereoRegionAtUnityComesOutAsItsOwnSamples(format: SampleEncoding) {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  let samples = (0..<2_000).map { _ in TestSource.sample(format, using: &random) }
  let source = AudioSource(
    path: "", sha256: "", frameCount: 1_000, channelCount: 2,
    content: .plain(PCMLayout(dataOffset: 0, encoding: format, channelCount: 2)))
  let output = run(source, samples.flatMap(\.bytes))
  #expect(output.left == (0..<1_000).map { Float(samples[2 * $0].value) }, "seed \(seed)")
  #expect(output.right == (0..<1_000).map { Float(samples[2 * $0 + 1].value) }, "seed \(seed)")
}

@Test func invalidSamplesAreSilentAndCounted() {
  let samples: [Float] = [0.5, .nan, -.infinity, .infinity, -0.25, .signalingNaN, -0.0]
  let source = AudioSource(
    path: "", sha256: "", frameCount: 7, channelCount: 1,
    content: .plain(PCMLayout(dataOffset: 0, encoding: .float32, channelCount: 1)))
  let output = run(source, samples.flatMap { TestSource.bytes(of: $0.bitPattern) })
  let expected: [Float] = [0.5, 0, 0, 0, -0.25, 0, 0]
  #expect(bits([output.left]) == bits([expected]))
  #expect(output.invalid == 4)
}

@Test func lateFramesAreSilentAndCounted() throws {
  let source = AudioSource(
    path: "", sha256: "", frameCount: 100, channelCount: 1,
    content: .plain(PCMLayout(dataOffset: 0, encoding: .int16, channelCount: 1)))
  let runner = PlanRunner(LinkedPlan(unityPlan(source)))
  runner.begin(frame: 50, frameCount: 100)
  let request = try #require(runner.next())
  #expect(request == StreamRequest(stream: .region(0, source: 0, 50), frameCount: 50))
  runner.supplySilence(frameCount: 20)
  let rest = try #require(runner.next())
  #expect(rest == StreamRequest(stream: .region(0, source: 0, 70), frameCount: 30))
  [UInt8](repeating: 64, count: 60).withUnsafeBytes { bytes in
    if let base = bytes.baseAddress { runner.supply(base, frameCount: 30) }
  }
  #expect(runner.next() == nil)
  #expect(runner.lateFrameCount == 20)
  let left = Array(UnsafeBufferPointer(start: runner.left, count: 100))
  #expect(
    left == [Float](repeating: 0, count: 20) + [Float](repeating: 16_448.0 / 32_768, count: 30)
      + [Float](repeating: 0, count: 50))
}

@Test func aPlanPrintsItself() {
  let source = AudioSource(
    path: "/music/drums.wav", sha256: "", frameCount: 100, channelCount: 2,
    content: .plain(PCMLayout(dataOffset: 44, encoding: .int16, channelCount: 2)))
  #expect(
    unityPlan(source).description == """
      plan: 48000 Hz, 100 frames, 2 buffers, 4 steps
      0: 0: b0 = 0
      1: 1: b1 = sum of 1 regions, stereo
         0..<100: 'drums.wav' from 0, channels 1 and 2, × 1.0
      2: 1 → 0: b0 += b1 (stereo) × left 1.0, right 1.0
      3: 0: output b0 × left 1.0, right 1.0
      """)
}
