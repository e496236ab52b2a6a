import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import Foundation
import Testing

@testable import DAWInterchange

/// The table of `Documentation/Formats.md`: each row is measured, by a file with that event alone going in and out.
@Suite("The page of formats")
struct FormatsPageTests {
  private struct Row: Sendable {
    var name: String
    var tick: Int64 = 960
    var add: @Sendable (inout MIDIFileTrack, Int64) -> Void
  }

  private static func message(
    _ name: String, _ message: MIDIChannelMessage, _ data1: Int, _ data2: Int = 0, at tick: Int64 = 960
  ) -> Row {
    Row(name: name, tick: tick) { $0.append(message, channel: 3, data1: data1, data2: data2, at: $1) }
  }

  private static func meta(_ name: String, _ type: UInt8, _ body: [UInt8], at tick: Int64 = 960) -> Row {
    Row(name: name, tick: tick) { $0.append(metaType: type, payload: body, at: $1) }
  }

  private static let rows: [Row] = [
    Row(name: "Note with note-off and its velocity") { track, tick in
      track.append(.noteOn, channel: 3, data1: 60, data2: 100, at: tick)
      track.append(.noteOff, channel: 3, data1: 60, data2: 33, at: tick + 96)
    },
    Row(name: "Note that ends by velocity 0") { track, tick in
      track.append(.noteOn, channel: 3, data1: 60, data2: 100, at: tick)
      track.append(.noteOn, channel: 3, data1: 60, data2: 0, at: tick + 96)
    },
    message("Polyphonic pressure (An)", .polyPressure, 60, 5), message("Controller (Bn)", .controller, 64, 127),
    message("Program (Cn)", .program, 6),
    Row(name: "Program at the start", tick: 0) { track, tick in
      track.append(.program, channel: 3, data1: 5, at: tick)
      track.append(.noteOn, channel: 3, data1: 60, data2: 100, at: 96)
      track.append(.noteOn, channel: 3, data1: 60, data2: 0, at: 192)
    },
    Row(name: "Bank and program at the start", tick: 0) { track, tick in
      track.append(.controller, channel: 3, data1: 0, data2: 1, at: tick)
      track.append(.controller, channel: 3, data1: 32, data2: 2, at: tick)
      track.append(.program, channel: 3, data1: 5, at: tick)
      track.append(.noteOn, channel: 3, data1: 60, data2: 100, at: 96)
      track.append(.noteOn, channel: 3, data1: 60, data2: 0, at: 192)
    },
    message("Channel pressure (Dn)", .channelPressure, 77), message("Pitch bend (En)", .pitchBend, 1, 65),
    Row(name: "System exclusive (F0)") { $0.append(status: 0xf0, payload: [0x43, 1, 0xf7], at: $1) },
    Row(name: "System exclusive in parts (F0, F7)") { track, tick in
      track.append(status: 0xf0, payload: [0x43, 1], at: tick)
      track.append(status: 0xf7, payload: [2, 0xf7], at: tick + 10)
    },
    Row(name: "Escape (F7)") { $0.append(status: 0xf7, payload: [0xf3, 1], at: $1) },
    meta("Sequence number (FF 00)", 0x00, [0, 1]), meta("Text (FF 01)", 0x01, [65]),
    meta("Copyright (FF 02)", 0x02, [65]),
    meta("Track name (FF 03) at the start", 0x03, [65], at: 0), meta("Instrument name (FF 04)", 0x04, [65]),
    meta("Lyric (FF 05)", 0x05, [65]), meta("Marker (FF 06)", 0x06, [65]), meta("Cue point (FF 07)", 0x07, [65]),
    meta("Program name (FF 08)", 0x08, [65]), meta("Device name (FF 09)", 0x09, [65]),
    meta("Channel prefix (FF 20)", 0x20, [3]), meta("Port (FF 21)", 0x21, [1]),
    meta("Tempo (FF 51)", 0x51, [7, 0xa1, 0x21]), meta("SMPTE offset (FF 54)", 0x54, [0, 0, 0, 0, 0]),
    meta("Time signature (FF 58)", 0x58, [3, 2, 24, 8], at: 1_920), meta("Key signature (FF 59)", 0x59, [2, 0]),
    meta("Sequencer's own (FF 7F)", 0x7f, [0x43, 1]), meta("Any other meta event", 0x60, [1, 2, 3]),
  ]

  @Test("What the table says of each event is what happens to it")
  func table() throws {
    let songs = try SongFolder()
    var lines = ["| in a file | in a project | in a file again |", "|---|---|---|"]
    for (index, row) in Self.rows.enumerated() {
      var track = MIDIFileTrack()
      row.add(&track, row.tick)
      let file = MIDIFile(format: .simultaneous, division: .ticksPerQuarter(480), tracks: [MIDIFileTrack(), track])
      let (session, result) = try songs.importing(file, as: "Song \(index)")
      defer { session.close() }
      let again = try songs.exporting(session)
      let isThere = track.events.allSatisfy { event in
        again.tracks.contains { track in
          track.events.contains { Self.bytes($0, track) == Self.bytes(event, file.tracks[1]) && $0.tick == event.tick }
        }
      }
      lines.append(
        "| \(row.name) | \(try Self.place(of: result, in: session)) | \(isThere ? "the same" : "not written") |")
    }
    let page = try Self.page()
    #expect(page.contains(lines.joined(separator: "\n")), "The table should be:\n\(lines.joined(separator: "\n"))")
  }

  static func page() throws -> String {
    let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Documentation/Formats.md")
    return try String(contentsOf: url.standardized, encoding: .utf8)
  }

  private static func bytes(_ event: MIDIFileEvent, _ track: MIDIFileTrack) -> [UInt8] {
    [event.status, event.data1, event.data2] + track.payload(of: event)
  }

  private static func place(of result: ImportedMIDIFile, in session: Session) throws -> String {
    let instrument = try session.read { view in try result.tracks.last.flatMap { try view.instrument(of: $0.id) } }
    if instrument?.program == 5 { return "the track's instrument" }
    if result.noteCount > 0 { return "note" }
    if result.eventCount > 0 { return "event" }
    if result.markerCount > 0 { return "marker" }
    if result.hasTempoMap { return "timeline" }
    return result.tracks.isEmpty ? "nothing" : "the track's name"
  }
}
