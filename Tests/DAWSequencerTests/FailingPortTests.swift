import CALSA
import DAWEngine
import DAWTime
import Glibc
import Testing

@testable import DAWSequencer

/// With libasound, without a sequencer.
@Suite(.serialized) struct FailingPortTests {
  private func output(_ tracks: Int, _ library: calsa) throws -> SequencerOutput {
    let output = try SequencerOutput(clientName: "daw test", watchdog: nil, library: library)
    output.publish(Self.ports(1...tracks), planNumber: 1)
    return output
  }

  private static func ports(_ tracks: ClosedRange<Int>) -> [PlannedPort] {
    tracks.map { PlannedPort(trackID: Int64($0), name: "Track \($0)", events: long) }
  }

  @Test func tracksForWhichAClientHasNoPortAreNamedAndTheOthersSound() throws {
    let output = try output(300, FakeSequencer.library())
    let host = FakeHost()
    output.start(following: host)
    host.roll(from: 0)
    #expect(FakeSequencer.wait { FakeSequencer.notes(SND_SEQ_EVENT_NOTEON).count >= 253 })
    #expect(Set(FakeSequencer.notes(SND_SEQ_EVENT_NOTEON).map(\.port)).count == 253)
    #expect(output.status.failures.map(\.name) == (254...300).map { "Track \($0)" })
    #expect(Set(output.status.failures.map(\.error)) == [.tooManyPorts])
    #expect(output.status.problem == nil)
    // When tracks are removed, others get their ports.
    output.publish(Self.ports(40...300), planNumber: 2)
    host.change { $0.planNumber = 2 }
    #expect(FakeSequencer.wait { output.status.failures.count == 8 })
    output.stop()
    #expect(output.status.problem == nil)
  }

  @Test func aPortThatCannotBeMadeIsNamedAndTheOthersSound() throws {
    let output = try output(3, FakeSequencer.library(failingNames: ["Track 2"]))
    let host = FakeHost()
    output.start(following: host)
    host.roll(from: 0)
    #expect(FakeSequencer.wait { FakeSequencer.notes(SND_SEQ_EVENT_NOTEON).count >= 2 })
    #expect(output.status.failures.map(\.name) == ["Track 2"])
    #expect(output.status.problem == nil)
    output.stop()
    #expect(Set(FakeSequencer.notes(SND_SEQ_EVENT_NOTEON).map(\.port)) == [1, 2])
  }

  @Test func aPortThatTakesNothingIsNamedAndTheOthersSound() throws {
    // Port 0 is the inlet; port 2 is the second track's.
    let output = try output(3, FakeSequencer.library(failingPorts: [2]))
    let host = FakeHost()
    output.start(following: host)
    host.roll(from: 0)
    #expect(
      FakeSequencer.wait { FakeSequencer.notes(SND_SEQ_EVENT_NOTEON).count >= 2 && !output.status.failures.isEmpty })
    #expect(Set(FakeSequencer.notes(SND_SEQ_EVENT_NOTEON).map(\.port)) == [1, 3])
    #expect(output.status.failures.map(\.name) == ["Track 2"])
    #expect(output.status.problem == nil)
    // The failure is cleared by the next message sent.
    FakeSequencer.state.withLock { $0.failingPorts = [] }
    host.roll(from: 0)
    #expect(FakeSequencer.wait { output.status.failures.isEmpty })
    output.stop()
  }

  @Test func aThreadThatHasEndedKeepsNoPorts() throws {
    var library = try FakeSequencer.library()
    library.snd_seq_get_queue_status = { _, _, _ in -ENODEV }
    let output = try output(1, library)
    output.start(following: FakeHost())
    #expect(FakeSequencer.wait { output.status.problem != nil })
    weak var kept: MIDISequence?
    do {
      let ports = Self.ports(1...1)
      kept = ports[0].sequence
      output.publish(ports, planNumber: 2)
    }
    #expect(FakeSequencer.wait { kept == nil })
    output.stop()
  }

  @Test func aPlanIsPlayedOnceItIsHeardAndNotBefore() throws {
    let output = try SequencerOutput(clientName: "daw test", watchdog: nil, library: FakeSequencer.library())
    func publish(_ pitch: UInt8, planNumber: UInt64) {
      // Twenty a second.
      let events = (0..<20_000).flatMap { note(pitch, TimelineFrame($0 * 2_400)..<TimelineFrame($0 * 2_400 + 1_200)) }
      output.publish([PlannedPort(trackID: 1, name: "Keys", events: events)], planNumber: planNumber)
    }
    func struck(_ pitch: UInt8) -> Int { FakeSequencer.notes(SND_SEQ_EVENT_NOTEON).count { $0.note == pitch } }
    publish(60, planNumber: 1)
    let host = FakeHost()
    output.start(following: host)
    host.roll(from: 0)
    #expect(FakeSequencer.wait { struck(60) > 0 })
    for pitch in UInt8(61)...63 {
      let number = UInt64(pitch - 59)
      publish(pitch, planNumber: number)
      let before = struck(pitch - 1)
      #expect(FakeSequencer.wait { struck(pitch - 1) >= before + 10 || struck(pitch) > 0 })
      #expect(struck(pitch) == 0)
      host.change { $0.planNumber = number }
      #expect(FakeSequencer.wait { struck(pitch) > 0 })
    }
    output.stop()
    #expect(output.status.problem == nil)
  }

  @Test func aWatchdogEndsTheFirstNoteAndTheLastWhereTheyAreHeard() throws {
    let table = try SoundingTable()
    table.row(0).add(MIDIEvent(frame: 0, status: 0x90, data1: 0, data2: 1))
    table.row(255).add(MIDIEvent(frame: 0, status: 0x9f, data1: 127, data2: 1))
    table.setDestinations(
      0, [SequencerAddress(client: 14, port: 0).packed, SequencerAddress(client: 128, port: 5).packed])
    table.setDestinations(255, [SequencerAddress(client: 191, port: 253).packed])
    SequencerSilence.send(table, try SequencerClient(name: "daw watchdog", library: try FakeSequencer.library()))
    let ended = FakeSequencer.notes(SND_SEQ_EVENT_NOTEOFF).map { "\($0.destination) \($0.channel) \($0.note)" }
    #expect(ended == ["14:0 0 0", "128:5 0 0", "191:253 15 127"])
    #expect(FakeSequencer.notes(SND_SEQ_EVENT_CONTROLLER).count == 6)
  }
}
