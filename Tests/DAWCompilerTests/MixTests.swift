import DAWEngine
import DAWModel
import DAWTime
import Foundation
import Testing

@testable import DAWCompiler

@Test func aMonoTrackInTheMiddleIsMultipliedByTheRootOfOneHalf() throws {
  var song = Song()
  song.addRegion(song.addTrack(channels: 1))
  #expect(try song.plan().mixCoefficients == [[Float(0.5.squareRoot()), Float(0.5.squareRoot())]])
}

@Test(arguments: PanLaw.allCases)
func aStereoTrackInTheMiddleIsUntouched(law: PanLaw) throws {
  var song = Song()
  song.settings.panLaw = law
  song.addRegion(song.addTrack(channels: 2), file: 2)
  let plan = try song.plan()
  #expect(plan.mixCoefficients == [[1, 1]])
  #expect(plan.masterGains == [1, 1])
  #expect(plan.regions.map(\.gain) == [.unity])
}

@Test(arguments: Array(stride(from: -1.0, through: 1, by: 0.125)))
func panLawsFollowTheirFormulae(position: Double) {
  let pan = Pan(position: position)
  let share = (position + 1) / 2
  let power = PanGains(mono: pan, law: .constantPowerMinus3dB)
  #expect(abs(power.left - cos(share * .pi / 2)) < 1e-15)
  #expect(abs(power.right - sin(share * .pi / 2)) < 1e-15)
  let linear = PanGains(mono: pan, law: .linearMinus6dB)
  #expect(linear == PanGains(mono: pan, law: .linearMinus6dB))
  #expect(linear.left == 1 - share)
  #expect(linear.right == share)
  let compromise = PanGains(mono: pan, law: .compromiseMinus4_5dB)
  #expect(abs(compromise.left - (linear.left * power.left).squareRoot()) < 1e-15)
  #expect(abs(compromise.right - (linear.right * power.right).squareRoot()) < 1e-15)
  let balance = PanGains(mono: pan, law: .balance0dB)
  #expect(balance.left == min(1, 2 - 2 * share))
  #expect(balance.right == min(1, 2 * share))
  #expect(balance == PanGains(stereo: pan))
}

@Test func soloWinsOverMuteAndTheMasterStaysOpen() throws {
  var song = Song()
  for (volume, isMuted, isSolo) in [(0.0, false, false), (-20, true, false), (-40, true, true), (-60, false, true)] {
    song.addRegion(song.addTrack(channels: 2, volume: volume, isMuted: isMuted, isSolo: isSolo), file: 2)
  }
  #expect(try song.plan().mixCoefficients == [[0.01, 0.01], [0.001, 0.001]])
  #expect(try song.plan().masterGains == [1, 1])
  let first = CompileOptions(soloedTracks: [TrackID(rawValue: 1)])
  #expect(try song.plan(first).mixCoefficients == [[1, 1]])
  song.tracks[3].isSolo = false
  song.tracks[4].isSolo = false
  #expect(try song.plan().mixCoefficients == [[1, 1], [0.001, 0.001]])
  song.tracks[0].isMuted = true
  #expect(try song.plan().outline == ["=1000", "out"])
  #expect(try song.plan().masterGains == [1, 1])
}

@Test func inaudibleRegionsAreNotInThePlanButCountForItsLength() throws {
  var song = Song()
  song.addRegion(song.addTrack(channels: 1, volume: -.infinity), start: 2 * FlickCount.perSecond)
  let track = song.addTrack(channels: 1)
  song.addRegion(track, isMuted: true)
  song.addRegion(track, gain: -.infinity)
  let plan = try song.plan()
  #expect(plan.regions.isEmpty)
  #expect(plan.sources.isEmpty)
  #expect(plan.steps.count == 2)
  #expect(plan.endFrame == 144_000)
}

@Test func aSplitShiftsNoFrame() throws {
  let perFrame: Int64 = 14_700
  var song = Song()
  let track = song.addTrack(channels: 1)
  // A start and an offset between frames.
  let (start, offset) = (1_000 * perFrame + 7_000, 300 * perFrame + 9_000)
  song.addRegion(track, start: start, offset: offset, duration: 5_000 * perFrame)
  let whole = try song.plan().regions[0]
  song.regions = []
  let cut = 1_234 * perFrame + 8_111
  song.addRegion(track, start: start, offset: offset, duration: cut)
  song.addRegion(track, start: start + cut, offset: offset + cut, duration: 5_000 * perFrame - cut)
  let parts = try song.plan().regions
  #expect(parts.map(\.anchor) == [whole.anchor, whole.anchor])
  #expect(parts[0].frames.lowerBound == whole.frames.lowerBound)
  #expect(parts[0].frames.upperBound == parts[1].frames.lowerBound)
  #expect(parts[1].frames.upperBound == whole.frames.upperBound)
}

@Test func aRegionEndsWhereItsFileEnds() throws {
  var song = Song()
  song.addRegion(
    song.addTrack(channels: 1), start: FlickCount.perSecond, offset: 9 * FlickCount.perSecond,
    duration: 3 * FlickCount.perSecond)
  let region = try song.plan().regions[0]
  #expect(region.frames == 48_000..<96_000)
  #expect(region.anchor == -384_000)
}

@Test func channelsAreSelected() throws {
  var song = Song()
  let track = song.addTrack(channels: 2)
  song.addRegion(track)
  song.addRegion(track, file: 2)
  song.addRegion(track, file: 2, channels: .mix)
  song.addRegion(track, file: 6, channels: .single(4))
  song.addRegion(track, file: 6, channels: .pair(5, 0))
  #expect(try song.plan().regions.map(\.channels) == [.one(0), .two(0, 1), .mean(0, 1), .one(4), .two(5, 0)])
  song.addRegion(track, file: 6)
  #expect(throws: CompileError.channels(RegionID(rawValue: 6))) { try song.plan() }
}

@Test func unpreparedMediaAreReportedOnlyIfAudible() throws {
  var song = Song()
  let track = song.addTrack(channels: 1)
  song.addRegion(track, file: 77)
  song.addRegion(song.addTrack(channels: 1, isMuted: true), file: 78)
  #expect(throws: CompileError.audioFilesNotPrepared([AudioFileID(rawValue: 77)])) { try song.plan() }
  #expect(try song.plan(CompileOptions(silencesMissingMedia: true)).regions.isEmpty)
}

@Test func tracksAndRegionsAreInOrderOfTheirIds() throws {
  var song = Song()
  let (first, second) = (song.addTrack(channels: 1), song.addTrack(channels: 2, volume: -20))
  song.addRegion(second, file: 2)
  song.addRegion(first, start: FlickCount.perSecond)
  song.addRegion(first)
  song.tracks.swapAt(1, 2)
  song.regions.reverse()
  let plan = try song.plan()
  #expect(plan.regions.map(\.regionID) == [2, 3, 1])
  #expect(plan.mixCoefficients.last == [0.1, 0.1])
}
