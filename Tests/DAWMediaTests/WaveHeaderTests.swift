import CSndFile
import DAWMedia
import DAWTestSupport
import DAWTime
import Foundation
import Testing

/// A PCM WAV is read without libsndfile, with the same result.
@Suite struct WaveHeaderTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: SampleEncoding.allCases, [1, 2, 6])
  func everyEncodingReadsAsLibsndfileReadsIt(encoding: SampleEncoding, channels: Int) throws {
    var random = SeededGenerator(seed: 7)
    let frames = 3_001
    let count = frames * channels
    var data: [UInt8] = []
    switch encoding {
    case .float32: for _ in 0..<count { data += Float.random(in: -2...2, using: &random).bitPattern.bytes }
    case .float64: for _ in 0..<count { data += Double.random(in: -2...2, using: &random).bitPattern.bytes }
    default: data = (0..<count * encoding.bytesPerSample).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
    for isExtensible in [false, true] {
      for isRF64 in [false, true] {
        var fixture = WaveFixture(encoding, channelCount: channels)
        fixture.isExtensible = isExtensible
        fixture.isRF64 = isRF64
        // Of even length in RF64, because libsndfile 1.2 ignores the pad byte there.
        fixture.chunksBefore = [("LIST", Array(repeating: 1, count: isRF64 ? 34 : 33))]
        fixture.chunksAfter = [("bext", Array(repeating: 7, count: 11))]
        let path = try folder.write(fixture.file(data: data), to: "a.wav")
        let reader = try AudioFileReader(path: path)
        let expected = try #require(LibSndFile.read(path))
        #expect(reader.facts.pcmLayout?.encoding == encoding)
        #expect(reader.facts.frames.frames == expected.frames)
        #expect(reader.facts.channelCount == channels)
        #expect(reader.facts.warnings.isEmpty)
        #expect(reader.facts.format == "\(isRF64 ? "RF64" : "WAV"), \(encoding)")
        #expect(try reader.allSamples().bits == expected.samples.bits)
        let piece = try reader.samples(at: 2_000, count: 5_000)
        #expect(piece.bits == Array(expected.samples[(2_000 * channels)...]).bits)
      }
    }
  }

  /// A header with a wrong length, and the expected result.
  struct Lie: CustomTestStringConvertible {
    let testDescription: String
    let stated: UInt32
    let warning: AudioFileWarning?
    let frames: Int64
  }

  static let lies = [
    Lie(
      testDescription: "nothing stated", stated: 0, warning: .lengthNotWritten(found: FrameCount(frames: 100)),
      frames: 100),
    Lie(
      testDescription: "unknown stated", stated: .max, warning: .lengthNotWritten(found: FrameCount(frames: 100)),
      frames: 100),
    Lie(
      testDescription: "more stated", stated: 4_000,
      warning: .shorterThanPromised(promised: FrameCount(frames: 1_000), found: FrameCount(frames: 100)), frames: 100),
    Lie(
      testDescription: "nearly 2 GiB stated, as sox does in a pipe", stated: 0x7fff_f000,
      warning: .lengthNotWritten(found: FrameCount(frames: 100)), frames: 100),
    Lie(testDescription: "less stated", stated: 203, warning: nil, frames: 50),
  ]

  @Test(arguments: lies)
  func aWrongLengthIsReplacedByTheFiles(lie: Lie) throws {
    var fixture = WaveFixture(.int16, channelCount: 2)
    fixture.statedDataSize = lie.stated
    fixture.statedRIFFSize = lie.stated
    // Three bytes of an incomplete frame.
    let bytes = fixture.file(data: (0..<400).map { UInt8(truncatingIfNeeded: $0 * 7) } + [1, 2, 3])
    let path = try folder.write(Array(bytes.dropLast()), to: "a.wav")
    let facts = try AudioFileFacts.read(path: path)
    #expect(facts.frames.frames == lie.frames)
    #expect(facts.warnings == (lie.warning.map { [$0] } ?? []))
    let samples = try AudioFileReader(path: path).allSamples()
    #expect(samples.count == Int(lie.frames) * 2)
    // libsndfile treats such a recording as empty.
    let expected = try #require(LibSndFile.read(path))
    if lie.stated > 0 { #expect(samples == expected.samples) }
  }

  /// As ffmpeg writes it, and programs that count on in 32 bits.
  @Test(arguments: [(true, 1), (false, 1), (false, 0), (false, 2 << 30)] as [(Bool, Int64)])
  func aWAVOfMoreThanFourGigabytesIsReadWhole(isOfUnknownSize: Bool, framesMore: Int64) throws {
    let byteCount = (1 << 32) + framesMore * 4
    var fixture = WaveFixture(.int16, channelCount: 2)
    fixture.statedDataSize = UInt32(truncatingIfNeeded: byteCount)
    fixture.statedRIFFSize = 0
    var header = fixture.file(data: [])
    let fileSize = UInt32(truncatingIfNeeded: Int64(header.count) + byteCount - 8)
    header.replaceSubrange(4..<8, with: (isOfUnknownSize ? UInt32.max : fileSize).bytes)
    // The data is a hole in a sparse file.
    let path = try folder.write(header, to: "a.wav")
    #expect(truncate(path, header.count + Int(byteCount)) == 0)
    let facts = try AudioFileFacts.read(path: path)
    #expect(facts.frames == FrameCount(frames: byteCount / 4))
    #expect(facts.warnings.isEmpty)
  }

  @Test func anEmptyRecordingDoesNotReadTheChunksAfterIt() throws {
    var fixture = WaveFixture(.int16)
    fixture.chunksAfter = [("LIST", Array(repeating: 65, count: 64))]
    let path = try folder.write(fixture.file(data: []), to: "a.wav")
    #expect(throws: AudioFileError.noFrames(path: path)) { try AudioFileFacts.read(path: path) }
  }

  @Test func samplesThatAreNotFiniteReadAsSilence() throws {
    let values: [Float] = [0.5, .nan, .infinity, -.infinity, -0.5, .greatestFiniteMagnitude]
    let path = try folder.write(WaveFixture(.float32).file(data: values.flatMap(\.bitPattern.bytes)), to: "a.wav")
    let reader = try AudioFileReader(path: path)
    #expect(try reader.allSamples() == [0.5, 0, 0, 0, -0.5, .greatestFiniteMagnitude])
  }

  /// In an RF64 the header's number has 64 bits.
  @Test func anRF64ThatPromisesMoreThanAnyFileHoldsIsRead() throws {
    var fixture = WaveFixture(.int16)
    fixture.isRF64 = true
    var bytes = fixture.file(data: [UInt8](repeating: 1, count: 200))
    let found = FrameCount(frames: 100)
    let warnings: [UInt64: AudioFileWarning] = [
      1 << 40: .shorterThanPromised(promised: FrameCount(frames: 1 << 39), found: found),
      1 << 63: .shorterThanPromised(promised: FrameCount(frames: .max / 2), found: found),
      .max: .lengthNotWritten(found: found),
    ]
    for (stated, warning) in warnings {
      // Behind the names of file and chunk, and the file's size.
      bytes.replaceSubrange(28..<36, with: stated.bytes)
      let facts = try AudioFileFacts.read(path: folder.write(bytes, to: "a.wav"))
      #expect(facts.frames == found)
      #expect(facts.warnings == [warning])
    }
  }
}

// MARK: What libsndfile misreads

extension WaveHeaderTests {
  /// Such as Cool Edit's floats of 24 bits, which libsndfile reads as integers.
  @Test func aFrameOfOtherBytesThanItsSamplesIsNotGuessedAt() throws {
    var bytes = WaveFixture(.int24, channelCount: 2).file(data: [UInt8](repeating: 1, count: 240))
    for (stated, isRead) in [(6, true), (0, true), (8, false), (3, false)] as [(UInt16, Bool)] {
      bytes.replaceSubrange(32..<34, with: stated.bytes)
      let path = try folder.write(bytes, to: "a.wav")
      if isRead {
        #expect(try AudioFileFacts.read(path: path).frames == FrameCount(frames: 40), "\(stated)")
      } else {
        #expect(throws: AudioFileError.unrecognized(path: path), "\(stated)") { try AudioFileFacts.read(path: path) }
        #expect(throws: AudioFileError.unrecognized(path: path), "\(stated)") {
          try AudioFileFacts.read(path: path, countedFrames: FrameCount(frames: 40))
        }
      }
    }
  }

  /// libsndfile reads A-law there as integers.
  @Test func anExtensibleW64OfAnotherEncodingIsNotGuessedAt() throws {
    var fixture = WaveFixture(.uint8)
    fixture.isExtensible = true
    var bytes = wave64(fixture, data: [UInt8](repeating: 1, count: 240))
    // Behind the file's header, the chunk's, and what precedes the GUID.
    bytes.replaceSubrange(88..<90, with: UInt16(6).bytes)
    let path = try folder.write(bytes, to: "a.w64")
    #expect(throws: AudioFileError.unrecognized(path: path)) { try AudioFileFacts.read(path: path) }
  }
}

// MARK: W64

extension WaveHeaderTests {
  /// The same sound as a WAV's of 32-bit sizes, in chunks as ffmpeg writes them.
  private func wave64(_ fixture: WaveFixture, data: [UInt8], statedSize: UInt64? = nil) -> [UInt8] {
    func chunk(_ name: String, _ body: [UInt8], size: UInt64? = nil) -> [UInt8] {
      var bytes = Array(name.utf8)
      bytes += [0xf3, 0xac, 0xd3, 0x11, 0x8c, 0xd1, 0, 0xc0, 0x4f, 0x8e, 0xdb, 0x8a] as [UInt8]
      bytes += (size ?? UInt64(body.count + 24)).bytes
      bytes += body
      bytes += [UInt8](repeating: 0, count: (8 - body.count % 8) % 8)
      return bytes
    }
    // Behind the header of the file and the name and size of the first chunk.
    let format = fixture.file(data: [])[20..<(fixture.isExtensible ? 60 : 36)]
    var chunks = chunk("fmt ", Array(format)) + chunk("junk", [1, 2, 3])
    chunks += chunk("data", data, size: statedSize)
    chunks += chunk("junk", [4])
    var file = Array("riff".utf8)
    file += [0x2e, 0x91, 0xcf, 0x11, 0xa5, 0xd6, 0x28, 0xdb, 0x04, 0xc1, 0, 0] as [UInt8]
    file += UInt64(chunks.count + 40).bytes
    file += chunk("wave", []).prefix(16)
    return file + chunks
  }

  @Test(arguments: SampleEncoding.allCases, [1, 2, 6])
  func aW64HasTheSamplesOfAWAV(encoding: SampleEncoding, channels: Int) throws {
    let sound = Signal.noise(seed: 4, frames: 3_001, channels: channels, peak: 0.5)
    var random = SeededGenerator(seed: 9)
    let data: [UInt8] =
      switch encoding {
      case .float32: sound.flatMap(\.bitPattern.bytes)
      case .float64: sound.flatMap { Double($0).bitPattern.bytes }
      default:
        (0..<sound.count * encoding.bytesPerSample).map { _ in UInt8.random(in: 0...255, using: &random) }
      }
    for isExtensible in [false, true] {
      var fixture = WaveFixture(encoding, channelCount: channels)
      fixture.isExtensible = isExtensible
      let wave = try AudioFileReader(path: folder.write(fixture.file(data: data), to: "a.wav"))
      let reader = try AudioFileReader(path: folder.write(wave64(fixture, data: data), to: "a.w64"))
      #expect(reader.facts.format == "W64, \(encoding)")
      #expect(reader.facts.pcmLayout?.encoding == encoding)
      #expect(reader.facts.warnings.isEmpty)
      #expect(reader.facts.frames == wave.facts.frames)
      #expect(try reader.allSamples().bits == wave.allSamples().bits)
    }
  }

  @Test func aW64WithAWrongLengthIsRead() throws {
    let found = FrameCount(frames: 100)
    // Of 200 bytes and a chunk of 32 behind them.
    let all = FrameCount(frames: 116)
    let cases: [(UInt64, FrameCount, AudioFileWarning?)] = [
      (224, found, nil),
      (1 << 40, all, .shorterThanPromised(promised: FrameCount(frames: (1 << 39) - 12), found: all)),
      (UInt64(Int64.max) - 1, all, .shorterThanPromised(promised: FrameCount(frames: .max / 2 - 12), found: all)),
      (UInt64(Int64.max), all, .lengthNotWritten(found: all)), (1 << 63, all, .lengthNotWritten(found: all)),
      (.max, all, .lengthNotWritten(found: all)),
    ]
    for (stated, frames, warning) in cases {
      let bytes = wave64(WaveFixture(.int16), data: [UInt8](repeating: 1, count: 200), statedSize: stated)
      let path = try folder.write(bytes, to: "a.w64")
      let facts = try AudioFileFacts.read(path: path)
      #expect(facts.frames == frames, "\(stated)")
      #expect(facts.warnings == (warning.map { [$0] } ?? []), "\(stated)")
      #expect(try AudioFileReader(path: path, facts: facts).allSamples().count == Int(frames.frames))
    }
  }
}
