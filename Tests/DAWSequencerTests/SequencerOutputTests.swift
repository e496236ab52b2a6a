import CALSA
import DAWEngine
import DAWTestSupport
import DAWTime
import Glibc
import Testing

@testable import DAWSequencer

/// Needs a sequencer. Each test has its own clients; one runs at a time.
@Suite(.enabled(if: hasSequencer), .serialized) struct SequencerOutputTests {
  @Test func everyEventComesInOrderWithItsStamp() throws {
    // Some time after the start, which an emulated machine may notice late.
    var events: [MIDIEvent] = []
    for index in 20..<120 {
      let start = TimelineFrame(index * 480)
      events += note(UInt8(30 + index % 60), start..<start + 700)
    }
    events.append(MIDIEvent(frame: 9_700, status: 0xc0, data1: 7, data2: 0))
    events.append(MIDIEvent(frame: 9_800, status: 0xe0, data1: 0, data2: 96))
    let sorted = events.sorted { ($0.frame, $0.endsNote ? 0 : 1) < ($1.frame, $1.endsNote ? 0 : 1) }
    let stage = try Stage(events)
    stage.host.roll(from: 0)
    stage.listener.listen(seconds: 20) { $0.events.count >= sorted.count }
    stage.output.stop()
    let expected = sorted.map { event in
      switch event.status {
      case 0x90: "on \(event.data1) \(event.data2)"
      case 0x80: "off \(event.data1)"
      case 0xc0: "0 p\(event.data1)"
      default: "0 b4096"
      }
    }
    #expect(Array(stage.listener.texts.prefix(expected.count)) == expected)
    let heard = stage.listener.events.prefix(sorted.count)
    // Checked by stamps: in an emulated machine events may arrive late.
    for (event, heard) in zip(sorted, heard) {
      let due = Double(event.frame - sorted[0].frame) / 48_000
      let stamp = Double(heard.stamp - stage.listener.events[0].stamp) / 1e9
      #expect(abs(stamp - due) < 0.005, "frame \(event.frame) is due after \(due) s and has \(stamp)")
    }
  }

  @Test func stopEndsWhatSounds() throws {
    let stage = try Stage(long + [MIDIEvent(frame: 10, status: 0xb0, data1: 64, data2: 127)])
    stage.playLong()
    stage.listener.listen(seconds: 5) { !$0.pedals.isEmpty }
    stage.host.stop()
    stage.expectSilence()
    stage.listener.listen(seconds: 1) { $0.texts.last == "0 c123=0" }
    #expect(stage.listener.texts.suffix(3) == ["off 60", "0 c64=0", "0 c123=0"])
    stage.output.stop()
  }

  @Test func locateEndsNotesAndStrikesThoseThatSoundThere() throws {
    let stage = try Stage(note(60, 0..<480_000) + note(62, 960_000..<2_000_000))
    stage.playLong()
    stage.host.roll(from: 1_000_000)
    stage.listener.listen(seconds: 10) { $0.notes == [62] }
    #expect(stage.listener.notes == [62])
    stage.output.stop()
    stage.expectSilence()
  }

  @Test func theEndOfALoopEndsNotes() throws {
    let stage = try Stage(note(60, 0..<24_000) + note(62, 20_000..<480_000))
    stage.host.loop(0..<24_001)
    stage.host.roll(from: 0)
    stage.listener.listen(seconds: 20) { $0.texts.count { $0 == "off 62" } >= 3 }
    stage.output.stop()
    stage.expectSilence()
    #expect(stage.listener.texts.prefix(6) == ["on 60 80", "on 62 80", "off 60", "off 62", "on 60 80", "on 62 80"])
  }

  @Test func muteEndsWhatSounds() throws {
    var stage = try Stage(long)
    stage.playLong()
    stage.publish(long, isMuted: true)
    stage.expectSilence()
    stage.output.stop()
  }

  @Test func anEditThatRemovesASoundingNoteEndsIt() throws {
    var stage = try Stage(long + note(64, 480..<4_800_000))
    stage.host.roll(from: 0)
    stage.listener.listen(seconds: 10) { $0.notes == [60, 64] }
    stage.publish(long)
    stage.listener.listen(seconds: 10) { $0.notes == [60] }
    #expect(stage.listener.notes == [60])
    #expect(stage.listener.texts.count { $0 == "on 60 80" } == 1, "what the edit did not touch sounds on")
    stage.output.stop()
    stage.expectSilence()
  }

  @Test func aDisconnectedReceiverIsSilenced() throws {
    let stage = try Stage(long)
    stage.playLong()
    let source = try #require(stage.listener.source(named: "daw test"))
    _ = stage.listener.client.library.snd_seq_disconnect_from(
      stage.listener.client.handle, stage.listener.port, source.client, source.port)
    stage.expectSilence()
    stage.output.stop()
  }

  @Test func anotherDestinationSilencesTheFirst() throws {
    var stage = try Stage(long)
    let other = try SequencerListener(name: "other")
    stage.playLong()
    stage.publish(long, destination: other.address.description)
    stage.expectSilence()
    stage.output.stop()
  }

  @Test func theEndSilencesAll() throws {
    let stage = try Stage(long)
    stage.playLong()
    stage.output.stop()
    stage.expectSilence()
    #expect(stage.listener.texts.suffix(3) == ["off 60", "0 c120=0", "0 c123=0"])
  }

  @Test func aDestinationIsConnectedWhenItAppears() throws {
    let host = FakeHost()
    let output = try SequencerOutput(clientName: "daw test")
    output.publish([PlannedPort(trackID: 1, name: "Keys", destination: "Late:in", events: long)], planNumber: 1)
    output.start(following: host)
    while output.status.missingDestinations.isEmpty { usleep(10_000) }
    #expect(output.status.missingDestinations == ["Late:in"])
    let listener = try SequencerListener(name: "late")
    for _ in 0..<500 where output.status.connections[1] != [listener.address] { usleep(10_000) }
    #expect(output.status.connections[1] == [listener.address])
    #expect(output.status.missingDestinations == [])
    output.stop()
  }

  @Test func portsAreThoseOfThePlan() throws {
    let host = FakeHost()
    let output = try SequencerOutput(clientName: "daw test")
    let watcher = try SequencerListener()
    output.publish(
      [PlannedPort(trackID: 1, name: "Keys", events: []), PlannedPort(trackID: 2, name: "Bäss: 2", events: [])],
      planNumber: 1
    )
    output.start(following: host)
    func names(are expected: [String]) -> Bool {
      for _ in 0..<500 where watcher.portNames(of: "daw test") != expected { usleep(10_000) }
      return watcher.portNames(of: "daw test") == expected
    }
    #expect(names(are: ["Keys", "Bäss: 2"]))
    output.publish([PlannedPort(trackID: 1, name: "Piano", events: [])], planNumber: 2)
    host.change { $0.planNumber = 2 }
    #expect(names(are: ["Piano"]))
    output.stop()
    #expect(names(are: []))
  }

  @Test func noNoteHangsWhateverHappens() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    func tune() -> [MIDIEvent] {
      var events: [MIDIEvent] = []
      for index in 0..<200 {
        let start = TimelineFrame(index * 960)
        events += note(UInt8(40 + index % 40), start..<start + Int.random(in: 1...9_600, using: &random))
      }
      return events
    }
    var stage = try Stage(tune())
    for _ in 0..<60 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        stage.host.stop()
        stage.expectSilence()
      case 1: stage.publish(tune(), isMuted: Bool.random(using: &random))
      case 2: stage.host.loop(Bool.random(using: &random) ? 9_600..<19_200 : nil)
      default: stage.host.roll(from: TimelineFrame.random(in: 0..<100_000, using: &random))
      }
      stage.listener.listen(seconds: Double.random(in: 0...0.1, using: &random))
    }
    stage.output.stop()
    stage.expectSilence()
    #expect(stage.output.status.problem == nil, "seed \(seed)")
  }
}
