import DAWEngine
import DAWModel
import DAWTime
import Testing

@testable import DAWCompiler

/// Two tracks, 1 and 2, into a bus, 3, and a third track, 4; send 1 from track 1 to a second bus, 5.
private func makeSong() -> (song: Song, band: TrackID, echo: TrackID) {
  var song = Song()
  for _ in 0..<2 { song.addRegion(song.addTrack(channels: 2), file: 2) }
  let band = song.addTrack(.bus)
  song.addRegion(song.addTrack(channels: 2), file: 2)
  let echo = song.addTrack(.bus)
  song.tracks[1].outputBus = band
  song.tracks[2].outputBus = band
  song.addSend(TrackID(rawValue: 1), to: echo, level: -20)
  return (song, band, echo)
}

@Test func aBusIsProcessedBeforeWhatItFeedsAndAStripOnce() throws {
  let (song, _, _) = makeSong()
  #expect(
    try song.plan().outline == [
      "=1000", "=3", "=5", "1", "1>3", "1>5/1", "2", "2>3", "3>1000", "4", "4>1000", "5>1000", "out",
    ])
  #expect(try song.plan().mixCoefficients == [[1, 1], [0.1, 0.1], [1, 1], [1, 1], [1, 1], [1, 1]])
}

@Test func withoutBusesEveryTrackIsFilledAndMixedAtOnce() throws {
  var song = Song()
  for _ in 0..<3 { song.addRegion(song.addTrack(channels: 1)) }
  let plan = try song.plan()
  #expect(plan.outline == ["=1000", "1", "1>1000", "2", "2>1000", "3", "3>1000", "out"])
  #expect(plan.bufferCount == 2)
}

@Test func aBusThatNothingFeedsIsNotCompiled() throws {
  var (song, _, _) = makeSong()
  song.sends[0].isMuted = true
  #expect(!(try song.plan().outline.contains("=5")))
  song.tracks[1].isMuted = true
  song.tracks[2].volume = .silence
  #expect(try song.plan().outline == ["=1000", "4", "4>1000", "out"])
}

@Test func aPreFaderSendIsHeardWhereTheFaderIsDownButNotWhereTheTrackIsMuted() throws {
  var (song, _, _) = makeSong()
  song.tracks[1].volume = .silence
  song.sends[0].isPreFader = true
  #expect(try song.plan().outline.contains("1>5/1"))
  #expect(try !song.plan().outline.contains("1>3"))
  song.tracks[1].isMuted = true
  #expect(try !song.plan().outline.contains("1"))
}

@Test func groupsAddTheirDecibelsAndMuteAndSoloTheirTracks() throws {
  var song = Song()
  for volume in [-20.0, 0] { song.addRegion(song.addTrack(channels: 2, volume: volume), file: 2) }
  let both = [1, 2].map(TrackID.init(rawValue:))
  song.addGroup(both, volume: -20)
  song.addGroup([both[0]], volume: -20)
  #expect(try song.plan().mixCoefficients == [[0.001, 0.001], [0.1, 0.1]])
  song.groups[1].isMuted = true
  #expect(try song.plan().outline == ["=1000", "2", "2>1000", "out"])
  song.groups[1].isSolo = true
  #expect(try song.plan().outline == ["=1000", "1", "1>1000", "out"])
  song.tracks[2].isSoloSafe = true
  #expect(try song.plan().outline == ["=1000", "1", "1>1000", "2", "2>1000", "out"])
}

@Test func aSoloedTracksBusesAreOpenAndASoloedBusIsFed() throws {
  let (song, band, echo) = makeSong()
  func outline(_ change: (inout Song) -> Void) throws -> [String] {
    var song = song
    change(&song)
    return try song.plan().outline.filter { $0.contains(">") }
  }
  #expect(try outline { $0.tracks[1].isSolo = true } == ["1>3", "1>5/1", "3>1000", "5>1000"])
  #expect(try outline { $0.tracks[3].isSolo = true } == ["1>3", "2>3", "3>1000"])
  #expect(try outline { $0.tracks[5].isSolo = true } == ["1>5/1", "5>1000"])
  #expect(try outline { $0.tracks[4].isSolo = true } == ["4>1000"])
  // A safe bus goes on sounding, but what feeds it is closed.
  #expect(
    try outline {
      $0.tracks[4].isSolo = true
      $0.tracks[5].isSoloSafe = true
      $0.addSend(TrackID(rawValue: 4), to: echo)
    } == ["4>1000", "4>5/2", "5>1000"])
  // A mute holds behind a soloed strip.
  #expect(
    try outline {
      $0.tracks[1].isSolo = true
      $0.tracks[1].isMuted = true
      $0.tracks[3].isMuted = true
    } == ["1>5/1", "5>1000"])
  let routing = try Routing(song.project, soloed: [band])
  #expect([1, 2, 3, 4, 5].map { routing.isHeard(TrackID(rawValue: $0)) } == [true, true, true, false, false])
  #expect([1, 2, 3, 4, 5].map { routing.feedsMaster(TrackID(rawValue: $0)) } == [false, false, true, false, false])
}

@Test func aPortSendsByMutesAndSolosOfTheTrackAndItsGroups() throws {
  var song = Song()
  for _ in 0..<4 { song.addNotes(song.addTrack(.midi, volume: -.infinity), [(60, 0, 1_000, 80)]) }
  let bus = song.addTrack(.bus)
  song.tracks[2].isOutputConnected = false
  func muted() throws -> [Bool] { try song.plan(CompileOptions(hasPorts: true)).ports.map(\.isMuted) }
  song.addGroup([TrackID(rawValue: 1)], isMuted: true)
  #expect(try muted() == [true, false, false, false])
  song.groups[0].isSolo = true
  #expect(try muted() == [false, true, true, true])
  song.tracks[3].isSoloSafe = true
  #expect(try muted() == [false, true, false, true])
  song.groups[0].isSolo = false
  song.tracks[4].outputBus = bus
  song.tracks[5].isSolo = true
  #expect(try muted() == [true, true, false, false])
}

@Test func onlySettingsThatChangeSomethingAreShaped() throws {
  var song = Song()
  for channels in [1, 2] { song.addRegion(song.addTrack(channels: channels), file: Int64(channels)) }
  func shapes(_ change: (inout Track) -> Void) throws -> [StripShape?] {
    var changed = song
    change(&changed.tracks[1])
    change(&changed.tracks[2])
    let steps = try changed.plan().steps
    return [Int64(1), 2].map { id in
      steps.lazy.compactMap { step in
        if case .shape(StripID(id), _, _, let shape) = step { shape } else { nil }
      }.first
    }
  }
  #expect(try shapes { _ in } == [nil, nil])
  #expect(
    try shapes { $0.trim = Level(decibels: -20) } == [
      StripShape(trim: .constant(0.1)), StripShape(trim: .constant(0.1)),
    ])
  #expect(try shapes { $0.invertedSides = .right } == [nil, StripShape(invertsRight: true)])
  #expect(
    try shapes { $0.invertedSides = .both }
      == [StripShape(invertsLeft: true), StripShape(invertsLeft: true, invertsRight: true)])
  #expect(try shapes { $0.stereoWidth = 0 } == [nil, StripShape(stereoWidth: .constant(0))])
}

@Test func aChainOfTenThousandBusesIsCompiled() throws {
  var song = Song()
  let count = 10_000
  for _ in 0..<count { _ = song.addTrack(.bus) }
  for number in 1..<count { song.tracks[number].outputBus = TrackID(rawValue: Int64(number + 1)) }
  let track = song.addTrack(channels: 2)
  song.addRegion(track, file: 2)
  song.tracks[count + 1].outputBus = TrackID(rawValue: 1)
  // The master's id is 1,000, which is a bus's here.
  song.tracks[0].id = TrackID(rawValue: 100_000)
  let plan = try song.plan()
  #expect(plan.steps.count == 2 * count + 4)
  #expect(plan.bufferCount == 3)
}

@Test func aCycleIsRefused() throws {
  var (song, band, echo) = makeSong()
  song.addSend(band, to: echo)
  song.addSend(echo, to: band)
  #expect(throws: CompileError.self) { try song.plan() }
}

@Test func theInstrumentOfATrackThatIsNotHeardIsParked() throws {
  var song = Song()
  for isMuted in [true, false] { song.addNotes(song.addTrack(.midi, isMuted: isMuted), [(60, 0, 1_000, 80)]) }
  let plan = try song.plan(CompileOptions(keepsMutedInstruments: true))
  #expect(plan.instruments.map(\.trackID) == [1, 2])
  #expect(plan.instruments.map(\.isParked) == [true, false])
  #expect(plan.outline == ["=1000", "2", "2>1000", "out"])
  #expect(try song.plan().instruments.map(\.trackID) == [2])
  song.tracks[0].isMuted = true
  #expect(try song.plan(CompileOptions(keepsMutedInstruments: true)).instruments.map(\.isParked) == [true, true])
  song.instruments[TrackID(rawValue: 1)]?.soundFont = SoundFontID(rawValue: 9)
  #expect(try song.plan(CompileOptions(keepsMutedInstruments: true)).instruments.map(\.trackID) == [2])
}

@Test func anEditOfTheMixCompilesNoNotesAgain() throws {
  var song = Song()
  let track = song.addTrack(.midi)
  let bus = song.addTrack(.bus)
  song.addNotes(track, [(60, 0, 1_000, 80)])
  let options = CompileOptions(hasPorts: true, keepsMutedInstruments: true)
  var parts = try compile(song.project, media: song.media, options: options).parts
  let region = RegionID(rawValue: 1)
  let first = parts.regions[region]
  func check(_ change: (inout Song) -> Void) throws {
    change(&song)
    let made = try compile(song.project, media: song.media, options: options, reusing: parts)
    #expect(made.plan == (try song.plan(options)))
    parts = made.parts
    #expect(parts.regions[region] === first)
  }
  try check { $0.tracks[1].outputBus = bus }
  try check { $0.tracks[1].isMuted = true }
  try check { $0.tracks[2].isMuted = true }
  try check { $0.tracks[1].isMuted = false }
  try check { $0.addSend(track, to: bus, level: -3) }
  try check { $0.tracks[1].volume = .silence }
  try check { $0.tracks[0].isMuted = true }
  try check { $0.addGroup([track], volume: -3, isSolo: true) }
}
