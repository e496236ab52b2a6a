import CJack
import DAWEngine
import DAWRealtime
import DAWTime

extension JackClient {
  /// Sets all of JACK's callbacks; to be called before `activate()`.
  ///
  /// Their context pointers are valid until the client is closed, after which no callback runs.
  func setCallbacks(followsTransport: Bool) {
    let functions = library.functions
    let status = Unmanaged.passUnretained(status).toOpaque()
    let process = Unmanaged.passUnretained(process).toOpaque()
    _ = functions.jack_set_process_callback(handle, runCycle, process)
    _ = functions.jack_set_buffer_size_callback(handle, bufferSizeChanged, Unmanaged.passUnretained(self).toOpaque())
    _ = functions.jack_set_sample_rate_callback(handle, sampleRateChanged, status)
    _ = functions.jack_set_xrun_callback(handle, xrunHappened, status)
    _ = functions.jack_set_latency_callback(handle, latencyChanged, status)
    _ = functions.jack_set_freewheel_callback(handle, freewheelChanged, status)
    _ = functions.jack_set_port_connect_callback(handle, connectionChanged, Unmanaged.passUnretained(self).toOpaque())
    functions.jack_on_info_shutdown(handle, serverIsGone, status)
    if followsTransport { _ = functions.jack_set_sync_callback(handle, isReadyToRoll, process) }
  }

  /// Becomes JACK's timebase master, which tells all clients the bar and beat, by the published beats.
  /// - Returns: whether that succeeded.
  public func becomeTimebaseMaster() -> Bool {
    let process = Unmanaged.passUnretained(process).toOpaque()
    return library.functions.jack_set_timebase_callback(handle, 0, completePosition, process) == 0
  }
}

// MARK: The audio thread

@_noLocks private func runCycle(_ frameCount: jack_nframes_t, _ process: UnsafeMutableRawPointer?) -> CInt {
  guard let process else { return 0 }
  RealtimeSection.enter()
  Unmanaged<JackProcess>.fromOpaque(process)._withUnsafeGuaranteedRef { $0.run(frameCount: Int(frameCount)) }
  RealtimeSection.exit()
  return 0
}

@_noLocks private func isReadyToRoll(
  _ state: jack_transport_state_t, _ position: UnsafeMutablePointer<jack_position_t>?,
  _ process: UnsafeMutableRawPointer?
) -> CInt {
  guard let process, let position else { return 1 }
  RealtimeSection.enter()
  let frame = TimelineFrame(Int(cjack_position_frame(position)))
  let isReady = Unmanaged<JackProcess>.fromOpaque(process)._withUnsafeGuaranteedRef { $0.isReady(at: frame) }
  RealtimeSection.exit()
  return isReady ? 1 : 0
}

@_noLocks private func completePosition(
  _ state: jack_transport_state_t, _ frameCount: jack_nframes_t, _ position: UnsafeMutablePointer<jack_position_t>?,
  _ isNew: CInt, _ process: UnsafeMutableRawPointer?
) {
  guard let process, let position else { return }
  RealtimeSection.enter()
  Unmanaged<JackProcess>.fromOpaque(process)._withUnsafeGuaranteedRef { $0.complete(position) }
  RealtimeSection.exit()
}

// MARK: Other threads of JACK. They only record events: the audio thread may be running, or waiting for them.

private func bufferSizeChanged(_ frameCount: jack_nframes_t, _ client: UnsafeMutableRawPointer?) -> CInt {
  guard let client else { return 0 }
  Unmanaged<JackClient>.fromOpaque(client)._withUnsafeGuaranteedRef { $0.setBufferSize(Int(frameCount)) }
  return 0
}

private func sampleRateChanged(_ hertz: jack_nframes_t, _ status: UnsafeMutableRawPointer?) -> CInt {
  noting(status) { $0.sampleRate.store(Int(hertz), ordering: .relaxed) }
  return 0
}

private func xrunHappened(_ status: UnsafeMutableRawPointer?) -> CInt {
  noting(status) { $0.xrunHappened() }
  return 0
}

private func latencyChanged(_ mode: jack_latency_callback_mode_t, _ status: UnsafeMutableRawPointer?) {
  noting(status) { mode == JackPlaybackLatency ? $0.playbackLatencyChanged() : $0.captureLatencyChanged() }
}

private func freewheelChanged(_ isOn: CInt, _ status: UnsafeMutableRawPointer?) {
  noting(status) { $0.freewheelChanged(to: isOn != 0) }
}

private func connectionChanged(
  _ a: jack_port_id_t, _ b: jack_port_id_t, _ isMade: CInt, _ client: UnsafeMutableRawPointer?
) {
  guard let client else { return }
  let jack = Unmanaged<JackClient>.fromOpaque(client).takeUnretainedValue()
  jack.status.connectionChanged(a, b, of: jack.handle)
}

/// Called under the rules of a signal handler: it must neither close the client nor allocate.
private func serverIsGone(
  _ code: jack_status_t, _ reason: UnsafePointer<CChar>?, _ status: UnsafeMutableRawPointer?
) {
  noting(status) { $0.isLost.store(true, ordering: .releasing) }
}

private func noting(_ status: UnsafeMutableRawPointer?, _ body: (JackStatus) -> Void) {
  guard let status else { return }
  Unmanaged<JackStatus>.fromOpaque(status)._withUnsafeGuaranteedRef(body)
}
