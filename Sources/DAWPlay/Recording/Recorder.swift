import DAWEngine
import DAWErrors
import DAWJack
import DAWMedia
import DAWModel
import DAWProject
import DAWSequencer
import DAWTime
import Foundation

/// Records the armed tracks of a player. Used by the player's control thread alone.
final class Recorder {
  private let session: Session
  private let request: RecordRequest
  private let sampleRate: Int
  private let report: (PlayEvent) -> Void
  /// The player's; `nil` where it sends nothing to the ALSA sequencer.
  private let output: MIDIOutput?
  private let clientName: String
  private var sources: ArmedSources
  private var punch: Range<TimelineFrame>?
  private var isOn = true
  /// The client whose inputs are recorded, for the writing thread; `nil` while there is none.
  private let heard = Monitor<JackClient?>(nil)
  private var input: Input?
  private let folderNames: UsedFolderNames
  /// The recording under way, as far as it is written.
  private var running: Running?
  /// Whether what is known about the recording under way is to be saved.
  private var isToSave = false
  private var nextConnect = ContinuousClock.now
  private var missingSources: [String] = []
  /// Of the recording that ended last.
  private var lastTakes: [String] = []
  /// Why the last recording was not made, or is not in the project.
  private var lastFailure: Failure?
  /// Why something that came in is not in the project: the first reason.
  private(set) var firstLoss: Failure?
  /// Whether a recording has ended, or could not be begun, since it was set to false.
  private var isEnded = false
  private var clock: JackClock?
  private var midiProblem: SequencerError?
  /// Peaks of the inputs, taken ten times a second.
  private var meters: [PlayerStatus.Input] = []
  private var nextMeters = ContinuousClock.now

  /// Armed tracks, and what writes what comes in on them.
  private struct Input {
    var tracks: [ArmedTrack]
    var ring: CaptureRing
    /// `nil` without MIDI tracks that record from JACK.
    var messages: MIDICapture?
    /// `nil` without MIDI tracks that record from the ALSA sequencer.
    var midiIn: MIDIIn?
    var writer: RecordingWriter
  }

  private struct Running {
    var description: RecordingDescription
    var folder: String
    /// What of it is in the project.
    var saved: RecordingFacts?
    var gapFrames = 0
  }

  /// Seconds that fit the ring: so long may the disk take.
  private static let ringSeconds = 10

  /// - Parameter request: has something to record.
  init(
    _ session: Session, _ request: RecordRequest, of play: PlayRequest, sampleRate: SampleRate, output: MIDIOutput?,
    report: @escaping (PlayEvent) -> Void
  ) {
    self.session = session
    self.request = request
    self.output = output
    sources = ArmedSources(midi: play.midi)
    clientName = play.clientName
    self.sampleRate = sampleRate.hertz
    self.report = report
    // Where the rows cannot be read there is no recording either.
    let trashed = try? session.read {
      try $0.recordings.recordings(RecordingFilter(isTrashed: true, limit: .max)).summaries
    }
    folderNames = UsedFolderNames(Set((trashed ?? []).compactMap(\.recording.folderName)))
  }

  // MARK: Inputs

  /// Checks that there is something to record.
  /// - Returns: the armed tracks.
  /// - Throws: `Failure`.
  @discardableResult
  func validate(_ project: Project, _ client: JackClient) throws -> [ArmedTrack] {
    try sources.validated(project, client, request, sampleRate: sampleRate)
  }

  /// Makes the inputs of a client that has come, and records from them.
  /// - Throws: `JackError.port`.
  func connect(to client: JackClient, following clock: JackClock, _ project: Project) throws(JackError) {
    heard.update { $0 = client }
    self.clock = clock
    missingSources = []
    if let input {
      try Self.setInputs(input, of: client)
    } else {
      try makeInputs(sources.tracks(of: project, client), client)
    }
  }

  /// The project was edited: tracks may have been armed. While a recording runs, the tracks are those that it began with.
  func follow(_ project: Project) {
    guard let client = heard.read({ $0 }), running == nil else { return }
    let tracks = sources.tracks(of: project, client)
    guard tracks != input?.tracks else { return }
    do throws(JackError) { try makeInputs(tracks, client) } catch { report(.problem(Failure(error))) }
  }

  private func makeInputs(_ tracks: [ArmedTrack], _ client: JackClient) throws(JackError) {
    let projectID = (try? session.read { try $0.header().id.uuidString }) ?? ""
    let ring = CaptureRing(
      channelCount: tracks.reduce(0) { $0 + $1.channelCount },
      frameCount: Int((Double(Self.ringSeconds) + request.rememberSeconds) * Double(sampleRate)))
    let midiCount = tracks.count { $0.kind == .jackMIDI }
    let messages = midiCount > 0 ? MIDICapture(inputCount: midiCount) : nil
    let midiIn = midiIn(of: tracks)
    let writer = RecordingWriter(
      RecordingWriter.Setup(
        ring: ring, tracks: tracks, messages: [messages, midiIn?.messages].compactMap(\.self),
        messagesEnd: midiIn?.readEnd, request: request, punch: punch,
        recordings: session.recordings, folderNames: folderNames, project: projectID, sampleRate: sampleRate
      ) { [heard] in
        heard.read { ($0?.status.snapshot.playbackLatency ?? 0, $0?.captureLatencies ?? []) }
      })
    let made = Input(tracks: tracks, ring: ring, messages: messages, midiIn: midiIn, writer: writer)
    try Self.setInputs(made, of: client)
    end(input)
    writer.setRecording(isOn)
    if let clock { midiIn?.start(following: clock) }
    writer.start()
    input = made
    nextMeters = .now
  }

  private func midiIn(of tracks: [ArmedTrack]) -> MIDIIn? {
    let received = tracks.filter { $0.kind == .sequencerMIDI }
    guard !received.isEmpty else { return nil }
    do throws(SequencerError) {
      return try MIDIIn(received, clientName: clientName, output: output)
    } catch {
      report(.problem(Failure(error)))
      return nil
    }
  }

  private func end(_ input: Input?) {
    input?.writer.stop()
    input?.midiIn?.stop()
  }

  private static func setInputs(_ input: Input, of client: JackClient) throws(JackError) {
    func ports(_ tracks: [ArmedTrack]) -> [JackClient.Input] {
      tracks.flatMap { track in
        zip(track.portNames, track.sources).map { name, source in
          JackClient.Input(
            name: name, source: source, monitor: track.isMonitored ? track.trackID : nil, track: track.trackID)
        }
      }
    }
    try client.setInputs(
      ports(input.tracks.filter { $0.kind == .sound }), ring: input.ring,
      midi: ports(input.tracks.filter { $0.kind == .jackMIDI }),
      messages: input.messages)
  }

  /// The client is gone.
  /// - Parameter waits: whether the recording goes on when there is another; else it ends.
  func loseClient(waits: Bool = false) {
    heard.update { $0 = nil }
    input?.writer.loseServer(waits: waits)
  }

  // MARK: Commands

  func setRecording(_ isOn: Bool) {
    self.isOn = isOn
    input?.writer.setRecording(isOn)
  }

  /// Ends the recording under way, throws its running pass away, and switches recording off.
  /// - Throws: `Failure` where nothing is recorded.
  func cancel() throws {
    observe()
    guard running != nil else {
      throw Failure(.invalid, code: "notRecording", "Nothing is being recorded. Nothing was changed.")
    }
    isOn = false
    input?.writer.cancel()
    try waitForEnd()
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
    input?.writer.keep(seconds: seconds)
    try waitForEnd()
  }

  /// Waits until a recording has ended, and is in the project.
  /// - Throws: `Failure` where it is not.
  private func waitForEnd() throws {
    lastFailure = nil
    isEnded = false
    let deadline = ContinuousClock.now + .seconds(20)
    while !isEnded, ContinuousClock.now < deadline {
      usleep(2_000)
      observe()
    }
    if let lastFailure { throw lastFailure }
  }

  func setPunch(_ punch: Range<TimelineFrame>?) {
    self.punch = punch
    input?.writer.setPunch(punch)
  }

  /// What is recorded while the transport rolls; empty for nothing.
  var recordedRange: Range<TimelineFrame> { isOn ? punch ?? 0..<TimelineFrame.max : 0..<0 }

  // MARK: Observing

  /// Many times a second.
  func observe() {
    for event in input?.writer.takeEvents() ?? [] { handle(event) }
    saveFacts()
    guard ContinuousClock.now >= nextConnect, let client = heard.read({ $0 }) else { return }
    nextConnect = .now + .seconds(1)
    client.connectInputs()
    input?.midiIn?.update(output)
    if let problem = input?.midiIn?.problem, problem != midiProblem { report(.problem(Failure(problem))) }
    midiProblem = input?.midiIn?.problem
    let missing = client.missingSources + (input?.midiIn?.missingSources ?? [])
    if missing != missingSources, !missing.isEmpty {
      report(
        .problem(
          Failure(
            .noInput, code: "jackPortNotFound",
            "There is no port \(missing.map { "'\($0)'" }.joined(separator: ", ")); silence is recorded until it comes."
          )))
    }
    missingSources = missing
  }

  /// After the transport has stopped: waits until what was played has come in and is written, and ends.
  /// - Parameter seconds: to wait at most.
  func finish(atMost seconds: Double) {
    let deadline = ContinuousClock.now + .seconds(seconds)
    observe()
    // Without a client nothing comes in any more.
    while running != nil, heard.read({ $0 != nil }), ContinuousClock.now < deadline {
      usleep(5_000)
      observe()
    }
    end(input)
    observe()
    heard.update { $0 = nil }
    input = nil
  }

  /// Frames that come in after a stop for what was played before it.
  var lag: Int {
    heard.read { ($0?.status.snapshot.playbackLatency ?? 0) + ($0?.captureLatencies.max() ?? 0) }
  }

  /// For display.
  var status: PlayerStatus.Recording? {
    guard let input else { return nil }
    var status = PlayerStatus.Recording()
    status.isOn = isOn
    status.folder = running?.folder
    status.seconds = Double(input.writer.passedFrames.load(ordering: .relaxed)) / Double(sampleRate)
    status.gapFrames = Int64(running?.gapFrames ?? 0)
    status.ringFill = min(1, Double(input.ring.untakenCount) / Double(Self.ringSeconds * sampleRate))
    status.takes = lastTakes
    if ContinuousClock.now >= nextMeters {
      nextMeters = .now + .milliseconds(100)
      let names = input.tracks.filter { !$0.isMIDI }.flatMap(\.portNames)
      meters = names.enumerated().map { channel, name in
        PlayerStatus.Input(name: name, peak: input.ring.takePeak(ofChannel: channel))
      }
    }
    status.inputs = meters
    return status
  }

  private func handle(_ event: RecordingWriter.Event) {
    switch event {
    case .began(let header, let folder):
      running = Running(description: RecordingDescription(header: header), folder: folder)
      // At once, so that the next command finds what a kill leaves.
      isToSave = true
      report(.recordingBegan(folder: folder, tracks: input?.tracks.map(\.name) ?? []))
    case .passed(let frames, let segments):
      for (pass, file) in segments { running?.description.apply(.segment(pass: pass, file)) }
      for (pass, count) in frames { running?.description.advance(pass, to: count) }
      isToSave = true
    case .wrote(let records):
      for record in records { running?.description.apply(record) }
    case .gap(let cause, let frames):
      running?.gapFrames += frames
      report(.gap(cause, frames: frames))
    case .lostEvents(let count):
      report(
        .problem(
          Failure(
            .unavailable, code: "lostEvents", "At least \(count) MIDI messages were lost, which is in the ledger.",
            hint: "'daw list-gaps --cause lostEvents' lists them.")))
    case .disk(let error, let track):
      guard let error else { return report(.recordingResumed(track: track)) }
      let sentence = "'\(track)' is not being recorded: \(Failure(error).message)"
      let hint = "What is lost is counted as a gap; it goes on where there is room, or in the folder of '--spill'."
      report(
        .problem(
          GapCause(error) == .diskFull
            ? Failure(.io, code: "diskFull", sentence, hint: hint)
            : Failure(.io, code: "ioError", sentence, hint: hint)))
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
      lose(Failure(failure.kind, code: failure.code, "Nothing is recorded: \(failure.message)", hint: failure.hint))
    case .nothingToKeep:
      fail(Failure(.invalid, code: "nothingToKeep", "Nothing has come in that could be kept. Nothing was changed."))
    case .ended(let finished): end(finished)
    }
  }

  // MARK: What is kept

  /// Each second: what is known about the recording under way. The files suffice where the project is locked.
  private func saveFacts() {
    guard let running, isToSave else { return }
    isToSave = false
    let facts = RecordingFacts(running.description, folder: "Audio/Recordings/\(running.folder)")
    guard facts != running.saved, (try? session.save(facts.changes(since: running.saved))) != nil else { return }
    self.running?.saved = facts
  }

  private func fail(_ failure: Failure) {
    lastFailure = failure
    isEnded = true
    report(.problem(failure))
  }

  private func lose(_ failure: Failure) {
    firstLoss = firstLoss ?? failure
    fail(failure)
  }

  private func end(_ finished: FinishedRecording) {
    running = nil
    defer { isEnded = true }
    do {
      let recorded = try session.finish(
        finished.description, in: finished.folder, request.placement, found: finished.found)
      lastTakes = recorded.takes.map(\.name)
      report(.recorded(recorded))
      // Where the disk has no room for it, 'daw clean' keeps the recording's files.
      try? finished.ledger.append(finished.unwritten + [.end(endTime: finished.description.endTime ?? 0)])
      try? finished.ledger.sync()
    } catch {
      let failure = Failure(error)
      lose(
        Failure(
          failure.kind, code: failure.code,
          "What was recorded is in '\(finished.folder.name)', and is not in the project yet: \(failure.message)",
          hint: "'daw recover-recordings' puts it there."))
    }
  }
}
