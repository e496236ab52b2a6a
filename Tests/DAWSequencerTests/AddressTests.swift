import DAWEngine
import Testing

@testable import DAWSequencer

private let synth = SequencerPort(
  address: SequencerAddress(client: 128, port: 1), clientName: "FLUID Synth (7)", portName: "Synth: in")

@Test(arguments: ["128:1", "fluid synth (7):SYNTH: IN", "128:Synth: in", "FLUID Synth (7):1"])
func aDestinationIsFoundByNameOrNumber(text: String) { #expect(synth.isCalled(text)) }

@Test(arguments: ["128", "128:0", "FLUID Synth (7)", "FLUID:1", "", ":", "128:", "28:1"])
func aDestinationIsNotFoundByLess(text: String) { #expect(!synth.isCalled(text)) }

@Test func aClientAloneMeansItsFirstPort() {
  var first = synth
  first.address.port = 0
  #expect(first.isCalled("128"))
  #expect(first.isCalled("fluid synth (7)"))
}

@Test func theTableKnowsWhatSoundsAndWhere() throws {
  let table = try SoundingTable()
  let ports = LinkedPorts([
    PlannedPort(
      trackID: 1, name: "Keys",
      events: [
        MIDIEvent(frame: 0, status: 0xb1, data1: 64, data2: 127),
        MIDIEvent(frame: 10, status: 0x91, data1: 60, data2: 9),
        MIDIEvent(frame: 20, status: 0x91, data1: 62, data2: 9),
        MIDIEvent(frame: 30, status: 0x81, data1: 60, data2: 0),
      ])
  ])
  var ahead = PortScheduler(trackID: 1)
  ahead.schedule(PortBlock(isRolling: true, frame: 0, frameCount: 100), ports.port(1), at: 0) {
    table.row(3).add($0.message)
  }
  let addresses = [SequencerAddress(client: 14, port: 0), SequencerAddress(client: 200, port: 17)]
  table.setDestinations(3, addresses.map(\.packed))
  func pendingNoteOffs() -> [[UInt8]] { table.row(3).pendingNoteOffs.map { [$0.status, $0.data1, $0.data2] } }
  let end: [[UInt8]] = [[0xb1, 64, 0], [0xb1, 120, 0], [0xb1, 123, 0]]
  #expect(pendingNoteOffs() == [[0x81, 60, 0], [0x81, 62, 0]] + end)
  #expect(table.destinations(3).map(SequencerAddress.init(packed:)) == addresses)
  ahead.deliver(before: 31)
  table.row(3).set(ahead)
  #expect(pendingNoteOffs() == [[0x81, 62, 0]] + end)
  table.setDestinations(3, [])
  #expect(table.destinations(3) == [])
  table.clear(3)
  #expect(pendingNoteOffs() == [])
  #expect(table.row(4).pendingNoteOffs == [])
}
