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
