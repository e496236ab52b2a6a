/// Follows the transport for one port, and says what there is to send, so that whatever the transport and the plan do,
/// no note is left hanging:
///
/// - Playing begins: the settings in force there, then the notes that sound across, then what follows.
/// - Stop, locate, mute, the port taken from the plan: the note-offs owed, pedal up where it is down, all notes off on
///   the channels that had notes. After a locate, as where playing begins.
/// - The loop's end: the note-offs owed, pedal up where it would not be down at the start; the settings that differ at
///   the loop's start, the notes that sound across it.
/// - Another plan: note-offs for what does not sound there, pedal likewise, the settings that differ.
/// - Something was passed over: the same, and the notes that sound there and have not been struck.
///
/// Its memory is fixed, and it is used by one thread at a time, the audio thread or another:
///
///     cursor.begin(block, ports.port(cursor.slot))
///     while let event = cursor.next() { … }
public struct PortCursor: ~Copyable {
  /// The track's id.
  public let slot: Int64
  /// What the receiver has been told, and what it would have been where the plan is played from its beginning.
  private(set) var sent = ChannelState()
  private var wanted = ChannelState()

  private var port: LinkedPort?
  private var block = PortBlock(isRolling: false, frame: 0, frameCount: 1)
  private var isPlaying = false
  /// Whether the last stretch ended where the loop does.
  private var wrapsNext = false
  /// Whether a stretch, or the end of one, has not been read.
  private var hasPassedOver = false
  /// Where the next stretch begins, unless something happens: on the timeline, and in the plan's events.
  private var frame: Int64 = 0
  private var event = 0
  /// Frames of the stretch that are done.
  private var done = 0

  private var stage = Stage.end
  private var ending = Ending()
  /// In `sent`'s notes, or `wanted`'s, or a channel.
  private var key = 0
  private var walk = SettingsWalk()

  private enum Stage { case notes, pedals, channels, releases, settings, strikes, play, end }

  /// What a discontinuity asks for.
  private struct Ending {
    /// All notes that sound, or those only that are not wanted.
    var isForAllNotes = true
    var isQuiet = false
    var forgetsSettings = false
    var isSilent = false
    /// Brings the receiver to `wanted`, its notes only where `strikes`.
    var chases = false
    var strikes = false
  }

  /// Control thread.
  public init(slot: Int64) { self.slot = slot }

  /// Whether nothing is owed: no note sounds, no pedal is down.
  public var isSilent: Bool {
    @_noLocks get {
      guard Int(sent.following[ChannelState.notes]) == ChannelState.notes else { return false }
      for channel in UInt8(0)..<16 where sent.isPedalDown(channel) { return false }
      return true
    }
  }

  // MARK: Beginning a stretch

  /// Begins a stretch of time; the last one has been read to its end.
  /// - Parameter port: as the plan of `block.planNumber` has it, `nil` where it has none. Valid until the next `begin`.
  @_noLocks public mutating func begin(_ block: PortBlock, _ port: LinkedPort?) {
    let earlier = self.block
    self.block = block
    done = 0
    let isIncomplete = hasPassedOver
    hasPassedOver = false
    guard block.isRolling, let port, !port.isMuted else {
      self.port = nil
      wrapsNext = false
      if isPlaying || isIncomplete { start(Ending(isQuiet: true)) } else { stage = .end }
      isPlaying = false
      return
    }
    self.port = port
    let wraps = wrapsNext
    wrapsNext = false
    if !isPlaying {
      moveTo(block.frame)
      start(Ending(forgetsSettings: true, chases: true, strikes: true))
    } else if block.locateNumber != earlier.locateNumber {
      moveTo(block.frame)
      start(Ending(isQuiet: true, forgetsSettings: true, chases: true, strikes: true))
    } else if wraps, block.planNumber == earlier.planNumber, block.frame == frame {
      wrap(to: block.frame)
    } else if isIncomplete || block.planNumber != earlier.planNumber || block.frame != frame {
      moveTo(block.frame)
      start(Ending(isForAllNotes: wraps, chases: true, strikes: wraps || isIncomplete))
    } else {
      stage = .play
    }
    isPlaying = true
  }

  /// Begins the end, which is to be read with `next()`: disconnect, exit, panic. All sound off goes to the channels used.
  @_noLocks public mutating func beginSilence() {
    done = 0
    port = nil
    isPlaying = false
    wrapsNext = false
    start(Ending(isQuiet: true, isSilent: true))
  }

  /// Whether the stretch has been read to its end.
  public var isFinished: Bool { @_noLocks get { stage == .end } }

  /// What is left of the stretch, or all of one that has not begun, is not read; the next one makes up for it.
  @_noLocks public mutating func passOver() {
    port = nil
    stage = .end
    wrapsNext = false
    hasPassedOver = true
  }

  @_noLocks private mutating func start(_ ending: Ending) {
    self.ending = ending
    stage = .notes
    key = Int(sent.following[ChannelState.notes])
  }

  @_noLocks private mutating func moveTo(_ frame: Int64) {
    self.frame = frame
    guard let port else { return }
    event = port.firstEvent(from: frame)
    port.chase(to: event, &wanted)
  }

  @_noLocks private mutating func wrap(to frame: Int64) {
    moveTo(frame)
    start(Ending(chases: true, strikes: true))
  }

  /// Takes back what was said but not sent: from here on the receiver has been told `delivered`, and the next stretch
  /// begins anywhere.
  mutating func rewind(to delivered: borrowing ChannelState) {
    sent.copy(delivered)
    stage = .end
    wrapsNext = false
    frame = .min
  }

  // MARK: Reading it

  /// - Returns: the next message, `nil` at the end of the stretch.
  @_noLocks public mutating func next() -> PortEvent? {
    while true {
      switch stage {
      case .notes: if let event = nextNoteOff() { return event }
      case .pedals: if let event = nextPedal() { return event }
      case .channels: if let event = nextChannel() { return event }
      case .releases: if let event = nextRelease() { return event }
      case .settings: if let event = nextSetting() { return event }
      case .strikes: if let event = nextStrike() { return event }
      case .play: if let event = nextEvent() { return event }
      case .end: return nil
      }
    }
  }

  @_noLocks private mutating func send(_ status: UInt8, _ data1: UInt8, _ data2: UInt8) -> PortEvent {
    sent.apply(status, data1, data2)
    return PortEvent(
      offset: done, message: MIDIEvent(frame: frame, status: status, data1: data1, data2: data2))
  }

  @_noLocks private mutating func nextNoteOff() -> PortEvent? {
    while key != ChannelState.notes {
      let note = key
      key = Int(sent.following[key])
      guard ending.isForAllNotes || !wanted.isSet(note) else { continue }
      let message = sent.messages[note]
      return send(0x80 | UInt8(message & 0x0f), UInt8(truncatingIfNeeded: message >> 8), 0)
    }
    stage = .pedals
    key = 0
    return nil
  }

  @_noLocks private mutating func nextPedal() -> PortEvent? {
    while key < 16 {
      let channel = UInt8(key)
      key += 1
      let isWanted = ending.chases && !ending.isQuiet && wanted.isPedalDown(channel)
      if sent.isPedalDown(channel), !isWanted { return send(0xb0 | channel, 64, 0) }
    }
    stage = .channels
    key = 0
    return nil
  }

  /// All notes off, and where it is the end all sound off before it.
  @_noLocks private mutating func nextChannel() -> PortEvent? {
    while ending.isQuiet, key < 32 {
      let (channel, isSecond) = (key / 2, key % 2 == 1)
      key += 1
      let bit = UInt16(1) << UInt16(channel)
      if !isSecond, ending.isSilent, sent.channelsUsed & bit != 0 { return send(0xb0 | UInt8(channel), 120, 0) }
      if isSecond, sent.channelsWithNotes & bit != 0 { return send(0xb0 | UInt8(channel), 123, 0) }
    }
    guard ending.chases else {
      stage = .end
      return nil
    }
    stage = .releases
    key = Int(sent.following[ChannelState.settings])
    return nil
  }

  /// What the receiver was told elsewhere and has not been told here is taken back as far as that can be: a bend, a
  /// pressure, a wheel, a pedal.
  @_noLocks private mutating func nextRelease() -> PortEvent? {
    while key != ChannelState.settings {
      let setting = key
      key = Int(sent.following[key])
      let message = wanted.message(at: setting, of: sent) == 0 ? sent.release(of: setting) : 0
      if message != 0 {
        return send(
          UInt8(truncatingIfNeeded: message), UInt8(truncatingIfNeeded: message >> 8),
          UInt8(truncatingIfNeeded: message >> 16))
      }
    }
    if ending.forgetsSettings { sent.forgetSettings() }
    walk = SettingsWalk()
    stage = .settings
    return nil
  }

  @_noLocks private mutating func nextSetting() -> PortEvent? {
    let message = walk.next(wanted, known: sent)
    if message != 0 {
      return send(
        UInt8(truncatingIfNeeded: message), UInt8(truncatingIfNeeded: message >> 8),
        UInt8(truncatingIfNeeded: message >> 16))
    }
    stage = ending.strikes ? .strikes : .play
    key = Int(wanted.following[ChannelState.notes])
    return nil
  }

  @_noLocks private mutating func nextStrike() -> PortEvent? {
    guard key != ChannelState.notes else {
      stage = .play
      return nil
    }
    let (message, isStruck) = (wanted.messages[key], sent.isSet(key))
    key = Int(wanted.following[key])
    guard !isStruck else { return nil }
    return send(
      UInt8(truncatingIfNeeded: message), UInt8(truncatingIfNeeded: message >> 8),
      UInt8(truncatingIfNeeded: message >> 16))
  }

  @_noLocks private mutating func nextEvent() -> PortEvent? {
    guard let port else {
      stage = .end
      return nil
    }
    var end = frame + Int64(block.frameCount - done)
    var wraps = false
    if let loop = block.loop, frame < loop.upperBound, loop.upperBound <= end, !loop.isEmpty {
      end = loop.upperBound
      wraps = true
    }
    while event < port.events.count, port.events[event].frame < end {
      let message = port.events[event]
      let offset = done + Int(message.frame - frame)
      if message.beginsNote, sent.isSet(ChannelState.note(message.status, message.data1)) {
        sent.apply(0x80 | message.status & 0x0f, message.data1, 0)
        return PortEvent(
          offset: offset,
          message: MIDIEvent(
            frame: message.frame, status: 0x80 | message.status & 0x0f, data1: message.data1, data2: 0))
      }
      event += 1
      if message.endsNote, !sent.isSet(ChannelState.note(message.status, message.data1)) { continue }
      sent.apply(message.status, message.data1, message.data2)
      return PortEvent(offset: offset, message: message)
    }
    done += Int(end - frame)
    frame = end
    guard wraps, let loop = block.loop else {
      stage = .end
      return nil
    }
    if done < block.frameCount {
      wrap(to: loop.lowerBound)
    } else {
      frame = loop.lowerBound
      wrapsNext = true
      stage = .end
    }
    return nil
  }
}
