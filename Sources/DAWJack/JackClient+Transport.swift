import CJack

/// What JACK's transport does, which all clients share.
public enum JackTransportState: BitwiseCopyable, Equatable, Sendable {
  case stopped
  /// Waits for clients that are not ready yet.
  case starting
  case rolling
}

extension JackClient {
  /// Any thread: all clients that follow JACK's transport roll, once they are ready.
  public func startTransport() { library.functions.jack_transport_start(handle) }

  /// Any thread: they stop.
  public func stopTransport() { library.functions.jack_transport_stop(handle) }

  /// Any thread: they go to a frame. JACK has no frames before 0 nor behind 2³², and goes to the nearest that it has.
  public func locateTransport(to frame: Int64) {
    _ = library.functions.jack_transport_locate(handle, jack_nframes_t(clamping: frame))
  }

  /// Any thread: JACK's transport is followed no more, and rolls without us; the engine's own commands hold.
  public func leaveTransport() { process.leavesTransport.store(true, ordering: .releasing) }

  /// Any thread but the audio thread.
  public func transport() -> (state: JackTransportState, frame: Int64) {
    var frame: jack_nframes_t = 0
    let state = cjack_transport(handle, &frame)
    return (JackTransportState(state), Int64(frame))
  }

  /// Any thread: when a frame of the server's clock is reached, in microseconds of JACK's clock.
  /// - Parameter hostFrame: not further than 2³¹ frames from now.
  public func microseconds(ofHostFrame hostFrame: UInt64) -> UInt64 {
    library.functions.jack_frames_to_time(handle, jack_nframes_t(truncatingIfNeeded: hostFrame))
  }

  /// Any thread: JACK's clock, in microseconds.
  public var microseconds: UInt64 { library.functions.jack_get_time() }
}

extension JackTransportState {
  @_noLocks init(_ state: jack_transport_state_t) {
    if state == JackTransportRolling || state == JackTransportLooping {
      self = .rolling
    } else if state == JackTransportStopped {
      self = .stopped
    } else {
      self = .starting
    }
  }
}
