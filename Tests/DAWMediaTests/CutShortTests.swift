import CSndFile
import DAWMedia
import DAWTestSupport
import DAWTime
import Testing

/// Files that end before their header says so, and files that only look like it.
@Suite struct CutShortTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  static let frames: Int64 = 150_000
  static let (vorbis, opus) = (SF_FORMAT_OGG | SF_FORMAT_VORBIS, SF_FORMAT_OGG | SF_FORMAT_OPUS)
  static let mp3 = SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III

  /// A file of noise, of `frames` frames.
  func file(_ format: Int, frames: Int64 = frames) throws -> [UInt8] {
    let noise = Signal.noise(seed: 3, frames: Int(frames), channels: 2, peak: 0.3)
    try #require(LibSndFile.write(noise, channels: 2, format: format, to: folder.path("made")))
    return try folder.bytes(of: "made")
  }

  func facts(_ bytes: some Collection<UInt8>) throws -> AudioFileFacts {
    try AudioFileFacts.read(path: folder.write(Array(bytes), to: "read"))
  }

  /// Of the file that was read last, without decoding.
  func warningOfEnd(_ frames: FrameCount) throws -> AudioFileWarning? {
    try AudioFileFacts.warningOfEnd(
      path: folder.path("read"), countedFrames: frames, sampleRate: SampleRate(hertz: 48_000))
  }

  /// Expects one warning, also without decoding.
  func expect(
    _ warning: (AudioFileFacts) -> AudioFileWarning, of bytes: some Collection<UInt8>, _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let facts = try facts(bytes)
    #expect(facts.warnings == [warning(facts)], comment, sourceLocation: sourceLocation)
    #expect(try warningOfEnd(facts.frames) == warning(facts), comment, sourceLocation: sourceLocation)
  }

  static func promising(_ frames: Int64) -> (AudioFileFacts) -> AudioFileWarning {
    { .shorterThanPromised(promised: FrameCount(frames: frames), found: $0.frames) }
  }

  static func breakingOff(_ reason: String) -> (AudioFileFacts) -> AudioFileWarning {
    { .breaksOff(found: $0.frames, reason: reason) }
  }

  static let counted = [
    SF_FORMAT_AIFF | SF_FORMAT_PCM_16, SF_FORMAT_AIFF | SF_FORMAT_PCM_24, SF_FORMAT_AIFF | SF_FORMAT_FLOAT,
    SF_FORMAT_AIFF | SF_FORMAT_ULAW, SF_FORMAT_AIFF | SF_FORMAT_PCM_16 | SF_ENDIAN_LITTLE,
    SF_FORMAT_AU | SF_FORMAT_PCM_16, SF_FORMAT_AU | SF_FORMAT_PCM_24 | SF_ENDIAN_LITTLE,
    SF_FORMAT_AU | SF_FORMAT_DOUBLE, SF_FORMAT_AU | SF_FORMAT_ALAW,
    SF_FORMAT_W64 | SF_FORMAT_PCM_16, SF_FORMAT_W64 | SF_FORMAT_FLOAT, SF_FORMAT_W64 | SF_FORMAT_ULAW,
    SF_FORMAT_WAV | SF_FORMAT_PCM_16, SF_FORMAT_WAV | SF_FORMAT_ALAW, SF_FORMAT_WAVEX | SF_FORMAT_ULAW,
    SF_FORMAT_WAV | SF_FORMAT_PCM_24 | SF_ENDIAN_BIG, SF_FORMAT_RF64 | SF_FORMAT_PCM_16,
  ]

  @Test(arguments: counted)
  func aHeaderThatCountsIsComparedWithTheFile(format: Int) throws {
    let whole = try file(format)
    #expect(try facts(whole).warnings.isEmpty)
    #expect(try warningOfEnd(FrameCount(frames: Self.frames)) == nil)
    for count in [whole.count * 9 / 10, whole.count * 3 / 10, whole.count - 1_000] {
      try expect(Self.promising(Self.frames), of: whole.prefix(count), "\(count) of \(whole.count) bytes")
    }
  }

  /// libsndfile refuses a CAF that lacks more than the length of its header.
  @Test func aCAFThatLacksItsLastFramesSaysSo() throws {
    let whole = try file(SF_FORMAT_CAF | SF_FORMAT_PCM_16)
    try expect(Self.promising(Self.frames), of: whole.dropLast(40), "40 bytes")
    #expect(throws: AudioFileError.self) { try facts(whole.prefix(whole.count / 2)) }
  }

  @Test func aFLACThatIsCutShortSaysSoWithoutDecoding() throws {
    let whole = try file(SF_FORMAT_FLAC | SF_FORMAT_PCM_16)
    #expect(try facts(whole).warnings.isEmpty)
    let cut = try facts(whole.prefix(whole.count * 6 / 10))
    #expect(cut.warnings.count == 1)
    #expect(try warningOfEnd(cut.frames) == Self.promising(Self.frames)(cut))
  }

  @Test(arguments: [SF_FORMAT_WAV, SF_FORMAT_W64])
  func theLengthOfACompressedFileIsEstimated(container: Int) throws {
    let whole = try file(container | SF_FORMAT_IMA_ADPCM)
    #expect(try facts(whole).warnings.isEmpty)
    let cut = try facts(whole.prefix(whole.count * 6 / 10))
    guard case .shorterThanPromised(let promised, cut.frames)? = cut.warnings.first else {
      Issue.record("\(cut)")
      return
    }
    // A block has about 2,000 frames.
    #expect(abs(promised.frames - Self.frames) < 2_100)
    #expect(try warningOfEnd(cut.frames) == cut.warnings.first)
  }

  /// As a program writes it that cannot go back: the length is not known, or is as long as can be.
  @Test func aStreamPromisesNothing() throws {
    var au = try file(SF_FORMAT_AU | SF_FORMAT_PCM_16)
    au.replaceSubrange(8..<12, with: [UInt8](repeating: 0xff, count: 4))
    #expect(try facts(au).warnings.isEmpty)
    var wave64 = try file(SF_FORMAT_W64 | SF_FORMAT_PCM_16)
    let data = try #require(Self.place(of: "data", in: wave64))
    wave64.replaceSubrange(data + 16..<data + 24, with: Int64.max.bytes)
    // As of a WAV, all that is there is read, and that is said.
    let found = try facts(wave64)
    #expect(found.warnings == [.lengthNotWritten(found: found.frames)])
    #expect(try warningOfEnd(found.frames) == nil)
  }

  /// ffmpeg and SoX write such sizes into a pipe, and SoX as many frames; one less is a promise.
  @Test(
    arguments: [(0xffff_ffff, true), (0x7fff_ffff, true), (0x7f00_0000, true), (0x7eff_ffff, false)]
      as [(UInt32, Bool)])
  func anAIFFOfAStreamPromisesNothing(size: UInt32, isStream: Bool) throws {
    var aiff = try file(SF_FORMAT_AIFF | SF_FORMAT_PCM_16, frames: 3_000)
    let common = try #require(Self.place(of: "COMM", in: aiff))
    let sound = try #require(Self.place(of: "SSND", in: aiff))
    // Behind the name, the size and the number of channels; behind the name.
    aiff.replaceSubrange(common + 10..<common + 14, with: UInt32(0x1fff_ffff).bytes.reversed())
    aiff.replaceSubrange(sound + 4..<sound + 8, with: size.bytes.reversed())
    try folder.write(aiff, to: "read")
    let found = FrameCount(frames: 3_000)
    let promised = AudioFileWarning.shorterThanPromised(promised: FrameCount(frames: 0x1fff_ffff), found: found)
    #expect(try warningOfEnd(found) == (isStream ? nil : promised))
  }

  @Test(arguments: [(0xffff_ffff, true), (0xffff_fffe, false)] as [(UInt32, Bool)])
  func aRIFXOfAStreamPromisesNothing(size: UInt32, isStream: Bool) throws {
    var rifx = try file(SF_FORMAT_WAV | SF_FORMAT_PCM_16 | SF_ENDIAN_BIG, frames: 3_000)
    let data = try #require(Self.place(of: "data", in: rifx))
    rifx.replaceSubrange(data + 4..<data + 8, with: size.bytes.reversed())
    try folder.write(rifx, to: "read")
    let found = FrameCount(frames: 3_000)
    // Of two channels of 16 bits.
    let promised = AudioFileWarning.shorterThanPromised(promised: FrameCount(frames: 0x3fff_ffff), found: found)
    #expect(try warningOfEnd(found) == (isStream ? nil : promised))
  }

  @Test(arguments: [SF_FORMAT_PCM_16, SF_FORMAT_IMA_ADPCM], [40, 61, 62])
  func anyNumberInAHeaderIsRead(content: Int, exponent: Int) throws {
    var wave64 = try file(SF_FORMAT_W64 | content, frames: 3_000)
    let data = try #require(Self.place(of: "data", in: wave64))
    wave64.replaceSubrange(data + 16..<data + 24, with: (Int64(1) << exponent).bytes)
    try folder.write(wave64, to: "read")
    let warning = try warningOfEnd(FrameCount(frames: 3_000))
    guard case .shorterThanPromised(let promised, FrameCount(frames: 3_000))? = warning else {
      Issue.record("\(warning as Any)")
      return
    }
    #expect(promised.frames > 1 << 36)
  }

  /// Where a text begins that is a chunk's name.
  static func place(of name: String, in bytes: [UInt8]) -> Int? {
    let name = Array(name.utf8)
    return (0..<bytes.count - 4).first { Array(bytes[$0..<$0 + 4]) == name }
  }
}

// MARK: Ogg

extension CutShortTests {
  @Test(arguments: [vorbis, opus])
  func anOggFileWithoutItsLastPageSaysSo(format: Int) throws {
    let whole = try file(format)
    let pages = Self.pages(of: whole)
    try #require(pages.count > 4)
    #expect(try facts(whole).warnings.isEmpty)
    #expect(try warningOfEnd(FrameCount(frames: Self.frames)) == nil)
    let incomplete = Self.breakingOff("its last page is incomplete")
    let missing = Self.breakingOff("its last page is missing; a recording of a broadcast ends so, too")
    let last = pages[pages.count - 1]
    try expect(incomplete, of: whole.dropLast(), "a byte less")
    try expect(incomplete, of: whole.prefix(last - 10), "within the last page but one")
    try expect(missing, of: whole.prefix(last), "without its last page")
    try expect(missing, of: whole.prefix(last + 20), "within a header")
    // What a program adds to the end does not hide it.
    let tag = Array("TAG".utf8) + [UInt8](repeating: 0x41, count: 125)
    try expect(missing, of: whole.prefix(last) + tag, "with a tag behind")
  }

  /// Where the pages of an Ogg file begin.
  static func pages(of bytes: [UInt8]) -> [Int] {
    var places: [Int] = []
    var place = 0
    while place + 27 < bytes.count {
      places.append(place)
      let segments = Int(bytes[place + 26])
      place += 27 + segments + bytes[place + 27..<place + 27 + segments].reduce(0) { $0 + Int($1) }
    }
    return places
  }
}

// MARK: MP3

extension CutShortTests {
  @Test func anMP3IsComparedWithItsInfoFrame() throws {
    let whole = try file(Self.mp3)
    let length = try facts(whole)
    #expect(length.warnings.isEmpty)
    let promising = Self.promising(length.frames.frames)
    for part in [3, 6, 9] {
      let cut = whole.prefix(whole.count * part / 10)
      try expect(promising, of: cut, "\(part) of 10 parts")
      // Tags do not hide it.
      try expect(promising, of: cut + JoinedFileTests.ape(JoinedFileTests.picture), "\(part), with a tag behind")
      try expect(promising, of: JoinedFileTests.id3v2(whole) + cut, "\(part), with a tag before")
    }
    // Nothing but the info frame, which no decoder reads.
    try folder.write(Array(whole.prefix(300)), to: "read")
    let one = FrameCount(frames: 1)
    #expect(try warningOfEnd(one) == .shorterThanPromised(promised: length.frames, found: one))
  }

  /// Some encoders count the info frame too.
  @Test(arguments: [-20, -1, 1, 2, 4, 100])
  func anInfoFrameMayMiscountByAFrame(error: Int) throws {
    var bytes = try file(Self.mp3)
    let info = try #require(Self.place(of: "Xing", in: bytes) ?? Self.place(of: "Info", in: bytes))
    try #require(bytes[info + 7] & 1 == 1)
    let count = bytes[info + 8..<info + 12].reduce(0) { $0 << 8 | Int($1) } + error
    bytes.replaceSubrange(info + 8..<info + 12, with: UInt32(count).bytes.reversed())
    let warnings = try facts(bytes).warnings
    #expect(warnings.contains { if case .shorterThanPromised = $0 { true } else { false } } == (error > 2))
  }

  /// Fraunhofer's info frame is one of silence for those that do not know it.
  @Test func anInfoFrameOfFraunhofersIsRead() throws {
    var bytes = try JoinedFileTests.withoutFirstFrame(JoinedFileTests().evenMP3(seconds: 2))
    let length = try facts(bytes).frames.frames
    // Version, delay, quality, bytes, frames.
    let numbers: [[UInt8]] = [[0, 1], [0, 0], [0, 50], [0, 0, 0, 0], UInt32(length / 1_152).bytes.reversed()]
    bytes.replaceSubrange(36..<54, with: Array("VBRI".utf8) + numbers.joined())
    #expect(try facts(bytes).warnings.contains { if case .shorterThanPromised = $0 { true } else { false } } == false)
    let cut = try facts(bytes.prefix(bytes.count / 2))
    #expect(cut.warnings == [Self.promising(length / 1_152 * 1_152)(cut)])
  }

  /// Without an info frame it is known by its last frame, unless that is whole.
  @Test func anMP3ThatEndsWithinAFrameSaysSo() throws {
    let whole = try JoinedFileTests.withoutFirstFrame(JoinedFileTests().evenMP3(seconds: 2))
    #expect(try facts(whole).warnings.isEmpty)
    try expect(Self.breakingOff("its last frame is incomplete"), of: whole.dropLast(20), "20 bytes less")
  }
}
