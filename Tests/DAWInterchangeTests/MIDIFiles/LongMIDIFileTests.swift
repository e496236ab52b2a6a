import DAWMedia
import DAWModel
import DAWStore
import DAWTestSupport
import DAWTime
import Testing

@testable import DAWInterchange

/// More notes and events than are brought in at a time.
@Suite("A long MIDI file")
struct LongMIDIFileTests {
  @Test("comes in whole, in one edit, and goes out as it was; undo and redo lead there and back")
  func wholeFile() throws {
    let songs = try SongFolder()
    var track = MIDIFileTrack()
    for number in 0..<18_000 {
      let (tick, pitch) = (Int64(number) * 10, 30 + number % 61)
      track.append(.controller, channel: 0, data1: number % 32 + 33, data2: number % 128, at: tick)
      track.append(.noteOn, channel: 0, data1: pitch, data2: 1 + number % 127, at: tick)
      track.append(.noteOn, channel: 0, data1: pitch, data2: 0, at: tick + 5)
    }
    let file = MIDIFile(format: .simultaneous, division: .ticksPerQuarter(480), tracks: [MIDIFileTrack(), track])
    let (session, result) = try songs.importing(file, as: "Long")
    defer { session.close() }
    #expect(result.noteCount == 18_000 && result.eventCount == 18_000)
    #expect(try session.read { try $0.entries(after: 0).count } == 1)
    let exported = try songs.exporting(session)
    #expect(exported.tracks.last?.events.filter { $0.isChannelMessage } == track.events)
    let origin = EditOrigin(author: "test", commandLine: "test")
    _ = try session.undo(1, origin: origin)
    #expect(try session.read { try $0.regions().isEmpty && $0.notes(NoteFilter()).isEmpty })
    _ = try session.redo(1, origin: origin)
    #expect(try songs.exporting(session) == exported)
    #expect(try session.read { try $0.brokenRules().isEmpty })
  }

  @Test("of two thousand songs comes in, and the project is not called damaged for it")
  func manySongs() throws {
    let songs = try SongFolder()
    var track = MIDIFileTrack()
    track.append(.noteOn, channel: 0, data1: 60, data2: 90, at: 0)
    track.append(.noteOff, channel: 0, data1: 60, data2: 64, at: 480)
    track.endTick = 480
    let tracks = Array(repeating: track, count: 2_000)
    let file = MIDIFile(format: .independent, division: .ticksPerQuarter(480), tracks: tracks)
    let (session, result) = try songs.importing(file, as: "Songs")
    defer { session.close() }
    #expect(result.tracks.count == 2_000 && result.noteCount == 2_000)
    let names = try session.read { try $0.tracks().filter { $0.trackType == .midi }.map(\.name) }
    #expect(names == result.tracks.map(\.name))
    // The first is the timeline's; each of the others has its own song, and only that.
    let exported = try songs.exporting(session).tracks.dropFirst()
    #expect(exported.count == 2_000)
    #expect(exported.allSatisfy { $0.events.filter(\.isChannelMessage).count == 2 })
  }

  @Test("of three thousand songs, each with its own tempo, meter and key, comes in as well")
  func manySongsWithMarks() throws {
    let songs = try SongFolder()
    var track = MIDIFileTrack()
    track.append(.tempo(microsecondsPerQuarter: 600_000), at: 0)
    track.append(.timeSignature(numerator: 4, denominator: 4), at: 0)
    track.append(.keySignature(sharps: 1, isMinor: false), at: 0)
    track.endTick = 1_920
    let tracks = Array(repeating: track, count: 3_000)
    let file = MIDIFile(format: .independent, division: .ticksPerQuarter(480), tracks: tracks)
    let (session, result) = try songs.importing(file, as: "Songs")
    defer { session.close() }
    #expect(result.hasTempoMap)
    let (map, keys) = try session.read { (try $0.tempoMap(), try $0.keySignatures()) }
    #expect(map.tempos.count == 3_000 && map.meters.count == 3_000 && keys.count == 3_000)
  }
}
