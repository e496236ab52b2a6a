import DAWTestSupport
import DAWTime
import Testing

@testable import DAWEngine

/// A long note, a short one, and a pedal that is down from 100 to 900.
private let tune =
  MIDIEvent.note(60, 0..<1_000) + MIDIEvent.note(64, 200..<300) + [
    .control(64, 127, at: 100), .control(64, 0, at: 900),
  ]

private func log(_ events: [MIDIEvent] = tune, _ body: (inout PortDrive) -> Void) -> [String] {
  var drive = PortDrive(events)
  body(&drive)
  #expect(drive.receiver.faults == [])
  return drive.receiver.log
}

@Test(arguments: [1, 7, 64, 500, 1_000, 3_000])
func aPortSendsEventsOnTheirFrames(block: Int) {
  let events = log { drive in
    drive.isRolling = true
    while drive.time < 3_000 { drive.run(min(block, Int(3_000 - drive.time))) }
  }
  #expect(
    events == ["0 1+60/80", "100 1c64=127", "200 1+64/80", "300 1-64", "900 1c64=0", "1000 1-60"])
}

@Test func playingFromTheMiddleBeginsWithSettingsAndWhatSoundsAcross() {
  let events = log { drive in
    drive.isRolling = true
    drive.frame = 250
    drive.run(100)
  }
  #expect(events == ["0 1c64=127", "0 1+60/80", "0 1+64/80", "50 1-64"])
}

@Test func aNoteThatEndsWherePlayingBeginsIsNotStruck() {
  let events = log { drive in
    drive.isRolling = true
    drive.frame = 300
    drive.run(10)
  }
  #expect(events == ["0 1c64=127", "0 1+60/80"])
}

@Test func stopSendsPendingNoteOffsOnly() {
  let events = log { drive in
    drive.isRolling = true
    drive.run(250)
    drive.isRolling = false
    drive.run(100)
    drive.run(100)
  }
  #expect(
    events == ["0 1+60/80", "100 1c64=127", "200 1+64/80", "250 1-60", "250 1-64", "250 1c64=0", "250 1c123=0"])
}

@Test func stopLocateAndTheEndLiftASostenutoPedalAsWell() {
  let events = log(MIDIEvent.note(60, 0..<50) + [.control(66, 127, at: 10)]) { drive in
    drive.isRolling = true
    drive.run(100)
    drive.locate(200)
    drive.run(10)
    drive.isRolling = false
    drive.run(10)
    drive.isRolling = true
    drive.run(10)
    drive.silence()
  }
  #expect(
    events == [
      "0 1+60/80", "10 1c66=127", "50 1-60", "100 1c66=0", "100 1c123=0", "100 1c66=127", "110 1c66=0", "120 1c66=127",
      "130 1c66=0", "130 1c120=0",
    ])
}

@Test func aStopInSilenceSendsNothing() {
  let events = log { drive in
    drive.frame = 2_000
    drive.isRolling = true
    drive.run(250)
    drive.isRolling = false
    drive.run(100)
  }
  #expect(events == ["0 1c64=0"])
}

@Test func locateEndsNotesAndChases() {
  let events = log { drive in
    drive.isRolling = true
    drive.run(50)
    drive.locate(500)
    drive.run(50)
  }
  #expect(events == ["0 1+60/80", "50 1-60", "50 1c123=0", "50 1c64=127", "50 1+60/80"])
}

@Test func theLoopsEndSendsNoteOffsAndWhatDiffersAtItsStart() {
  let around = tune + [.control(7, 100, at: 0), .control(7, 90, at: 10), .control(1, 5, at: 0)]
  let events = log(around) { drive in
    drive.isRolling = true
    drive.loop = 5..<250
    drive.run(260)
  }
  #expect(
    events == [
      "0 1c7=100", "0 1c1=5", "0 1+60/80", "10 1c7=90", "100 1c64=127", "200 1+64/80",
      "250 1-60", "250 1-64", "250 1c64=0", "250 1c7=100", "250 1+60/80", "255 1c7=90",
    ])
}

@Test(arguments: [1, 25, 99, 100, 101, 250])
func aLoopIsTheSameHoweverItIsCut(block: Int) {
  let drive = { (block: Int) in
    log { drive in
      drive.isRolling = true
      drive.loop = 150..<250
      while drive.time < 1_000 { drive.run(min(block, Int(1_000 - drive.time))) }
    }
  }
  #expect(drive(block) == drive(1_000))
}

@Test func muteEndsNotesAndUnmuteTakesThemUpAgain() {
  let events = log { drive in
    drive.isRolling = true
    drive.run(50)
    drive.publish(tune, isMuted: true)
    drive.run(50)
    drive.publish(tune)
    drive.run(50)
  }
  #expect(events == ["0 1+60/80", "50 1-60", "50 1c123=0", "100 1+60/80", "100 1c64=127"])
}

@Test func anEditThatRemovesASoundingNoteEndsIt() {
  let events = log { drive in
    drive.isRolling = true
    drive.run(250)
    drive.publish(MIDIEvent.note(60, 0..<1_000))
    drive.run(250)
  }
  #expect(events == ["0 1+60/80", "100 1c64=127", "200 1+64/80", "250 1-64", "250 1c64=0"])
}

@Test func anEditElsewhereSendsNothing() {
  let events = log { drive in
    drive.isRolling = true
    drive.run(250)
    drive.publish(tune + MIDIEvent.note(70, 5_000..<6_000) + MIDIEvent.note(71, 240..<260))
    drive.run(250)
  }
  #expect(events == ["0 1+60/80", "100 1c64=127", "200 1+64/80", "300 1-64"])
}

/// As an instrument does that was late, and a host that is followed behind cycles that it missed.
@Test func framesThatAreSkippedLoseNoNoteThatSoundsBehindThem() {
  let events = log(tune + MIDIEvent.note(62, 100..<1_000) + MIDIEvent.note(66, 110..<120)) { drive in
    drive.isRolling = true
    drive.run(50)
    drive.frame = 250
    drive.run(100)
  }
  #expect(events == ["0 1+60/80", "50 1c64=127", "50 1+62/80", "50 1+64/80", "100 1-64"])
}

@Test func aTrackThatIsRemovedLeavesNothing() {
  let events = log { drive in
    drive.isRolling = true
    drive.run(50)
    drive.publish([])
    drive.run(50)
  }
  #expect(events == ["0 1+60/80", "50 1-60", "50 1c123=0"])
}

@Test func theEndSilencesTheChannelsUsed() {
  let events = log { drive in
    drive.isRolling = true
    drive.run(50)
    drive.silence()
    drive.silence()
  }
  #expect(events == ["0 1+60/80", "50 1-60", "50 1c120=0", "50 1c123=0", "50 1c120=0"])
}

@Test func aKeyThatIsStruckAgainGetsANoteOffFirst() {
  let events = log([
    MIDIEvent(frame: 10, status: 0x90, data1: 60, data2: 80), MIDIEvent(frame: 20, status: 0x90, data1: 60, data2: 70),
    MIDIEvent(frame: 30, status: 0x80, data1: 60, data2: 0),
  ]) { drive in
    drive.isRolling = true
    drive.run(100)
  }
  #expect(events == ["10 1+60/80", "20 1-60", "20 1+60/70", "30 1-60"])
}

@Test func banksAndRegisteredParametersAreChased() {
  let settings: [MIDIEvent] = [
    .control(0, 1, at: 0), .control(32, 2, at: 0), MIDIEvent(frame: 0, status: 0xc0, data1: 5, data2: 0),
    .control(101, 0, at: 1), .control(100, 0, at: 1), .control(6, 12, at: 1), .control(101, 127, at: 2),
    .control(100, 127, at: 2), .control(6, 99, at: 3), MIDIEvent(frame: 4, status: 0xe0, data1: 1, data2: 70),
  ]
  let events = log(settings) { drive in
    drive.isRolling = true
    drive.frame = 10
    drive.run(10)
  }
  #expect(
    events == [
      "0 1c0=1", "0 1c32=2", "0 1p5", "0 1c101=0", "0 1c100=0", "0 1c6=12", "0 224:1,70", "0 1c101=127",
      "0 1c100=127",
    ])
}

@Test func resetOfControllersIsChasedAsOne() {
  let events = log([.control(1, 9, at: 0), .control(7, 80, at: 0), .control(121, 0, at: 1), .control(2, 3, at: 2)]) {
    $0.isRolling = true
    $0.frame = 10
    $0.run(10)
  }
  #expect(events == ["0 1c7=80", "0 1c121=0", "0 1c2=3"])
}

@Test func aChaseFarIntoALongPartIsThatFromTheBeginning() {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  let events = MIDIEvent.random(6_000, frames: 1_000_000, using: &random)
  for _ in 0..<20 {
    var drive = PortDrive(events)
    drive.isRolling = true
    drive.frame = TimelineFrame.random(in: 0..<1_000_000, using: &random)
    let whole = Receiver(playing: events, before: drive.frame)
    let (frame, first) = (drive.frame, events.first { $0.frame >= drive.frame && !$0.endsNote }?.frame ?? .max)
    drive.run(1)
    guard first > frame else { continue }
    #expect(drive.receiver.notes == whole.notes, "seed \(seed), frame \(frame)")
    #expect(drive.receiver.controllers == whole.controllers, "seed \(seed), frame \(frame)")
    #expect(drive.receiver.others == whole.others, "seed \(seed), frame \(frame)")
  }
}

@Test func noNoteHangsWhateverTheTransportAndTheEditsDo() {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  for _ in 0..<40 {
    var events = MIDIEvent.random(200, frames: 20_000, using: &random)
    var drive = PortDrive(events)
    var isMuted = false
    for _ in 0..<400 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: drive.isRolling.toggle()
      case 1: drive.locate(TimelineFrame.random(in: 0..<22_000, using: &random))
      case 2:
        let start = TimelineFrame.random(in: 0..<19_000, using: &random)
        drive.loop = Bool.random(using: &random) ? start..<start + Int.random(in: 1..<900, using: &random) : nil
      case 3:
        if Bool.random(using: &random) { events = MIDIEvent.random(200, frames: 20_000, using: &random) }
        isMuted = Int.random(in: 0..<4, using: &random) == 0
        drive.publish(events, isMuted: isMuted)
      default: drive.isRolling = drive.isRolling || Bool.random(using: &random)
      }
      drive.run(Int.random(in: 1...700, using: &random))
      #expect(drive.receiver.faults == [], "seed \(seed)")
      if !drive.isRolling || isMuted {
        #expect(drive.receiver.notes.isEmpty && drive.receiver.pedalsDown == 0, "seed \(seed)")
        let isSilent = drive.cursor.isSilent
        #expect(isSilent, "seed \(seed)")
      } else if drive.loop?.lowerBound != drive.frame {
        let whole = Receiver(playing: events, before: drive.frame)
        // A note-off at the next block's first frame is not sent yet.
        let due = Set(
          events.filter { $0.frame == drive.frame && $0.endsNote }.map {
            UInt16($0.status & 0x0f) << 8 | UInt16($0.data1)
          })
        #expect(drive.receiver.notes.subtracting(due).isSubset(of: whole.notes), "seed \(seed)")
        for (key, value) in whole.controllers { #expect(drive.receiver.controllers[key] == value, "seed \(seed)") }
        for (key, value) in whole.others { #expect(drive.receiver.others[key] == value, "seed \(seed)") }
      }
    }
    drive.silence()
    #expect(drive.receiver.notes.isEmpty && drive.receiver.pedalsDown == 0, "seed \(seed)")
  }
}
