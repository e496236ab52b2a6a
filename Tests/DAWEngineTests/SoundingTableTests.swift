import Testing

@testable import DAWEngine

@Test func theTableHasEveryNoteFromTheFirstToTheLast() throws {
  let table = try SoundingTable()
  for (row, notes) in [[0], [2_047], [0, 2_047], Array(0..<2_048)].enumerated() {
    for note in notes {
      table.row(row).add(
        MIDIEvent(frame: 0, status: 0x90 | UInt8(note / 128), data1: UInt8(note % 128), data2: 1))
    }
    let ended = table.row(row).pendingNoteOffs.filter { $0.status & 0xf0 == 0x80 }
    #expect(ended.map { Int($0.status & 0x0f) * 128 + Int($0.data1) } == notes)
  }
  #expect(table.row(0).pendingNoteOffs.map(\.text) == ["1-0", "1c120=0", "1c123=0"])
  #expect(table.row(1).pendingNoteOffs.map(\.text) == ["16-127", "16c120=0", "16c123=0"])
  #expect(table.row(5).pendingNoteOffs.isEmpty)
  table.clear(0)
  #expect(table.row(0).pendingNoteOffs.isEmpty && !table.row(1).pendingNoteOffs.isEmpty)
}

@Test func theTableHasPedalsThatAreDown() throws {
  let table = try SoundingTable()
  table.row(0).add(.control(64, 127, at: 0, channel: 15))
  table.row(0).add(.control(64, 0, at: 0, channel: 3))
  table.row(0).add(.control(66, 64, at: 0, channel: 2))
  #expect(table.row(0).pendingNoteOffs.map(\.text) == ["16c64=0", "3c66=0"])
  // Of what is sent ahead, and of what a port has sent.
  let events: [MIDIEvent] = [.control(66, 127, at: 0, channel: 15), .control(64, 127, at: 0, channel: 1)]
  let ports = LinkedPorts([PlannedPort(trackID: 1, name: "Keys", events: events)])
  var ahead = PortScheduler(trackID: 1)
  ahead.schedule(PortBlock(isRolling: true, frame: 0, frameCount: 500), ports.port(1), at: 0) { _ in }
  table.row(1).set(ahead)
  ahead.deliver(before: 500)
  table.row(2).set(ahead)
  var state = ChannelState()
  for event in events { state.apply(event) }
  table.row(3).set(state)
  for row in 1...3 { #expect(table.row(row).pendingNoteOffs.map(\.text) == ["2c64=0", "16c66=0"]) }
}

@Test func anotherProcessFindsWhatSoundsAndWhereItIsHeard() throws {
  let table = try SoundingTable()
  table.row(255).add(MIDIEvent(frame: 0, status: 0x90, data1: 60, data2: 1))
  table.setDestinations(255, [0, 0xffff, 3_585])
  table.setDestinations(0, named: ["system:midi_playback_1", "synth:Eingang"])
  table.setDestinations(1, named: ["synth:Eingang"])
  let other = try #require(SoundingTable(descriptor: table.descriptor))
  #expect(other.row(255).pendingNoteOffs.first?.text == "1-60")
  #expect(other.destinations(255) == [0, 0xffff, 3_585])
  #expect(other.destinationNames(0) == ["system:midi_playback_1", "synth:Eingang"])
  #expect(other.destinationNames(1) == ["synth:Eingang"])
  table.setDestinations(1, named: [])
  #expect(other.destinationNames(1) == [] && other.destinationNames(0).count == 2)
  // The second table would close the same descriptor.
  withExtendedLifetime(table) {}
}

@Test func namesOfDestinationsGiveTheirPlacesBack() throws {
  let table = try SoundingTable()
  for round in 0..<40 {
    for row in 0..<16 { table.setDestinations(row, named: (0..<4).map { "client \(round):port \(row) \($0)" }) }
    for row in 0..<16 {
      #expect(table.destinationNames(row) == (0..<4).map { "client \(round):port \(row) \($0)" })
    }
  }
  table.setDestinations(0, named: [String(repeating: "x", count: SoundingTable.maximumNameBytes + 1), "a:b"])
  #expect(table.destinationNames(0) == ["a:b"])
}
