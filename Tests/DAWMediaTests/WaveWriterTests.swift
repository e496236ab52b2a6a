import CSndFile
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWMedia

/// Files can be read by other libraries, and writing is reproducible.
@Suite struct WaveWriterTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  static let containers = AudioFileFormat.Container.allCases.filter { !$0.isLossy }

  /// The expected integer of a sample, computed differently than by the writer.
  private func quantized(_ sample: Float, bits: Int) -> (value: Float, isClipped: Bool) {
    let scale = pow(2.0, Double(bits - 1))
    let rounded = (Double(sample) * scale).rounded(.toNearestOrEven)
    let held = min(max(rounded, -scale), scale - 1)
    return (Float(held / scale), held != rounded)
  }

  private func format(
    _ container: AudioFileFormat.Container, _ encoding: SampleEncoding, channels: Int
  ) -> AudioFileFormat {
    AudioFileFormat(
      container: container, encoding: encoding, sampleRate: SampleRate(hertz: 44_100), channelCount: channels)
  }

  @Test(arguments: containers, [1, 2, 3])
  func everyEncodingIsReadBackByOthers(container: AudioFileFormat.Container, channels: Int) throws {
    let seed = Seed.current()
    // Within full scale first, then sometimes beyond it; an odd number of bytes at 24 bits.
    let samples =
      Signal.noise(seed: seed, frames: 5_000, channels: channels)
      + Signal.noise(seed: seed + 1, frames: 5_001, channels: channels, peak: 1.02)
    for encoding in container.encodings {
      let path = folder.path("\(encoding.rawValue).out")
      let sink = try audioFileSink(at: Place(path: path), format: format(container, encoding, channels: channels))
      try sink.append(interleaved: samples, frameCount: 10_001)
      #expect(try folder.names().contains("\(encoding.rawValue).out") == false)
      try sink.finish()
      let read = try #require(LibSndFile.read(path), "seed \(seed)")
      #expect(read.frames == 10_001 && read.channels == channels && read.hertz == 44_100)
      if encoding.isFloat {
        #expect(read.samples.bits == samples.bits)
        #expect(sink.clippedSampleCount == 0)
      } else {
        let expected = samples.map { quantized($0, bits: encoding.bitsPerSample) }
        #expect(read.samples == expected.map(\.value), "\(encoding), seed \(seed)")
        #expect(sink.clippedSampleCount == expected.count { $0.isClipped })
      }
      let facts = try AudioFileFacts.read(path: path)
      #expect(facts.frames.frames == 10_001 && facts.warnings.isEmpty)
      let described = container == .flac ? "FLAC, \(encoding.bitsPerSample)-bit" : "\(container.rawValue), \(encoding)"
      #expect(facts.format == described)
      #expect(try AudioFileReader(path: path).allSamples() == read.samples)
    }
  }

  @Test(arguments: [[10_000], [1, 9_999], [4_096, 5_904], [333, 4_000, 5_667]], [SampleEncoding.int24, .float32])
  func blocksAndTheirShapeDoNotChangeTheFile(blocks: [Int], encoding: SampleEncoding) throws {
    let left = Signal.noise(seed: 1, frames: 10_000, channels: 1)
    let right = Signal.noise(seed: 2, frames: 10_000, channels: 1)
    let interleaved = zip(left, right).flatMap { [$0, $1] }
    let whole = try WaveWriter(at: Place(path: folder.path("whole")), format: format(.wave, encoding, channels: 2))
    try whole.append(interleaved: interleaved, frameCount: 10_000)
    try whole.finish()
    let cut = try WaveWriter(at: Place(path: folder.path("cut")), format: format(.wave, encoding, channels: 2))
    var done = 0
    for block in blocks {
      try left.withUnsafeBufferPointer { left in
        try right.withUnsafeBufferPointer { right in
          let pointers = [try #require(left.baseAddress) + done, try #require(right.baseAddress) + done]
          try pointers.withUnsafeBufferPointer { try cut.append(planar: $0, frameCount: block) }
        }
      }
      done += block
    }
    try cut.finish()
    #expect(try folder.bytes(of: "cut") == folder.bytes(of: "whole"))
  }

  @Test func tiesGoToEvenAndFullScaleCountsAsClipped() throws {
    let step: Float = 1 / 32_768
    let samples: [Float] = [0.5 * step, 1.5 * step, -0.5 * step, -1.5 * step, 1, -1, 2, -2, .nan, .infinity]
    let sink = try WaveWriter(at: Place(path: folder.path("a")), format: format(.wave, .int16, channels: 1))
    try sink.append(interleaved: samples, frameCount: samples.count)
    try sink.finish()
    let read = try AudioFileReader(path: folder.path("a")).allSamples().map { Int($0 * 32_768) }
    #expect(read == [0, 2, 0, -2, 32_767, -32_768, 32_767, -32_768, 0, 32_767])
    // +1, ±2, NaN and infinity; −1 is within the range.
    #expect(sink.clippedSampleCount == 5)
  }

  @Test func pastItsLimitAFileIsRF64AndOthersReadIt() throws {
    let samples = Signal.noise(seed: 3, frames: 5_000, channels: 2)
    // 80 bytes of header, of which the first 8 are not counted, and 20,000 of samples.
    let cases: [(SampleEncoding, UInt64, Bool)] = [
      (.int16, 20_071, true), (.int16, 20_072, false), (.float32, 20_072, true), (.float32, 50_000, false),
    ]
    for (encoding, limit, isLarge) in cases {
      let path = folder.path("a.wav")
      let sink = try WaveWriter(
        at: Place(path: path), format: format(.wave, encoding, channels: 2), replaces: true, riffLimit: limit)
      try sink.append(interleaved: samples, frameCount: 5_000)
      try sink.finish()
      let read = try #require(LibSndFile.read(path))
      #expect(read.frames == 5_000)
      #expect((read.format & SF_FORMAT_TYPEMASK == SF_FORMAT_RF64) == isLarge)
      #expect(try AudioFileFacts.read(path: path).frames.frames == 5_000)
      #expect(try AudioFileReader(path: path).allSamples() == read.samples)
    }
  }

  @Test func aHeaderOfMoreThanFourGigabytesIsRead() throws {
    // The data is a hole in a sparse file.
    let frames: Int64 = 800_000_000
    let path = folder.path("large.wav")
    let header = WaveFileHeader(format: format(.wave, .int24, channels: 2)).bytes(frameCount: frames)
    try folder.write(header, to: "large.wav")
    #expect(truncate(path, header.count + Int(frames) * 6) == 0)
    let facts = try AudioFileFacts.read(path: path)
    #expect(facts.frames.frames == frames && facts.warnings.isEmpty && facts.format == "RF64, 24-bit PCM")
    var description = SF_INFO()
    let file = try #require(sf_open(path, Int32(SFM_READ), &description))
    defer { sf_close(file) }
    #expect(description.frames == frames)
    #expect(try AudioFileReader(path: path).samples(at: frames - 10, count: 20) == [Float](repeating: 0, count: 20))
  }

  @Test func aPipeGetsTheSameBytesAsAFile() throws {
    let samples = Signal.noise(seed: 4, frames: 1_000, channels: 2)
    let sink = try WaveWriter(at: Place(path: folder.path("file")), format: format(.wave, .int24, channels: 2))
    try sink.append(interleaved: samples, frameCount: 1_000)
    try sink.finish()
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let stream = try WaveWriter(descriptor: ends[1], format: format(.wave, .int24, channels: 2), frameCount: 1_000)
    try stream.append(interleaved: samples, frameCount: 1_000)
    try stream.finish()
    close(ends[1])
    let bytes = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true).readDataToEndOfFile()
    #expect(try Array(bytes) == folder.bytes(of: "file"))
  }

  @Test func aPipeThatWasPromisedMoreIsAnError() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    let stream = try WaveWriter(descriptor: ends[1], format: format(.wave, .int16, channels: 1), frameCount: 3)
    try stream.append(interleaved: [0, 0], frameCount: 2)
    #expect(throws: AudioFileWriteError.wrongLength(path: "standard output", announced: 3, written: 2)) {
      try stream.finish()
    }
  }
}
