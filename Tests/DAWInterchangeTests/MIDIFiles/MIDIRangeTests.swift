import DAWMedia
import DAWModel
import DAWStore
import DAWTestSupport
import DAWTime
import Testing

@testable import DAWInterchange
@testable import DAWProject

@Suite("A MIDI file of a range, or of format 0")
struct MIDIRangeTests {
  private static let quarter: Int64 = 15_360

  /// What a file of everything from the third quarter on begins with, as the bytes of each message.
  private func start(after messages: [RegionEvent.Message], bank: Int? = nil) throws -> [[UInt8]] {
    let songs = try SongFolder()
    let project = try songs.project("Song") { editor in
      var setup = TrackSetup()
      setup.type = .midi
      setup.instrument.set(\.bank, to: bank)
      let track = try editor.addTrack(named: "Keys", Change(), setup)
      let region = try Region(
        id: editor.newID(), track: track.id, name: Name("Notes"), start: .musical(.zero),
        content: .midi(TickCount(ticks: 4 * Self.quarter)))
      try editor.apply(.add(region))
      try editor.apply(
        .add(MIDINote(id: editor.newID(), region: region.id, duration: TickCount(ticks: Self.quarter))))
      for (index, message) in messages.enumerated() {
        try editor.apply(
          .add(
            RegionEvent(
              id: try editor.newID(), region: region.id, start: TickCount(ticks: Int64(index)), channel: 0,
              message: message)))
      }
    }
    defer { project.close() }
    var request = MIDIExportRequest()
    request.from = TickPosition(ticks: 2 * Self.quarter)
    let file = try MIDIFile.read(project.exportMIDI(request).bytes).file
    return try #require(file.tracks.last).events.filter(\.isChannelMessage).map { event in
      [event.status, event.data1] + (event.status & 0xe0 == 0xc0 ? [] : [event.data2])
    }
  }

  @Test("Tracks that share a channel are said to be one in format 0, and in no other", arguments: [(0, 0), (0, 1)])
  func sharedChannel(first: Int, second: Int) throws {
    let songs = try SongFolder()
    let project = try songs.project("Song") { editor in
      for (number, channel) in [first, second].enumerated() {
        var setup = TrackSetup()
        setup.type = .midi
        setup.instrument.set(\.program, to: 40 * number)
        let track = try editor.addTrack(named: "Track \(number)", Change(), setup)
        let length = TickCount(ticks: Self.quarter)
        let region = try Region(
          id: editor.newID(), track: track.id, name: Name("Notes"), start: .musical(.zero), content: .midi(length))
        try editor.apply(.add(region))
        try editor.apply(.add(MIDINote(id: editor.newID(), region: region.id, duration: length, channel: channel)))
      }
    }
    defer { project.close() }
    var repeated = MIDIExportRequest()
    repeated.tracks = ["Track 1", "track 1"]
    #expect(try project.exportMIDI(repeated).tracks == ["Track 1"])
    for format in [0, 1] {
      var request = MIDIExportRequest()
      request.format = format
      let found = try project.exportMIDI(request).warnings.contains { $0.hasPrefix("Channel 1 of more than one track") }
      #expect(found == (format == 0 && first == second))
    }
  }

  @Test("Without an end, markers and changes of tempo behind the last region are in it")
  func marksBehindTheEnd() throws {
    let songs = try SongFolder()
    let project = try songs.project("Song") { editor in
      var setup = TrackSetup()
      setup.type = .midi
      let track = try editor.addTrack(named: "Keys", Change(), setup)
      let region = try Region(
        id: editor.newID(), track: track.id, name: Name("Notes"), start: .musical(.zero),
        content: .midi(TickCount(ticks: 4 * Self.quarter)))
      try editor.apply(.add(region))
      _ = try editor.addTempo(Tempo(bpm: 100), at: TickPosition(ticks: 10 * Self.quarter), isRamp: false)
      try editor.apply(
        .add(
          Marker(
            id: try editor.newID(of: Marker.self), name: Name("Coda"), kind: .marker,
            start: .musical(TickPosition(ticks: 8 * Self.quarter)))))
    }
    defer { project.close() }
    for start in [2, 6] as [Int64] {
      var request = MIDIExportRequest()
      request.from = TickPosition(ticks: start * Self.quarter)
      let conductor = try #require(MIDIFile.read(project.exportMIDI(request).bytes).file.tracks.first)
      func tick(of wanted: MIDIFileMeta) -> Int64? {
        conductor.events.first { conductor.meta(of: $0) == wanted }?.tick
      }
      #expect(tick(of: .text(.marker, Array("Coda".utf8))) == (8 - start) * 480)
      #expect(tick(of: .tempo(microsecondsPerQuarter: 600_000)) == (10 - start) * 480)
    }
  }

  @Test("What a reset of all controllers has ended does not hold again")
  func reset() throws {
    let found = try start(after: [
      .controller(number: 64, value: 127), .controller(number: 7, value: 90), .pitchBend(4_096),
      .controller(number: 121, value: 0), .controller(number: 11, value: 80), .controller(number: 121, value: 0),
      .controller(number: 1, value: 5),
    ])
    // Volume is not reset, and what comes before the last reset is ended by it.
    #expect(
      found == [
        [0xb0, 64, 127], [0xb0, 7, 90], [0xe0, 0, 96], [0xb0, 11, 80], [0xb0, 121, 0], [0xb0, 1, 5],
      ])
  }

  @Test("A value that was for no parameter, since a reset had ended the choice of one, stays for none")
  func resetParameters() throws {
    let messages: [(UInt8, UInt8)] = [(121, 0), (101, 0), (100, 0), (6, 12), (121, 0), (6, 2), (121, 0)]
    let found = try start(after: messages.map { .controller(number: Int($0.0), value: Int($0.1)) })
    #expect(found == messages.map { [0xb0, $0.0, $0.1] })
  }

  @Test("A program keeps its bank where another is selected for the next one, or none with it")
  func banks() throws {
    let found = try start(after: [
      .controller(number: 32, value: 4), .program(1, bank: 3 << 7), .controller(number: 0, value: 1), .program(5),
      .program(6), .controller(number: 0, value: 2),
    ])
    #expect(found == [[0xb0, 0, 1], [0xb0, 32, 0], [0xc0, 6], [0xb0, 0, 2]])
  }

  @Test("A program is of the track's bank where none was selected")
  func bankOfTheTrack() throws {
    // The first stands behind the first note.
    let found = try start(after: [.controller(number: 7, value: 90), .program(6)], bank: 8 << 7)
    #expect(found == [[0xb0, 7, 90], [0xb0, 0, 8], [0xb0, 32, 0], [0xc0, 6]])
    let before = try start(after: [.controller(number: 7, value: 90)], bank: 8 << 7)
    #expect(before == [[0xb0, 0, 8], [0xb0, 32, 0], [0xc0, 0], [0xb0, 7, 90]])
  }

  @Test(
    "The track's program is channel 10's where its drum kit is that one",
    arguments: [([9], 0, [9]), ([0, 9], 0, [0]), ([0, 9], 128, [0, 9])])
  func drumKit(channels: [Int], bank: Int, programs: [UInt8]) throws {
    let songs = try SongFolder()
    let project = try songs.project("Song") { editor in
      var setup = TrackSetup()
      setup.type = .midi
      setup.instrument.set(\.bank, to: bank)
      setup.instrument.set(\.program, to: 40)
      let track = try editor.addTrack(named: "Keys", Change(), setup)
      for (index, channel) in channels.enumerated() {
        // Each region is muted, and the last is on channel 10.
        let region = try Region(
          id: editor.newID(), track: track.id, name: Name(freely: "Part \(index)", orElse: Name("Notes")),
          start: .musical(TickPosition(ticks: Int64(index) * Self.quarter)),
          content: .midi(TickCount(ticks: Self.quarter)), isMuted: true)
        try editor.apply(.add(region))
        let length = TickCount(ticks: Self.quarter)
        try editor.apply(.add(MIDINote(id: editor.newID(), region: region.id, duration: length, channel: channel)))
      }
    }
    defer { project.close() }
    for start in 0..<channels.count {
      var request = MIDIExportRequest()
      request.from = TickPosition(ticks: Int64(start) * Self.quarter)
      let events = try #require(MIDIFile.read(project.exportMIDI(request).bytes).file.tracks.last).events
      let found = events.filter { $0.status & 0xf0 == 0xc0 }
      #expect(found.map { $0.status & 0x0f } == programs.filter { start == 0 || $0 == 9 })
      #expect(found.allSatisfy { $0.data1 == 40 })
    }
  }
}
