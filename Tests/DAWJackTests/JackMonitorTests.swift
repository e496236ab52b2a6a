import CFakeJack
import CJack
import DAWEngine
import DAWTestSupport
import DAWTime
import Testing

@testable import DAWJack

/// What arrives at a MIDI input is passed on to a track's output.
@Suite struct JackMonitorTests {
  private let fake: FakeClient
  private let input: OpaquePointer

  init() throws {
    fake = try FakeClient()
    input = try #require(
      fake.library.functions.jack_port_register(
        fake.handle, "Keys in", JACK_DEFAULT_MIDI_TYPE, UInt(JackPortIsInput.rawValue), 0))
    fake.engine.publish(FakeClient.plan(1).plan)
    fake.client.setMonitors([7: input])
    try fake.announce(1)
    try fake.client.activate()
    // The tables are taken up with their plan.
    #expect(fake.cycle { fake.engine.record.planNumber == 1 })
    fake.cycle()
  }

  private func receive(_ time: UInt32, _ bytes: [UInt8]) {
    #expect(fake_jack_receive(input, time, bytes, UInt32(bytes.count)) == 0)
  }

  /// What the track's output sent in the last cycle: time, then bytes.
  private func sent() throws -> [[UInt8]] {
    let port = try fake.port("Keys")
    return (0..<fake_jack_event_count(port)).map { index in
      let event = fake_jack_event(port, index)
      return withUnsafeBytes(of: event.bytes) { [UInt8(event.time)] + $0.prefix(Int(event.count)) }
    }
  }

  @Test func itIsPassedOnInTheSameCycleAtItsFrame() throws {
    receive(0, [0x90, 60, 80])
    receive(255, [0xc3, 5])
    fake.cycle()
    #expect(try sent() == [[0, 0x90, 60, 80], [255, 0xc3, 5]])
    fake.cycle()
    #expect(try sent() == [])
    receive(9, [0xf0, 1, 2])
    receive(10, [3, 0xf7])
    receive(11, [0xf8])
    receive(12, [0x80, 60, 0])
    fake.cycle()
    #expect(try sent() == [[9, 0xf0, 1, 2], [10, 3, 0xf7], [11, 0xf8], [12, 0x80, 60, 0]])
  }

  @Test func itComesBetweenTheTracksOwnMessagesInOrder() throws {
    #expect(fake.engine.send(.start))
    #expect(fake.cycle { (try? sent().count) == 8 })
    let own = try sent()
    for time in [0, 5, 32, 40, 224, 255] as [UInt32] { receive(time, [0x91, UInt8(time / 2), 80]) }
    fake.cycle()
    let times = try sent().map { $0[0] }
    #expect(times == times.sorted())
    #expect(try sent().filter { $0[1] == 0x91 }.map { $0[0] } == [0, 5, 32, 40, 224, 255])
    #expect(try sent().filter { $0[1] != 0x91 } == own, "the track's own are where they were")
  }

  @Test func aNoteOfTheTrackEndsAlsoIfItsKeyIsLetGoRightBeforeIt() throws {
    let events = [
      MIDIEvent(frame: 4_106, status: 0x90, data1: 60, data2: 80),
      MIDIEvent(frame: 5_000, status: 0x80, data1: 60, data2: 0),
    ]
    var ports = JackClient.TrackPorts()
    ports.midi = [PlannedPort(trackID: 7, name: "Keys", events: events)]
    ports.planNumber = 1
    try fake.client.publish(ports)
    #expect(fake.engine.send(.start))
    #expect(fake.cycle { fake.engine.record.nextFrame == 4_096 })
    receive(5, [0x80, 60, 0])
    fake.cycle()
    #expect(try sent() == [[5, 0x80, 60, 0], [10, 0x90, 60, 80]])
    fake.cycle()
    #expect(fake.cycle { (try? sent().isEmpty) == false })
    #expect(try sent().map { Array($0.dropFirst()) } == [[0x80, 60, 0]])
  }

  @Test func aHeldNoteEndsWhenItIsNotPassedOnAnyMore() throws {
    receive(3, [0x90, 60, 80])
    receive(4, [0xb0, 64, 127])
    fake.cycle()
    fake.cycle()
    #expect(try sent() == [])
    fake.client.setMonitors([:])
    receive(3, [0x90, 61, 80])
    fake.cycle()
    #expect(try sent() == [[0, 0x80, 60, 0], [0, 0xb0, 64, 0], [0, 0xb0, 123, 0]])
    fake.cycle()
    #expect(try sent() == [])
  }

  @Test func aHeldNoteEndsWhenTheTransportStopsAndAtTheEnd() throws {
    #expect(fake.engine.send(.start))
    #expect(fake.cycle { fake.engine.record.state == .rolling })
    receive(3, [0x90, 60, 80])
    fake.cycle()
    #expect(fake.engine.send(.stop))
    var ended: [[UInt8]] = []
    for _ in 0..<10 {
      fake.cycle()
      ended += try sent().filter { $0[1] != 0xb0 }
    }
    #expect(ended.map { Array($0.dropFirst()) } == [[0x80, 60, 0]])
    receive(3, [0x90, 62, 80])
    fake.cycle()
    fake.client.silenceMIDI()
    receive(3, [0x90, 63, 80])
    fake.cycle()
    #expect(try sent().prefix(1) == [[0, 0x80, 62, 0]])
    #expect(try !sent().contains { $0[1] == 0x90 }, "nothing begins after the end")
  }

  @Test func whatDoesNotFitIsLeftOutAndNoNoteHangs() throws {
    // As many as the buffer takes, so that a note's end does not fit.
    receive(0, [0x90, 60, 80])
    for _ in 1..<FAKE_JACK_EVENTS { receive(1, [0xa0, 60, 1]) }
    fake.cycle()
    #expect(try sent().count == Int(FAKE_JACK_EVENTS))
    #expect(fake.engine.send(.start))
    #expect(fake.cycle { (try? sent().contains { $0[1] == 0x80 }) == true }, "as any note that sounds at a start")
    // Before the track's own messages of the cycle, and behind them.
    for time in [1, 230] as [UInt32] {
      receive(0, [0x90, 61, 80])
      for _ in 1..<FAKE_JACK_EVENTS - 1 { receive(time, [0xa0, 60, 1]) }
      receive(250, [0x80, 61, 0])
      fake.cycle()
      #expect(try !sent().contains { $0[1] == 0x80 })
      #expect(fake.cycle { (try? sent().contains { $0.dropFirst() == [0x80, 61, 0] }) == true })
      fake.cycle()
    }
  }

  @Test func aTrackThatIsRemovedEndsWhatWasPassedOn() throws {
    receive(3, [0x90, 60, 80])
    fake.cycle()
    var ports = JackClient.TrackPorts()
    ports.planNumber = 1
    try fake.client.publish(ports)
    receive(3, [0x90, 61, 80])
    fake.cycle()
    #expect(try sent().map { Array($0.dropFirst()) }.prefix(1) == [[0x80, 60, 0]])
    #expect(try !sent().contains { $0[1] == 0x90 })
  }
}
