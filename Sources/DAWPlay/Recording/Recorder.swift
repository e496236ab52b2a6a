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
  private(set) var session: Session
  /// The project's file that `session` has opened.
  private var file: FileIdentity?
  let request: RecordRequest
  private let sampleRate: Int
  let report: (PlayEvent) -> Void
  /// The player's; `nil` where it sends nothing to the ALSA sequencer.
  private let output: MIDIOutput?
  private let clientName: String
  private var sources: ArmedSources
  private(set) var punch: Range<TimelineFrame>?
  /// Whether what comes in is recorded while the transport rolls.
  var isOn = true
  /// The client whose inputs are recorded, for the writing thread; `nil` while there is none.
  private let heard = Monitor(Heard())
  private(set) var input: Input?
  /// The newest project, as long as the inputs are still those of an earlier one; else `nil`.
  private var awaited: Project?
  private let folderNames: UsedFolderNames
  /// What has been written of the recording under way; `nil` if there is none.
  var running: Running?
  /// Whether what is known about the recording under way is to be saved.
  var isToSave = false
  /// Recordings whose files are complete, and that are not in the project yet.
  var unfinished: [Unfinished] = []
  var nextTry = ContinuousClock.now
  /// The tempo maps that were played, each from a plan on.
  var tempoMaps: [(planNumber: UInt64, map: TempoMap)] = []
  private var nextConnect = ContinuousClock.now
  private var missingSources: [String] = []
  /// The names of the takes of the recording that ended last.
  var lastTakes: [String] = []
  /// Seconds of these takes on the track that has the most; `nil` where there are none.
  var lastTakeSeconds: Double?
  /// Why the last recording was not made, or is not in the project.
  var lastFailure: Failure?
  /// Why a recording could not be begun: the first reason.
  var firstFailureToBegin: Failure?
  /// Whether the player ends: no other recording begins.
  private(set) var isFinishing = false
  /// Whether the newest recording has ended, or could not be begun, since it was set to false.
  var isEnded = false
  /// Whether there was a recording that the last `cancel` could end; `nil` until the writing thread has said so.
  var hasCancelled: Bool?
  private var clock: JackClock?
  private var midiProblem: SequencerError?
  /// Peaks of the inputs, taken ten times a second.
  private var meters: [PlayerStatus.Input] = []
  private var nextMeters = ContinuousClock.now

  private struct Heard {
    var client: JackClient?
    /// From when on the latencies of its inputs are those of their connections; `nil` until they are connected.
    var settled: ContinuousClock.Instant?
  }

  /// The server reports the latency of inputs a little after it has connected them, from another thread. Until then
  /// what comes in waits in the ring.
  private static let settling = Duration.milliseconds(200)

  /// Armed tracks, and what writes what comes in on them.
  struct Input {
    var tracks: [ArmedTrack]
    var ring: CaptureRing
    /// `nil` without MIDI tracks that record from JACK.
    var messages: MIDICapture?
    /// `nil` without MIDI tracks that record from the ALSA sequencer.
    var midiIn: MIDIIn?
    var writer: RecordingWriter
  }

  struct Running {
    var description: RecordingDescription
    var folder: String
    /// The facts about it that were saved last, of the passes that had changed; `nil` before the first time.
    var saved: RecordingFacts?
    /// The passes that may have changed since, by their ids: a loop may have thousands of others.
    var changedPasses: Set<Int64> = []
    /// Whether the ledger has records that `saved` lacks.
    var hasUnsavedRecords = true
    /// When the lengths of its passes and files are saved next.
    var nextLengths = ContinuousClock.now
    var gapFrames = 0
  }

  struct Unfinished {
    var recording: FinishedRecording
    /// Why it is not in the project.
    var failure: Failure
  }

  /// Seconds of input that the ring holds: the longest that the disk may not take any.
  private static let ringSeconds = 10

  /// Control thread. Nothing is recorded before `connect`.
  init(
    _ session: Session, _ request: RecordRequest, of play: PlayRequest, sampleRate: SampleRate, output: MIDIOutput?,
    report: @escaping (PlayEvent) -> Void
  ) {
    self.session = session
    file = FileIdentity(of: session.folder.database)
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

  /// Makes the inputs of a new client, and records from them.
  /// - Throws: `JackError.port`.
  func connect(to client: JackClient, following clock: JackClock, _ project: Project) throws(JackError) {
    heard.update { $0 = Heard(client: client) }
    self.clock = clock
    missingSources = []
    if let input {
      try Self.setInputs(input, of: client)
    } else {
      try makeInputs(sources.tracks(of: project, client), client)
    }
  }

  /// The client's inputs were connected, as far as their sources are there.
  func settle() { heard.update { $0.settled = .now + Self.settling } }

  /// The project was edited: tracks may have been armed. Until a recording under way is complete, its tracks are those
  /// that it began with; the others follow when it has ended.
  func follow(_ project: Project) {
    awaited = project
    followAwaited()
  }

  private func followAwaited() {
    guard awaited != nil else { return }
    // A recording may have begun since.
    takeEvents()
    // To stop the writer would wait until earlier recordings are hashed, and meanwhile no input would be taken.
    guard let project = awaited, let client = heard.read(\.client), running == nil, input?.writer.isHashing != true
    else { return }
    awaited = nil
    let tracks = sources.tracks(of: project, client)
    guard tracks != input?.tracks else { return }
    do throws(JackError) {
      if try !keepInputs(for: tracks, client) { try makeInputs(tracks, client) }
    } catch {
      report(.problem(Failure(error)))
    }
  }

  /// Keeps the inputs, and what they remember, where only names, places or the monitoring of tracks have changed.
  /// - Returns: false where other inputs are needed.
  private func keepInputs(for tracks: [ArmedTrack], _ client: JackClient) throws(JackError) -> Bool {
    let received = tracks.filter { $0.kind == .sequencerMIDI }
    guard var kept = input, kept.tracks.elementsEqual(tracks, by: { $0.hasSamePorts(as: $1) }),
      received.isEmpty || kept.midiIn?.serves(received) == true
    else { return false }
    kept.tracks = tracks
    try Self.setInputs(kept, of: client)
    kept.midiIn?.set(received, output)
    kept.writer.setTracks(tracks)
    input = kept
    return true
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
        heard.read { heard in
          guard let client = heard.client, let settled = heard.settled, .now >= settled else { return nil }
          return (client.status.snapshot.playbackLatency, client.captureLatencies)
        }
      })
    let made = Input(tracks: tracks, ring: ring, messages: messages, midiIn: midiIn, writer: writer)
    try Self.setInputs(made, of: client)
    // Of a client that is not active yet, they are connected later.
    heard.update { if $0.settled != nil { $0.settled = .now + Self.settling } }
    end(input, keeping: midiIn)
    writer.setRecording(isOn)
    if let clock, let midiIn, midiIn !== input?.midiIn {
      if let former = input?.midiIn { midiIn.takeConnections(of: former, output) }
      midiIn.start(following: clock)
    }
    writer.start()
    // What has begun until now ends here, and is kept.
    takeEvents()
    input = made
    nextMeters = .now
  }

  private func midiIn(of tracks: [ArmedTrack]) -> MIDIIn? {
    let received = tracks.filter { $0.kind == .sequencerMIDI }
    guard !received.isEmpty else { return nil }
    // Where its ports stay, the user's connections to them stay too.
    if let known = input?.midiIn, known.serves(received) {
      known.set(received, output)
      return known
    }
    do throws(SequencerError) {
      return try MIDIIn(received, clientName: clientName, output: output)
    } catch {
      report(.problem(Failure(error)))
      return nil
    }
  }

  /// - Parameter kept: goes on receiving.
  private func end(_ input: Input?, keeping kept: MIDIIn? = nil) {
    input?.writer.stop()
    if let midiIn = input?.midiIn, midiIn !== kept { midiIn.stop() }
  }

  private static func setInputs(_ input: Input, of client: JackClient) throws(JackError) {
    func ports(_ tracks: [ArmedTrack]) -> [JackClient.Input] {
      tracks.flatMap { track in
        zip(track.portNames, track.sources).enumerated().map { number, port in
          JackClient.Input(
            name: port.0, source: port.1, monitor: track.isMonitored ? track.trackID : nil, track: track.trackID,
            number: number)
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
    heard.update { $0 = Heard() }
    input?.writer.loseServer(waits: waits)
  }

  /// A new client cannot be used, and is closed.
  func forgetClient() { heard.update { $0 = Heard() } }

  // MARK: Commands

  func setRecording(_ isOn: Bool) {
    if isOn, !self.isOn { letAwaitedIn() }
    self.isOn = isOn
    input?.writer.setRecording(isOn)
  }

  /// Waits for the end of the recording that was switched off, so that tracks armed during it are in the next one.
  private func letAwaitedIn() {
    let deadline = ContinuousClock.now + .seconds(1)
    while awaited != nil, running != nil, ContinuousClock.now < deadline {
      usleep(2_000)
      observe()
    }
    followAwaited()
  }

  /// - Parameter number: of the first plan for whose frames it holds.
  func setPunch(_ punch: Range<TimelineFrame>?, fromPlan number: UInt64 = 0) {
    self.punch = punch
    input?.writer.setPunch(punch, fromPlan: number)
  }

  /// Sets the punch range from the next locate on, which the caller commands right after this.
  /// - Parameter first: the first host frame at which it can be.
  func setPunchFromLocate(_ punch: Range<TimelineFrame>?, notBefore first: HostFrame) {
    self.punch = punch
    input?.writer.setPunchFromLocate(punch, notBefore: first)
  }

  /// What is recorded while the transport rolls; empty for nothing.
  var recordedRange: Range<TimelineFrame> { isOn ? punch ?? 0..<TimelineFrame.max : 0..<0 }

  // MARK: Observing

  /// To be called many times a second: handles the writer's events, saves facts, connects sources and reports problems.
  func observe() {
    takeEvents()
    saveFacts()
    followAwaited()
    if ContinuousClock.now >= nextTry { finishUnfinished() }
    guard ContinuousClock.now >= nextConnect, let client = heard.read(\.client) else { return }
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

  private func takeEvents() {
    for event in input?.writer.takeEvents() ?? [] { handle(event) }
  }

  /// After the transport has stopped: waits until what was played has come in and is written, and ends.
  /// - Parameter seconds: to wait at most.
  func finish(atMost seconds: Double) {
    let deadline = ContinuousClock.now + .seconds(seconds)
    // Nothing more begins.
    awaited = nil
    isFinishing = true
    awaitEnd(until: deadline)
    end(input)
    observe()
    // The second time there is nothing new to try.
    if input != nil { finishUnfinished(isLast: true) }
    heard.update { $0 = Heard() }
    input = nil
  }

  var hasClient: Bool { heard.read { $0.client != nil } }

  /// Frames after a stop in which the input for what was played before it still comes in.
  var lag: Int {
    heard.read { ($0.client?.status.snapshot.playbackLatency ?? 0) + ($0.client?.captureLatencies.max() ?? 0) }
  }

  /// Uses the file that is at the project's path now, if another one has taken its place.
  /// - Throws: `Failure` if there is none, or it belongs to another project.
  func followFile() throws {
    guard let other = try session.successor(of: file, isForEditing: true) else { return }
    session = other.session
    file = other.file
    // It knows nothing of the recording under way.
    running?.saved = nil
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
    status.takeSeconds = lastTakeSeconds
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
}
