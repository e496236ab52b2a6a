import DAWMedia
import DAWModel
import DAWStore
import DAWTestSupport
import DAWTime
import Testing

@testable import DAWInterchange
@testable import DAWProject

@Suite("A MIDI file that comes onto a track that is there")
struct MIDIImportTrackTests {
  @Test("keeps its bank and program as events, unless the track has that sound", arguments: [5, 7])
  func sound(programOfTrack: Int) throws {
    let songs = try SongFolder()
    let path = songs.folder.path("song.mid")
    var track = MIDIFileTrack()
    track.append(.controller, channel: 2, data1: 0, data2: 1, at: 0)
    track.append(.controller, channel: 2, data1: 32, data2: 0, at: 0)
    track.append(.program, channel: 2, data1: 5, at: 0)
    track.append(.noteOn, channel: 2, data1: 60, data2: 90, at: 0)
    track.append(.noteOff, channel: 2, data1: 60, data2: 64, at: 480)
    try MIDIFile(format: .simultaneous, division: .ticksPerQuarter(480), tracks: [track])
      .write(at: path, replaces: false)
    let project = try songs.project("Song") { editor in
      var setup = TrackSetup()
      setup.type = .midi
      setup.instrument.set(\.bank, to: 128)
      setup.instrument.set(\.program, to: programOfTrack)
      _ = try editor.addTrack(named: "Keys", Change(), setup)
      var request = MIDIImportRequest(path: path)
      request.track = "Keys"
      _ = try editor.importMIDIFile(request)
    }
    defer { project.close() }
    let messages = try project.read { view in
      try view.regions().flatMap { try view.events(in: $0.id) }.map(\.message)
    }
    let sound: [RegionEvent.Message] = [
      .controller(number: 0, value: 1), .controller(number: 32, value: 0), .program(5),
    ]
    #expect(messages == (programOfTrack == 5 ? [] : sound))
  }

  @Test("keeps its program as an event behind a region that has selected another one, also within one file")
  func soundBehindAnother() throws {
    let songs = try SongFolder()
    func song(program: Int) -> MIDIFileTrack {
      var track = MIDIFileTrack()
      track.append(.program, channel: 0, data1: program, at: 0)
      track.append(.noteOn, channel: 0, data1: 60, data2: 90, at: 0)
      track.append(.noteOff, channel: 0, data1: 60, data2: 64, at: 480)
      track.endTick = 1_920
      return track
    }
    func messages(of session: Session) throws -> [[RegionEvent.Message]] {
      try session.read { view in try view.regions().map { try view.events(in: $0.id).map(\.message) } }
    }
    let programs = [5, 40, 5]
    let whole = songs.folder.path("whole.mid")
    try MIDIFile(format: .independent, division: .ticksPerQuarter(480), tracks: programs.map(song))
      .write(at: whole, replaces: false)
    let first = try songs.project("First") { editor in
      var request = MIDIImportRequest(path: whole)
      request.track = "Keys"
      _ = try editor.importMIDIFile(request)
    }
    defer { first.close() }
    #expect(try messages(of: first) == [[], [.program(40)], [.program(5)]])
    #expect(try first.read { try $0.regions().map(\.name.text) } == ["whole", "whole 2", "whole 3"])

    let second = try songs.project("Second") { editor in
      for (index, program) in programs.enumerated() {
        let path = songs.folder.path("\(index).mid")
        try MIDIFile(format: .simultaneous, division: .ticksPerQuarter(480), tracks: [song(program: program)])
          .write(at: path, replaces: false)
        var request = MIDIImportRequest(path: path)
        (request.start, request.track) = (TickPosition(ticks: Int64(index) * 61_440), "Keys")
        _ = try editor.importMIDIFile(request)
      }
    }
    defer { second.close() }
    #expect(try messages(of: second) == messages(of: first))
  }
}
