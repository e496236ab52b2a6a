import DAWEngine
import DAWModel
import DAWTime
import Testing

@testable import DAWCompiler

@Test func regionsThatAreNotInUseAreSilentAndOverlapNothing() throws {
  var song = Song()
  let track = song.addTrack(channels: 1)
  song.tracks[1].overlap = .crossfade
  song.addRegion(track, duration: 2 * FlickCount.perSecond)
  let alone = try song.plan()
  song.addRegion(track, start: FlickCount.perSecond, duration: 4 * FlickCount.perSecond)
  let crossfaded = try song.plan()
  #expect(crossfaded.regions.count == 2 && crossfaded.regions[0].gain != alone.regions[0].gain)
  song.regions[1].isInUse = false
  let plan = try song.plan()
  #expect(plan.regions == alone.regions)
  // Unlike muted ones, they do not make the project longer.
  #expect(plan.endFrame == alone.endFrame)
  song.regions[0].isInUse = false
  #expect(try song.plan().regions.isEmpty && song.plan().endFrame == 0)
}

@Test func notesOfRegionsThatAreNotInUseAreNotPlayed() throws {
  var song = Song()
  let track = song.addTrack(.midi)
  song.addNotes(track, [(60, 0, 15_360, 80)])
  song.addNotes(track, [(62, 0, 15_360, 80)])
  let all = try song.plan(CompileOptions(hasPorts: true))
  #expect(all.instruments.first?.plan.events.count == 4)
  song.regions[1].isInUse = false
  let plan = try song.plan(CompileOptions(hasPorts: true))
  #expect(plan.instruments.first?.plan.events.map(\.data1) == [60, 60])
  #expect(plan.ports.first?.sequence != all.ports.first?.sequence)
}

@Test("A comp's seam has its own crossfade alone, also on a track that crossfades", arguments: TimeBase.allCases)
func aSeamIsCrossfadedOnce(timeBase: TimeBase) throws {
  var song = Song()
  let track = song.addTrack(channels: 1)
  for _ in 0..<2 { song.addRegion(track, duration: 4 * FlickCount.perSecond) }
  let map = try song.project.tempoMap
  for index in song.regions.indices {
    song.regions[index].take = TakeID(rawValue: Int64(index + 1))
    song.regions[index].isInUse = index == 0
    if timeBase == .musical { song.regions[index].start = .musical(.zero) }
  }
  let range = FlickPosition(flicks: FlickCount.perSecond)..<FlickPosition(flicks: 2 * FlickCount.perSecond + 12_345)
  let lengths = Dictionary(
    song.regions.compactMap { $0.audio.map { ($0.file, FlickCount(flicks: 10 * FlickCount.perSecond)) } }
  ) { a, _ in a }
  let parts = try #require(Comp(song.regions, in: map, fileLengths: lengths).using(TakeID(rawValue: 2), in: range))
  song.regions = parts.enumerated().map { index, part in
    var region = part.region
    region.id = RegionID(rawValue: 1_000 + Int64(index))
    return region
  }
  let heard = song.regions.filter(\.isInUse)
  #expect(heard.count == 3)
  #expect(heard.contains { $0.fadeIn.length > .zero } && heard.contains { $0.fadeOut.length > .zero })
  let summed = try song.plan()
  song.tracks[1].overlap = .crossfade
  #expect(try song.plan().regions == summed.regions)
  // Without its fades it is an overlap like any other.
  for index in song.regions.indices { (song.regions[index].fadeIn, song.regions[index].fadeOut) = (.none, .none) }
  let bare = try song.plan()
  song.tracks[1].overlap = .sum
  #expect(try song.plan().regions != bare.regions)
}
