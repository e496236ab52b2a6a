import DAWEngine
import DAWTime

// A server that goes away, and another that comes. On the writing thread.
extension RecordingWriter {
  /// Ends the passes under way; their recording waits for another server.
  func loseServerNow() {
    // If one is waited for already, the server that is lost now has never called, and changes nothing.
    if let current, !waitsForServer {
      current.loseServer(at: nextHostFrame ?? 0)
      waitsForServer = true
    }
    endPasses()
    remembered.forgetAll(setup.ring)
    arrived.forgetAll()
    nextHostFrame = nil
  }

  /// Records the time without a server, by the system's clock, as a gap at the end of the passes that its loss has
  /// ended.
  /// - Parameter run: the first block of the next server; `nil` if the recording ends without one.
  func endWait(before run: CapturedBlock? = nil) {
    guard waitsForServer, let current else { return }
    waitsForServer = false
    // The transport rolls a little later than the server calls.
    if run != nil { endsNotBefore = .now + .seconds(2) }
    let passed = (ContinuousClock.now - lastRunTime) / .seconds(1) * Double(setup.sampleRate)
    let frames = max(0, Int(passed) - (run?.frameCount ?? 0))
    if current.endWait(frames: Int64(frames), goingOnAt: run?.hostFrame) { post(.gap(.serverLost, frames: frames)) }
    collectRecords()
  }
}
