import DAWErrors
import Foundation

// Commands that end a recording, and wait for it.
extension Recorder {
  /// Ends the recording under way, throws its running pass away, and switches recording off.
  /// - Throws: `Failure` where nothing is recorded, or no more: behind 'record off' it may have ended.
  func cancel() throws {
    observe()
    guard running != nil else { throw nothingToCancel("Nothing is being recorded.") }
    let wasOn = isOn
    isOn = false
    hasCancelled = nil
    input?.writer.cancel()
    try waitForEnd { hasCancelled != nil }
    guard hasCancelled == false else { return }
    isOn = wasOn
    input?.writer.setRecording(wasOn)
    throw nothingToCancel("The recording had ended before it could be cancelled.")
  }

  private func nothingToCancel(_ reason: String) -> Failure {
    Failure(
      .invalid, code: "notRecording", "\(reason) Nothing was changed.",
      hint: lastTakes.isEmpty
        ? nil : "'daw undo' takes what was recorded last out of the project again, 'daw remove-take' one take of it.")
  }

  /// Makes a take of what came in last.
  /// - Throws: `Failure` where that cannot be.
  func keep(seconds: Double) throws {
    observe()
    guard request.rememberSeconds > 0 else {
      throw Failure(
        .invalid, code: "nothingRemembered", "This player does not remember what came in. Nothing was changed.",
        hint: "'daw record --remember 60s' does, for a minute.")
    }
    guard running == nil else {
      throw Failure(
        .invalid, code: "recordingRunning", "What comes in is being recorded already. Nothing was changed.",
        hint: "'daw transport record off' ends the recording.")
    }
    isEnded = false
    input?.writer.keep(seconds: seconds)
    try waitForEnd { isEnded }
  }

  /// After the transport has stopped: waits until what was played has come in, and the recording has ended.
  func awaitEnd(until deadline: ContinuousClock.Instant) {
    observe()
    // Without a client nothing comes in any more.
    while hasClient, ContinuousClock.now < deadline {
      if running == nil {
        // The next one may have begun while the last was completed, and wait in the ring, which says nothing of it yet.
        input?.writer.takeArrived(atMost: max(0, (deadline - ContinuousClock.now) / .seconds(1)))
        observe()
        if running == nil { return }
      }
      usleep(5_000)
      observe()
    }
  }

  /// Waits until a recording has ended, and is in the project.
  /// - Parameter isDone: whether it has.
  /// - Throws: `Failure` where it is not.
  private func waitForEnd(until isDone: () -> Bool) throws {
    lastFailure = nil
    let deadline = ContinuousClock.now + .seconds(Self.patience)
    while !isDone(), ContinuousClock.now < deadline {
      usleep(2_000)
      observe()
    }
    if let lastFailure { throw lastFailure }
    guard !isDone() else { return }
    throw Failure(
      .tryAgain, code: "recordingNotFinished",
      "After \(Self.patience) s what came in is not written yet. The player puts it into the project when it is.",
      hint: "The disk may be slow; 'daw list-recordings' lists it when it is there.")
  }

  /// Seconds to wait until a recording has ended.
  private static let patience = 20
}
