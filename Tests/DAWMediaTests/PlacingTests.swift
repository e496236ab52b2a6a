import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWMedia

/// Frames written by threads in any order give the same file as frames in order.
@Suite struct PlacingTests {
  private static let frames = 3 * PlacedFrames.maximumFrames + 4_097

  private func format(_ encoding: SampleEncoding, _ channels: Int, _ dither: Dither = .none) -> AudioFileFormat {
    AudioFileFormat(
      container: .wave, encoding: encoding, sampleRate: SampleRate(hertz: 48_000), channelCount: channels,
      dither: dither)
  }

  /// A chain of stages like a bounce's.
  private func chain(_ path: String, _ format: AudioFileFormat) throws -> AnalysisStage {
    AnalysisStage(next: try audioFileSink(at: Place(path: path), format: format))
  }

  private func withPointers(
    _ channels: [[Float]], _ body: (UnsafeBufferPointer<UnsafePointer<Float>>) throws -> Void
  ) throws {
    let buffer = PlanarBuffer(channelCount: channels.count, capacity: channels[0].count)
    for (channel, samples) in channels.enumerated() {
      for (frame, sample) in samples.enumerated() { buffer.mutableChannels[channel][frame] = sample }
    }
    try withExtendedLifetime(buffer) { try body(buffer.channels) }
  }

  @Test(arguments: SampleEncoding.allCases.filter { AudioFileFormat.Container.wave.encodings.contains($0) }, [1, 2, 3])
  func threadsWritingInReverseOrderGiveTheSameFile(encoding: SampleEncoding, channels: Int) async throws {
    let folder = try TemporaryFolder()
    let seed = Seed.current()
    let signal = (0..<channels).map { channel in
      Signal.noise(seed: seed &+ UInt64(channel), frames: Self.frames, channels: 1, peak: 1.01).map { $0 + 0.001 }
    }
    for dither in [Dither.none, .triangular] {
      let format = format(encoding, channels, encoding.isFloat ? .none : dither)
      let ordered = try chain(folder.path("ordered-\(dither).wav"), format)
      try withPointers(signal) { try ordered.append(planar: $0, frameCount: Self.frames) }
      try ordered.finish()

      let chain = try chain(folder.path("placed-\(dither).wav"), format)
      let placer = try #require(chain.placer)
      let starts = stride(from: 0, to: Self.frames, by: PlacedFrames.maximumFrames)
      let placed = try await withThrowingTaskGroup(of: (Int, PlacedFrames).self) { group in
        for start in starts.reversed() {
          let piece = signal.map { Array($0[start..<min(start + PlacedFrames.maximumFrames, Self.frames)]) }
          group.addTask {
            var result: PlacedFrames?
            try withPointers(piece) {
              result = try placer.place($0, piece[0].count, Int64(start))
            }
            return (start, try #require(result))
          }
        }
        return try await group.reduce(into: [Int: PlacedFrames]()) { $0[$1.0] = $1.1 }
      }
      for start in starts { placer.count(try #require(placed[start])) }
      try chain.finish()

      #expect(
        try folder.bytes(of: "placed-\(dither).wav") == folder.bytes(of: "ordered-\(dither).wav"), "seed \(seed)")
      #expect(chain.statistics == ordered.statistics, "seed \(seed)")
      #expect(chain.frameCount == Int64(Self.frames))
      #expect(chain.clippedSampleCount == ordered.clippedSampleCount)
      #expect(encoding.isFloat || chain.clippedSampleCount > 0)
    }
  }

  @Test func sinksWithoutRandomAccessHaveNoPlacer() throws {
    let folder = try TemporaryFolder()
    let stereo = format(.int16, 2)
    let pipe = try WaveWriter(descriptor: 1, format: stereo, frameCount: 0)
    #expect(pipe.placer == nil)
    #expect(AnalysisStage(next: NullSink(format: stereo)).placer == nil)
    #expect(GainStage(gain: 0.5, next: try chain(folder.path("gain.wav"), stereo)).placer == nil)
    var flac = stereo
    flac.container = .flac
    #expect(try chain(folder.path("x.flac"), flac).placer == nil)
  }

  @Test func aCancelledFileIsGone() throws {
    let folder = try TemporaryFolder()
    let chain = try chain(folder.path("x.wav"), format(.int24, 2))
    let samples = [[Float](repeating: 0.5, count: 100), [Float](repeating: -0.5, count: 100)]
    try withPointers(samples) { _ = try chain.placer?.place($0, 100, 0) }
    #expect(try folder.names().count == 1)
    chain.cancel()
    #expect(try folder.names().isEmpty)
  }
}
