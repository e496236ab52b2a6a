import DAWEngine
import DAWErrors
import DAWTime

// Loops that are too short to be recorded.
extension Player {
  /// - Parameter loop: `nil` where there is none.
  /// - Throws: `Failure` for one that is too short to be recorded.
  func requireRecordable(loop: Range<TimelineFrame>?) throws {
    let failure = refusal(
      of: loop, state: "Nothing was changed.",
      hint: "'daw transport loop 5.1.0..9.1.0' sets a longer one. It may be as short while recording is off: "
        + "'daw transport record off'.")
    if let failure { throw failure }
  }

  /// Many times a second: an edit of the tempo may have made the loop too short. Recording is off then, and what was
  /// recorded is kept.
  func followLoop() {
    guard let recorder, recorder.isOn,
      let failure = refusal(
        of: engine.record.loop, state: "Recording is off, and what was recorded is kept.",
        hint: "'daw transport loop 5.1.0..9.1.0' sets a longer one; then 'daw transport record on'.")
    else { return }
    recorder.setRecording(false)
    do { try sendRecordedRange() } catch { report(.problem(Failure(error))) }
    report(.problem(failure))
  }

  private func refusal(of loop: Range<TimelineFrame>?, state: String, hint: String) -> Failure? {
    guard let loop else { return nil }
    let time = project.time
    // Each end was rounded to a frame.
    return RecordRequest.refusal(
      ofLoop: time.flicks(at: loop.upperBound) - time.flicks(at: loop.lowerBound),
      within: FlickCount(flicks: FlickCount.perSecond / Int64(max(1, time.rate.hertz)) + 1), state: state, hint: hint)
  }
}
