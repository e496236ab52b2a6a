import DAWEngine
import DAWErrors
import DAWJack
import Foundation

extension Player {
  /// Tells what is new since it was called last.
  /// - Throws: `Failure` where the server is gone and is not waited for.
  func observe() throws {
    guard let client else { return try tryAgain() }
    let server = client.status.snapshot
    if server.isLost { return try loseServer() }
    client.removeLeftPorts()
    client.noteConnections()
    tellServer(server, of: client)
    for problem in engine.takeProblems() {
      tell(.problem(Failure(.io, code: "stream", "\(problem) It is silent; the rest plays on.")))
    }
    var status = status()
    if let midi = status.midi { tellMIDI(midi) }
    tellLost(client.lostExclusives)
    let peaks = engine.takePeaks()
    (status.peakLeft, status.peakRight) = peaks
    askedPeaks = (max(askedPeaks.left, peaks.left), max(askedPeaks.right, peaks.right))
    let tellsCounts = ContinuousClock.now >= told.nextCounts
    if tellsCounts { told.nextCounts = .now + .seconds(1) }
    if status.xruns != told.xruns, tellsCounts {
      told.xruns = status.xruns
      tell(.xruns(status.xruns))
    }
    if status.lateFrames != told.lateFrames, tellsCounts {
      told.lateFrames = status.lateFrames
      tell(.late(frames: status.lateFrames))
    }
    let record = engine.record
    if record.invalidSampleCount != told.invalidSamples, tellsCounts {
      let count = record.invalidSampleCount - told.invalidSamples
      told.invalidSamples = record.invalidSampleCount
      tell(
        .problem(
          Failure(.invalid, code: "invalidSamples", "Samples that are no finite numbers are silent: \(count) more.")))
    }
    if record.hastyStartCount != told.hastyStarts {
      told.hastyStarts = record.hastyStartCount
      let seconds = Int(engine.options.startWaitSeconds)
      tell(
        .problem(
          Failure(
            .io, code: "hastyStart",
            "After \(seconds) s not all files and instruments were ready. It rolls; what is not ready is silent.")))
    }
    let locateNumber = record.locateNumber
    if status.state != told.state || locateNumber != told.locateNumber {
      (told.state, told.locateNumber) = (status.state, locateNumber)
      tell(.transport(status))
    }
    tell(.position(status))
    if let countInEnd, status.frame > countInEnd { endCountIn() }
    if hasReachedEnd(status) { end = .reachedEnd }
  }

  private func tellServer(_ now: JackStatus.Snapshot, of client: JackClient) {
    guard let before = told.server, now != before else { return }
    told.server = now
    if now.bufferSize != before.bufferSize { tell(.bufferSize(now.bufferSize)) }
    if now.playbackLatency != before.playbackLatency { tell(.latency(now.playbackLatency)) }
    if now.isFreewheeling != before.isFreewheeling { tell(.freewheel(now.isFreewheeling)) }
    if now.connectionChangeCount != before.connectionChangeCount, client.isConnected != told.isHeard {
      told.isHeard = client.isConnected
      tell(.connections(isHeard: client.isConnected))
    }
  }

  private func tellMIDI(_ now: PlayerStatus.MIDI) {
    let before = told.midi ?? PlayerStatus.MIDI()
    told.midi = now
    if now.missingDestinations != before.missingDestinations, !now.missingDestinations.isEmpty {
      let names = now.missingDestinations.map { "'\($0)'" }.joined(separator: ", ")
      tell(
        .problem(
          Failure(
            .noInput, code: "midiPortNotFound", "There is no MIDI port \(names); it is connected when it comes.",
            hint: "'aconnect -o' lists those that are there.")))
    }
    if let problem = now.problem, problem != before.problem {
      tell(.problem(Failure(.unavailable, code: "sequencer", problem)))
    }
    let new = Dictionary(grouping: now.failures.filter { !before.failures.contains($0) }) { [$0.reason, $0.hint] }
    for (words, failures) in new {
      let named = failures.prefix(5).map { "'\($0.name)'" }.joined(separator: ", ")
      let rest = failures.count > 5 ? " and \(failures.count - 5) more" : ""
      tell(
        .problem(
          Failure(
            .unavailable, code: "midiPort", "\(named)\(rest) cannot send MIDI, the other tracks do: \(words[0])",
            hint: words[1])))
    }
  }

  private func tellLost(_ now: [String: Int]) {
    let before = told.lostExclusives
    told.lostExclusives = now
    for (port, count) in now.sorted(by: { $0.key < $1.key }) where count > before[port] ?? 0 {
      let words = count == 1 ? "a system exclusive message" : "\(count) system exclusive messages so far"
      tell(
        .problem(
          Failure(
            .unavailable, code: "midiTooLong",
            "The port '\(port)' has not sent \(words), longer than what JACK's buffer for MIDI holds.",
            hint: "'--midi alsa' sends long messages in parts.")))
    }
  }

  /// Behind `--to`, what rings on has its time; two seconds, as in a bounce.
  private func hasReachedEnd(_ status: PlayerStatus) -> Bool {
    guard let to = project.to, status.state == .rolling, status.loop == nil else { return false }
    let tail = project.ringsOn ? 2 * Int64(status.sampleRate) : 0
    return status.frame >= to + tail
  }
}
