import DAWEngine
import DAWModel
import DAWTime
import Testing

@testable import DAWCompiler

/// At 120 BPM and 48 kHz a frame is 0.64 ticks.
private func ticks(_ frames: Int64) -> Int64 { frames * 16 / 25 }

/// "frame: bytes", in hexadecimal digits.
private func lines(_ events: [MIDIEvent], _ bytes: [[UInt8]]) -> [String] {
  events.map { event in
    let message =
      event.isSystemExclusive ? bytes[Int(event.bytesIndex)] : [event.status, event.data1, event.data2]
    return "\(event.frame): " + message.map { String($0, radix: 16) }.joined(separator: " ")
  }
}

private func sounding(_ song: Song) throws -> [String] {
  let plan = try song.plan().instruments[0].plan
  return lines(plan.events, plan.systemExclusive)
}

@Test func atOneTickNoteOffsComeFirstThenSettingsThenNoteOns() throws {
  var song = Song()
  let track = song.addTrack(.midi)
  song.addNotes(track, [(60, 0, ticks(640), 80), (62, ticks(640), ticks(640), 80)])
  let place = ticks(640)
  song.addEvents(
    RegionID(rawValue: 1),
    [
      (place, .controller(number: 101, value: 0)), (place, .controller(number: 100, value: 0)),
      (place, .program(5, bank: 129)), (place, .pitchBend(-8192)), (place, .controller(number: 32, value: 3)),
      (place, .systemExclusive([0xf0, 1, 0xf7])), (place, .meta(type: 1, [65])), (place, .channelPressure(9)),
      (place, .polyPressure(pitch: 62, value: 8)), (place + 1, .pitchBend(8191)),
    ])
  #expect(
    try sounding(song) == [
      "0: 90 3c 50", "640: 80 3c 40", "640: f0 1 f7", "640: b2 20 3", "640: b2 0 1", "640: b2 20 1", "640: c2 5 0",
      "640: b2 65 0", "640: b2 64 0", "640: e2 0 0", "640: d2 9 0", "640: a2 3e 8", "640: 90 3e 50", "704: e2 7f 7f",
      "1280: 80 3e 40",
    ])
}

@Test func regionsOfATrackAreMergedInOrderOfTheirStart() throws {
  var song = Song()
  let track = song.addTrack(.midi)
  song.addNotes(track, start: ticks(1_280), [(60, 0, ticks(64), 80)])
  song.addNotes(track, [(62, 0, ticks(64), 80)])
  song.addEvents(RegionID(rawValue: 1), [(0, .systemExclusive([0xf0, 2, 0xf7]))])
  song.addEvents(
    RegionID(rawValue: 2),
    [
      (0, .systemExclusive([0xf0, 1, 0xf7])), (ticks(1_280), .systemExclusive([0xf7, 9])),
      (ticks(2_560), .controller(number: 64, value: 0)),
    ])
  #expect(
    try sounding(song) == [
      "0: f0 1 f7", "0: 90 3e 50", "64: 80 3e 40", "1280: 9", "1280: f0 2 f7", "1280: 90 3c 50", "1344: 80 3c 40",
      "2560: b2 40 0",
    ])
}

@Test func eventsWithoutNotesNeedNoInstrumentAndAreSentToPorts() throws {
  var song = Song()
  let track = song.addTrack(.midi)
  song.addNotes(track, [])
  song.addEvents(RegionID(rawValue: 1), [(ticks(25), .program(7)), (ticks(50), .systemExclusive([0xf0, 4, 0xf7]))])
  song.tracks[1].midiOutput = "synth:0"
  song.instruments[track] = Instrument(of: track)
  let plan = try song.plan(CompileOptions(hasPorts: true))
  #expect(plan.instruments.isEmpty)
  #expect(plan.ports.map(\.destination) == ["synth:0"])
  #expect(lines(plan.ports[0].events, plan.ports[0].systemExclusive) == ["25: c2 7 0", "50: f0 4 f7"])
}

@Test func aTrackThatPlaysOnlyChannelTenIsPercussion() throws {
  var song = Song()
  song.addNotes(song.addTrack(.midi), [(60, 0, ticks(64), 80), (61, 0, ticks(64), 80)])
  #expect(try !song.plan().instruments[0].plan.isPercussion)
  song.notes[RegionID(rawValue: 1)]?[0].channel = 9
  #expect(try !song.plan().instruments[0].plan.isPercussion)
  song.notes[RegionID(rawValue: 1)]?[1].channel = 9
  #expect(try song.plan().instruments[0].plan.isPercussion)
}

@Test func muteDoesNotChangeTheDrumKit() throws {
  var song = Song()
  let track = song.addTrack(.midi)
  song.addNotes(track, [(60, 0, ticks(64), 80)])
  song.notes[RegionID(rawValue: 1)]?[0].channel = 9
  song.addNotes(track, [(60, 0, ticks(64), 80)])
  song.regions[1].isMuted = true
  let first = try compile(song.project, media: song.media)
  #expect(!first.plan.instruments[0].plan.isPercussion)
  // What is heard is the same as before.
  func isPercussion() throws -> Bool {
    try compile(song.project, media: song.media, reusing: first.parts).plan.instruments[0].plan.isPercussion
  }
  song.notes[RegionID(rawValue: 2)]?[0].velocity = 0
  #expect(try isPercussion())
  song.notes[RegionID(rawValue: 2)]?[0].velocity = 80
  song.regions[1].isInUse = false
  #expect(try isPercussion())
}

@Test func aNotesReleaseVelocityIsSent() throws {
  var song = Song()
  song.addNotes(song.addTrack(.midi), [(60, 0, ticks(64), 80)])
  song.notes[RegionID(rawValue: 1)]?[0].releaseVelocity = 3
  #expect(try sounding(song) == ["0: 90 3c 50", "64: 80 3c 3"])
}

@Test func theInstrumentsGainReverbAndChorusAreInThePlan() throws {
  var song = Song()
  let track = song.addTrack(.midi)
  song.addNotes(track, [(60, 0, ticks(64), 80)])
  #expect(try song.plan().instruments[0].plan.effects == .none)
  song.instruments[track]?.gainReference = .calibrated
  #expect(try song.plan().instruments[0].plan.effects.gain > 1)
  song.instruments[track]?.gain = .silence
  song.instruments[track]?.reverb.isOn = true
  song.instruments[track]?.reverb.level = 0.25
  song.instruments[track]?.chorus.isOn = true
  #expect(
    try song.plan().instruments[0].plan.effects
      == InstrumentEffects(
        gain: 0, reverb: InstrumentReverb(roomSize: 0.2, damping: 0, width: 0.5, level: 0.25),
        chorus: InstrumentChorus(voiceCount: 3, level: 2, speed: 0.3, depth: 8)))
}
