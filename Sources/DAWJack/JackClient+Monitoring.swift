import CJack

extension JackClient {
  /// Control thread: what arrives at these MIDI inputs is passed on to the tracks' MIDI outputs, in the same cycle.
  ///
  /// It counts as sent by the track: its notes are ended, and what it set is undone, at a stop, a locate, a loop's end,
  /// an edit of the track, and when it is not passed on any more.
  /// - Parameter inputs: ports of this client, by track id. One that is not among them any more may be unregistered
  ///   after the next cycle.
  func setMonitors(_ inputs: [Int64: OpaquePointer]) {
    monitors = inputs
    applyMonitors()
  }

  /// Also for outputs that are new.
  func applyMonitors() {
    for (trackID, port) in midiPorts {
      port.state.pointee.monitored.store(monitors[trackID].map { UnsafeMutableRawPointer($0) }, ordering: .releasing)
    }
    // Those of removed tracks have their notes ended.
    for port in silencingMIDI { port.state.pointee.monitored.store(nil, ordering: .releasing) }
  }
}
