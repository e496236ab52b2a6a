import CJack
import DAWEngine
import DAWTime

/// The state of JACK's transport, which all clients share.
public enum JackTransportState: BitwiseCopyable, Equatable, Sendable {
  case stopped
  /// Waiting for clients that are not ready.
  case starting
  case rolling
}

extension JackClient {
  /// Any thread: starts JACK's transport, which rolls once all clients are ready.
  public func startTransport() { library.functions.jack_transport_start(handle) }

  /// Any thread: stops JACK's transport.
  public func stopTransport() { library.functions.jack_transport_stop(handle) }

  /// Any thread: moves JACK's transport to a frame, clamped to JACK's range, 0 … 2³² − 1.
  public func locateTransport(to frame: TimelineFrame) {
    _ = library.functions.jack_transport_locate(handle, jack_nframes_t(clamping: frame.number))
  }

  /// Any thread: stops following JACK's transport, which rolls on; the engine's own commands apply.
  public func leaveTransport() { process.ignoresTransport.store(true, ordering: .releasing) }

  /// Any thread but the audio thread: JACK's transport.
  public func transport() -> (state: JackTransportState, frame: TimelineFrame) {
    var frame: jack_nframes_t = 0
    let state = cjack_transport(handle, &frame)
    return (JackTransportState(state), TimelineFrame(Int(frame)))
  }

  /// Any thread: converts a frame of the engine's host to microseconds of JACK's clock.
  /// - Parameter hostFrame: within 2³¹ frames of now.
  public func microseconds(ofHostFrame hostFrame: HostFrame) -> UInt64 {
    let frame = hostFrame.number - process.stepsBack.load(ordering: .relaxed)
    return library.functions.jack_frames_to_time(handle, jack_nframes_t(truncatingIfNeeded: frame))
  }
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
