import DAWModel
import DAWProject
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWStore

@Suite("Thousands of references")
struct ManyReferencesTests {
  @Test("Markers and comments are removed by their ids, and the project is not called damaged for it")
  func marks() throws {
    let folder = try TemporaryFolder()
    let origin = EditOrigin(author: "test", commandLine: "test")
    let session = try Session.create(
      ProjectFolder(path: folder.path("Song.daw")), settings: ProjectSettings(name: Name("Song")), origin: origin)
    defer { session.close() }
    let numbers = Int64(1)...3_000
    _ = try session.edit(origin) { editor in
      let track = try editor.addTrack(named: "Vox").id
      for number in numbers {
        try editor.apply(
          .add(Marker(id: MarkerID(rawValue: number), name: Name(literal: "Verse"), start: .musical(.zero))))
        try editor.apply(
          .add(
            Comment(
              id: CommentID(rawValue: number), track: track, author: "test",
              date: Timestamp(milliseconds: 1_800_000_000_000), text: "word")))
      }
    }
    let markers = numbers.map { MarkerID(rawValue: $0).uuidString } + ["@id:00000b"]
    let removed = try session.edit(origin) { try $0.removeMarkers(markers) }
    #expect(removed.value.count == 3_000)
    let comments = numbers.map { CommentID(rawValue: $0).uuidString } + ["00000b", "id:00000B"]
    #expect(try session.edit(origin) { try $0.removeComments(comments) }.value.count == 3_000)
    #expect(try session.read { try $0.markers().isEmpty && $0.all(Comment.self).isEmpty })
  }

  @Test("Notes are removed by the ends of their ids, and the project is not called damaged for it")
  func notes() throws {
    let folder = try TemporaryFolder()
    let origin = EditOrigin(author: "test", commandLine: "test")
    let session = try Session.create(
      ProjectFolder(path: folder.path("Song.daw")), settings: ProjectSettings(name: Name("Song")), origin: origin)
    defer { session.close() }
    let numbers = Int64(1)...6_000
    _ = try session.edit(origin) { editor in
      var setup = TrackSetup()
      setup.type = .midi
      let track = try editor.addTrack(named: "Keys", Change(), setup).id
      let region = RegionID(rawValue: 1)
      try editor.apply(
        .add(
          Region(
            id: region, track: track, name: Name(literal: "Verse"), start: .musical(.zero),
            content: .midi(TickCount(ticks: 10_000)))))
      try editor.apply(
        .add(
          numbers.map {
            MIDINote(
              id: NoteID(rawValue: $0), region: region, start: TickCount(ticks: $0), duration: TickCount(ticks: 10))
          }))
    }
    let ends = numbers.map { String(NoteID(rawValue: $0).uuidString.suffix(8)) } + ["id:00000B"]
    let removed = try session.edit(origin) { try $0.removeNotes(ends) }
    #expect(removed.value.map(\.id.rawValue) == Array(numbers))
    #expect(throws: (any Error).self) { try session.edit(origin) { try $0.removeNotes(["00000b", "00000c"]) } }
  }

  private typealias Removal = (
    name: String, add: @Sendable (Editor, Int) throws -> String, remove: @Sendable (Editor, [String]) throws -> Int
  )

  /// Each adds a row and returns what names it, and removes those that are named.
  private static let removals: [Removal] = [
    (
      "effects",
      { editor, index in
        let strip = "Strip \(index / 20)"
        if index.isMultiple(of: 20) { _ = try editor.addTrack(named: strip) }
        return try editor.addEffect(.eq, to: strip, presets: EffectPresets()).entry.name
      }, { try $0.removeEffects($1).count }
    ),
    (
      "markers",
      { editor, index in String(try editor.addMarker("Mark \(index)").id.uuidString.suffix(12)) },
      { try $0.removeMarkers($1).count }
    ),
    (
      "regions",
      { editor, index in
        if index == 0 {
          var setup = TrackSetup()
          setup.type = .midi
          _ = try editor.addTrack(named: "Keys", Change(), setup)
        }
        return String(try editor.addMIDIRegion(to: "Keys").id.uuidString.suffix(12))
      }, { try $0.removeRegions($1).count }
    ),
    (
      "tempos",
      { editor, index in
        let position = TickPosition(ticks: Int64(index + 1) * 61_440)
        _ = try editor.addTempo(Tempo(bpm: 90), at: position, isRamp: false)
        return "\(position.ticks)"
      },
      { editor, places in
        let marks = try places.compactMap { place in
          try editor.view.tempoChange(at: TickPosition(ticks: Int64(place) ?? 0))
        }
        try editor.removeTempos(marks)
        return marks.count
      }
    ),
    (
      "keys",
      { editor, index in
        try editor.addKey(Key(fifths: 1), at: TickPosition(ticks: Int64(index) * 61_440)).id.uuidString
      },
      { editor, ids in
        let marks = try ids.map(editor.view.keySignature(withID:))
        try editor.removeKeys(marks)
        return marks.count
      }
    ),
  ]

  @Test("Each of many is looked for in about as many steps", arguments: removals.map { $0.name })
  func steps(name: String) throws {
    let removal = try #require(Self.removals.first { $0.name == name })
    let (few, many) = (try steps(of: 60, removal), try steps(of: 600, removal))
    // Counted in thousands; to look for each among all would take a hundred times as many.
    #expect(many < 40 * few, "\(few) steps for 60, \(many) for 600")
  }

  /// The steps that SQLite takes to remove so many rows.
  private func steps(of count: Int, _ removal: Removal) throws -> Int {
    let folder = try TemporaryFolder()
    let origin = EditOrigin(author: "test", commandLine: "test")
    let session = try Session.create(
      ProjectFolder(path: folder.path("Song.daw")), settings: ProjectSettings(name: Name("Song")), origin: origin)
    defer { session.close() }
    let names = try session.edit(origin) { editor in try (0..<count).map { try removal.add(editor, $0) } }.value
    var steps = 0
    _ = try session.edit(origin) { editor in
      let removed = try removal.remove(editor, names)
      #expect(removed == count)
      steps = session.store.connectionGuard.budget.taken
    }
    return steps
  }

  @Test("A marker or region whose name looks like the end of an id is removed by its name")
  func names() throws {
    let folder = try TemporaryFolder()
    let origin = EditOrigin(author: "test", commandLine: "test")
    let session = try Session.create(
      ProjectFolder(path: folder.path("Song.daw")), settings: ProjectSettings(name: Name("Song")), origin: origin)
    defer { session.close() }
    _ = try session.edit(origin) { editor in
      var setup = TrackSetup()
      setup.type = .midi
      let track = try editor.addTrack(named: "Keys", Change(), setup).id
      for (number, text) in [(Int64(11), "Verse"), (12, "00000b"), (13, "id:b")] {
        let name = try Name(ofItem: text)
        try editor.apply(.add(Marker(id: MarkerID(rawValue: number), name: name, start: .musical(.zero))))
        try editor.apply(
          .add(
            Region(
              id: RegionID(rawValue: number), track: track, name: name, start: .musical(.zero),
              content: .midi(TickCount(ticks: 10)))))
      }
      #expect(try editor.removeMarkers(["00000b", "id:b"]).map(\.id.rawValue) == [12, 13])
      #expect(try editor.removeRegions(["00000b", "id:b"]).map(\.id.rawValue) == [12, 13])
      #expect(try editor.removeMarkers(["00000b", "id:00000b"]).map(\.id.rawValue) == [11])
      #expect(try editor.removeRegions(["00000b", "Verse"]).map(\.id.rawValue) == [11])
    }
  }
}
