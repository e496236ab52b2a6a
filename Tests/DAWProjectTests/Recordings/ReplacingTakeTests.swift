import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTime
import Foundation
import Testing

@Suite("Takes of audio tracks, put over what is there")
struct ReplacingTakeTests {
  private let song: RecordedProject

  init() throws { song = try RecordedProject() }

  /// Puts the recording of a title into the project.
  private func finish(_ title: String, over: TakePlacement.Over) throws {
    let place = Place(root: song.folder.path, ["Audio", "Recordings"])
    let folder = try RecordingFolder(
      opening: place.appending(try #require(place.open().names().first { $0.hasSuffix(title) })))
    var placement = TakePlacement()
    placement.over = over
    _ = try song.session.finish(folder.finish(endTime: 1_795_357_390_000), in: folder, placement)
  }

  /// Those in use: whether they are of a take, and where they lie, in frames.
  private func regions() throws -> [Sounding] {
    let regions = try song.session.read { try $0.regions(RegionFilter(track: song.track)) }
    return regions.filter(\.isInUse).compactMap { region in
      guard case .absolute(let start) = region.start, let span = region.audio else { return nil }
      let (from, to) = (start.seconds * 48_000, (start + span.duration).seconds * 48_000)
      return Sounding(isOfTake: region.take != nil, start: Int64(from.rounded()), end: Int64(to.rounded()))
    }.sorted { $0.start < $1.start }
  }

  private struct Sounding: Equatable {
    var isOfTake: Bool
    var start: Int64
    var end: Int64
  }

  @Test("What lies before and behind a take that replaces stays, recovered or not", arguments: [false, true])
  func middle(isRecovered: Bool) throws {
    try song.record(7, title: "First")
    _ = try song.session.edit(song.origin) { editor in
      var placement = RegionPlacement()
      placement.take = .some(nil)
      let region = try #require(editor.view.regions(RegionFilter(track: song.track)).first)
      _ = try editor.setRegion("id:\(region.id.uuidString)", Change(), placement)
    }
    #expect(try regions() == [Sounding(isOfTake: false, start: 0, end: 48_000)])
    try song.record(8, title: "Second", isRecovered: isRecovered, pieces: [(at: 12_000, frames: 24_000)]) {
      $0.replacesOthers = true
    }
    if !isRecovered { try finish("Second", over: .replace) }
    #expect(
      try regions() == [
        Sounding(isOfTake: false, start: 0, end: 12_000), Sounding(isOfTake: true, start: 12_000, end: 36_000),
        Sounding(isOfTake: false, start: 36_000, end: 48_000),
      ])
  }

  @Test("The edges that a take cuts fade in 3 ms, at most half of what is left; a fade that is cut early goes on")
  func edges() throws {
    try song.record(7, title: "First")
    _ = try song.session.edit(song.origin) { editor in
      var placement = RegionPlacement()
      placement.take = .some(nil)
      let region = try #require(editor.view.regions(RegionFilter(track: song.track)).first)
      _ = try editor.setRegion("id:\(region.id.uuidString)", Change(), placement)
    }
    func rest(_ regions: [Region]) -> [Region] { regions.filter { $0.isInUse && $0.take == nil } }
    func fades() throws -> [[Fade]] {
      let regions = try song.session.read { try $0.regions(RegionFilter(track: song.track)) }
      return rest(regions).map { [$0.fadeIn, $0.fadeOut] }
    }
    let edge = Fade(length: .milliseconds(3))
    // 2 ms are left behind the take. Its first piece makes an edge that its second one cuts away.
    try song.record(8, title: "Second", isRecovered: false, pieces: [(36_000, 11_904), (24_000, 12_000)])
    try finish("Second", over: .replace)
    #expect(try fades() == [[Fade.none, edge], [Fade(length: .milliseconds(1)), Fade.none]])
    // A fade was set, and its first quarter is cut off.
    _ = try song.session.edit(song.origin) { editor in
      var region = try #require(rest(editor.view.regions(RegionFilter(track: song.track))).first)
      region.fadeIn = Fade(length: .milliseconds(400), shape: .sCurve)
      try editor.apply(.set(region))
    }
    try song.record(9, title: "Third", isRecovered: false, pieces: [(0, 4_800)])
    try finish("Third", over: .replace)
    #expect(try fades().first == [Fade(length: .milliseconds(300), shape: .sCurve), edge])
  }

  @Test("A recovered take that was not to be heard is not in use")
  func unheard() throws {
    try song.record(7) { $0.isHeard = false }
    #expect(try regions().isEmpty)
    #expect(try song.session.read { try $0.regions(RegionFilter(track: song.track)).count } == 1)
  }

  @Test("Where a pass went back, what was played last sounds", arguments: [TakePlacement.Over.mix, .replace])
  func locatedBack(over: TakePlacement.Over) throws {
    let pieces: [(at: Int64, frames: Int)] = [(0, 20_000), (5_000, 5_000), (30_000, 4_000), (29_000, 2_000)]
    try song.record(7, title: "Back", isRecovered: false, pieces: pieces)
    try finish("Back", over: over)
    let ends: [(Int64, Int64)] = [
      (0, 5_000), (5_000, 10_000), (10_000, 20_000), (29_000, 31_000), (31_000, 34_000),
    ]
    #expect(try regions() == ends.map { Sounding(isOfTake: true, start: $0.0, end: $0.1) })
  }
}
