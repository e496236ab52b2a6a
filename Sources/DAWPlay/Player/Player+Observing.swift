import DAWEngine
import DAWErrors
import DAWJack
import DAWTime
import Foundation

extension Player {
  /// Reports what changed since the last call.
  /// - Throws: `Failure` when the server is gone and `reconnects` is off.
  func observe() throws {
    recorder?.observe()
    guard let client else { return try tryAgain() }
    let server = client.status.snapshot
    if server.isLost { return try loseServer() }
    client.removeRetiredPorts()
    client.updateConnections()
    reportServer(server, of: client)
    for problem in engine.takeProblems() {
      report(.problem(Failure(.io, code: "streamFailed", "\(problem) It is silent; the rest plays on.")))
    }
    for path in engine.takeRecoveredPaths() { report(.fileRecovered(path: path)) }
    followLoop()
    var status = status()
    if let midi = status.midi { reportMIDIProblems(midi) }
    reportLostMIDI(client.lostExclusives)
    (status.peakLeft, status.peakRight) = takePeaks()
    let reportsCounts = ContinuousClock.now >= lastReported.nextCounts
    if reportsCounts { lastReported.nextCounts = .now + .seconds(1) }
    if status.xruns != lastReported.xruns, reportsCounts {
      lastReported.xruns = status.xruns
      report(.xruns(status.xruns))
    }
    if status.lateFrames != lastReported.lateFrames, reportsCounts {
      lastReported.lateFrames = status.lateFrames
      report(.late(frames: status.lateFrames))
    }
    let record = engine.record
    if record.invalidSampleCount != lastReported.invalidSamples, reportsCounts {
      let count = record.invalidSampleCount - lastReported.invalidSamples
      lastReported.invalidSamples = record.invalidSampleCount
      report(
        .problem(
          Failure(.invalid, code: "invalidSamples", "Samples that are not finite numbers are silent: \(count) more.")))
    }
    if record.startTimeoutCount != lastReported.startTimeouts {
      lastReported.startTimeouts = record.startTimeoutCount
      let seconds = Int(engine.options.startWaitSeconds)
      report(
        .problem(
          Failure(
            .io, code: "mediaNotReady",
            "After \(seconds) s not all files and instruments were ready. It rolls; what is not ready is silent.")))
    }
    let locateNumber = record.locateNumber
    if status.state != lastReported.state || locateNumber != lastReported.locateNumber {
      (lastReported.state, lastReported.locateNumber) = (status.state, locateNumber)
      report(.transport(status))
    }
    report(.position(status))
    if let countInEnd, status.frame > countInEnd.position.frames { endCountIn() }
    if hasReachedEnd(status) { end = .reachedEnd }
  }

  private func reportServer(_ now: JackStatus.Snapshot, of client: JackClient) {
    guard let before = lastReported.server, now != before else { return }
    lastReported.server = now
    if now.bufferSize != before.bufferSize { report(.bufferSize(now.bufferSize)) }
    if now.playbackLatency != before.playbackLatency { report(.latency(now.playbackLatency)) }
    if now.isFreewheeling != before.isFreewheeling { report(.freewheel(now.isFreewheeling)) }
    if now.connectionChangeCount != before.connectionChangeCount, client.isConnected != lastReported.isHeard {
      lastReported.isHeard = client.isConnected
      report(.connections(isHeard: client.isConnected))
    }
  }

  private func reportMIDIProblems(_ now: PlayerStatus.MIDI) {
    let before = lastReported.midi ?? PlayerStatus.MIDI()
    lastReported.midi = now
    if now.missingDestinations != before.missingDestinations, !now.missingDestinations.isEmpty {
      let names = now.missingDestinations.map { "'\($0)'" }.joined(separator: ", ")
      report(
        .problem(
          Failure(
            .noInput, code: "midiPortNotFound", "There is no MIDI port \(names); it is connected when it comes.",
            hint: "'aconnect -o' lists those that are there.")))
    }
    if let problem = now.problem, problem != before.problem {
      report(.problem(Failure(.unavailable, code: "sequencerUnavailable", problem)))
    }
    let new = Dictionary(grouping: now.failures.filter { !before.failures.contains($0) }) { [$0.reason, $0.hint] }
    for (words, failures) in new {
      let named = failures.prefix(5).map { "'\($0.name)'" }.joined(separator: ", ")
      let rest = failures.count > 5 ? " and \(failures.count - 5) more" : ""
      report(
        .problem(
          Failure(
            .unavailable, code: "midiPortFailed", "\(named)\(rest) cannot send MIDI, the other tracks do: \(words[0])",
            hint: words[1])))
    }
  }

  private func reportLostMIDI(_ now: [String: Int]) {
    let before = lastReported.lostExclusives
    lastReported.lostExclusives = now
    for (port, count) in now.sorted(by: { $0.key < $1.key }) where count > before[port] ?? 0 {
      let words = count == 1 ? "a system exclusive message" : "\(count) system exclusive messages so far"
      report(
        .problem(
          Failure(
            .unavailable, code: "midiMessageTooLong",
            "The port '\(port)' has not sent \(words), longer than what JACK's buffer for MIDI holds.",
            hint: "'--midi alsa' sends long messages in parts.")))
    }
  }

  /// After `--to`, a tail of 2 s is played where something rings on.
  private func hasReachedEnd(_ status: PlayerStatus) -> Bool {
    guard let to = project.to, status.state == .rolling, status.loop == nil else { return false }
    let tail = project.ringsOn ? 2 * Int64(status.sampleRate) : 0
    return status.frame >= to.position.frames + tail
  }
}
