import DAWEngine
import Testing

@testable import DAWCompiler

@Test func everyTrackThatIsHeardHasABufferOfItsOwn() throws {
  var song = Song()
  for isMuted in [false, true, false] { song.addRegion(song.addTrack(channels: 1, isMuted: isMuted)) }
  var options = CompileOptions()
  options.hasDirectOuts = true
  let plan = try song.plan(options)
  #expect(plan.directOuts == [DirectOut(trackID: 1, buffer: 2), DirectOut(trackID: 3, buffer: 3)])
  #expect(plan.bufferCount == 4)
  #expect(plan.steps.contains(.clear(StripID(3, .directOut), buffer: 3)))
  #expect(try song.plan().directOuts.isEmpty)
}

@Test func aBusAndAStripWithoutAnOutputHaveDirectOutsToo() throws {
  var song = Song()
  let (track, bus) = (song.addTrack(channels: 2), song.addTrack(.bus))
  song.addRegion(track, file: 2)
  song.tracks[1].outputBus = bus
  let options = CompileOptions(hasDirectOuts: true)
  #expect(
    try song.plan(options).outline == ["=1000", "=2", "=1d", "1", "1>1d", "1d>2", "=2d", "2>2d", "2d>1000", "out"])
  song.tracks[1].outputBus = nil
  song.tracks[1].isOutputConnected = false
  #expect(try song.plan(options).outline == ["=1000", "=1d", "1", "1>1d", "out"])
  #expect(try song.plan().outline == ["=1000", "out"])
  song.tracks[1].isMuted = true
  #expect(try song.plan(options).directOuts.isEmpty)
}

@Test func aMutedMasterClosesAllDirectOuts() throws {
  var song = Song()
  song.addRegion(song.addTrack(channels: 1))
  song.tracks[0].isMuted = true
  #expect(try song.plan(CompileOptions(hasDirectOuts: true)).outline == ["=1000", "out"])
}
