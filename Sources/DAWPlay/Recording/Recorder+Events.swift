import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWTime
import Foundation

extension Recorder {
  // MARK: Events of the writer

  func handle(_ event: RecordingWriter.Event) {
    switch event {
    case .began(let header, let folder):
      running = Running(description: RecordingDescription(header: header), folder: folder)
      // At once, so that the next command finds what a kill leaves.
      isToSave = true
      report(.recordingBegan(folder: folder, tracks: input?.tracks.map(\.name) ?? []))
    case .passed(let frames, let segments):
      for (pass, file) in segments { running?.description.apply(.segment(pass: pass, file)) }
      for (pass, count) in frames { running?.description.advance(pass, to: count) }
      running?.changedPasses.formUnion(frames.keys)
      isToSave = true
    case .wrote(let records):
      for record in records { running?.description.apply(record) }
      running?.changedPasses.formUnion(records.lazy.compactMap(\.passID))
      if !records.isEmpty { running?.hasUnsavedRecords = true }
    case .gap(let cause, let frames):
      running?.gapFrames += frames
      report(.gap(cause, frames: frames))
    case .lostEvents(let count, let isNoted):
      let sentence = "At least \(counted(count, "MIDI message")) \(count == 1 ? "was" : "were") lost"
      report(
        .problem(
          isNoted
            ? Failure(
              .unavailable, code: "lostEvents", "\(sentence), which is in the ledger.",
              hint: "'daw list-gaps --cause lostEvents' lists them.")
            : Failure(.unavailable, code: "lostEvents", "\(sentence) on a track that was not being recorded.")))
    case .disk(let error, let track):
      guard let error else { return report(.recordingResumed(track: track)) }
      let sentence = "'\(track)' is not being recorded: \(Failure(error).message)"
      let hint = "What is lost is counted as a gap; it goes on where there is room, or in the folder of '--spill'."
      report(
        .problem(
          GapCause(error) == .diskFull
            ? Failure(.io, code: "diskFull", sentence, hint: hint)
            : Failure(.io, code: "ioError", sentence, hint: hint)))
    case .spills(let track, let folder): report(.recordingSpills(track: track, folder: folder))
    case .notOnDisk(let failure):
      report(
        .problem(
          Failure(
            .io, code: "syncFailed",
            "What was recorded last may not be on the disk: \(String(cString: strerror(failure.code))).",
            hint: "The disk may be failing. '--spill' names a folder on another one.")))
    case .roomRunsOut(let seconds):
      report(
        .problem(
          Failure(
            .io, code: "roomRunsOut", "The disk has room for \(seconds / 60) min \(seconds % 60) s more.",
            hint: "Free some, or name another folder with '--spill'.")))
    case .failedToBegin(let error):
      let failure = Failure(error)
      let loss = Failure(
        failure.kind, code: failure.code, "Nothing is recorded: \(failure.message)", hint: failure.hint)
      firstFailureToBegin = firstFailureToBegin ?? loss
      fail(loss)
    case .nothingToKeep:
      fail(
        Failure(
          .invalid, code: "nothingToKeep", "Nothing has come in that could be kept. Nothing was changed.",
          hint: input?.tracks.isEmpty == true
            ? "No track is armed: 'daw set-track TRACK --arm' arms one, and what comes in from then on can be kept."
            : nil))
    case .notKept(let failure): fail(failure)
    case .ended(let finished): end(finished)
    case .cancelled(let hadRecording): hasCancelled = hadRecording
    }
  }

  /// - Parameter isAwaited: whether a command that waits for a recording may wait for this one.
  private func fail(_ failure: Failure, isAwaited: Bool = true) {
    if isAwaited { (lastFailure, isEnded) = (failure, true) }
    report(.problem(failure))
  }

  // MARK: What is kept

  /// Each second, saves what is known about the recording under way; the lengths of its passes and files only each ten
  /// seconds if nothing else is new. If the project is locked nothing is saved: waiting would keep the player from
  /// answering commands, and the files tell everything.
  func saveFacts() {
    guard running != nil, isToSave else { return }
    isToSave = false
    guard (try? followFile()) != nil, let running else { return }
    if let saved = running.saved, !running.hasUnsavedRecords, ContinuousClock.now < running.nextLengths {
      var recording = saved.recording
      recording.duration = FrameCount(frames: running.description.frameCount)
      guard (try? session.save(RecordingFacts(recording))) != nil else { return }
      self.running?.saved?.recording = recording
      return
    }
    let facts = RecordingFacts(
      running.description, folder: "Audio/Recordings/\(running.folder)",
      ofPasses: running.saved == nil ? nil : running.changedPasses)
    guard facts != running.saved, (try? session.save(facts.changes(since: running.saved))) != nil else { return }
    self.running?.saved = facts
    self.running?.changedPasses = []
    self.running?.hasUnsavedRecords = false
    // The first lengths are saved as soon as there are any.
    if facts.recording.duration > .zero { self.running?.nextLengths = .now + .seconds(10) }
  }

  private func end(_ finished: FinishedRecording) {
    // Where its files took long to hash, another one may have begun, and even have ended.
    let isNewest = running?.description.header.recording == finished.description.header.recording
    if isNewest { running = nil }
    defer { if isNewest { isEnded = true } }
    // The closing edit takes memory of its own.
    if isFinishing, isNewest { input?.writer.dropMemory() }
    do {
      try putIntoProject(finished)
    } catch {
      let failure = Failure(error)
      unfinished.append(Unfinished(recording: finished, failure: failure))
      nextTry = .now + .seconds(1)
      guard finished.folder.isInPlace else { return fail(Self.loss(of: finished), isAwaited: isNewest) }
      let isTriedSoon = failure.kind == .tryAgain
      fail(
        Failure(
          failure.kind, code: failure.code,
          "What was recorded is in '\(finished.folder.name)', and is not in the project yet: \(failure.message)",
          hint: "The player tries again \(isTriedSoon ? "each second, and " : "")when it ends; after that "
            + "'daw recover-recordings' puts it there."), isAwaited: isNewest)
    }
  }

  /// What is said of a recording whose folder was removed, or moved away, while it was written.
  private static func loss(of finished: FinishedRecording) -> Failure {
    let id = RecordingID(rawValue: finished.description.header.recording)
    return Failure(
      .io, code: "io",
      "What was recorded in '\(finished.folder.name)' is not in the project: its folder is not there any more.",
      hint: "Where it was moved, put it back: the player tries again when it ends, and after that "
        + "'daw recover-recordings' does. Where it was removed, its sound is lost, and 'daw forget id:\(id) --yes' "
        + "forgets it.")
  }

  /// A project is heard.
  func note(_ project: PlayedProject) {
    guard tempoMaps.last?.map != project.time.map else { return }
    tempoMaps.append((project.planNumber, project.time.map))
  }

  private func tempi(of finished: FinishedRecording) -> [Int64: [PlayedTempo]] {
    finished.plans.mapValues { plans in
      plans.compactMap { plan in
        tempoMaps.last { $0.planNumber <= plan.number }.map { PlayedTempo(atFrame: plan.atFrame, map: $0.map) }
      }
    }
  }

  /// - Throws: `Failure`; the files stay.
  private func putIntoProject(_ finished: FinishedRecording) throws {
    // That the recording's folder is gone as well says more.
    if finished.folder.isInPlace { try followFile() }
    let recorded = try session.finish(
      finished.description, in: finished.folder, request.placement, found: finished.found, played: tempi(of: finished),
      whole: finished.whole)
    lastTakes = recorded.takes.map(\.name)
    lastTakeSeconds = lastTakes.isEmpty ? nil : recorded.seconds
    report(.recorded(recorded))
    // Where the disk has no room for it, 'daw clean' keeps the recording's files.
    try? finished.ledger.append(finished.unwritten + [.end(endTime: finished.description.endTime ?? 0)])
    try? finished.ledger.sync()
  }

  /// Tries again what could not be put into the project.
  /// - Parameter isLast: whether the player ends: then all are tried, else those that another process kept from it.
  func finishUnfinished(isLast: Bool = false) {
    guard !unfinished.isEmpty else { return }
    let began = ContinuousClock.now
    var isLocked = false
    var rest: [Unfinished] = []
    for var entry in unfinished {
      if !isLocked, isLast || entry.failure.kind == .tryAgain {
        do {
          try putIntoProject(entry.recording)
          continue
        } catch {
          entry.failure = Failure(error)
          isLocked = entry.failure.kind == .tryAgain
        }
      }
      rest.append(entry)
    }
    unfinished = rest
    // A locked project is waited for, and meanwhile the player answers no command.
    let duration = ContinuousClock.now - began
    nextTry = .now + max(.seconds(1), duration * 3)
  }

  /// Why something that came in is not in the project: the first reason.
  var firstLoss: Failure? { firstFailureToBegin ?? unfinished.first?.failure }
}
