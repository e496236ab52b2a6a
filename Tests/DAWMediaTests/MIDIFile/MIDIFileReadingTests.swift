import DAWMedia
import DAWTestSupport
import Testing

/// What is in order in a MIDI file, and what is odd but harmless, is read.
@Suite struct MIDIFileReadingTests {
  private func read(_ tracks: [UInt8]...) throws -> MIDIFile { try MIDIFile.read(MIDIFileBytes.file(tracks)).file }

  @Test(arguments: [0, 1, 2])
  func everyFormatIsRead(format: Int) throws {
    let tracks: [[UInt8]] = format == 0 ? [[0, 0xc0, 5]] : [[0, 0xc0, 5], [], [3, 0xd1, 7]]
    let reading = try MIDIFile.read(MIDIFileBytes.file(format: format, tracks))
    #expect(reading.flaws.isEmpty)
    #expect(reading.file.format.rawValue == format)
    #expect(
      reading.file.tracks.map(\.messages)
        == (format == 0 ? [[[0, 0xc0, 5, 0]]] : [[[0, 0xc0, 5, 0]], [], [[3, 0xd1, 7, 0]]]))
  }

  @Test(arguments: [1, 24, 70, 96, 480, 15_360, 32_767])
  func everyDivisionOfTheQuarterNoteIsTaken(ticks: Int) throws {
    let file = try MIDIFile.read(MIDIFileBytes.file(division: UInt16(ticks), [[]])).file
    #expect(file.division == .ticksPerQuarter(ticks))
    #expect(file.division.ticksPerSecond == nil)
  }

  @Test func timeCodeCountsPartsOfAFrameWithASignedRate() throws {
    func division(_ bits: UInt16) throws -> MIDIFileDivision {
      try MIDIFile.read(MIDIFileBytes.file(division: bits, [[]])).file.division
    }
    #expect(try division(0xe728) == .timeCode(.pal25, ticksPerFrame: 40))
    #expect(try division(0xe850) == .timeCode(.film24, ticksPerFrame: 80))
    #expect(try division(0xe204) == .timeCode(.nonDrop30, ticksPerFrame: 4))
    let drop = try division(0xe364)
    #expect(drop == .timeCode(.dropFrame30, ticksPerFrame: 100))
    #expect(try #require(drop.ticksPerSecond) == (3_000_000, 1_001))
    #expect(try #require(division(0xe728).ticksPerSecond) == (1_000, 1))
  }

  @Test func runningStatusGoesOnThroughMessagesAndEndsWithTheTrack() throws {
    let file = try read([0, 0x90, 60, 1, 10, 62, 2, 0x81, 0, 64, 0], [0, 0xc3, 1, 0, 2])
    #expect(file.tracks[0].messages == [[0, 0x90, 60, 1], [10, 0x90, 62, 2], [138, 0x90, 64, 0]])
    #expect(file.tracks[1].messages == [[0, 0xc3, 1, 0], [0, 0xc3, 2, 0]])
  }

  @Test(
    arguments: [[0xff, 1, 1, 65], [0xf0, 1, 0xf7], [0xf7, 1, 0xf8], [0xff, 1, 1, 65, 0, 0xff, 1, 1, 66]] as [[UInt8]])
  func metasAndSystemExclusiveEndRunningStatus(between: [UInt8]) throws {
    let bytes = MIDIFileBytes.file([[0, 0x90, 60, 1, 0] + between + [0, 61, 1]])
    let place = 22 + 4 + 1 + between.count + 1
    #expect(throws: MIDIFileFlaw(.noStatus(found: 61, isCancelled: true), at: place)) { try MIDIFile.read(bytes) }
    // There are programs that go on regardless.
    let reading = try MIDIFile.read(bytes, isLenient: true)
    #expect(reading.file.tracks[0].messages == [[0, 0x90, 60, 1], [0, 0x90, 61, 1]])
    #expect(reading.flaws.count == 1)
  }

  @Test func longDeltaTimesAddUp() throws {
    let file = try read([0xff, 0xff, 0xff, 0x7f, 0xc0, 1, 0xff, 0xff, 0xff, 0x7f, 2])
    #expect(file.tracks[0].messages.map { $0[0] } == [0x0fff_ffff, 0x1fff_fffe])
  }

  @Test func systemExclusiveInPartsAndEscapesAreKeptAsTheyAre() throws {
    let file = try read([0, 0xf0, 3, 0x43, 0x12, 0, 200 - 72, 0x48, 0xf7, 2, 1, 2, 0, 0xf7, 2, 3, 0xf7])
    let track = file.tracks[0]
    #expect(track.events.map(\.status) == [0xf0, 0xf7, 0xf7])
    #expect(track.events.map { Array(track.payload(of: $0)) } == [[0x43, 0x12, 0], [1, 2], [3, 0xf7]])
    #expect(track.events.map(\.tick) == [0, 72, 72])
  }

  @Test func metasSayWhatTheyMean() throws {
    let file = try read(
      [0, 0xff, 0x03, 2, 72, 105] + [0, 0xff, 0x51, 3, 7, 0xa1, 0x20] + [0, 0xff, 0x58, 4, 7, 3, 12, 8]
        + [0, 0xff, 0x58, 2, 3, 2] + [0, 0xff, 0x59, 2, 0xfd, 1] + [0, 0xff, 0x20, 1, 9] + [0, 0xff, 0x21, 1, 2]
        + [0, 0xff, 0x51, 3, 0, 0, 0] + [0, 0xff, 0x51, 1, 7] + [0, 0xff, 0x0d, 1, 1] + [0, 0xff, 0x7f, 1, 0x43])
    let track = file.tracks[0]
    #expect(
      track.events.map { track.meta(of: $0) } == [
        .text(.trackName, [72, 105]), .tempo(microsecondsPerQuarter: 500_000),
        .timeSignature(numerator: 7, denominator: 8, clocks: 12, thirtySeconds: 8),
        .timeSignature(numerator: 3, denominator: 4), .keySignature(sharps: -3, isMinor: true), .channelPrefix(9),
        .port(2), nil, nil, .other(type: 0x0d, [1]), .other(type: 0x7f, [0x43]),
      ])
  }

  @Test func theEndOfTrackMayComeLaterThanTheLastEvent() throws {
    let bytes =
      MIDIFileBytes.header(trackCount: 1) + MIDIFileBytes.chunk("MTrk", [0, 0xc0, 1, 0x83, 0x60, 0xff, 0x2f, 0])
    #expect(try MIDIFile.read(bytes).file.tracks[0].endTick == 480)
  }

  @Test func aWrappedFileIsTheSameAsABareOne() throws {
    let bytes = MIDIFileBytes.file([[0, 0x90, 60, 1, 10, 60, 0]])
    #expect(try MIDIFile.read(MIDIFileBytes.wrapped(bytes)) == MIDIFile.read(bytes))
    // Offsets count from the start of what is on the disk.
    let broken = MIDIFileBytes.file([[0, 0x90, 60, 0x91]])
    #expect(throws: MIDIFileFlaw(.dataByte(found: 0x91), at: 25 + 32)) {
      try MIDIFile.read(MIDIFileBytes.wrapped(broken))
    }
  }

  @Test func aFileIsKnownByItsFirstBytes() throws {
    let folder = try TemporaryFolder()
    let bare = try folder.write(MIDIFileBytes.file([[]]), to: "song.txt")
    let wrapped = try folder.write(MIDIFileBytes.wrapped(MIDIFileBytes.file([[]])), to: "song.rmi")
    let wave = try folder.write(Array("RIFF....WAVE".utf8), to: "song.mid")
    #expect(MIDIFile.isMIDIFile(path: bare))
    #expect(MIDIFile.isMIDIFile(path: wrapped))
    #expect(!MIDIFile.isMIDIFile(path: wave))
    #expect(!MIDIFile.isMIDIFile(path: folder.path("none")))
    #expect(throws: MIDIFileError.file(.missing(path: folder.path("none")))) {
      try MIDIFile.read(path: folder.path("none"))
    }
    #expect(throws: MIDIFileError.flaw(path: wave, MIDIFileFlaw(.noHeader(found: Array("RIFF".utf8)), at: 0))) {
      try MIDIFile.read(path: wave)
    }
  }
}
