import DAWEngine
import DAWModel
import DAWTestSupport
import DAWTime
import Testing

@testable import DAWCompiler

/// Events as short text: frame, + or −, pitch, and a note-on's velocity.
private func events(_ song: Song) throws -> [String] {
  try song.plan().instruments.flatMap(\.plan.events).map { event in
    event.status & 0xf0 == 0x90 ? "\(event.frame)+\(event.data1)/\(event.data2)" : "\(event.frame)-\(event.data1)"
  }
}

/// At 120 BPM and 48 kHz a frame is 0.64 ticks.
private func ticks(_ frames: Int64) -> Int64 { frames * 16 / 25 }

@Test func notesAreQuantisedAndLastAtLeastAQuantum() throws {
  var song = Song()
  song.addNotes(
    song.addTrack(.midi),
    [(60, ticks(0), ticks(100), 80), (61, ticks(50), ticks(25), 81), (62, ticks(64 * 25), ticks(64 * 25), 82)])
  #expect(try events(song) == ["0+60/80", "64+61/81", "128-60", "128-61", "1600+62/82", "3200-62"])
}

@Test func velocityZeroPlaysNothing() throws {
  var song = Song()
  song.addNotes(song.addTrack(.midi), [(60, 0, 1_000, 0)])
  #expect(try song.plan().instruments.isEmpty)
}

@Test func anOverlappingNoteIsRetriggeredAndNotCutShort() throws {
  var song = Song()
  let track = song.addTrack(.midi)
  song.addNotes(track, [(60, ticks(0), ticks(3_200), 80)])
  song.addNotes(track, [(60, ticks(1_600), ticks(3_200), 90), (60, ticks(1_600), ticks(400), 70)])
  #expect(try events(song) == ["0+60/80", "1600-60", "1600+60/90", "4800-60"])
}

@Test func randomNotesAreBalancedAndInOrder() throws {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  var song = Song()
  let track = song.addTrack(.midi)
  for _ in 0..<4 {
    let rows = (0..<300).map { _ in
      (
        Int.random(in: 60...65, using: &random), Int64.random(in: 0...40_000, using: &random),
        Int64.random(in: 1...3_000, using: &random), Int.random(in: 0...127, using: &random)
      )
    }
    song.addNotes(track, start: Int64.random(in: 0...10_000, using: &random), rows.sorted { $0.1 < $1.1 })
  }
  let events = try song.plan().instruments[0].plan.events
  var isHeld = Set<UInt8>()
  var lastFrame: TimelineFrame = 0
  var isOnSeen = false
  for event in events {
    let isOn = event.status & 0xf0 == 0x90
    #expect(event.frame.roundedDown(to: 64) == event.frame, "seed \(seed)")
    #expect(event.frame >= lastFrame, "seed \(seed)")
    if event.frame > lastFrame { isOnSeen = false }
    #expect(isOn || !isOnSeen, "a note-off follows a note-on of its frame, seed \(seed)")
    if isOn {
      #expect(isHeld.insert(event.data1).inserted, "seed \(seed)")
      isOnSeen = true
    } else {
      #expect(isHeld.remove(event.data1) != nil, "seed \(seed)")
    }
    lastFrame = event.frame
  }
  #expect(isHeld.isEmpty, "seed \(seed)")
}

@Test func reusedPartsDoNotChangeThePlan() throws {
  var song = Song()
  let track = song.addTrack(.midi)
  song.addNotes(track, [(60, 0, 1_000, 80), (64, 500, 1_000, 80)])
  song.addNotes(track, start: 5_000, [(67, 0, 1_000, 80)])
  let first = try compile(song.project, media: song.media)
  func check(_ change: (inout Song) -> Void) throws {
    var edited = song
    change(&edited)
    let fresh = try compile(edited.project, media: edited.media)
    let reused = try compile(edited.project, media: edited.media, reusing: first.parts)
    #expect(reused.plan == fresh.plan)
  }
  try check { _ in }
  try check { $0.notes[RegionID(rawValue: 1)]?[0].pitch = 72 }
  try check { $0.notes[RegionID(rawValue: 2)] = [] }
  try check { $0.addEvents(RegionID(rawValue: 1), [(0, .controller(number: 7, value: 9))]) }
  try check { $0.regions[1].start = .musical(TickPosition(ticks: 9_000)) }
  try check { $0.regions[1].isMuted = true }
  try check { $0.settings.tempo = Tempo(bpm: 90) }
  try check { $0.settings.sampleRate = SampleRate(hertz: 96_000) }
  let again = try compile(song.project, media: song.media, reusing: first.parts)
  let region = RegionID(rawValue: 1)
  #expect(again.parts.regions[region] === first.parts.regions[region], "an unchanged region is not compiled again")
}

@Test func portsHaveNotesOnTheirExactFrames() throws {
  var song = Song()
  let track = song.addTrack(.midi, isMuted: true)
  song.addNotes(track, [(60, ticks(25), ticks(100), 80), (61, ticks(50), ticks(25), 0)])
  _ = song.addTrack(.audio)
  let other = song.addTrack(.midi, volume: -.infinity)
  song.addNotes(other, [(62, 0, ticks(50), 80)])
  #expect(try song.plan().ports == [])
  let ports = try song.plan(CompileOptions(hasPorts: true)).ports
  #expect(ports.map(\.trackID) == [track, other].map(\.rawValue))
  #expect(ports.map(\.isMuted) == [true, false])
  #expect(ports[0].name == "Track 1")
  #expect(ports[0].events.map(\.frame) == [25, 125])
  #expect(ports[1].events.map(\.frame) == [0, 50])
}

@Test func portsThatAreReusedAreThoseOfAFreshPlan() throws {
  var song = Song()
  song.addNotes(song.addTrack(.midi), [(60, ticks(25), ticks(100), 80)])
  let options = CompileOptions(hasPorts: true)
  let first = try compile(song.project, media: song.media, options: options)
  song.addNotes(TrackID(rawValue: 1), start: ticks(50), [(61, ticks(25), ticks(100), 80)])
  let fresh = try compile(song.project, media: song.media, options: options)
  #expect(try compile(song.project, media: song.media, options: options, reusing: first.parts).plan == fresh.plan)
  #expect(fresh.plan.ports[0].events.count == 4)
}

@Test func aMutedRegionSendsNothingToItsPort() throws {
  var song = Song()
  let track = song.addTrack(.midi)
  song.addNotes(track, [(60, 0, ticks(50), 80)])
  song.addNotes(track, [(62, 0, ticks(50), 80)])
  song.regions[0].isMuted = true
  let ports = try song.plan(CompileOptions(hasPorts: true)).ports
  #expect(ports[0].events.map(\.data1) == [62, 62])
}

@Test func aSoloOpensThePortOfATrackThatIsMutedAndClosesTheOthers() throws {
  var song = Song()
  for (isMuted, isSolo) in [(true, true), (false, false), (true, false), (false, true)] {
    song.addNotes(song.addTrack(.midi, isMuted: isMuted, isSolo: isSolo), [(60, 0, ticks(50), 80)])
  }
  #expect(try song.plan(CompileOptions(hasPorts: true)).ports.map(\.isMuted) == [false, true, true, false])
}

@Test func aNoteShorterThanAFrameLastsOneAtItsPort() throws {
  var song = Song()
  // A frame is 5.328 ticks.
  song.settings.tempo = Tempo(bpm: 999)
  song.addNotes(song.addTrack(.midi), [(60, 0, 1, 80), (62, 5_328, 2, 80)])
  #expect(
    try song.plan(CompileOptions(hasPorts: true)).ports[0].events.map { [$0.frame.number, Int($0.data1)] }
      == [[0, 60], [1, 60], [1_000, 62], [1_001, 62]])
}
