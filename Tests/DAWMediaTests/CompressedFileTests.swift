import CSndFile
import DAWMedia
import DAWTestSupport
import DAWTime
import Testing

/// Compressed files: a frame has the same samples, however it is reached.
@Suite struct CompressedFileTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  struct Kind: CustomTestStringConvertible {
    let testDescription: String
    let code: Int
    let seeksExactly: Bool
  }

  static let kinds = [
    Kind(testDescription: "FLAC, 16-bit", code: SF_FORMAT_FLAC | SF_FORMAT_PCM_16, seeksExactly: true),
    Kind(testDescription: "FLAC, 24-bit", code: SF_FORMAT_FLAC | SF_FORMAT_PCM_24, seeksExactly: true),
    Kind(testDescription: "AIFF, 24-bit PCM", code: SF_FORMAT_AIFF | SF_FORMAT_PCM_24, seeksExactly: true),
    Kind(testDescription: "CAF, 32-bit float", code: SF_FORMAT_CAF | SF_FORMAT_FLOAT, seeksExactly: true),
    Kind(testDescription: "W64, U-Law", code: SF_FORMAT_W64 | SF_FORMAT_ULAW, seeksExactly: true),
    Kind(testDescription: "AU, U-Law", code: SF_FORMAT_AU | SF_FORMAT_ULAW, seeksExactly: true),
    Kind(testDescription: "WAV, IMA ADPCM", code: SF_FORMAT_WAV | SF_FORMAT_IMA_ADPCM, seeksExactly: false),
    Kind(testDescription: "Ogg Vorbis", code: SF_FORMAT_OGG | SF_FORMAT_VORBIS, seeksExactly: false),
    Kind(testDescription: "Ogg Opus", code: SF_FORMAT_OGG | SF_FORMAT_OPUS, seeksExactly: false),
    Kind(testDescription: "MP3", code: SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, seeksExactly: false),
  ]

  @Test(arguments: kinds)
  func anyOrderOfReadingGivesTheSameSamples(kind: Kind) throws {
    let seed = Seed.current()
    let path = folder.path("a")
    let source = Signal.noise(seed: seed, frames: 15_000, channels: 2, peak: 0.3)
    try #require(LibSndFile.write(source, channels: 2, format: kind.code, to: path))
    let facts = try AudioFileFacts.read(path: path)
    #expect(facts.format == kind.testDescription)
    #expect(facts.seeksExactly == kind.seeksExactly)
    #expect(facts.pcmLayout == nil)
    #expect(facts.channelCount == 2 && facts.sampleRate.hertz == 48_000)
    #expect(facts.warnings.isEmpty)
    let all = try AudioFileReader(path: path).allSamples()
    #expect(all.count == Int(facts.frames.frames) * 2)
    let plain = try #require(LibSndFile.read(path))
    #expect(all == plain.samples)
    var random = SeededGenerator(seed: seed)
    let reader = try AudioFileReader(path: path, facts: facts)
    for _ in 0..<12 {
      let start = Int.random(in: 0..<Int(facts.frames.frames), using: &random)
      let count = Int.random(in: 1...5_000, using: &random)
      let expected = all[(start * 2)..<min(all.count, (start + count) * 2)]
      #expect(try reader.samples(at: Int64(start), count: count) == Array(expected), "seed \(seed), frame \(start)")
    }
  }

  @Test func aTruncatedFLACIsReadUpToItsEnd() throws {
    let source = Signal.noise(seed: 1, frames: 100_000, channels: 1)
    #expect(LibSndFile.write(source, channels: 1, format: SF_FORMAT_FLAC | SF_FORMAT_PCM_16, to: folder.path("a")))
    let bytes = try folder.bytes(of: "a")
    let path = try folder.write(Array(bytes.prefix(bytes.count / 2)), to: "half")
    let facts = try AudioFileFacts.read(path: path)
    #expect((10_000..<60_000).contains(facts.frames.frames))
    #expect(facts.warnings.count == 1)
    let whole = try AudioFileReader(path: folder.path("a")).samples(at: 0, count: Int(facts.frames.frames))
    #expect(try AudioFileReader(path: path).allSamples() == whole)
  }

  @Test func aFileTruncatedSinceItWasExaminedIsAnError() throws {
    let source = Signal.noise(seed: 1, frames: 1_000, channels: 1)
    for code in [SF_FORMAT_WAV | SF_FORMAT_PCM_16, SF_FORMAT_AIFF | SF_FORMAT_PCM_16] {
      #expect(LibSndFile.write(source, channels: 1, format: code, to: folder.path("a")))
      let path = folder.path("a")
      let facts = try AudioFileFacts.read(path: path)
      let bytes = try folder.bytes(of: "a")
      try folder.write(bytes.dropLast(1_000), to: "a")
      let reader = try AudioFileReader(path: path, facts: facts)
      #expect(throws: AudioFileError.endsEarly(path: path, atFrame: 500, expectedFrames: 1_000)) {
        try reader.samples(at: 0, count: 1_000)
      }
    }
  }
}
