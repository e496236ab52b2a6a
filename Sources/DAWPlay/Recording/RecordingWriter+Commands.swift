import DAWEngine
import DAWTime

// What the control thread asks for.
extension RecordingWriter {
  /// What has come in by now is recorded as before, however late the writing thread is.
  func setRecording(_ isOn: Bool) { send(.record(isOn, arrived: ring.newestEnd)) }

  /// From the next recording on.
  /// - Parameter tracks: of the same ports as those before.
  func setTracks(_ tracks: [ArmedTrack]) { send(.tracks(tracks)) }

  /// - Parameter number: of the first plan for whose frames it holds.
  func setPunch(_ punch: Range<TimelineFrame>?, fromPlan number: UInt64 = 0) { send(.punch(punch, fromPlan: number)) }

  /// To be called before the transport is told to locate: what was played until then is recorded as before.
  /// - Parameter first: the first host frame at which that locate can be.
  func setPunchFromLocate(_ punch: Range<TimelineFrame>?, notBefore first: HostFrame) {
    send(.punchFromLocate(punch, notBefore: first))
  }

  /// Makes a recording of the last seconds that came in.
  func keep(seconds: Double) { send(.keep(seconds: seconds)) }

  /// Ends the recording under way, without the passes that are open.
  func cancel() { send(.cancel) }

  /// The server is gone: the passes under way end.
  /// - Parameter waits: whether the recording goes on when another server calls; else it ends as well.
  func loseServer(waits: Bool) { send(.loseServer(waits: waits)) }
}
