import DAWMedia
import DAWModel
import DAWStore
import DAWTestSupport
import DAWTime
import Testing

@testable import DAWInterchange
@testable import DAWProject

@Suite("The tempo map of a MIDI file, where the project has marks already")
struct MIDITempoMapTests {
  private static let quarter: Int64 = 15_360

  /// A song of one note, of a bar of four quarters, with a tempo, a meter and a key at its start.
  private func song(microseconds: Int, meter: (Int, Int), sharps: Int) -> MIDIFileTrack {
    var track = MIDIFileTrack()
    track.append(.tempo(microsecondsPerQuarter: microseconds), at: 0)
    track.append(.timeSignature(numerator: meter.0, denominator: meter.1), at: 0)
    track.append(.keySignature(sharps: sharps, isMinor: false), at: 0)
    track.append(.noteOn, channel: 0, data1: 60, data2: 90, at: 0)
    track.append(.noteOff, channel: 0, data1: 60, data2: 64, at: 480)
    track.endTick = 1_920
    return track
  }

  @Test("A file that begins within a bar makes that bar a short one, also where its meter is a change of its own")
  func withinBarOfChange() throws {
    let songs = try SongFolder()
    let path = songs.folder.path("song.mid")
    let track = song(microseconds: 600_000, meter: (5, 8), sharps: 1)
    try MIDIFile(format: .simultaneous, division: .ticksPerQuarter(480), tracks: [track])
      .write(at: path, replaces: false)
    let project = try songs.project("Song") { editor in
      let change = MeterChange(id: try editor.newID(), bar: 3, timeSignature: TimeSignature(3, over: 4))
      try editor.apply(.add(change))
      var request = MIDIImportRequest(path: path)
      (request.start, request.takesTempoMap) = (TickPosition(ticks: 9 * Self.quarter), true)
      #expect(try editor.importMIDIFile(request).hasTempoMap)
    }
    defer { project.close() }
    let meters = try project.read { try $0.tempoMap().meters }
    #expect(meters.map(\.position.ticks) == [0, 8 * Self.quarter, 9 * Self.quarter])
    #expect(meters.map { "\($0.timeSignature)" } == ["4/4", "1/4", "5/8"])
  }

  @Test("What lies before a file stays where it is, in a ramp or at its end", arguments: [8, 12] as [Int64])
  func withinRamp(start: Int64) throws {
    let songs = try SongFolder()
    let path = songs.folder.path("song.mid")
    let track = song(microseconds: 600_000, meter: (4, 4), sharps: 1)
    try MIDIFile(format: .simultaneous, division: .ticksPerQuarter(480), tracks: [track])
      .write(at: path, replaces: false)
    var before: TempoMap?
    let project = try songs.project("Song") { editor in
      _ = try editor.addTempo(Tempo(bpm: 120), at: TickPosition(ticks: 4 * Self.quarter), isRamp: true)
      _ = try editor.addTempo(Tempo(bpm: 60), at: TickPosition(ticks: 12 * Self.quarter), isRamp: false)
      before = try editor.tempoMap()
      var request = MIDIImportRequest(path: path)
      (request.start, request.takesTempoMap) = (TickPosition(ticks: start * Self.quarter), true)
      #expect(try editor.importMIDIFile(request).hasTempoMap)
    }
    defer { project.close() }
    let (old, new) = (try #require(before), try project.read { try $0.tempoMap() })
    for quarter in 0...start {
      let place = TickPosition(ticks: quarter * Self.quarter)
      #expect(abs((new.flicks(at: place) - old.flicks(at: place)).flicks) <= 2, "\(quarter)")
    }
    #expect(new.tempos.last == TempoPoint(at: TickPosition(ticks: start * Self.quarter), Tempo(bpm: 100)))
  }

  @Test("Of two songs of format 2 that meet, the marks at the start of the second count")
  func meetingSongs() throws {
    let songs = try SongFolder()
    var first = song(microseconds: 500_000, meter: (4, 4), sharps: 0)
    first.append(.tempo(microsecondsPerQuarter: 400_000), at: 1_920)
    first.append(.timeSignature(numerator: 3, denominator: 4), at: 1_920)
    first.append(.keySignature(sharps: 2, isMinor: false), at: 1_920)
    let second = song(microseconds: 600_000, meter: (6, 8), sharps: 1)
    let file = MIDIFile(format: .independent, division: .ticksPerQuarter(480), tracks: [first, second])
    let (project, result) = try songs.importing(file, as: "Song")
    defer { project.close() }
    #expect(result.hasTempoMap && result.noteCount == 2)
    let (map, keys) = try project.read { (try $0.tempoMap(), try $0.keySignatures()) }
    #expect(map.tempos.map(\.position.ticks) == [0, 4 * Self.quarter])
    #expect(map.tempos.map(\.tempo) == [Tempo(bpm: 120), Tempo(bpm: 100)])
    #expect(map.meters.map(\.position.ticks) == [0, 4 * Self.quarter])
    #expect(map.meters.map { "\($0.timeSignature)" } == ["4/4", "6/8"])
    #expect(keys.map(\.position.ticks) == [0, 4 * Self.quarter] && keys.map(\.fifths) == [0, 1])
  }

  @Test("Behind a first song of format 2 without marks, those of the project end with the second")
  func songWithoutMarks() throws {
    let songs = try SongFolder()
    let path = songs.folder.path("song.mid")
    var first = MIDIFileTrack()
    first.append(.noteOn, channel: 0, data1: 60, data2: 90, at: 0)
    first.append(.noteOff, channel: 0, data1: 60, data2: 64, at: 480)
    first.endTick = 1_920
    let second = song(microseconds: 600_000, meter: (3, 4), sharps: 1)
    try MIDIFile(format: .independent, division: .ticksPerQuarter(480), tracks: [first, second])
      .write(at: path, replaces: false)
    let project = try songs.project("Song") { editor in
      _ = try editor.addTempo(Tempo(bpm: 90), at: TickPosition(ticks: 2 * Self.quarter), isRamp: false)
      _ = try editor.addTempo(Tempo(bpm: 60), at: TickPosition(ticks: 40 * Self.quarter), isRamp: false)
      _ = try editor.addMeter(TimeSignature(7, over: 8), atBar: 9)
      var request = MIDIImportRequest(path: path)
      request.takesTempoMap = true
      #expect(try editor.importMIDIFile(request).hasTempoMap)
    }
    defer { project.close() }
    let map = try project.read { try $0.tempoMap() }
    #expect(map.tempos.map(\.position.ticks) == [0, 2 * Self.quarter, 4 * Self.quarter])
    #expect(map.tempos.map(\.tempo) == [Tempo(bpm: 120), Tempo(bpm: 90), Tempo(bpm: 100)])
    #expect(map.meters.map { "\($0.timeSignature)" } == ["4/4", "3/4"])
  }

  @Test("Of two keys that a fine division puts at one tick, the later one counts")
  func meetingKeys() throws {
    let songs = try SongFolder()
    var track = song(microseconds: 500_000, meter: (4, 4), sharps: 0)
    track.append(.keySignature(sharps: 3, isMinor: true), at: 1)
    track.sort()
    let file = MIDIFile(format: .simultaneous, division: .ticksPerQuarter(32_767), tracks: [track])
    let (project, _) = try songs.importing(file, as: "Song")
    defer { project.close() }
    let keys = try project.read { try $0.keySignatures() }
    #expect(keys.map(\.fifths) == [3] && keys.map(\.isMinor) == [true])
  }
}
