import DAWTime

/// Follows the transport for one port and generates the messages to send, without hanging notes whatever the transport
/// and the plan do:
///
/// - Start: the settings in force at the playhead, then the notes that sound across it, then the events.
/// - Stop, locate, mute, port removed from the plan: pending note-offs, pedals up, all notes off on the
///   channels that had notes. After a locate, then as at a start.
/// - Loop wrap: pending note-offs, pedals up unless down at the loop's start; then the settings that differ there,
///   and the notes that sound across it.
/// - New plan with other events: note-offs for notes that do not sound there, pedals likewise, then the settings that
///   differ.
/// - Frames were skipped: the same, and the notes that sound there and have not been sent.
///
/// Finding the state at a position (the chase) takes time; `next` can be given a budget for it, and then goes on in a
/// later block.
///
/// Fixed memory; used by one thread at a time, possibly the audio thread:
///
///     cursor.begin(block, ports.port(cursor.trackID))
///     while let event = cursor.next() { … }
public struct PortCursor: ~Copyable {
  /// The track's id.
  public let trackID: Int64
  /// The receiver's state, and the state that it should have: that of playing the plan from its beginning.
  private(set) var sent = ChannelState()
  private var wanted = ChannelState()

  private var port: LinkedPort?
  /// The number of the sequence last played.
  private var sequence: UInt64 = 0
  private var block = PortBlock(isRolling: false, frame: 0, frameCount: 1)
  private var isPlaying = false
  /// Whether the last block ended at the loop's end.
  private var wrapsNext = false
  /// Whether a block has not been read to its end.
  private var hasSkipped = false
  /// Where `wanted` is the state, once `chase` is done: in the sequence of this number at `wantedFrame`, before the
  /// event `wantedEvent`. A loop that wraps again needs no other chase.
  private var wantedSequence: UInt64 = 0
  private var wantedFrame: TimelineFrame = 0
  private var wantedEvent = 0
  private var chase: LinkedSequence.Chase?
  /// Where the next block begins unless the transport changes: timeline frame, and index of the plan's next event.
  private var frame: TimelineFrame = 0
  private var event = 0
  /// Frames of the block done.
  private var done = 0

  private var stage = Stage.end
  private var transition = Transition()
  /// The position within a stage: a key of `sent` or `wanted`, or a channel.
  private var key = 0
  private var walk = SettingsWalk()

  private enum Stage { case chase, notes, pedals, channels, releases, settings, strikes, play, end }

  /// The messages that a discontinuity needs.
  private struct Transition {
    /// Note-offs for all notes that sound, or only for those not in `wanted`.
    var isForAllNotes = true
    /// All notes off, and pedals up whatever `wanted` has.
    var isQuiet = false
    /// Sends all settings again, not only those that differ.
    var forgetsSettings = false
    /// All sound off.
    var isSilent = false
    /// Brings the receiver's settings to `wanted`; its notes as well if `strikes`.
    var chases = false
    var strikes = false
  }

  /// Control thread.
  public init(trackID: Int64) { self.trackID = trackID }

  /// Whether no note sounds and no pedal is down.
  public var isSilent: Bool {
    @_noLocks get {
      guard Int(sent.following[ChannelState.notes]) == ChannelState.notes else { return false }
      let (sustain, sostenuto) = MIDIEvent.holdingPedals
      return sent.channels(withPedal: sustain) | sent.channels(withPedal: sostenuto) == 0
    }
  }

  // MARK: Beginning a stretch

  /// Begins a block; the last one has been read to its end, or skipped.
  /// - Parameter port: the port in the plan `block.planNumber`, `nil` if it has none. Valid until the next `begin`.
  @_noLocks public mutating func begin(_ block: PortBlock, _ port: LinkedPort?) {
    let earlier = self.block
    self.block = block
    done = 0
    let isIncomplete = hasSkipped
    hasSkipped = false
    guard block.isRolling, let port, !port.isMuted else {
      self.port = nil
      wrapsNext = false
      if isPlaying || isIncomplete { start(Transition(isQuiet: true)) } else { stage = .end }
      isPlaying = false
      return
    }
    self.port = port
    let wraps = wrapsNext
    wrapsNext = false
    let isSame = port.sequence.number == sequence
    sequence = port.sequence.number
    if !isPlaying {
      frame = block.frame
      start(Transition(forgetsSettings: true, chases: true, strikes: true))
    } else if block.locateNumber != earlier.locateNumber {
      frame = block.frame
      start(Transition(isQuiet: true, forgetsSettings: true, chases: true, strikes: true))
    } else if wraps, isSame, block.frame == frame {
      wrap(to: block.frame)
    } else if isIncomplete || !isSame || block.frame != frame {
      // After `rewind` all notes before the block have been sent.
      let isSkipped = isIncomplete || isSame && frame != .min
      frame = block.frame
      start(Transition(isForAllNotes: wraps, chases: true, strikes: wraps || isSkipped))
    } else {
      stage = .play
    }
    isPlaying = true
  }

  /// Begins the final silence, to be read with `next()`, for disconnect, exit or panic: note-offs, pedals up, all sound
  /// off on the channels used.
  @_noLocks public mutating func beginSilence() {
    done = 0
    port = nil
    isPlaying = false
    wrapsNext = false
    start(Transition(isQuiet: true, isSilent: true))
  }

  /// Whether the block has been read to its end.
  public var isFinished: Bool { @_noLocks get { stage == .end } }

  /// Skips the rest of the block, or all of one that has not begun; the next block makes up for it.
  @_noLocks mutating func skipRest() {
    port = nil
    stage = .end
    wrapsNext = false
    hasSkipped = true
  }

  // MARK: Messages from elsewhere

  /// The receiver was sent a message that is not of the plan: at the next discontinuity its note is ended, and what it
  /// set is set as the plan has it.
  @_noLocks public mutating func pass(_ status: UInt8, _ data1: UInt8, _ data2: UInt8) {
    sent.apply(status, data1, data2)
    // A walk through the receiver's notes or settings begins again, since they have changed.
    switch stage {
    case .notes: key = Int(sent.following[ChannelState.notes])
    case .releases: key = Int(sent.following[ChannelState.settings])
    default: break
    }
  }

  /// No more such messages follow: the next block ends the notes that are not of the plan.
  @_noLocks public mutating func endPassing() { hasSkipped = true }

  @_noLocks private mutating func start(_ transition: Transition) {
    self.transition = transition
    // What a quiet transition ends first does not depend on `wanted`.
    if transition.isQuiet { startNotes() } else { stage = .chase }
  }

  @_noLocks private mutating func startNotes() {
    stage = .notes
    key = Int(sent.following[ChannelState.notes])
  }

  @_noLocks private mutating func wrap(to frame: TimelineFrame) {
    self.frame = frame
    start(Transition(chases: true, strikes: true))
  }

  /// Withdraws messages that were read but not sent: the receiver is in state `delivered`, and the next block may begin
  /// anywhere.
  mutating func rewind(to delivered: borrowing ChannelState) {
    sent.copy(delivered)
    // A stop may have ended what sounds with messages that are withdrawn: the next block ends it, stopped or not.
    isPlaying = isPlaying || !isSilent
    stage = .end
    wrapsNext = false
    frame = .min
  }

  // MARK: Reading it

  /// - Returns: the next message, `nil` at the end of the block.
  @_noLocks public mutating func next() -> PortEvent? {
    var budget = Int.max
    return next(&budget)
  }

  /// - Parameter budget: the work that may still be done, in events followed or sent; lowered by what was done, at most
  ///   a little below 0.
  /// - Returns: the next message; `nil` at the end of the block, or if the budget was used up before it: then
  ///   `isFinished` is false, and the next call goes on.
  @_noLocks public mutating func next(_ budget: inout Int) -> PortEvent? {
    while budget > 0 {
      if let event = step(&budget) {
        budget -= 1
        return event
      }
      if stage == .end { return nil }
    }
    return nil
  }

  /// Goes on by a message, or to another stage.
  @_noLocks private mutating func step(_ budget: inout Int) -> PortEvent? {
    switch stage {
    case .chase:
      followChase(&budget)
      return nil
    case .notes: return nextNoteOff()
    case .pedals: return nextPedal()
    case .channels: return nextChannel()
    case .releases: return nextRelease()
    case .settings: return nextSetting()
    case .strikes: return nextStrike()
    case .play: return nextEvent()
    case .end: return nil
    }
  }

  /// Brings `wanted` to the state at `frame`.
  @_noLocks private mutating func followChase(_ budget: inout Int) {
    guard let port else {
      stage = .end
      return
    }
    if wantedSequence != port.sequence.number || wantedFrame != frame {
      wantedSequence = port.sequence.number
      wantedFrame = frame
      wantedEvent = port.sequence.firstEvent(from: frame)
      chase = port.sequence.chase(to: wantedEvent, &wanted)
      budget -= Self.searchCost
    }
    if var chase {
      guard port.sequence.follow(&chase, &wanted, &budget) else {
        self.chase = chase
        return
      }
      self.chase = nil
    }
    event = wantedEvent
    // The stages that follow walk the lists of both states.
    budget -= Self.transitionCost + (sent.count + wanted.count) / 4
    if transition.isQuiet { startReleases() } else { startNotes() }
  }

  /// What a search and a transition take, compared to an event that is followed.
  private static var searchCost: Int { @_noLocks get { 16 } }
  private static var transitionCost: Int { @_noLocks get { 16 } }

  @_noLocks private mutating func send(_ status: UInt8, _ data1: UInt8, _ data2: UInt8) -> PortEvent {
    sent.apply(status, data1, data2)
    return PortEvent(
      offset: done, message: MIDIEvent(frame: frame, status: status, data1: data1, data2: data2))
  }

  @_noLocks private mutating func send(packed message: UInt32) -> PortEvent {
    let event = MIDIEvent(frame: frame, packed: message)
    return send(event.status, event.data1, event.data2)
  }

  @_noLocks private mutating func nextNoteOff() -> PortEvent? {
    while key != ChannelState.notes {
      let note = key
      key = Int(sent.following[key])
      guard transition.isForAllNotes || !wanted.isSet(note) else { continue }
      let message = sent.messages[note]
      return send(0x80 | UInt8(message & 0x0f), UInt8(truncatingIfNeeded: message >> 8), 0)
    }
    stage = .pedals
    key = 0
    return nil
  }

  @_noLocks private mutating func nextPedal() -> PortEvent? {
    let (sustain, sostenuto) = MIDIEvent.holdingPedals
    while key < 32 {
      let (channel, number) = (UInt8(key / 2), key % 2 == 0 ? sustain : sostenuto)
      key += 1
      // One that is forgotten, and sent again, would not be lifted if the settings were skipped before it.
      let isKept = transition.chases && !transition.isQuiet && !transition.forgetsSettings
      let isWanted = isKept && wanted.isPedalDown(channel, number)
      if sent.isPedalDown(channel, number), !isWanted { return send(0xb0 | channel, number, 0) }
    }
    stage = .channels
    key = 0
    return nil
  }

  /// All notes off, preceded by all sound off for the final silence.
  @_noLocks private mutating func nextChannel() -> PortEvent? {
    while transition.isQuiet, key < 32 {
      let (channel, isSecond) = (key / 2, key % 2 == 1)
      key += 1
      let bit = UInt16(1) << UInt16(channel)
      if !isSecond, transition.isSilent, sent.channelsUsed & bit != 0 { return send(0xb0 | UInt8(channel), 120, 0) }
      if isSecond, sent.channelsWithNotes & bit != 0 { return send(0xb0 | UInt8(channel), 123, 0) }
    }
    if !transition.chases {
      stage = .end
    } else if transition.isQuiet {
      stage = .chase
    } else {
      startReleases()
    }
    return nil
  }

  @_noLocks private mutating func startReleases() {
    stage = .releases
    key = Int(sent.following[ChannelState.settings])
  }

  /// Resets settings that the receiver has and `wanted` has not, if the setting has a default: bends, pressure, wheels,
  /// pedals.
  @_noLocks private mutating func nextRelease() -> PortEvent? {
    while key != ChannelState.settings {
      let setting = key
      key = Int(sent.following[key])
      let message = wanted.message(at: setting, of: sent) == 0 ? sent.release(of: setting) : 0
      if message != 0 { return send(packed: message) }
    }
    if transition.forgetsSettings { sent.forgetSettings() }
    walk = SettingsWalk()
    stage = .settings
    return nil
  }

  @_noLocks private mutating func nextSetting() -> PortEvent? {
    let message = walk.next(wanted, known: sent)
    if message != 0 { return send(packed: message) }
    stage = transition.strikes ? .strikes : .play
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
    return send(packed: message)
  }

  @_noLocks private mutating func nextEvent() -> PortEvent? {
    guard let port else {
      stage = .end
      return nil
    }
    var end = frame + (block.frameCount - done)
    var wraps = false
    if let loop = block.loop, frame < loop.upperBound, loop.upperBound <= end, !loop.isEmpty {
      end = loop.upperBound
      wraps = true
    }
    let events = port.sequence.events
    while event < events.count, events[event].frame < end {
      let message = events[event]
      let offset = done + (message.frame - frame)
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
    done += end - frame
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
