/// Generates the messages that bring a receiver's settings to those of a state, one by one.
struct SettingsWalk {
  private var key = 0
  /// How many of the current setting's messages are done.
  private var part = 0
  private var isInLists = true
  private var channel = 0

  @_noLocks init() { key = ChannelState.settings }

  /// - Parameters:
  ///   - state: the target; must not change during the walk.
  ///   - known: the receiver's state; the caller applies each message of this walk to it.
  /// - Returns: the next message's three bytes, the first lowest; 0 at the end.
  @_noLocks mutating func next(_ state: borrowing ChannelState, known: borrowing ChannelState) -> UInt32 {
    while isInLists {
      if part == 0 {
        key = Int(state.following[key])
        guard key != ChannelState.settings else {
          isInLists = false
          break
        }
        guard state.messages[key] != known.message(at: key, of: state) else { continue }
      }
      let message = nextPart(of: state.messages[key], state)
      if message != 0 { return message }
    }
    while channel < 16 {
      let message = nextSelection(state, known)
      if message != 0 { return message }
      channel += 1
      part = 0
    }
    return 0
  }

  /// - Returns: 0 if this part needs no message; `part` is 0 once the setting is done.
  @_noLocks private mutating func nextPart(of message: UInt32, _ state: borrowing ChannelState) -> UInt32 {
    let status = UInt8(truncatingIfNeeded: message)
    let channel = status & 0x0f
    if status & 0xf0 == 0xc0 {
      part += 1
      switch part {
      case 1: return Self.bank(channel, 0, UInt8(truncatingIfNeeded: message >> 24))
      case 2: return Self.bank(channel, 32, UInt8(truncatingIfNeeded: message >> 16))
      default:
        part = 0
        return message & 0xffff
      }
    }
    guard key >= ChannelState.firstParameter else { return message }
    let parameter = UInt16(truncatingIfNeeded: state.parameterSlots[(key - ChannelState.firstParameter) / 2])
    part += 1
    switch part {
    case 1: return Self.selection(channel, parameter, isCoarse: true)
    case 2: return Self.selection(channel, parameter, isCoarse: false)
    default:
      part = 0
      return message
    }
  }

  /// The bank and the parameter selected at the end, for later messages.
  @_noLocks private mutating func nextSelection(
    _ state: borrowing ChannelState, _ known: borrowing ChannelState
  ) -> UInt32 {
    let bank = state.banks[channel]
    // If none was selected, select the null parameter, so that later data entry does not change one selected by this
    // walk.
    let parameter = state.parameters[channel] == ChannelState.none ? 0x3fff : state.parameters[channel]
    let number = UInt8(channel)
    while part < 4 {
      part += 1
      switch part {
      case 1 where bank >> 8 != known.banks[channel] >> 8:
        let message = Self.bank(number, 0, UInt8(bank >> 8))
        if message != 0 { return message }
      case 2 where bank & 0xff != known.banks[channel] & 0xff:
        let message = Self.bank(number, 32, UInt8(bank & 0xff))
        if message != 0 { return message }
      case 3:
        let old = known.parameters[channel]
        guard parameter != old, !(ChannelState.isNull(parameter) && ChannelState.isNull(old)) else { return 0 }
        return Self.selection(number, parameter, isCoarse: true)
      case 4: return Self.selection(number, parameter, isCoarse: false)
      default: break
      }
    }
    return 0
  }

  /// One of the two controllers that select a parameter.
  @_noLocks private static func selection(_ channel: UInt8, _ parameter: UInt16, isCoarse: Bool) -> UInt32 {
    let isFree = parameter & ChannelState.freeParameter != 0
    let half = UInt8(truncatingIfNeeded: isCoarse ? parameter >> 7 : parameter) & 0x7f
    return controller(channel, (isFree ? 98 : 100) + (isCoarse ? 1 : 0), half)
  }

  /// A bank select controller; 0 if that half of the bank was never sent.
  @_noLocks private static func bank(_ channel: UInt8, _ number: UInt8, _ value: UInt8) -> UInt32 {
    value == 0xff ? 0 : controller(channel, number, value)
  }

  @_noLocks private static func controller(_ channel: UInt8, _ number: UInt8, _ value: UInt8) -> UInt32 {
    UInt32(0xb0 | channel) | UInt32(number) << 8 | UInt32(value) << 16
  }
}

extension ChannelState {
  /// The messages that bring a new receiver to this state: settings in their order, then the notes that sound, oldest
  /// first. Each is three bytes, the first lowest. Not the audio thread.
  var settingsAndNotes: [UInt32] {
    var messages: [UInt32] = []
    var known = ChannelState()
    appendSettingsAndNotes(to: &messages, &known)
    return messages
  }

  /// Appends `settingsAndNotes`. Not the audio thread.
  /// - Parameter known: used for the work.
  func appendSettingsAndNotes(to messages: inout [UInt32], _ known: inout ChannelState) {
    known.clear()
    var walk = SettingsWalk()
    while true {
      let message = walk.next(self, known: known)
      guard message != 0 else { break }
      known.apply(packed: message)
      messages.append(message)
    }
    var key = Int(following[Self.notes])
    while key != Self.notes {
      messages.append(self.messages[key])
      key = Int(following[key])
    }
  }
}
