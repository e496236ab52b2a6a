import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWMedia

@Suite struct DitherTests {
  private let noise = (0..<200_000).map { TriangularDither().value(frame: Int64($0), channel: $0 % 2) }

  @Test func itsDensityIsTriangularOfOneStepEitherWay() {
    #expect(noise.allSatisfy { abs($0) < 1 })
    let count = Double(noise.count)
    let mean = noise.reduce(0, +) / count
    let variance = noise.reduce(0) { $0 + $1 * $1 } / count
    #expect(abs(mean) < 0.005)
    #expect(abs(variance - 1.0 / 6) < 0.002)
    // Of a triangular density, three quarters are within half a step, and an eighth is beyond on each side.
    #expect(abs(Double(noise.count { abs($0) < 0.5 }) / count - 0.75) < 0.005)
    #expect(abs(Double(noise.count { $0 > 0.5 }) / count - 0.125) < 0.005)
  }

  @Test func neighboursAndChannelsAreIndependent() {
    let dither = TriangularDither()
    let left = (0..<100_064).map { dither.value(frame: Int64($0), channel: 0) }
    let right = (0..<100_000).map { dither.value(frame: Int64($0), channel: 1) }
    /// The correlation: 1 for equal noises.
    func correlation(_ a: ArraySlice<Double>, _ b: ArraySlice<Double>) -> Double {
      var sum = 0.0
      for (x, y) in zip(a, b) { sum += x * y }
      return abs(sum) / 100_000 * 6
    }
    for distance in [1, 2, 64] { #expect(correlation(left[...], left[distance...]) < 0.015) }
    #expect(correlation(left[...], right[...]) < 0.015)
  }

  @Test("The mean of the dithered samples is the signal, far below a step")
  func belowAStep() throws {
    let folder = try TemporaryFolder()
    let quarter = Float(0.25 / 32_768)
    for dither in Dither.allCases {
      let path = folder.path("\(dither.rawValue).wav")
      try write([Float](repeating: quarter, count: 100_000), dither, to: path, blocks: [1_000])
      let read = try AudioFileReader(path: path, facts: try AudioFileFacts.read(path: path)).allSamples()
      let mean = read.reduce(0.0) { $0 + Double($1) } / 100_000 * 32_768
      #expect(dither == .none ? mean == 0 : abs(mean - 0.25) < 0.01, "\(dither): \(mean)")
    }
  }

  @Test(
    "The same bits for all blocks, in WAV and through libsndfile", arguments: [SampleEncoding.int16, .int24, .int32])
  func blocks(encoding: SampleEncoding) throws {
    let folder = try TemporaryFolder()
    let samples = Signal.noise(seed: Seed.current(), frames: 20_000, channels: 2)
    for (index, blocks) in [[1, 7], [4_096], [20_000]].enumerated() {
      try write(samples, .triangular, encoding, to: folder.path("\(index).wav"), blocks: blocks)
    }
    #expect(try folder.bytes(of: "0.wav") == folder.bytes(of: "1.wav"))
    #expect(try folder.bytes(of: "1.wav") == folder.bytes(of: "2.wav"))
    try write(samples, .triangular, encoding, to: folder.path("a.aiff"), container: .aiff, blocks: [333])
    #expect(LibSndFile.read(folder.path("a.aiff"))?.samples == LibSndFile.read(folder.path("0.wav"))?.samples)
    try write(samples, .none, encoding, to: folder.path("plain.wav"), blocks: [4_096])
    #expect(try folder.bytes(of: "plain.wav") != folder.bytes(of: "0.wav"))
  }

  private func write(
    _ samples: [Float], _ dither: Dither, _ encoding: SampleEncoding = .int16, to path: String,
    container: AudioFileFormat.Container = .wave, blocks: [Int]
  ) throws {
    let sink = try audioFileSink(
      at: Place(path: path),
      format: AudioFileFormat(
        container: container, encoding: encoding, sampleRate: SampleRate(hertz: 48_000), channelCount: 2, dither: dither
      ))
    var (frame, number) = (0, 0)
    while frame < samples.count / 2 {
      let count = min(blocks[number % blocks.count], samples.count / 2 - frame)
      try sink.append(interleaved: Array(samples[2 * frame..<2 * (frame + count)]), frameCount: count)
      (frame, number) = (frame + count, number + 1)
    }
    try sink.finish()
  }
}
