import DAWMedia
import DAWTestSupport
import Testing

/// What is wrong in a file is named with its place; what can be read all the same is.
@Suite struct MIDIFileFlawTests {
  typealias Bytes = MIDIFileBytes

  /// Read strictly, the file is refused with this flaw; read leniently, it gives these messages.
  private func expectRefusal(
    _ bytes: [UInt8], _ problem: MIDIFileFlaw.Problem, at offset: Int, lenient: [[[Int64]]],
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let flaw = MIDIFileFlaw(problem, at: offset)
    #expect(flaw.isSerious, sourceLocation: location)
    #expect(throws: flaw, sourceLocation: location) { try MIDIFile.read(bytes) }
    let reading = try MIDIFile.read(bytes, isLenient: true)
    #expect(reading.flaws.first.contains(flaw), "\(reading.flaws)", sourceLocation: location)
    #expect(reading.file.tracks.map(\.messages) == lenient, sourceLocation: location)
  }

  /// The file is read as these messages, strictly too, and the flaw is said.
  private func expectRemark(
    _ bytes: [UInt8], _ problem: MIDIFileFlaw.Problem, at offset: Int, _ messages: [[[Int64]]],
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let flaw = MIDIFileFlaw(problem, at: offset)
    #expect(!flaw.isSerious, sourceLocation: location)
    for isLenient in [false, true] {
      let reading = try MIDIFile.read(bytes, isLenient: isLenient)
      #expect(reading.flaws.first.contains(flaw), "\(reading.flaws)", sourceLocation: location)
      #expect(reading.file.tracks.map(\.messages) == messages, sourceLocation: location)
    }
  }

  private let one: [[Int64]] = [[0, 0xc0, 1, 0]]
  private let two: [[Int64]] = [[0, 0xc0, 2, 0]]

  @Test func whatIsNoMIDIFileHasNoHeader() throws {
    #expect(throws: MIDIFileFlaw(.noHeader(found: []), at: 0)) { try MIDIFile.read([]) }
    #expect(throws: MIDIFileFlaw(.noHeader(found: Array("Hell".utf8)), at: 0)) {
      try MIDIFile.read(Array("Hello, world".utf8), isLenient: true)
    }
    try expectRefusal(
      [1, 2, 3] + Bytes.file([[0, 0xc0, 1]]), .noHeader(found: [1, 2, 3, 0x4d]), at: 0, lenient: [one])
  }

  @Test func aFileThatEndsInItsHeaderSaysSo() throws {
    let header = Bytes.header(trackCount: 1)
    for count in 4..<header.count {
      for isLenient in [false, true] {
        #expect(throws: MIDIFileFlaw(.headerCut, at: count), "\(count) bytes") {
          try MIDIFile.read(Array(header.prefix(count)), isLenient: isLenient)
        }
      }
    }
    let file = MIDIFileError.flaw(path: "a.mid", MIDIFileFlaw(.headerCut, at: 4))
    #expect(file.description.hasSuffix("expected the rest of the header, 'MThd', found the end of the file."))
  }

  @Test("A lenient reading is recommended where it finds a track, and by none that was lenient itself")
  func lenientReadings() throws {
    let folder = try TemporaryFolder()
    func hint(_ bytes: [UInt8], isLenient: Bool = false) throws -> String? {
      let path = try folder.write(bytes, to: "a.mid")
      let error = #expect(throws: MIDIFileError.self) { try MIDIFile.read(path: path, isLenient: isLenient) }
      return error?.hint
    }
    #expect(try hint(Bytes.file([[0, 0x90, 60, 0x91]]))?.contains("--lenient") == true)
    for bytes in [Array("MThd".utf8), Bytes.header(trackCount: 0), Array("Hello, world".utf8)] {
      #expect(try hint(bytes) == nil)
    }
    #expect(try hint(Array("MThd".utf8), isLenient: true) == nil)
  }

  @Test func headersThatMeanNothingAreRefused() throws {
    let track = Bytes.chunk("MTrk", [0, 0xc0, 1] + Bytes.endOfTrack)
    try expectRefusal(Bytes.header(format: 3, trackCount: 1) + track, .unknownFormat(3), at: 8, lenient: [one])
    for bits: UInt16 in [0, 0xe700, 0xe928, 0xff01] {
      try expectRefusal(
        Bytes.header(trackCount: 1, division: bits) + track, .division(bits: bits), at: 12, lenient: [one])
    }
    try expectRefusal(
      Bytes.chunk("MThd", [0, 1, 0, 1, 1, 0xe0], length: 4) + track, .headerTooShort(byteCount: 4), at: 4,
      lenient: [one])
    try expectRefusal(Bytes.header(trackCount: 0), .noTrack, at: 14, lenient: [])
  }

  @Test func headersThatSayTooMuchAreRead() throws {
    let track = Bytes.chunk("MTrk", [0, 0xc0, 1] + Bytes.endOfTrack)
    try expectRemark(
      Bytes.chunk("MThd", [0, 1, 0, 1, 1, 0xe0, 9, 9]) + track, .longHeader(byteCount: 8), at: 4, [one])
    // One that would end behind the file ends where it must.
    try expectRemark(
      Bytes.chunk("MThd", [0, 1, 0, 1, 1, 0xe0], length: 1_000) + track, .longHeader(byteCount: 1_000), at: 4, [one])
    try expectRemark(Bytes.header(trackCount: 7) + track, .trackCount(promised: 7, found: 1), at: 10, [one])
    try expectRemark(
      Bytes.header(format: 0, trackCount: 2) + track + track, .severalTracksInFormat0, at: 8, [one, one])
  }

  @Test func chunksThatAreNoTracksArePassedOver() throws {
    let track = Bytes.chunk("MTrk", [0, 0xc0, 1] + Bytes.endOfTrack)
    let header = Bytes.header(trackCount: 2)
    try expectRemark(
      header + Bytes.chunk("XFIH", [1, 2, 3]) + track + track, .skippedChunk(name: "XFIH", byteCount: 3), at: 14,
      [one, one])
    try expectRemark(header + track + [0] + track, .skippedBytes(count: 1), at: 29, [one, one])
    try expectRemark(header + track + track + [0, 0, 0], .skippedBytes(count: 3), at: 44, [one, one])
    try expectRefusal(
      header + track + [1, 2, 3, 4, 5] + track, .noChunk(found: [1, 2, 3, 4]), at: 29, lenient: [one, one])
  }

  @Test func aTrackWithoutItsEndEndsWithItsChunk() throws {
    let bare = Bytes.chunk("MTrk", [0, 0xc0, 1])
    try expectRemark(Bytes.header(trackCount: 1) + bare, .noEndOfTrack, at: 25, [one])
    try expectRemark(Bytes.header(trackCount: 2) + bare + bare, .noEndOfTrack, at: 25, [one, one])
    try expectRemark(Bytes.header(trackCount: 2) + Bytes.chunk("MTrk", []) + bare, .noEndOfTrack, at: 22, [[], one])
    try expectRemark(Bytes.header(trackCount: 1) + bare + [0, 0], .noEndOfTrack, at: 25, [one])
  }

  @Test func whatFollowsAnEarlyEndIsPassedOver() throws {
    let early = Bytes.chunk("MTrk", [0, 0xc0, 1] + Bytes.endOfTrack + [0, 0xc0, 9] + Bytes.endOfTrack)
    let second = Bytes.chunk("MTrk", [0, 0xc0, 2] + Bytes.endOfTrack)
    // With a byte that fills up the chunk, too.
    for filling in [[], [0]] as [[UInt8]] {
      try expectRemark(
        Bytes.header(trackCount: 2) + early + filling + second, .bytesAfterEndOfTrack(count: 7), at: 29, [one, two])
      try expectRemark(Bytes.header(trackCount: 1) + early + filling, .bytesAfterEndOfTrack(count: 7), at: 29, [one])
    }
  }

  @Test(arguments: [0, 1, 2, 3, 4, 6, 8, 9, 1_000, 0xffff_ffff])
  func lengthsThatLieAreFoundOutByTheEndOfTrack(length: Int) throws {
    let first = Bytes.chunk("MTrk", [0, 0xc0, 1] + Bytes.endOfTrack, length: length)
    let second = Bytes.chunk("MTrk", [0, 0xc0, 2] + Bytes.endOfTrack)
    let lie = MIDIFileFlaw.Problem.trackLength(promised: length, found: 7)
    try expectRemark(Bytes.header(trackCount: 2) + first + second, lie, at: 18, [one, two])
    try expectRemark(Bytes.header(trackCount: 1) + first, lie, at: 18, [one])
  }

  @Test func aLengthThatCoversTheNextTrackIsALie() throws {
    let body: [UInt8] = [0, 0xc0, 1] + Bytes.endOfTrack
    let bytes = Bytes.header(trackCount: 2) + Bytes.chunk("MTrk", body, length: 22) + Bytes.chunk("MTrk", body)
    try expectRemark(bytes, .trackLength(promised: 22, found: 7), at: 18, [one, one])
  }

  @Test func aFileThatWasCutIsRefusedWhereItEnds() throws {
    let whole = Bytes.file([[0, 0xc0, 1], [0, 0x90, 60, 1, 10, 60, 0, 5, 0xff, 1, 2, 65, 66]])
    // Within the first track, its messages are lost with it; from its end on, they are there.
    for count in 15..<whole.count where count != 29 {
      let bytes = Array(whole.prefix(count))
      let flaw = #expect(throws: MIDIFileFlaw.self, "\(count) bytes") { try MIDIFile.read(bytes) }
      #expect((flaw?.byteOffset ?? -1) <= count)
      #expect(flaw?.isSerious == true)
      let reading = try MIDIFile.read(bytes, isLenient: true)
      #expect(!reading.flaws.isEmpty)
      if count >= 29 { #expect(reading.file.tracks.first?.messages == one) }
      if count >= 44 { #expect(reading.file.tracks.last?.messages == [[0, 0x90, 60, 1], [10, 0x90, 60, 0]]) }
    }
    // At the last track's very start nothing tells that one is missing but the header.
    #expect(
      try MIDIFile.read(Array(whole.prefix(29))).flaws.first == [
        MIDIFileFlaw(.trackCount(promised: 2, found: 1), at: 10)
      ])
  }

  @Test func eventsThatCannotBeAreNamedAndSkippedLeniently() throws {
    try expectRefusal(
      Bytes.file([[0, 60, 60, 0, 0xc0, 1]]), .noStatus(found: 60, isCancelled: false), at: 23,
      lenient: [[[0, 0xc0, 1, 0]]])
    try expectRefusal(
      Bytes.file([[5, 0x90, 60, 0xc0, 1, 5, 2]]), .dataByte(found: 0xc0), at: 25,
      lenient: [[[5, 0xc0, 1, 0], [10, 0xc0, 2, 0]]])
    let messages: [([UInt8], UInt8)] = [
      ([0xf2, 1, 2], 0xf2), ([0xf8], 0xf8), ([0xfe], 0xfe), ([0xf1, 9], 0xf1), ([0xf3, 9], 0xf3),
    ]
    for (message, status) in messages {
      try expectRefusal(
        Bytes.file([[0] + message + [0, 0xc0, 1]]), .systemMessage(status: status), at: 23, lenient: [one])
    }
    try expectRefusal(
      Bytes.file([[0x80, 0x80, 0x80, 0x80, 0, 0xc0, 1]]), .longQuantity, at: 22, lenient: [one])
    try expectRefusal(
      Bytes.file([[0, 0xc0, 1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 0xc0, 2], [0, 0xc0, 2]]), .longQuantity, at: 25,
      lenient: [one, two])
    try expectRefusal(
      Bytes.file([[0, 0xc0, 1, 0, 0xff, 1, 0x7f, 65], [0, 0xc0, 2]]),
      .payloadBeyondEnd(byteCount: 127, available: 20), at: 28, lenient: [one, two])
    try expectRefusal(
      Bytes.header(trackCount: 2) + Bytes.chunk("MTrk", [0, 0xc0, 1, 0, 0x90, 60])
        + Bytes.chunk("MTrk", [0, 0xc0, 2] + Bytes.endOfTrack), .eventBeyondTrack, at: 28, lenient: [one, two])
  }

  @Test func behindAnEventThatCannotBeTheNextTrackIsFoundThoughTheLengthLies() throws {
    let first = Bytes.chunk("MTrk", [0, 0xc0, 1] + [UInt8](repeating: 0x80, count: 6) + [0, 0xc0, 9], length: 14)
    let second = Bytes.chunk("MTrk", [0, 0xc0, 2] + Bytes.endOfTrack)
    try expectRefusal(Bytes.header(trackCount: 2) + first + second, .longQuantity, at: 25, lenient: [one, two])
  }

  @Test func moreTracksThanAHeaderCanCountAreRefused() throws {
    let (count, track) = (MIDIFile.maximumTrackCount, Bytes.chunk("MTrk", Bytes.endOfTrack))
    let whole = Bytes.header(trackCount: count) + [[UInt8]](repeating: track, count: count).joined()
    #expect(try MIDIFile.read(whole).flaws.isEmpty)
    let flaw = MIDIFileFlaw(.tooManyTracks, at: whole.count)
    #expect(flaw.isSerious)
    #expect(throws: flaw) { try MIDIFile.read(whole + track) }
    let reading = try MIDIFile.read(whole + track, isLenient: true)
    #expect(reading.file.tracks.count == count && reading.flaws.first == [flaw])
  }

  @Test func aListOfFlawsStaysShort() throws {
    let bytes = Bytes.file([[UInt8]](repeating: [0, 0xf8, 0, 0xf8], count: 200))
    let reading = try MIDIFile.read(bytes, isLenient: true)
    #expect(reading.flaws.count == 400)
    #expect(reading.flaws.first.count == MIDIFileFlaws.maximumListed)
  }

  @Test func everyFlawSaysItsPlaceInPlainWords() throws {
    let flaw = MIDIFileFlaw(.dataByte(found: 0x9f), at: 1_234)
    #expect(flaw.description == "At byte 1234: expected a data byte, 00 … 7F, found 9F.")
    let header = MIDIFileFlaw(.noHeader(found: []), at: 0)
    #expect(header.description == "At byte 0: expected the header 'MThd', found the end of the file.")
    #expect(MIDIFileFlaw(.division(bits: 0x800a), at: 12).description.hasSuffix("found 80 0A."))
    for (count, text) in [(1, "1 byte"), (2, "2 bytes")] {
      let rest = MIDIFileFlaw(.bytesAfterEndOfTrack(count: count), at: 9)
      #expect(rest.description == "At byte 9: \(text) after an End of Track passed over.")
    }
    let file = MIDIFileError.flaw(path: "a.mid", MIDIFileFlaw(.noHeader(found: Array("RIFF".utf8)), at: 0))
    #expect(file.description.contains("'a.mid'"))
    #expect(file.description.contains("expected the header 'MThd', found 'RIFF'"))
  }
}
