/// The state of a receiver of channel messages: the notes that sound, and the settings in the order in which they were
/// sent. Memory is fixed and touched in `init`; any thread, one at a time.
///
/// Data entry is tracked for up to `parameterCapacity` registered and non-registered parameters. Increments and system
/// messages are not tracked. All notes off does not end notes here, because some receivers ignore it.
struct ChannelState: ~Copyable {
  /// For each key, the message last sent: three bytes, the first lowest; 0 for none. A program change carries its bank
  /// in the upper bytes.
  let messages: UnsafeMutablePointer<UInt32>
  /// Two doubly linked lists of the keys that are set, oldest first. Keys 0 and 1 are their heads.
  let following: UnsafeMutablePointer<Int16>
  private let preceding: UnsafeMutablePointer<Int16>
  /// For each channel, the bank selected for the next program: MSB × 256 + LSB, each 0xff if not sent.
  let banks: UnsafeMutablePointer<UInt16>
  /// For each channel, the parameter that data entry sets, with `freeParameter` for a non-registered one.
  let parameters: UnsafeMutablePointer<UInt16>
  /// A hash table of the parameters that received data entry, looked up by `slot`: 1 << 31, the channel << 16, and the
  /// number with `freeParameter`; 0 for a free slot.
  let parameterSlots: UnsafeMutablePointer<UInt32>
  /// Keys that are set.
  private(set) var count = 0
  /// A bit for each channel: whether it had notes since its last all notes off, and since `init`.
  private(set) var channelsWithNotes: UInt16 = 0
  private(set) var channelsUsed: UInt16 = 0

  // Computed, because a lazily initialised static would take a lock.
  /// Heads of the lists.
  static var settings: Int { @_noLocks get { 0 } }
  static var notes: Int { @_noLocks get { 1 } }
  /// No bank or parameter selected.
  static var none: UInt16 { @_noLocks get { 0xffff } }
  static var freeParameter: UInt16 { @_noLocks get { 0x8000 } }
  // The first key of each kind.
  private static var firstNote: Int { @_noLocks get { 2 } }
  private static var firstPolyPressure: Int { @_noLocks get { firstNote + 2_048 } }
  private static var firstController: Int { @_noLocks get { firstPolyPressure + 2_048 } }
  private static var firstProgram: Int { @_noLocks get { firstController + 2_048 } }
  private static var firstPressure: Int { @_noLocks get { firstProgram + 16 } }
  private static var firstBend: Int { @_noLocks get { firstPressure + 16 } }
  /// Two for each slot of `parameterSlots`: data entry MSB and LSB.
  static var firstParameter: Int { @_noLocks get { firstBend + 16 } }
  static var keyCount: Int { @_noLocks get { firstParameter + 2 * parameterCapacity } }
  /// For all channels together; a power of two.
  static var parameterCapacity: Int { @_noLocks get { 512 } }

  init() {
    messages = .allocate(capacity: Self.keyCount)
    messages.initialize(repeating: 0, count: Self.keyCount)
    following = .allocate(capacity: Self.keyCount)
    preceding = .allocate(capacity: Self.keyCount)
    following.initialize(repeating: 0, count: Self.keyCount)
    preceding.initialize(repeating: 0, count: Self.keyCount)
    banks = .allocate(capacity: 16)
    banks.initialize(repeating: Self.none, count: 16)
    parameters = .allocate(capacity: 16)
    parameters.initialize(repeating: Self.none, count: 16)
    parameterSlots = .allocate(capacity: Self.parameterCapacity)
    parameterSlots.initialize(repeating: 0, count: Self.parameterCapacity)
    empty(Self.notes)
  }

  deinit {
    messages.deallocate()
    following.deallocate()
    preceding.deallocate()
    banks.deallocate()
    parameters.deallocate()
    parameterSlots.deallocate()
  }

  @_noLocks static func note(_ status: UInt8, _ pitch: UInt8) -> Int { firstNote + place(status, pitch) }
  @_noLocks static func controller(_ channel: UInt8, _ number: UInt8) -> Int {
    firstController + place(channel, number)
  }
  @_noLocks private static func place(_ status: UInt8, _ data: UInt8) -> Int {
    Int(status & 0x0f) * 128 + Int(data & 0x7f)
  }

  @_noLocks func isSet(_ key: Int) -> Bool { messages[key] != 0 }

  /// Whether a pedal of the channel is down.
  /// - Parameter number: its controller, one of `MIDIEvent.holdingPedals`.
  @_noLocks func isPedalDown(_ channel: UInt8, _ number: UInt8) -> Bool {
    UInt8(truncatingIfNeeded: messages[Self.controller(channel, number)] >> 16) >= 64
  }

  /// A bit for each channel: whether its pedal is down.
  @_noLocks func channels(withPedal number: UInt8) -> UInt16 {
    var channels: UInt16 = 0
    for channel in UInt8(0)..<16 where isPedalDown(channel, number) { channels |= 1 << UInt16(channel) }
    return channels
  }

  // MARK: Changing

  /// Updates the state by a message sent.
  @_noLocks mutating func apply(_ status: UInt8, _ data1: UInt8, _ data2: UInt8) {
    let message = UInt32(status) | UInt32(data1) << 8 | UInt32(data2) << 16
    let channel = Int(status & 0x0f)
    switch status & 0xf0 {
    case 0x90 where data2 > 0:
      channelsWithNotes |= 1 << UInt16(channel)
      channelsUsed |= 1 << UInt16(channel)
      set(Self.note(status, data1), message, in: Self.notes)
    case 0x80, 0x90: remove(Self.note(status, data1))
    case 0xa0: set(Self.firstPolyPressure + Self.place(status, data1), message, in: Self.settings)
    case 0xb0: applyController(channel, data1, data2, message)
    case 0xc0:
      let bank = banks[channel]
      set(
        Self.firstProgram + channel, UInt32(status) | UInt32(data1) << 8 | UInt32(bank) << 16, in: Self.settings)
    case 0xd0: set(Self.firstPressure + channel, message, in: Self.settings)
    case 0xe0: set(Self.firstBend + channel, message, in: Self.settings)
    default: break
    }
  }

  @_noLocks private mutating func applyController(_ channel: Int, _ number: UInt8, _ value: UInt8, _ message: UInt32) {
    let wide = UInt16(value)
    switch number {
    case 0: banks[channel] = wide << 8 | banks[channel] & 0xff
    case 32: banks[channel] = banks[channel] & 0xff00 | wide
    case 98, 100: select(channel, number, Self.part(parameters[channel], number) & ~0x7f | wide)
    case 99, 101: select(channel, number, Self.part(parameters[channel], number) & 0x7f | wide << 7)
    case 6, 38:
      guard !Self.isNull(parameters[channel]) else { return }
      let slot = slot(1 << 31 | UInt32(channel) << 16 | UInt32(parameters[channel]), claims: true)
      if slot >= 0 { set(Self.firstParameter + 2 * slot + (number == 6 ? 0 : 1), message, in: Self.settings) }
    case 96, 97, 120: break
    case 121: reset(channel, message)
    case 123: channelsWithNotes &= ~(1 << UInt16(channel))
    default: set(Self.controller(UInt8(channel), number), message, in: Self.settings)
    }
  }

  /// The parameter selected so far, if it is of the kind that controller `number` selects: 98 and 99 non-registered,
  /// 100 and 101 registered.
  @_noLocks private static func part(_ parameter: UInt16, _ number: UInt8) -> UInt16 {
    let isFree = number < 100
    return parameter != none && (parameter & freeParameter != 0) == isFree ? parameter & 0x3fff : 0x3fff
  }

  @_noLocks private func select(_ channel: Int, _ number: UInt8, _ parameter: UInt16) {
    parameters[channel] = number < 100 ? parameter | Self.freeParameter : parameter
  }

  /// Whether it is the null parameter, which data entry does not change.
  @_noLocks static func isNull(_ parameter: UInt16) -> Bool { parameter & 0x3fff == 0x3fff }

  /// A parameter's slot in the hash table (linear probing).
  /// - Parameter claims: whether to add it if it is missing.
  /// - Returns: −1 if it is missing and was not added, or the table is full.
  @_noLocks private func slot(_ parameter: UInt32, claims: Bool) -> Int {
    let mask = Self.parameterCapacity - 1
    // The product's upper half depends on the channel too. `>>` binds more tightly than `&*`.
    var slot = Int(truncatingIfNeeded: (parameter &* 0x9e37_79b1) >> 16) & mask
    for _ in 0...mask {
      if parameterSlots[slot] == parameter { return slot }
      if parameterSlots[slot] == 0 {
        guard claims else { return -1 }
        parameterSlots[slot] = parameter
        return slot
      }
      slot = (slot + 1) & mask
    }
    return -1
  }

  /// This state's message for the setting that `other` has at `key`; a parameter's slot may differ between the two. 0
  /// if it is not set.
  @_noLocks func message(at key: Int, of other: borrowing ChannelState) -> UInt32 {
    guard key >= Self.firstParameter else { return messages[key] }
    let (place, half) = ((key - Self.firstParameter) / 2, (key - Self.firstParameter) % 2)
    let slot = slot(other.parameterSlots[place], claims: false)
    return slot < 0 ? 0 : messages[Self.firstParameter + 2 * slot + half]
  }

  /// The message that resets the setting at `key` to its default, as reset all controllers would; 0 if there is none or
  /// it would change nothing.
  /// - SeeAlso: MIDI Recommended Practice RP-015.
  @_noLocks func release(of key: Int) -> UInt32 {
    let (message, status) = (messages[key], messages[key] & 0xff)
    let rest: UInt32 =
      switch (status & 0xf0, message >> 8 & 0x7f) {
      case (0xa0, _): message & 0xffff
      case (0xb0, 1), (0xb0, 64...67): message & 0xffff
      case (0xb0, 11): message & 0xffff | 127 << 16
      case (0xd0, _): status
      case (0xe0, _): status | 64 << 16
      default: message
      }
    return rest == message || key >= Self.firstParameter ? 0 : rest
  }

  /// Updates the state by a plan's event, the way an instrument does: all notes off and all sound off end the channel's
  /// notes, a reset clears everything.
  @_noLocks mutating func follow(_ event: MIDIEvent, resets: UnsafeMutableBufferPointer<Bool>) {
    guard !event.isSystemExclusive else {
      if Int(event.bytesIndex) < resets.count, resets[Int(event.bytesIndex)] { clear() }
      return
    }
    if event.status & 0xf0 == 0xb0, event.data1 == 120 || event.data1 >= 123 {
      for pitch in UInt8(0)..<128 { remove(Self.note(event.status, pitch)) }
    }
    apply(event.status, event.data1, event.data2)
  }

  /// Reset all controllers, which leaves volume, pan, sound controllers and effect depths.
  /// - SeeAlso: MIDI Recommended Practice RP-015.
  @_noLocks private mutating func reset(_ channel: Int, _ message: UInt32) {
    for number in UInt8(0)..<120 {
      switch number {
      case 7, 10, 70...79, 91...95: break
      default: remove(Self.controller(UInt8(channel), number))
      }
    }
    for pitch in UInt8(0)..<128 { remove(Self.firstPolyPressure + Self.place(UInt8(channel), pitch)) }
    remove(Self.firstPressure + channel)
    remove(Self.firstBend + channel)
    parameters[channel] = Self.none
    set(Self.controller(UInt8(channel), 121), message, in: Self.settings)
  }

  @_noLocks private mutating func set(_ key: Int, _ message: UInt32, in list: Int) {
    remove(key)
    messages[key] = message
    count += 1
    let last = preceding[list]
    following[Int(last)] = Int16(key)
    preceding[key] = last
    following[key] = Int16(list)
    preceding[list] = Int16(key)
  }

  @_noLocks private mutating func remove(_ key: Int) {
    guard messages[key] != 0 else { return }
    messages[key] = 0
    count -= 1
    following[Int(preceding[key])] = following[key]
    preceding[Int(following[key])] = preceding[key]
  }

  // MARK: As a whole

  /// Returns to the initial state.
  @_noLocks mutating func clear() {
    forgetSettings()
    empty(Self.notes)
    channelsWithNotes = 0
    channelsUsed = 0
  }

  /// Forgets the settings, so that all of them are sent again.
  @_noLocks mutating func forgetSettings() {
    empty(Self.settings)
    banks.update(repeating: Self.none, count: 16)
    parameters.update(repeating: Self.none, count: 16)
    parameterSlots.update(repeating: 0, count: Self.parameterCapacity)
  }

  @_noLocks private mutating func empty(_ list: Int) {
    var key = Int(following[list])
    while key > Self.notes {
      messages[key] = 0
      count -= 1
      key = Int(following[key])
    }
    following[list] = Int16(list)
    preceding[list] = Int16(list)
  }

  /// Not the audio thread.
  mutating func copy(_ other: borrowing ChannelState) {
    messages.update(from: other.messages, count: Self.keyCount)
    following.update(from: other.following, count: Self.keyCount)
    preceding.update(from: other.preceding, count: Self.keyCount)
    banks.update(from: other.banks, count: 16)
    parameters.update(from: other.parameters, count: 16)
    parameterSlots.update(from: other.parameterSlots, count: Self.parameterCapacity)
    count = other.count
    channelsWithNotes = other.channelsWithNotes
    channelsUsed = other.channelsUsed
  }
}
