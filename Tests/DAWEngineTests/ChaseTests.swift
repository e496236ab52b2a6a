import DAWTestSupport
import DAWTime
import Testing

@testable import DAWEngine

/// A reference model of one channel of a synthesizer, by the MIDI specification, independent of the engine's.
private struct ChannelOfReceiver: Equatable {
  var controllers: [UInt8: UInt8] = [:]
  var bank: [UInt8: UInt8] = [:]
  var program: [UInt8] = []
  var bend: [UInt8] = [0, 64]
  var pressure: UInt8 = 0
  var keyPressures: [UInt8: UInt8] = [:]
  /// Data entry MSB and LSB, by selector and parameter number.
  var parameters: [[UInt8]: [UInt8: UInt8]] = [:]
  /// The selector, 98 or 100, and the number's two halves.
  var selected: [UInt8]?
  var notes: Set<UInt8> = []

  mutating func take(_ message: MIDIEvent) {
    let (first, second) = (message.data1, message.data2)
    switch message.status & 0xf0 {
    case 0x80: notes.remove(first)
    case 0x90: if second > 0 { notes.insert(first) } else { notes.remove(first) }
    case 0xa0: keyPressures[first] = second == 0 ? nil : second
    case 0xc0: program = [first, bank[0] ?? 255, bank[32] ?? 255]
    case 0xd0: pressure = first
    case 0xe0: bend = [first, second]
    case 0xb0: takeController(first, second)
    default: break
    }
  }

  private mutating func takeController(_ number: UInt8, _ value: UInt8) {
    switch number {
    case 0, 32: bank[number] = value
    case 98...101:
      let selector: UInt8 = number < 100 ? 98 : 100
      var halves = selected.map { $0[0] == selector ? $0 : [selector, 127, 127] } ?? [selector, 127, 127]
      halves[number.isMultiple(of: 2) ? 2 : 1] = value
      selected = halves
    case 6, 38: if let selected, selected[1...] != [127, 127] { parameters[selected, default: [:]][number] = value }
    case 120, 123...: notes = []
    case 121:
      controllers = controllers.filter { [7, 10].contains($0.key) || 70...79 ~= $0.key || 91...95 ~= $0.key }
      (bend, pressure, keyPressures, selected) = ([0, 64], 0, [:], nil)
    default:
      // A controller at its default equals one that was never sent.
      let rest: UInt8? =
        switch number {
        case 1, 64...67: 0
        case 11: 127
        default: nil
        }
      controllers[number] = value == rest ? nil : value
    }
  }

  /// Whether the null parameter is selected.
  var isUnselected: Bool { selected.map { $0[1...] == [127, 127] } ?? true }
}

private struct WholeReceiver: Equatable {
  var channels = [ChannelOfReceiver](repeating: ChannelOfReceiver(), count: 16)

  mutating func take(_ message: MIDIEvent, resets: [[UInt8]] = []) {
    if message.isSystemExclusive {
      if resets[Int(message.bytesIndex)].isReset { channels = Self().channels }
      return
    }
    channels[Int(message.status & 0x0f)].take(message)
  }

  static func == (a: Self, b: Self) -> Bool {
    zip(a.channels, b.channels).allSatisfy { a, b in
      var (a, b) = (a, b)
      if a.isUnselected, b.isUnselected { (a.selected, b.selected) = (nil, nil) }
      return a == b
    }
  }
}

/// All kinds of events: programs with banks, controllers, parameters in any order, note-offs of all kinds, resets.
private func randomPlan(_ count: Int, frames: Int, using random: inout SeededGenerator) -> [MIDIEvent] {
  var events: [MIDIEvent] = []
  for _ in 0..<count {
    let frame = TimelineFrame.random(in: 0..<TimelineFrame(frames), using: &random)
    let channel = UInt8.random(in: 0..<3, using: &random)
    let value = UInt8.random(in: 0..<128, using: &random)
    switch Int.random(in: 0..<16, using: &random) {
    case 0...3: events += MIDIEvent.note(.random(in: 60..<66, using: &random), frame..<frame + 700, channel: channel)
    case 4: events.append(MIDIEvent(frame: frame, status: 0xa0 | channel, data1: 60 + value % 4, data2: value))
    case 5: events.append(MIDIEvent(frame: frame, status: 0xc0 | channel, data1: value, data2: 0))
    case 6: events.append(MIDIEvent(frame: frame, status: 0xd0 | channel, data1: value, data2: 0))
    case 7: events.append(MIDIEvent(frame: frame, status: 0xe0 | channel, data1: value, data2: 127 - value))
    case 8: events.append(.control([0, 32].randomElement(using: &random) ?? 0, value % 3, at: frame, channel: channel))
    case 9, 10:
      let number: UInt8 = [98, 99, 100, 101].randomElement(using: &random) ?? 98
      let half: UInt8 = [0, 1, 2, 8, 120, 127].randomElement(using: &random) ?? 0
      events.append(.control(number, half, at: frame, channel: channel))
    case 11, 12:
      events.append(.control([6, 38].randomElement(using: &random) ?? 6, value, at: frame, channel: channel))
    case 13:
      events.append(.control([121, 123, 120].randomElement(using: &random) ?? 121, 0, at: frame, channel: channel))
    case 14 where value < 8: events.append(MIDIEvent(frame: frame, bytesIndex: UInt32(value % 2)))
    default:
      let number: UInt8 = [1, 2, 7, 10, 11, 64, 65, 74, 91].randomElement(using: &random) ?? 1
      events.append(.control(number, value, at: frame, channel: channel))
    }
  }
  return MIDIEvent.sorted(events)
}

private let messages: [[UInt8]] = [[0xf0, 0x43, 1, 0xf7], [0xf0, 0x7e, 0x7f, 9, 1, 0xf7]]

@Suite("Chasing")
struct ChaseTests {
  @Test("A port and an instrument that begin in the middle have the state that they would have from the start")
  func chaseIsPlayingFromTheStart() {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<30 {
      let events = randomPlan(.random(in: 1..<2_500, using: &random), frames: 100_000, using: &random)
      let linked = LinkedPorts([PlannedPort(trackID: 1, name: "", events: events, systemExclusive: messages)])
      let plan = InstrumentPlan(
        soundFontPath: "", soundFontHash: "", bank: 0, program: 0, sampleRate: .init(hertz: 48_000), events: events,
        systemExclusive: messages)
      for _ in 0..<10 {
        let frame = TimelineFrame.random(in: 0..<100_000, using: &random).roundedDown(to: 64)
        let first = events.firstIndex { $0.frame > frame } ?? events.count
        var whole = WholeReceiver()
        for event in events[..<first] { whole.take(event, resets: messages) }

        var port = WholeReceiver()
        var cursor = PortCursor(trackID: 1)
        cursor.begin(PortBlock(isRolling: true, frame: frame, frameCount: 1), linked.port(1))
        while let event = cursor.next() { port.take(event.message, resets: messages) }
        #expect(port == whole, "port, seed \(seed), frame \(frame)")

        var instrument = WholeReceiver()
        let begun = plan.begun(at: frame).events
        for event in begun.dropLast(events.count - first) { instrument.take(event, resets: messages) }
        #expect(instrument == whole, "instrument, seed \(seed), frame \(frame)")
      }
    }
  }

  @Test("A locate and a loop reset the settings that do not hold at the new position", arguments: [false, true])
  func takenBack(isLoop: Bool) {
    let events =
      MIDIEvent.note(60, 0..<10_000) + [
        MIDIEvent(frame: 500, status: 0xe0, data1: 0, data2: 100), .control(1, 90, at: 500), .control(11, 30, at: 500),
        .control(7, 80, at: 500), MIDIEvent(frame: 500, status: 0xd0, data1: 70, data2: 0),
      ]
    var drive = PortDrive(events)
    drive.isRolling = true
    drive.run(400)
    if isLoop { drive.loop = 200..<800 }
    drive.run(200)
    #expect(drive.receiver.others[0xe0] == [0, 100])
    if !isLoop { drive.locate(300) }
    drive.run(isLoop ? 210 : 10)
    #expect(drive.receiver.others == [0xe0: [0, 64], 0xd0: [0, 0]])
    // Volume has no default to return to.
    #expect(drive.receiver.controllers == [1: 0, 11: 127, 7: 80])
    #expect(drive.receiver.faults == [])
  }

  @Test("Parameters beyond the capacity are ignored, and none of the others is lost")
  func manyParameters() {
    var state = ChannelState()
    for number in 0..<600 {
      state.apply(0xb0, 99, UInt8(number >> 7))
      state.apply(0xb0, 98, UInt8(number & 0x7f))
      state.apply(0xb0, 6, UInt8(number % 100))
    }
    var receiver = WholeReceiver()
    for message in state.settingsAndNotes {
      receiver.take(
        MIDIEvent(
          frame: 0, status: UInt8(message & 0xff), data1: UInt8(message >> 8 & 0xff), data2: UInt8(message >> 16 & 0xff)
        ))
    }
    let parameters = receiver.channels[0].parameters
    #expect(parameters.count == ChannelState.parameterCapacity)
    #expect(parameters.allSatisfy { key, data in data[6] == UInt8((Int(key[1]) << 7 | Int(key[2])) % 100) })
  }

  @Test("One parameter of all channels has slots apart from each other, so that none is searched for")
  func parametersOfAllChannels() {
    var state = ChannelState()
    for channel in UInt8(0)..<16 {
      state.apply(0xb0 | channel, 101, 0)
      state.apply(0xb0 | channel, 100, 0)
      state.apply(0xb0 | channel, 6, 12)
    }
    var used: [Int] = []
    for slot in 0..<ChannelState.parameterCapacity where state.parameterSlots[slot] != 0 { used.append(slot) }
    #expect(used.count == 16)
    #expect(zip(used, used.dropFirst()).allSatisfy { $1 - $0 > 1 }, "\(used)")
  }
}
