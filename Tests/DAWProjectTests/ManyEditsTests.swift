import DAWModel
import DAWProject
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWStore

@Suite("Thousands of edits in one")
struct ManyEditsTests {
  private static func place(_ index: Int) -> TickPosition { TickPosition(ticks: Int64(index + 1) * 61_440) }

  private static let edits: [(name: String, perform: @Sendable (Editor, Int) throws -> Void)] = [
    (
      "add-tempo",
      { editor, index in
        _ = try editor.addTempo(Tempo(bpm: Int64(60 + index % 100)), at: place(index), isRamp: index.isMultiple(of: 3))
        #expect(try editor.tempoMap().tempos.count == index + 2)
      }
    ),
    (
      "add-meter",
      { editor, index in
        _ = try editor.addMeter(TimeSignature(3 + index % 2, over: 4), atBar: Int64(index + 2))
        #expect(try editor.tempoMap().meters.count == index + 2)
      }
    ),
    (
      "add-tempo and set-tempo",
      { editor, index in
        let tempo = Tempo(bpm: Int64(61 + index % 100))
        var change = Change<TempoChange>()
        change.set(\.tempo, to: tempo)
        try editor.setTempo(editor.addTempo(Tempo(bpm: 60), at: place(index), isRamp: true), change)
        #expect(try editor.tempoMap().tempos.last?.tempo == tempo)
      }
    ),
    (
      "add-meter and set-meter",
      { editor, index in
        let meter = TimeSignature(5 + index % 2, over: 4)
        var change = Change<MeterChange>()
        change.set(\.timeSignature, to: meter)
        try editor.setMeter(editor.addMeter(TimeSignature(3, over: 4), atBar: Int64(index + 2)), change)
        #expect(try editor.tempoMap().meters.last?.timeSignature == meter)
      }
    ),
    (
      "set-take",
      { editor, index in
        let track = try editor.view.track(calledBy: "Vox").id
        try editor.apply(.add(Take(id: editor.newID(), track: track, name: Name("Take \(index)"))))
        var change = TakeChange()
        change.rating = 1 + index % 5
        let take = try editor.setTake("Vox/Take \(index)", change)
        let entry = try editor.view.entry(of: take)
        #expect(entry.take.rating == 1 + index % 5 && entry.track.id == track && entry.shortID.count >= 6)
      }
    ),
    (
      "add-marker, and a position by it",
      { editor, index in
        _ = try editor.addMarker("Mark \(index)")
        let timeline = try Timeline(editor.view, playhead: Timeline.noPlayhead)
        #expect(try timeline.place(named: "Mark \(index)") == .musical(.zero))
      }
    ),
    (
      "add-region at the end",
      { editor, index in
        let timeline = try Timeline(editor.view, playhead: Timeline.noPlayhead)
        var placement = RegionPlacement()
        placement.start = try timeline.place(named: "end")
        let region = try editor.addMIDIRegion(to: "Vox", Change(), placement)
        #expect(try editor.view.end() == region.endFlicks(in: timeline.tempoMap))
      }
    ),
    (
      "add-point",
      { editor, index in
        let point = PointDraft(position: .musical(place(index)), value: .number(-6))
        let (entry, _) = try editor.addPoints(LaneReference("Vox", "volume"), [point])
        #expect(entry.pointCount == index + 1 && !entry.isSilent)
      }
    ),
    (
      "add-comment",
      { editor, index in
        let comment = try editor.addComment("Comment \(index)", track: "Vox")
        #expect(try editor.view.commentEntry(of: comment).track?.name.text == "Vox")
      }
    ),
    (
      "add-effect and set-effect",
      { editor, index in
        let strip = "Strip \(index / 20)"
        if index.isMultiple(of: 20) { _ = try editor.addTrack(named: strip) }
        let name = try editor.addEffect(.eq, to: strip, presets: EffectPresets()).entry.name
        var change = EffectChange()
        change.isBypassed = true
        let edit = try editor.setEffect(name, change, presets: EffectPresets())
        #expect(edit.entry.name == name && edit.entry.effect.isBypassed)
      }
    ),
    (
      "add-group and set-group",
      { editor, index in
        let group = try editor.addGroup(named: "Group \(index)")
        var change = Change<TrackGroup>()
        change.set(\.isMuted, to: true)
        #expect(try editor.setGroup("group \(index)", change).id == group.id)
        #expect(try editor.view.group(calledBy: group.id.uuidString).isMuted)
      }
    ),
    (
      "split-region",
      { editor, index in
        let parts = try editor.splitRegion("Vox/Long", at: .musical(place(2_000 - index)))
        #expect(parts.right.name.text == "Long \(index + 2)")
      }
    ),
  ]

  @Test("Each takes about as many steps as the one before it", arguments: edits.map { $0.name })
  func steps(name: String) throws {
    let perform = try #require(Self.edits.first { $0.name == name }).perform
    let (few, many) = (try steps(of: 100, perform), try steps(of: 800, perform))
    #expect(many < 12 * few, "\(few) steps for 100, \(many) for 800")
  }

  /// The steps that SQLite takes for so many commands in one edit.
  private func steps(of count: Int, _ perform: (Editor, Int) throws -> Void) throws -> Int {
    let folder = try TemporaryFolder()
    let origin = EditOrigin(author: "test", commandLine: "test")
    let session = try Session.create(
      ProjectFolder(path: folder.path("Song.daw")), settings: ProjectSettings(name: Name("Song")), origin: origin)
    defer { session.close() }
    _ = try session.edit(origin) { editor in
      var setup = TrackSetup()
      setup.type = .midi
      let track = try editor.addTrack(named: "Vox", Change(), setup).id
      try editor.apply(
        .add(
          Region(
            id: RegionID(rawValue: 1), track: track, name: Name(literal: "Long"), start: .musical(.zero),
            content: .midi(TickCount(ticks: 3_000 * 61_440)))))
    }
    var steps = 0
    _ = try session.edit(origin) { editor in
      for index in 0..<count {
        editor.beginCommand()
        try perform(editor, index)
      }
      steps = session.store.connectionGuard.budget.taken
    }
    return steps
  }
}
