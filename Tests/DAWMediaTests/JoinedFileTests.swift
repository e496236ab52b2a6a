import CSndFile
import DAWMedia
import DAWTestSupport
import DAWTime
import Testing

/// Files of which only a part is read, and files that only look like it.
@Suite struct JoinedFileTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  static let vorbis = SF_FORMAT_OGG | SF_FORMAT_VORBIS
  static let opus = SF_FORMAT_OGG | SF_FORMAT_OPUS
  static let mp3 = SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III

  /// A file of noise.
  func file(_ format: Int, seconds: Double, channels: Int = 2, hertz: Int = 48_000) throws -> [UInt8] {
    let noise = Signal.noise(
      seed: UInt64(seconds * 1_000), frames: Int(seconds * Double(hertz)), channels: channels, peak: 0.3)
    try #require(LibSndFile.write(noise, channels: channels, hertz: hertz, format: format, to: folder.path("made")))
    return try folder.bytes(of: "made")
  }

  /// An MP3 of noise, at a constant bitrate.
  func evenMP3(seconds: Double, channels: Int = 2, hertz: Int = 48_000) throws -> [UInt8] {
    let noise = Signal.noise(seed: 5, frames: Int(seconds * Double(hertz)), channels: channels, peak: 0.3)
    var facts = SF_INFO()
    (facts.channels, facts.samplerate, facts.format) = (Int32(channels), Int32(hertz), Int32(Self.mp3))
    let handle = try #require(sf_open(folder.path("even"), Int32(SFM_WRITE), &facts))
    var mode = Int32(SF_BITRATE_MODE_CONSTANT)
    sf_command(handle, Int32(SFC_SET_BITRATE_MODE), &mode, Int32(MemoryLayout<Int32>.size))
    let isSet = sf_error(handle) == SF_ERR_NO_ERROR
    let written = sf_write_float(handle, noise, Int64(noise.count))
    sf_close(handle)
    try #require(isSet && written == noise.count)
    return try folder.bytes(of: "even")
  }

  func facts(_ bytes: [UInt8]) throws -> AudioFileFacts {
    try AudioFileFacts.read(path: folder.write(bytes, to: "read"))
  }

  @Test(arguments: [vorbis, opus, mp3], [0.5, 3])
  func soundAfterTheFirstStreamIsReported(format: Int, seconds: Double) throws {
    let first = try file(format, seconds: 2)
    let alone = try facts(first)
    let joined = try facts(first + file(format, seconds: seconds))
    #expect(alone.warnings.isEmpty)
    #expect(joined.frames == alone.frames)
    #expect(joined.warnings == [.moreFollows(found: alone.frames, sampleRate: alone.sampleRate)])
    #expect(joined.warnings.first?.description.contains("ffmpeg -i") == true)
  }

  /// A file concatenated with itself: its streams have the same serial number.
  @Test(arguments: [vorbis, opus, mp3])
  func theSameFileTwiceIsDetected(format: Int) throws {
    let bytes = try file(format, seconds: 1)
    #expect(try facts(bytes + bytes).warnings.count == 1)
  }

  @Test(arguments: [vorbis, opus, mp3])
  func twoPartsOfDifferentRatesAreDetected(format: Int) throws {
    let bytes = try file(format, seconds: 1) + file(format, seconds: 2, channels: 1, hertz: 24_000)
    #expect(try facts(bytes).warnings.count == 1)
  }

  /// With tags in between, or truncated within a page or a frame.
  @Test(arguments: [vorbis, opus, mp3])
  func dataInBetweenDoesNotHideIt(format: Int) throws {
    let (first, second) = (try file(format, seconds: 1), try file(format, seconds: 2))
    let picture = Self.picture
    for between in [Self.id3v1, Self.id3v2(picture), Self.id3v1 + Self.id3v2(picture), Self.ape(picture), picture] {
      let warnings = try facts(first + between + second).warnings
      #expect(warnings.contains { if case .moreFollows = $0 { true } else { false } }, "\(between.count) bytes between")
    }
    let cut = try folder.write(first.dropLast(first.count / 10) + second, to: "cut")
    #expect(try Self.warningOfMore(cut, frames: 40_000, hertz: 48_000) != nil)
  }

  @Test(arguments: [vorbis, opus, mp3])
  func tagsPicturesAndPaddingAreNotSound(format: Int) throws {
    let bytes = try file(format, seconds: 1)
    let picture = Self.picture
    let padding = [UInt8](repeating: 0, count: 100_000)
    let tails = [
      Self.id3v1, Self.ape(picture), Self.ape(picture) + Self.id3v1, padding, picture, Self.id3v2(picture),
      [UInt8](repeating: 0xff, count: 5_000), Array("OggS".utf8),
    ]
    for tail in tails {
      #expect(try facts(bytes + tail).warnings.isEmpty, "\(tail.count) bytes behind")
    }
    if format == Self.mp3 {
      #expect(try facts(Self.id3v2(picture) + bytes + Self.id3v1).warnings.isEmpty)
      #expect(try facts(Self.id3v2(bytes) + bytes).warnings.isEmpty, "another file in a tag")
    }
  }

  @Test func aFLACBehindAFLACIsReported() throws {
    let (first, second) = try (
      file(SF_FORMAT_FLAC | SF_FORMAT_PCM_16, seconds: 1), file(SF_FORMAT_FLAC | SF_FORMAT_PCM_16, seconds: 8)
    )
    let alone = try facts(first)
    #expect(alone.warnings.isEmpty)
    #expect(try facts(second).warnings.isEmpty)
    for joined in [first + first, first + second, second + first, first + Self.id3v2(Self.picture) + second] {
      #expect(try facts(joined).warnings.contains { if case .moreFollows = $0 { true } else { false } })
    }
    let joined = try facts(first + second)
    #expect(joined.frames == alone.frames)
    let warning = AudioFileWarning.moreFollows(
      found: alone.frames, sampleRate: alone.sampleRate, joinedAt: Int64(first.count))
    #expect(joined.warnings.contains(warning))
    #expect(warning.description.contains("tail -c +\(first.count + 1) IN"), "tail counts bytes from 1")
    #expect(!warning.description.contains("ffmpeg"), "which loses sound at the seam")
    // Behind the mark and the first block: one of an application, which holds another file.
    var inside = Array(first[..<42])
    inside += [2, UInt8((second.count + 4) >> 16), UInt8((second.count + 4) >> 8 & 0xff)]
    inside.append(UInt8((second.count + 4) & 0xff))
    inside += Array("test".utf8)
    inside += second
    inside += first[42...]
    let path = try folder.write(inside, to: "inside")
    #expect(try Self.warningOfMore(path, frames: 48_000, hertz: 48_000) == nil)
  }

  /// At a constant bitrate without an info frame: all frames are read, even of concatenated files.
  @Test func framesWithoutAnInfoFrameAreAllRead() throws {
    let parts = try [1.0, 2.0].map { try Self.withoutFirstFrame(evenMP3(seconds: $0)) }
    let joined = try facts(parts[0] + parts[1])
    #expect(joined.warnings.isEmpty)
    #expect(joined.frames.frames > 48_000 * 29 / 10)
  }

  /// At variable bitrates without an info frame: the length read is an estimate.
  @Test func anEstimateThatLeavesSoundOutIsReported() throws {
    let found = try facts(Self.withoutFirstFrame(file(Self.mp3, seconds: 4)))
    #expect(found.warnings.count == (found.frames.frames < 48_000 * 35 / 10 ? 1 : 0))
  }

  @Test(arguments: [1, 2], [16_000, 22_050, 44_100, 48_000])
  func ordinaryMP3sAreReadWhole(channels: Int, hertz: Int) throws {
    for seconds in [0.05, 0.7, 2] {
      let varying = try file(Self.mp3, seconds: seconds, channels: channels, hertz: hertz)
      #expect(try facts(varying).warnings.isEmpty, "\(seconds) s")
      let even = try evenMP3(seconds: seconds, channels: channels, hertz: hertz)
      #expect(try facts(even).warnings.isEmpty, "\(seconds) s, of one bitrate")
      #expect(try facts(Self.withoutFirstFrame(even)).warnings.isEmpty, "\(seconds) s, not counted")
    }
  }

  /// Multiplexed streams, such as a picture's beside the audio's, are not a chain.
  @Test func multiplexedStreamsAreNotAChain() throws {
    let (sound, other) = (try file(Self.vorbis, seconds: 1), try file(Self.opus, seconds: 1))
    let (first, beginning) = (Self.firstPage(sound), Self.firstPage(other))
    let beside = try folder.write(first + beginning + sound.dropFirst(first.count), to: "beside")
    #expect(try Self.warningOfMore(beside, frames: 48_000, hertz: 48_000) == nil)
    let behind = try folder.write(sound + beginning, to: "behind")
    #expect(try Self.warningOfMore(behind, frames: 48_000, hertz: 48_000) != nil)
  }

  /// The scan ends for any bytes, without an error.
  @Test func brokenFilesAreScannedToTheirEnd() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    for format in [Self.vorbis, Self.mp3] {
      let whole = try file(format, seconds: 1) + file(format, seconds: 0.5)
      for _ in 0..<40 {
        var bytes = whole
        for _ in 0..<8 {
          bytes[Int.random(in: 4..<bytes.count, using: &random)] = .random(in: .min ... .max, using: &random)
        }
        let path = try folder.write(Array(bytes.prefix(Int.random(in: 4...bytes.count, using: &random))), to: "broken")
        #expect(throws: Never.self, "seed \(seed)") {
          _ = try Self.warningOfMore(path, frames: 10_000, hertz: 48_000)
        }
      }
    }
  }
}

extension JoinedFileTests {
  static func warningOfMore(_ path: String, frames: Int64, hertz: Int) throws -> AudioFileWarning? {
    let warning = try AudioFileFacts.warningOfEnd(
      path: path, countedFrames: FrameCount(frames: frames), sampleRate: SampleRate(hertz: hertz))
    guard case .moreFollows = warning else { return nil }
    return warning
  }

  /// With many bytes that could begin a frame; longer than the window.
  static let picture: [UInt8] = {
    var random = SeededGenerator(seed: 7)
    var bytes: [UInt8] = []
    for _ in 0..<14_000 { withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) } }
    for place in stride(from: 0, to: bytes.count - 4, by: 97) { (bytes[place], bytes[place + 1]) = (0xff, 0xfb) }
    return bytes
  }()

  static var id3v1: [UInt8] { Array("TAG".utf8) + [UInt8](repeating: 0x41, count: 125) }

  static func id3v2(_ body: [UInt8]) -> [UInt8] {
    let size = (0..<4).reversed().map { UInt8(body.count >> (7 * $0) & 0x7f) }
    return Array("ID3".utf8) + [4, 0, 0] + size + body
  }

  /// Header, item, footer.
  static func ape(_ picture: [UInt8]) -> [UInt8] {
    let item = UInt32(picture.count).bytes + UInt32(2).bytes + Array("Cover Art (Front)".utf8) + [0] + picture
    func end(_ flags: UInt32) -> [UInt8] {
      Array("APETAGEX".utf8) + UInt32(2_000).bytes + UInt32(item.count + 32).bytes + UInt32(1).bytes + flags.bytes
        + [UInt8](repeating: 0, count: 8)
    }
    return end(0xa000_0000) + item + end(0x8000_0000)
  }

  static func firstPage(_ bytes: [UInt8]) -> [UInt8] {
    let segments = Int(bytes[26])
    return Array(bytes.prefix(27 + segments + bytes[27..<27 + segments].reduce(0) { $0 + Int($1) }))
  }

  /// What follows LAME's info frame.
  static func withoutFirstFrame(_ bytes: [UInt8]) -> [UInt8] {
    let next = (40..<bytes.count - 4).first {
      bytes[$0] == bytes[0] && bytes[$0 + 1] == bytes[1] && bytes[$0 + 2] & 0x0c == bytes[2] & 0x0c
    }
    return Array(bytes[(next ?? 0)...])
  }
}
