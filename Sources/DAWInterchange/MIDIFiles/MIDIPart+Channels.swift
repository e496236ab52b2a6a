import DAWMedia
import DAWModel

extension MIDIPart {
  var isEmpty: Bool { notes.isEmpty && events.isEmpty && name == nil }

  /// The channels that it uses, in order.
  var channels: [Int] {
    var isUsed = [Bool](repeating: false, count: 16)
    for note in notes { isUsed[Int(note.channel)] = true }
    for event in events where event.message.kind.hasChannel { isUsed[event.channel] = true }
    return isUsed.indices.filter { isUsed[$0] }
  }

  /// Splits a part by channel: first the events without a channel, under the part's name, then a part for each channel.
  /// A part of one channel is not split.
  func splitByChannel() -> [MIDIPart] {
    let channels = channels
    guard channels.count > 1 else { return [self] }
    var rest = MIDIPart(name: name, endTick: endTick)
    rest.events = events.filter { !$0.message.kind.hasChannel }
    var parts = channels.map { MIDIPart(name: "Channel \($0 + 1)", endTick: endTick) }
    var places = [Int](repeating: 0, count: 16)
    for (place, channel) in channels.enumerated() { places[channel] = place }
    for note in notes { parts[places[Int(note.channel)]].notes.append(note) }
    for event in events where event.message.kind.hasChannel { parts[places[event.channel]].events.append(event) }
    return [rest] + parts
  }

  /// Sets `instrument` to the bank and program of the first note. If the file sets them once, at the start, in the form
  /// that an export writes, their events are removed; else they are kept.
  mutating func takeInstrument() {
    guard channels.count == 1 else { return }
    let firstNote = notes.first?.start ?? .max
    let leading = events.prefix { $0.tick <= firstNote }
    var bank = 0
    for event in leading {
      switch event.message {
      case .controller(0, let value): bank = value << 7 | bank & 0x7f
      case .controller(32, let value): bank = bank & ~0x7f | value
      case .program(let program, _): instrument = Sound(bank: bank, program: program)
      default: break
      }
    }
    guard let instrument, instrument != Sound(program: 0) else { return }
    let written = instrument.messages
    let said = leading.indices.filter { leading[$0].message.isBankOrProgram }
    guard said.map({ leading[$0].message }) == written, said.allSatisfy({ leading[$0].tick == 0 }) else { return }
    for index in said.reversed() { events.remove(at: index) }
  }

  /// Whether there is a program event before the first note, or at its start.
  var saysItsInstrument: Bool {
    let firstNote = notes.first?.start ?? .max
    return events.prefix { $0.tick <= firstNote }.contains { $0.message.kind == .program }
  }
}

extension MIDIPart.Sound {
  /// As an export writes it.
  var messages: [RegionEvent.Message] {
    let bank: [RegionEvent.Message] =
      bank == 0
      ? [] : [.controller(number: 0, value: bank >> 7), .controller(number: 32, value: bank & 0x7f)]
    return bank + [.program(program)]
  }
}

extension RegionEvent.Message {
  var isBankOrProgram: Bool {
    switch self {
    case .controller(0, _), .controller(32, _), .program: true
    default: false
    }
  }
}
