import DAWEngine
import DAWTime
import Testing

@testable import DAWSequencer

@Test func aNewSubscriberGetsTheSettingsUpToAFrameAndNoNotes() {
  let events = [
    MIDIEvent(frame: 0, status: 0xb0, data1: 32, data2: 5),
    MIDIEvent(frame: 0, status: 0xc0, data1: 9, data2: 0),
    MIDIEvent(frame: 10, status: 0x90, data1: 60, data2: 80),
    MIDIEvent(frame: 20, status: 0xe0, data1: 0, data2: 70),
    MIDIEvent(frame: 30, status: 0xc0, data1: 11, data2: 0),
  ]
  let ports = LinkedPorts([PlannedPort(trackID: 1, name: "Keys", events: events)])
  var ahead = PortScheduler(trackID: 1)
  ahead.schedule(PortBlock(isRolling: true, frame: 0, frameCount: 100), ports.port(1), at: 1_000) { _ in }
  func told(before hostFrame: HostFrame) -> [[UInt8]] {
    ahead.settings(before: hostFrame).map { [$0.status, $0.data1, $0.data2] }
  }
  #expect(told(before: 1_000) == [])
  #expect(told(before: 1_020) == [[0xb0, 32, 5], [0xc0, 9, 0]])
  #expect(told(before: 1_021) == [[0xb0, 32, 5], [0xc0, 9, 0], [0xe0, 0, 70]])
  // Delivered messages count, whatever frame is asked for.
  ahead.deliver(before: 1_021)
  #expect(told(before: 0) == [[0xb0, 32, 5], [0xc0, 9, 0], [0xe0, 0, 70]])
  #expect(told(before: 2_000) == [[0xe0, 0, 70], [0xb0, 32, 5], [0xc0, 11, 0]])
}
