import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWMedia

@Suite struct LossyFileTests {
  /// M4A is read by ffmpeg alone; the integration tests have it.
  private static let containers = AudioFileFormat.Container.allCases.filter { $0.isLossy && $0 != .m4a }

  private func write(
    _ container: AudioFileFormat.Container, _ samples: [Float], channels: Int, to path: String
  ) throws -> any AudioFileSink {
    let sink = try audioFileSink(
      at: Place(path: path),
      format: AudioFileFormat(
        container: container, encoding: .float32, sampleRate: SampleRate(hertz: 48_000), channelCount: channels))
    try sink.append(interleaved: samples, frameCount: samples.count / channels)
    try sink.finish()
    return sink
  }

  @Test("A file read back sounds the same and has the same length", arguments: containers, [1, 2])
  func soundsTheSame(container: AudioFileFormat.Container, channels: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.out")
    let samples = Signal.sine(frequency: 440, rate: 48_000, frames: 96_000, channels: channels)
    let sink = try write(container, samples, channels: channels, to: path)
    #expect(sink.clippedSampleCount == 0)
    let read = try #require(LibSndFile.read(path))
    #expect(read.channels == channels && read.hertz == 48_000)
    #expect(read.frames == 96_000)
    let error = zip(read.samples, samples).dropFirst(20_000).dropLast(20_000).map { Double($0 - $1) }
    let power = error.reduce(0) { $0 + $1 * $1 } / Double(error.count)
    #expect(power < 1e-4, "\(power)")
  }

  @Test("Vorbis says that it has the bit rate of its quality", arguments: LossyQuality.allCases)
  func bitRate(quality: LossyQuality) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.ogg")
    let rate = quality.sampleRate.hertz
    let sink = try audioFileSink(
      at: Place(path: path),
      format: AudioFileFormat(
        container: .vorbis, encoding: .float32, sampleRate: quality.sampleRate, channelCount: 1, quality: quality))
    let samples = Signal.sine(frequency: 440, rate: Double(rate), frames: rate, channels: 1)
    try sink.append(interleaved: samples, frameCount: rate)
    try sink.finish()
    // Vorbis I, 4.2.2: behind version, channels, rate and the highest bit rate comes the nominal one.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let header = try #require(bytes.range(of: Data([1] + "vorbis".utf8)))
    let nominal = bytes[header.upperBound + 13..<header.upperBound + 17].reversed().reduce(0) { $0 << 8 | Int($1) }
    #expect(abs(nominal - quality.bitRate) <= quality.bitRate / 100, "\(nominal)")
  }

  @Test("A rate that no encoder of Vorbis has is refused before a file is made")
  func highestRate() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.ogg")
    let (known, tooHigh) = ([8_000, 192_000, 200_000], [200_001, 384_000, 768_000])
    for rate in known.map(SampleRate.init(hertz:)) {
      #expect(AudioFileFormat.Container.vorbis.rate(nearest: rate) == rate)
    }
    for rate in tooHigh.map(SampleRate.init(hertz:)) {
      #expect(AudioFileFormat.Container.vorbis.rate(nearest: rate).hertz == 48_000)
      let format = AudioFileFormat(container: .vorbis, encoding: .float32, sampleRate: rate, channelCount: 2)
      #expect(throws: AudioFileWriteError.unsupported(path: path, format: "Ogg Vorbis")) {
        try audioFileSink(at: Place(path: path), format: format)
      }
    }
    #expect(try folder.names().isEmpty)
  }

  @Test("The same samples give the same bytes", arguments: containers)
  func sameBytes(container: AudioFileFormat.Container) throws {
    let folder = try TemporaryFolder()
    let samples = Signal.noise(seed: Seed.current(), frames: 50_000, channels: 2, peak: 0.3)
    for name in ["a", "b"] { _ = try write(container, samples, channels: 2, to: folder.path(name)) }
    #expect(try folder.bytes(of: "a") == folder.bytes(of: "b"))
  }

  @Test("Samples that players clip are counted", arguments: containers)
  func clipped(container: AudioFileFormat.Container) throws {
    let folder = try TemporaryFolder()
    var samples = [Float](repeating: 0.1, count: 20_000)
    samples[5] = 1.01
    samples[15_000] = -2
    #expect(try write(container, samples, channels: 2, to: folder.path("a")).clippedSampleCount == 2)
  }
}
