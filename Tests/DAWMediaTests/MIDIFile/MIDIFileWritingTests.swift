import DAWMedia
import DAWTestSupport
import Testing

@Suite struct MIDIFileWritingTests {
  @Test func whatIsWrittenIsReadAgain() throws {
    let seed = Seed.current()
    var random = RandomMIDIFile(seed: seed)
    for round in 0..<300 {
      let file = random.next()
      let reading = try MIDIFile.read(try file.encoded())
      #expect(reading.flaws.isEmpty, "seed \(seed), round \(round)")
      #expect(reading.file == file, "seed \(seed), round \(round)")
    }
  }

  @Test func theBytesAreThoseOfTheStandard() throws {
    var track = MIDIFileTrack()
    track.append(.tempo(microsecondsPerQuarter: 500_000), at: 0)
    track.append(.noteOn, channel: 9, data1: 36, data2: 100, at: 0)
    track.append(.noteOn, channel: 9, data1: 38, data2: 100, at: 200)
    track.append(status: MIDIFileEvent.systemExclusive, payload: [0x7e, 0xf7], at: 200)
    track.append(.noteOn, channel: 9, data1: 36, data2: 0, at: 16_584)
    track.endTick = 20_000
    let file = MIDIFile(format: .single, division: .timeCode(.pal25, ticksPerFrame: 40), tracks: [track])
    let events: [UInt8] =
      [0, 0xff, 0x51, 3, 0x07, 0xa1, 0x20] + [0, 0x99, 36, 100] + [0x81, 0x48, 38, 100] + [0, 0xf0, 2, 0x7e, 0xf7]
      + [0x81, 0x80, 0, 0x99, 36, 0] + [0x9a, 0x58, 0xff, 0x2f, 0]
    #expect(
      try file.encoded() == MIDIFileBytes.header(format: 0, trackCount: 1, division: 0xe728)
        + MIDIFileBytes.chunk("MTrk", events))
  }

  @Test func sortingPutsWhatIsSetAheadOfTheNoteAndEndsAheadOfBeginnings() throws {
    var track = MIDIFileTrack()
    track.append(.noteOn, channel: 0, data1: 60, data2: 1, at: 10)
    track.append(.controller, channel: 0, data1: 32, data2: 1, at: 10)
    track.append(.controller, channel: 0, data1: 0, data2: 1, at: 10)
    track.append(.noteOff, channel: 0, data1: 60, at: 10)
    track.append(.noteOn, channel: 0, data1: 61, data2: 0, at: 10)
    track.append(.text(.lyric, [65]), at: 10)
    track.append(.program, channel: 0, data1: 5, at: 5)
    track.sort()
    #expect(track.events.map(\.status) == [0xc0, 0xff, 0x80, 0x90, 0xb0, 0xb0, 0x90])
    // What sets something stays in its order.
    #expect(track.events[4...5].map(\.data1) == [32, 0])
    #expect(track.endTick == 10)
  }

  @Test func aSilenceTooLongForOneDeltaTimeIsFilled() throws {
    var track = MIDIFileTrack()
    let tick: Int64 = 3 << 28
    track.append(.program, channel: 0, data1: 5, at: 0)
    track.append(.program, channel: 0, data1: 6, at: tick)
    let file = MIDIFile(format: .simultaneous, division: .ticksPerQuarter(480), tracks: [track])
    let read = try MIDIFile.read(try file.encoded()).file.tracks[0]
    #expect(read.messages == [[0, 0xc0, 5, 0], [tick, 0xc0, 6, 0]])
    #expect(read.events.filter { !$0.isChannelMessage }.allSatisfy { read.meta(of: $0) == .text(.text, []) })
  }

  @Test func aFileIsThereWholeOrNotAtAll() throws {
    let folder = try TemporaryFolder()
    let file = MIDIFile(format: .single, division: .ticksPerQuarter(96), tracks: [MIDIFileTrack()])
    try file.write(at: folder.path("a.mid"), replaces: false)
    #expect(try MIDIFile.read(path: folder.path("a.mid")).file == file)
    #expect(throws: MIDIFileWriteError.file(.exists(path: folder.path("a.mid")))) {
      try file.write(at: folder.path("a.mid"), replaces: false)
    }
    try file.write(at: folder.path("a.mid"), replaces: true)
    #expect(throws: MIDIFileWriteError.file(.noFolder(path: folder.path("none/a.mid")))) {
      try file.write(at: folder.path("none/a.mid"), replaces: true)
    }
    #expect(try folder.names() == ["a.mid"])
  }
}
