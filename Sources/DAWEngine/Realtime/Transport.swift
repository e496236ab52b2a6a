import DAWTime

/// The events of the transport's state machine.
enum TransportEvent: CaseIterable {
  /// A command to roll.
  case start
  case stop
  /// A command to move the playhead.
  case locate
  /// The streams are primed, or the wait for them has timed out.
  case ready
  /// A fade-out has ended.
  case faded
  /// The host that is followed rolls, whether or not streams are ready. A fade-out under way ends first.
  case hostRolls
}

extension TransportState {
  /// The state machine's transitions, drawn in Documentation/RealTimeRules.md.
  /// - Returns: the next state; `self` if the event has no effect.
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

/// The playhead and what moves it. Used by the audio thread alone.
struct Transport {
  var state = TransportState.stopped
  /// Timeline frame of the next frame to play.
  var frame: TimelineFrame = 0
  /// Where the playhead goes after the fade-out.
  var target: TimelineFrame = 0
  var loopFirst: TimelineFrame = 0
  var loopEnd: TimelineFrame = 0
  var locateNumber: UInt64 = 1
  var wrapCount: UInt64 = 0
  var rolled: RolledFrame = 0
  /// Frames of the fade-out done.
  var faded = 0
  /// Frames that the start has waited for its streams.
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
    // Moves nothing.
    case .record: break
    }
  }

  @_noLocks mutating func locate(to frame: TimelineFrame) {
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

  /// Moves the playhead to a frame; every stream has to be primed for it.
  @_noLocks mutating func put(at frame: TimelineFrame) {
    self.frame = frame
    locateNumber += 1
    wrapCount = 0
    rolled = 0
    waited = 0
  }

  /// Follows the host's transport.
  /// - Parameter missed: frames of the host's clock between the last block and this one, for which it did not call.
  @_noLocks mutating func follow(_ host: FollowedTransport, missed: Int) {
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
        // The host skipped cycles: skip the same frames and keep everything else.
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

  /// Frames until the loop wraps; a very large number if it does not.
  @_noLocks func framesUntilWrap() -> Int {
    loopFirst < loopEnd && frame < loopEnd ? min(loopEnd - frame, 1_073_741_824) : 1_073_741_824
  }

  /// Whether one of the next frames is the loop's first.
  @_noLocks func wraps(within count: Int) -> Bool {
    loopFirst < loopEnd && frame < loopEnd && frame + count >= loopEnd
  }

  /// Moves the playhead by frames played, at most `framesUntilWrap()`.
  @_noLocks mutating func advance(by count: Int) {
    let mayWrap = loopFirst < loopEnd && frame < loopEnd
    frame += count
    rolled += count
    if mayWrap, frame == loopEnd {
      frame = loopFirst
      wrapCount += 1
    }
  }
}
