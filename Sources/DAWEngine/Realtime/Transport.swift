/// What can happen to a transport.
enum TransportEvent: CaseIterable {
  /// Somebody wants it to roll.
  case start
  case stop
  /// Somebody sends the playhead elsewhere.
  case locate
  /// The streams are there, or have been waited for long enough.
  case ready
  /// What sounded is over.
  case faded
  /// The host that is followed rolls, whatever is ready. What fades does so to its end first.
  case hostRolls
}

extension TransportState {
  /// The state machine: what an event makes of a state. Documentation/RealTimeRules.md draws it.
  /// - Returns: the state itself where the event changes nothing.
  @_noLocks func after(_ event: TransportEvent) -> TransportState {
    switch (self, event) {
    case (.stopped, .start): .starting
    case (.starting, .stop): .stopped
    case (.starting, .ready): .rolling
    case (.rolling, .stop): .stopping
    case (.rolling, .locate): .locating
    case (.stopping, .start): .locating
    case (.stopping, .faded): .stopped
    case (.locating, .stop): .stopping
    case (.locating, .faded): .starting
    case (.stopped, .hostRolls), (.starting, .hostRolls): .rolling
    default: self
    }
  }

  /// Whether plans are run.
  var isSounding: Bool { @_noLocks get { self == .rolling || self == .stopping || self == .locating } }
}

/// Where the playhead is and what moves it. The audio thread alone owns it.
struct Transport {
  var state = TransportState.stopped
  /// Timeline frame of the next frame that is played.
  var frame: Int64 = 0
  /// Where the playhead goes when what sounds has faded.
  var target: Int64 = 0
  var loopFirst: Int64 = 0
  var loopEnd: Int64 = 0
  var locateNumber: UInt64 = 1
  var wrapCount: UInt64 = 0
  /// Frames played since the last locate.
  var rolled: Int64 = 0
  /// Frames that the fade has come.
  var faded = 0
  /// Frames that the start has waited.
  var waited = 0

  @_noLocks mutating func apply(_ command: TransportCommand) {
    switch command {
    case .start: handle(.start)
    case .stop: handle(.stop)
    case .locate(let frame): locate(to: frame)
    case .loop(let first, let end):
      guard first >= 0, first < end else { return }
      loopFirst = first
      loopEnd = end
    case .noLoop:
      loopFirst = 0
      loopEnd = 0
    }
  }

  @_noLocks mutating func locate(to frame: Int64) {
    if state.isSounding {
      handle(.locate)
      target = frame
    } else {
      put(at: frame)
    }
  }

  @_noLocks mutating func handle(_ event: TransportEvent) {
    let before = state
    state = state.after(event)
    guard state != before else { return }
    switch (before, state) {
    case (.rolling, .stopping), (.rolling, .locating):
      target = frame
      faded = 0
    case (.stopping, .stopped), (.locating, .starting): put(at: target)
    case (.stopped, .starting): waited = 0
    default: break
    }
  }

  /// The playhead stands at a frame, and every stream has to begin there.
  @_noLocks mutating func put(at frame: Int64) {
    self.frame = frame
    locateNumber += 1
    wrapCount = 0
    rolled = 0
    waited = 0
  }

  /// The host's transport leads.
  /// - Parameter missed: frames of the host's clock in which it did not call.
  @_noLocks mutating func follow(_ host: FollowedTransport, missed: Int64) {
    switch host.state {
    case .stopped:
      handle(.stop)
      if !state.isSounding, frame != host.frame { put(at: host.frame) }
    case .starting:
      if state == .rolling { locate(to: host.frame) }
      handle(.start)
      if state == .starting, frame != host.frame { put(at: host.frame) }
    case .rolling:
      if state == .rolling, missed > 0, host.frame == frame + missed {
        // The host has gone on without us: what was not played is left out, and everything else is where it was.
        frame += missed
        rolled += missed
      } else if state == .rolling, host.frame != frame {
        locate(to: host.frame)
      } else if !state.isSounding {
        handle(.hostRolls)
        if frame != host.frame { put(at: host.frame) }
      }
    }
  }

  /// How many frames can be played before something has to be decided anew.
  @_noLocks func framesUntilWrap() -> Int {
    loopFirst < loopEnd && frame < loopEnd ? Int(min(loopEnd - frame, 1_073_741_824)) : 1_073_741_824
  }

  /// So many frames have been played: at most `framesUntilWrap()`.
  @_noLocks mutating func advance(by count: Int) {
    let mayWrap = loopFirst < loopEnd && frame < loopEnd
    frame += Int64(count)
    rolled += Int64(count)
    if mayWrap, frame == loopEnd {
      frame = loopFirst
      wrapCount += 1
    }
  }
}
