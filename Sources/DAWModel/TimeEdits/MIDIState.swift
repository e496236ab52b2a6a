/// What MIDI events hold at a place: the last of each controller, parameter, program, bend and pressure per channel.
/// Increments of parameters and system messages are not tracked.
struct MIDIState {
  fileprivate struct Key: Hashable {
    var channel: Int
    var kind: RegionEvent.Message.Kind
    /// A controller, a pitch, or `firstParameter` and above: a half of what data entry sets.
    var number = 0
  }

  private var values: [Key: RegionEvent.Message] = [:]
  /// The bank of the next program, by channel.
  private var banks: [Int: Int] = [:]
  /// What data entry sets, by channel: its number, with `freeParameter` for a non-registered one.
  private var parameters: [Int: Int] = [:]

  private static let freeParameter = 0x4000
  private static let nullParameter = 0x3fff

  // MARK: Following events

  /// A program carries the bank that it was selected from; a bank that is selected after it is for the next one.
  mutating func apply(_ event: RegionEvent) {
    let channel = event.channel
    switch event.message {
    case .controller(let number, let value): setController(number, to: value, on: channel)
    case .program(let program, let bank):
      if let bank { banks[channel] = bank }
      values[Key(channel: channel, kind: .program)] = .program(program, bank: banks[channel])
      for half in [0, 32] { values[Key(channel: channel, kind: .controller, number: half)] = nil }
    case .pitchBend, .channelPressure: values[Key(channel: channel, kind: event.message.kind)] = event.message
    case .polyPressure(let pitch, _):
      values[Key(channel: channel, kind: .polyPressure, number: pitch)] = event.message
    case .systemExclusive, .meta: break
    }
  }

  func applying(_ events: [RegionEvent]) -> MIDIState {
    var state = self
    for event in events { state.apply(event) }
    return state
  }

  private mutating func setController(_ number: Int, to value: Int, on channel: Int) {
    var key = Key(channel: channel, kind: .controller, number: number)
    switch number {
    case 6, 38:
      guard let parameter = parameters[channel], parameter & Self.nullParameter != Self.nullParameter else { return }
      key.number = Key.firstParameter + 2 * parameter + (number == 6 ? 0 : 1)
    case 98...101:
      select(number, value, on: channel)
      return
    case 121:
      reset(channel)
      return
    case 96, 97, 120...: return
    case 0: banks[channel] = value << 7 | (banks[channel] ?? 0) & 0x7f
    case 32: banks[channel] = (banks[channel] ?? 0) & ~0x7f | value
    default: break
    }
    values[key] = .controller(number: number, value: value)
  }

  private mutating func select(_ number: Int, _ value: Int, on channel: Int) {
    let kind = number < 100 ? Self.freeParameter : 0
    var parameter = Self.nullParameter
    if let selected = parameters[channel], selected & Self.freeParameter == kind {
      parameter = selected & Self.nullParameter
    }
    let isCoarse = number == 99 || number == 101
    parameters[channel] = kind | (isCoarse ? parameter & 0x7f | value << 7 : parameter & ~0x7f | value)
  }

  /// Reset all controllers.
  /// - SeeAlso: MIDI Recommended Practice RP-015.
  private mutating func reset(_ channel: Int) {
    for key in values.keys.filter({ $0.channel == channel && $0.isReset }) { values[key] = key.rest }
    parameters[channel] = nil
  }

  /// Takes over from an earlier state what this one does not have.
  mutating func fill(from earlier: MIDIState) {
    values.merge(earlier.values) { own, _ in own }
    banks.merge(earlier.banks) { own, _ in own }
    parameters.merge(earlier.parameters) { own, _ in own }
  }

  // MARK: Differences

  /// A message after which a state holds.
  struct Needed {
    var channel: Int
    var message: RegionEvent.Message
    /// Whether it must come at a later tick than the others: at one tick a bank is sent before a program, which would
    /// then be chosen from it.
    var isLater = false
  }

  /// The messages after which this state holds where another one did. What was never set is set to its value at rest,
  /// and left as it is where it has none.
  func messages(after held: MIDIState) -> [Needed] {
    var messages: [Needed] = []
    /// What the messages leave selected for data entry.
    var selected = held.parameters
    func select(_ parameter: Int, on channel: Int) {
      guard selected[channel] != parameter else { return }
      selected[channel] = parameter
      let isFree = parameter & Self.freeParameter != 0
      for (number, value) in [(isFree ? 99 : 101, parameter >> 7 & 0x7f), (isFree ? 98 : 100, parameter & 0x7f)] {
        messages.append(Needed(channel: channel, message: .controller(number: number, value: value)))
      }
    }
    let differing = Set(values.keys).union(held.values.keys).filter { key in
      let wanted = values[key] ?? key.rest
      return !key.isBank && wanted != nil && wanted != held.values[key] ?? key.rest
    }
    let programs = Set(differing.filter { $0.kind == .program }.map(\.channel))
    /// The banks that the messages leave selected.
    var left = held.banks
    for key in differing.sorted(by: Key.areInOrder) {
      guard var message = values[key] ?? key.rest else { continue }
      if case .program(let program, let bank) = message {
        left[key.channel] = bank ?? left[key.channel].map { _ in 0 }
        message = .program(program, bank: left[key.channel])
      }
      if let parameter = key.parameter { select(parameter, on: key.channel) }
      messages.append(Needed(channel: key.channel, message: message))
    }
    for channel in 0..<16 {
      if let parameter = parameters[channel] {
        select(parameter, on: channel)
      } else if selected[channel] != held.parameters[channel] {
        select(Self.nullParameter, on: channel)
      }
      for message in bankMessages(on: channel, after: left[channel]) {
        messages.append(Needed(channel: channel, message: message, isLater: programs.contains(channel)))
      }
    }
    return messages
  }

  /// What selects the bank of the next program where another one is selected: the halves that differ.
  /// - Parameter left: the other one; `nil`: none was ever selected.
  private func bankMessages(on channel: Int, after left: Int?) -> [RegionEvent.Message] {
    guard let bank = banks[channel] ?? left.map({ _ in 0 }), bank != left else { return [] }
    return [(number: 0, shift: 7), (number: 32, shift: 0)].compactMap { half in
      let value = bank >> half.shift & 0x7f
      let isSelected = values[Key(channel: channel, kind: .controller, number: half.number)] != nil
      let isNeeded = left.map { $0 >> half.shift & 0x7f != value } ?? isSelected
      return isNeeded ? .controller(number: half.number, value: value) : nil
    }
  }
}

extension MIDIState.Key {
  static let firstParameter = 128

  static func areInOrder(_ a: Self, _ b: Self) -> Bool {
    (a.channel, a.kind.rawValue, a.number) < (b.channel, b.kind.rawValue, b.number)
  }

  var isBank: Bool { kind == .controller && (number == 0 || number == 32) }

  /// The parameter that data entry sets.
  var parameter: Int? {
    kind == .controller && number >= Self.firstParameter ? (number - Self.firstParameter) / 2 : nil
  }

  /// Whether 'reset all controllers' concerns it.
  var isReset: Bool {
    guard kind == .controller else { return kind != .program }
    switch number {
    case 0, 32, 7, 10, 70...79, 91...95, Self.firstParameter...: return false
    default: return true
    }
  }

  /// What a receiver has before anything is sent, where that is the same for all.
  var rest: RegionEvent.Message? {
    switch (kind, number) {
    case (.controller, 1), (.controller, 64...69): .controller(number: number, value: 0)
    case (.controller, 11): .controller(number: number, value: 127)
    case (.pitchBend, _): .pitchBend(0)
    case (.channelPressure, _): .channelPressure(0)
    case (.polyPressure, _): .polyPressure(pitch: number, value: 0)
    default: nil
    }
  }
}
