import DAWEngine
import DAWModel
import Testing

@testable import DAWCompiler

@Test func theInputsOfArmedTracksAreHeardAsTheyAreSet() throws {
  var song = Song()
  let (vox, bus) = (song.addTrack(channels: 1), song.addTrack(.bus))
  song.tracks[1].outputBus = bus
  song.tracks[1].trim = Level(decibels: 3)
  let options = CompileOptions(hearsInputs: true)
  // It has no region.
  #expect(try song.plan(options).outline == ["=1000", "out"])
  song.tracks[1].isRecordEnabled = true
  song.tracks[1].input1 = "system:capture_1"
  #expect(try song.plan(options).outline == ["=1000", "=2", "1", "1?auto", "~1", "1>2", "2>1000", "out"])
  #expect(try song.plan().outline == ["=1000", "out"])
  song.tracks[1].monitor = .input
  #expect(try song.plan(options).outline.contains("1?input"))
  song.addRegion(vox)
  #expect(try song.plan(options).outline == ["=1000", "=2", "1", "1?input", "~1", "1>2", "2>1000", "out"])
  song.tracks[1].monitor = .off
  #expect(try song.plan(options).outline == ["=1000", "=2", "1", "~1", "1>2", "2>1000", "out"])
  song.tracks[1].monitor = .auto
  song.tracks[1].isMuted = true
  #expect(try song.plan(options).outline == ["=1000", "out"])
}

@Test func aStereoInputMakesTheStripStereo() throws {
  var song = Song()
  _ = song.addTrack()
  song.tracks[1].isRecordEnabled = true
  song.tracks[1].input1 = "a:1"
  func width() throws -> ChannelWidth? {
    try song.plan(CompileOptions(hearsInputs: true)).steps.lazy.compactMap {
      if case .monitor(_, _, _, let width) = $0 { width } else { nil }
    }.first
  }
  #expect(try width() == .mono)
  song.tracks[1].input2 = "a:2"
  #expect(try width() == .stereo)
  song.tracks[1].channelCount = 1
  #expect(try width() == .mono)
}
