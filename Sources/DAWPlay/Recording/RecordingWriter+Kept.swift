import DAWEngine
import DAWErrors
import DAWTime

// What can be kept of what came in.
extension RecordingWriter {
  /// - Parameter frames: those that are to be kept, as they were played.
  /// - Returns: a failure where a loop went round in them that is too short to be recorded; else `nil`. The loop may have
  ///   been changed since.
  func refusal(of kept: CapturedTimeline, in frames: Range<HostFrame>) -> Failure? {
    // Longer ones are long enough.
    guard let length = kept.shortestLoop(in: frames), length < setup.sampleRate else { return nil }
    let frame = FlickCount.perSecond / Int64(max(1, setup.sampleRate))
    // Each end was rounded to a frame.
    return RecordRequest.refusal(
      ofLoop: FlickCount(flicks: frame * Int64(length)), within: FlickCount(flicks: frame + 1),
      state: "Nothing was changed.",
      hint: "'daw transport loop 5.1.0..9.1.0' sets a longer one; what comes in from then on can be kept.")
  }
}
