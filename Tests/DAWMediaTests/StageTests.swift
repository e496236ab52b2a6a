import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWMedia

/// Stores the samples appended.
private final class Collector: AudioFileSink {
  let format: AudioFileFormat
  private(set) var samples: [Float] = []
  private(set) var isFinished = false

  init(rate: Int = 48_000, channels: Int = 2) {
    format = AudioFileFormat(encoding: .float32, sampleRate: SampleRate(hertz: rate), channelCount: channels)
  }

  var frameCount: Int64 { Int64(samples.count / format.channelCount) }
  var clippedSampleCount: Int64 { 0 }

  func append(interleaved samples: UnsafePointer<Float>, frameCount: Int) {
    self.samples += UnsafeBufferPointer(start: samples, count: frameCount * format.channelCount)
  }

  func append(planar channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int) {
    for frame in 0..<frameCount { for channel in channels { samples.append(channel[frame]) } }
  }

  func finish() { isFinished = true }
  func cancel() {}
}

extension AudioFileSink {
  /// In blocks of these lengths, repeatedly.
  fileprivate func append(_ samples: [Float], blocks: [Int]) throws {
    let channels = format.channelCount
    var (frame, number) = (0, 0)
    while frame < samples.count / channels {
      let count = min(blocks[number % blocks.count], samples.count / channels - frame)
      try samples.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        try append(interleaved: base + frame * channels, frameCount: count)
      }
      (frame, number) = (frame + count, number + 1)
    }
  }
}

@Suite struct StageTests {
  private static let blocks = [[1, 2, 3], [4_095, 4_097], [50_000]]

  @Test(arguments: blocks)
  func monoIsTheMeanOfBothSides(blocks: [Int]) throws {
    let samples = Signal.noise(seed: Seed.current(), frames: 9_000, channels: 2)
    let end = Collector(channels: 1)
    let stage = MonoStage(next: end)
    try stage.append(samples, blocks: blocks)
    try stage.finish()
    let means: [Float] = (0..<9_000).map { frame in (samples[2 * frame] + samples[2 * frame + 1]) * 0.5 }
    #expect(end.samples == means)
    #expect(end.isFinished)
  }

  @Test(arguments: blocks)
  func aGainMultipliesEverySample(blocks: [Int]) throws {
    let samples = Signal.noise(seed: Seed.current(), frames: 9_000, channels: 2)
    let end = Collector()
    try GainStage(gain: 0.3, next: end).append(samples, blocks: blocks)
    let expected: [Float] = samples.map { $0 * 0.3 }
    #expect(end.samples == expected)
  }

  @Test(
    "Resampling gives the exact length, and the same bits for all blocks", arguments: [44_100, 48_000, 96_000, 16_000])
  func rate(hertz: Int) throws {
    let frames = 30_011
    let samples = Signal.noise(seed: Seed.current(), frames: frames, channels: 2)
    let results = try Self.blocks.map { blocks in
      let end = Collector(rate: hertz)
      let stage = try RateStage(from: SampleRate(hertz: 48_000), next: end)
      try stage.append(samples, blocks: blocks)
      try stage.finish()
      return end.samples
    }
    let exact = (Double(frames) * Double(hertz) / 48_000).rounded()
    #expect(results.allSatisfy { $0.count == 2 * Int(exact) })
    #expect(results.allSatisfy { $0.bits == results[0].bits })
  }

  @Test func resamplingKeepsASineInPlace() throws {
    let end = Collector(rate: 44_100, channels: 1)
    let stage = try RateStage(from: SampleRate(hertz: 48_000), next: end)
    try stage.append(Signal.sine(frequency: 1_000, rate: 48_000, frames: 48_000), blocks: [1_000])
    try stage.finish()
    let expected = Signal.sine(frequency: 1_000, rate: 44_100, frames: 44_100)
    let errors: [Float] = (2_000..<42_000).map { abs(end.samples[$0] - expected[$0]) }
    let worst = errors.max() ?? 1
    #expect(worst < 1e-6, "\(worst)")
  }

  @Test("No frame, one frame", arguments: [0, 1])
  func shortest(frames: Int) throws {
    let end = Collector(rate: 8_000)
    let stage = try RateStage(from: SampleRate(hertz: 48_000), next: end)
    try stage.append([Float](repeating: 0.5, count: 2 * frames), blocks: [1])
    try stage.finish()
    #expect(end.frameCount == Int64(frames))
  }

  @Test(arguments: blocks)
  func theAnalysisFindsPeakOffsetAndEdges(blocks: [Int]) throws {
    let seed = Seed.current()
    var samples = Signal.noise(seed: seed, frames: 20_000, channels: 2, peak: 0.5).map { $0 + 0.01 }
    for index in samples.indices where !(3_001..<17_003).contains(index / 2) { samples[index] = 0 }
    // The quietest audible sample on each side, and the loudest inaudible one.
    samples[2 * 3_000 + 1] = 3.17e-5
    samples[2 * 17_003] = -3.17e-5
    samples[2 * 17_009] = 3.15e-5
    let stage = AnalysisStage(next: Collector())
    try stage.append(samples, blocks: blocks)
    let statistics = stage.statistics
    #expect(statistics.firstAudibleFrame == 3_000)
    #expect(statistics.lastAudibleFrame == 17_003)
    #expect(statistics.peak == samples.map(abs).max())
    for side in 0..<2 {
      var sum = 0.0
      for index in stride(from: side, to: samples.count, by: 2) { sum += Double(samples[index]) }
      let mean = sum / 20_000
      #expect(abs(statistics.offsets[side] - mean) < 1e-12)
    }
    var square = 0.0
    for frame in stride(from: 0, to: 20_000, by: 16) {
      for side in 0..<2 { square += Double(samples[2 * frame + side]) * Double(samples[2 * frame + side]) }
    }
    square /= 2 * Double(17_003 - 3_000 + 1) / 16
    #expect(abs(statistics.rms - square.squareRoot()) < 1e-12)
    let whole = AnalysisStage(next: Collector())
    try whole.append(samples, blocks: [20_000])
    #expect(whole.statistics == statistics, "seed \(seed)")
  }

  @Test func ofSilenceNothingIsAudible() throws {
    let stage = AnalysisStage(next: Collector())
    try stage.append([Float](repeating: 0, count: 2_000), blocks: [17])
    #expect(stage.statistics == SignalStatistics(peak: 0, offsets: [0, 0]))
  }

  @Test(arguments: blocks)
  func aSpoolReturnsTheSamplesAppended(blocks: [Int]) throws {
    let folder = try TemporaryFolder()
    let samples = Signal.noise(seed: Seed.current(), frames: 100_000, channels: 2)
    let spool = try SampleSpool(folder: Place(root: folder.path), format: Collector().format)
    try spool.append(samples, blocks: blocks)
    try spool.finish()
    #expect(try folder.names().isEmpty)
    var read = [Float](repeating: 0, count: 2 * 70_000)
    #expect(try spool.read(from: 40_000, frameCount: 70_000, into: &read) == 60_000)
    #expect(Array(read[..<120_000]) == Array(samples[80_000...]))
  }
}
