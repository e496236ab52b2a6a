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
  #expect(plan.steps.contains(.clear(StripID(3, isDirectOut: true), buffer: 3)))
  #expect(try song.plan().directOuts.isEmpty)
}
