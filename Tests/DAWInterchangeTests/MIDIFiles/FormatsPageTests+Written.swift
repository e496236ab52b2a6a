import DAWMedia
import DAWModel
import DAWStore
import DAWTime
import Foundation
import Testing

@testable import DAWInterchange
@testable import DAWProject

/// The second table of `Documentation/Formats.md`: each row is measured, by a project with that alone changed.
extension FormatsPageTests {
  private struct Aspect: Sendable {
    var name: String
    var change: @Sendable (Editor) throws -> Void
  }

  private static func track(_ name: String, _ set: @escaping @Sendable (inout TrackChange) -> Void) -> Aspect {
    Aspect(name: name) { editor in
      var change = TrackChange()
      set(&change)
      _ = try editor.setTrack("Keys", change)
    }
  }

  private static func region(
    _ name: String, _ set: @escaping @Sendable (inout Change<Region>, inout RegionPlacement) throws -> Void
  ) -> Aspect {
    Aspect(name: name) { editor in
      var (change, placement) = (Change<Region>(), RegionPlacement())
      try set(&change, &placement)
      _ = try editor.setRegion("Part", change, placement)
    }
  }

  private static func marker(
    _ name: String, _ set: @escaping @Sendable (inout Change<Marker>, inout MarkerPlacement) throws -> Void
  ) -> Aspect {
    Aspect(name: name) { editor in
      var (change, placement) = (Change<Marker>(), MarkerPlacement())
      try set(&change, &placement)
      _ = try editor.setMarker("Verse", change, placement)
    }
  }

  private static func project(_ name: String, _ set: @escaping @Sendable (inout Change<ProjectSettings>) throws -> Void)
    -> Aspect
  {
    Aspect(name: name) { editor in
      var change = Change<ProjectSettings>()
      try set(&change)
      _ = try editor.setProject(change)
    }
  }

  private static let aspects: [Aspect] = [
    project("The project's name") { $0.set(\.name, to: try Name("Other")) },
    project("Its tempo") { $0.set(\.tempo, to: Tempo(bpm: 90)) },
    project("Its time signature") { $0.set(\.timeSignature, to: TimeSignature(3, over: 4)) },
    project("Its sample rate") { $0.set(\.sampleRate, to: SampleRate(hertz: 96_000)) },
    project("Its pan law") { $0.set(\.panLaw, to: .linearMinus6dB) },
    Aspect(name: "A key signature") { _ = try $0.addKey(Key(fifths: 2), at: .zero) },
    track("A MIDI track's name") { $0.name = "Other" }, track("Its place among the tracks") { $0.place = 2 },
    track("Its bank and program") { $0.program = 3 },
    track("Its volume, its instrument's gain") { $0.volume = .silence },
    track("Its pan") { $0.pan = Pan(position: -1) }, track("Its mute") { $0.isMuted = true },
    track("Its solo") { $0.isSolo = true },
    track("Its colour") { $0.color = Color(unchecked: "red") },
    track("Its reverb and chorus") { $0.instrument.hasReverb = true },
    track("Its MIDI output") { $0.midiOutput = .some("synth:0") },
    region("A region's place") { $1.start = .musical(TickPosition(ticks: 15_360)) },
    region("Its name") { change, _ in change.set(\.name, to: try Name("Other")) },
    region("Its colour") { change, _ in change.set(\.color, to: Color.blue) },
    region("Its mute") { change, _ in change.set(\.isMuted, to: true) },
    Aspect(name: "Where it is split") { _ = try $0.splitRegion("Part", at: .musical(TickPosition(ticks: 3 * 15_360))) },
    marker("A marker's name") { change, _ in change.set(\.name, to: try Name("Other")) },
    marker("Whether it is a cue") { change, _ in change.set(\.kind, to: .cue) },
    marker("Its length") {
      $1.length = .some(LengthExpression(ticks: { _, _ in TickCount(ticks: 9) }, flicks: { _, _ in .zero }))
    },
    marker("Its colour") { change, _ in change.set(\.color, to: Color.blue) },
    Aspect(name: "An audio track") { _ = try $0.addTrack(named: "Tape", TrackChange()) },
  ]

  /// Two MIDI tracks, one with a note, and a marker.
  private static func fill(_ editor: Editor) throws {
    var track = TrackChange()
    track.type = .midi
    _ = try editor.addTrack(named: "Keys", track)
    _ = try editor.addTrack(named: "Bass", track)
    var (change, placement) = (Change<Region>(), RegionPlacement())
    change.set(\.name, to: try Name("Part"))
    placement.length = LengthExpression(ticks: { _, _ in TickCount(ticks: 4 * 15_360) }, flicks: { _, _ in .zero })
    let region = try editor.addMIDIRegion(to: "Keys", change, placement)
    _ = try editor.addNotes(
      to: region, [NoteDraft(pitch: 60, start: .zero, duration: TickCount(ticks: 15_360))])
    _ = try editor.addMarker("Verse")
  }

  @Test("What the second table says is written is what a file differs by")
  func written() throws {
    let songs = try SongFolder()
    let song = try songs.project("Song") { try Self.fill($0) }
    defer { song.close() }
    let origin = EditOrigin(author: "test", commandLine: "test")
    let bytes = try song.exportMIDI(MIDIExportRequest()).bytes
    var lines = ["| in a project | in a file |", "|---|---|"]
    for aspect in Self.aspects {
      #expect(try song.edit(origin) { try aspect.change($0) }.entry != nil, "\(aspect.name)")
      let isWritten = try song.exportMIDI(MIDIExportRequest()).bytes != bytes
      lines.append("| \(aspect.name) | \(isWritten ? "written" : "not written") |")
      _ = try song.undo(1, origin: origin)
    }
    let page = try Self.page()
    #expect(page.contains(lines.joined(separator: "\n")), "The table should be:\n\(lines.joined(separator: "\n"))")
  }

  @Test("A program event that is there by a channel's first note is written, and the track's program is not")
  func precedence() throws {
    let songs = try SongFolder()
    for (at, programs) in [(0, [9]), (15_360, [9]), (15_361, [5, 9])] as [(Int64, [UInt8])] {
      let session = try songs.project("At \(at)") { editor in
        try Self.fill(editor)
        var change = TrackChange()
        change.program = 5
        _ = try editor.setTrack("Keys", change)
        let region = try editor.view.region(calledBy: "Part")
        var place = Change<MIDINote>()
        place.set(\.start, to: TickCount(ticks: 15_360))
        _ = try editor.setNotes([editor.view.notes(in: region.id)[0].id.uuidString], place)
        _ = try editor.addEvents(
          to: region, [EventDraft(start: TickCount(ticks: at), message: .program(9, bank: nil))])
      }
      defer { session.close() }
      let written = try songs.exporting(session).tracks.flatMap(\.events).filter { $0.message == .program }.map(\.data1)
      #expect(written == programs, "at \(at)")
    }
  }
}
