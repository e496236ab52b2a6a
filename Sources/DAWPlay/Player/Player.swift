import DAWEngine
import DAWErrors
import DAWInstruments
import DAWJack
import DAWModel
import DAWProject
import DAWTime
import Foundation

/// Plays a project through JACK until it is ended. All of it runs on one control thread; the audio thread is JACK's,
/// and the project is followed on a third.
final class Player {
  let session: Session
  let request: PlayRequest
  let engine: LiveEngine
  let report: (PlayEvent) -> Void
  let memoryProblem: String?
  let clock: JackClock
  /// `nil` where MIDI is not sent to the ALSA sequencer.
  private let midi: MIDIOutput?
  /// Silences JACK's MIDI ports if this process is killed; `nil` when there are none.
  let jackWatchdog: Watchdog?
  let follower: ProjectFollower
  /// `nil` where nothing is recorded.
  let recorder: Recorder?
  private let midiProblem: Failure?
  /// Why the folder of `--spill` is of no use.
  private var spillProblem: Failure?
  /// Whether notes on JACK's ports could not be ended, because the server disconnected the client.
  var hasLostPorts = false
  /// Whether a server has not let a client go: JACK's thread may still call the engine.
  var isEngineHeld = false
  private var socket: PlayerSocket?
  /// `nil` while there is no server.
  var client: JackClient?
  var project: PlayedProject
  /// The last reported values; only changes are reported.
  var lastReported = LastReported()
  /// Where the count-in ends; `nil` when it is over.
  var countInEnd: TimelineFrame?
  /// Whether the punch range is the request's; false once a command has set one.
  var recordsAsRequested = true
  /// Whether a count-in leads to where recording begins.
  var countsIn = false
  /// The last loop, so that it can be switched on again.
  var lastLoop: Range<TimelineFrame>?
  /// Xruns of earlier clients, whose servers went away.
  var earlierXruns = 0
  var nextTry = ContinuousClock.now
  /// Why the servers that have come since one went away cannot be used: each reason is said once.
  var reasonsToWait: Set<String> = []
  /// The last locate, until the audio thread has performed it.
  var sent: SentPlayhead?
  /// The plan and the client for which ports were made last.
  var publishedPlan: UInt64?
  weak var publishedClient: JackClient?
  var end: PlayEnd?

  struct SentPlayhead {
    var frame: TimelineFrame
    /// `TransportRecord.locateNumber` before the locate.
    var locateNumber: UInt64
    var until: ContinuousClock.Instant
  }

  struct LastReported {
    var server: JackStatus.Snapshot?
    var lateFrames: Int64 = 0
    var startTimeouts = 0
    var invalidSamples = 0
    var xruns = 0
    /// When counters may be reported again; at most once a second.
    var nextCounts = ContinuousClock.now
    var state = PlayerStatus.State.stopped
    var locateNumber: UInt64 = 0
    var isHeard: Bool?
    var midi: PlayerStatus.MIDI?
    var lostExclusives: [String: Int] = [:]
    /// The port that could not be registered.
    var refusedPort: JackError?
  }

  /// Opens the client, and compiles the project.
  /// - Throws: `Failure`; nothing is left open.
  init(_ session: Session, _ request: PlayRequest, report: @escaping (PlayEvent) -> Void) throws {
    self.session = session
    self.request = request
    self.report = report
    let rate = try session.read { view in
      try request.validate(in: Timeline(view, playhead: Timeline.noPlayhead))
      return try view.header().settings.sampleRate
    }
    let opened = try Self.openMIDI(request)
    midi = opened.output
    jackWatchdog = opened.watchdog
    midiProblem = opened.problem
    let engine = LiveEngine(LiveOptions(sampleRate: rate.hertz)) { try FluidSynthInstrument(plan: $0) }
    self.engine = engine
    follower = ProjectFollower(session, request, engine: engine, midi: midi)
    recorder = request.record.map { [midi] in
      Recorder(session, $0, of: request, sampleRate: rate, output: midi, report: report)
    }
    do {
      clock = try Self.makeClock(engine, session, request)
      // The server first: it is what most often is not there.
      client = try Self.openClient(session, request, rate, engine, jackWatchdog)
      project = try follower.begin()
      recorder?.note(project)
      if let record = request.record, let client {
        try recorder?.validate(project.model, client)
        spillProblem = try session.room(for: record).warning
      }
      memoryProblem = MemoryLock.acquire()
    } catch {
      client = nil
      midi?.stop()
      jackWatchdog?.dismiss()
      engine.shutDown()
      throw error
    }
  }

  /// Plays until it ends.
  /// - Parameters:
  ///   - input: commands typed by the user; `nil`: none.
  ///   - isInterrupted: asked many times a second.
  ///   - suspension: as for `Session.play`.
  /// - Throws: `Failure` when the server is gone and `reconnects` is off.
  func run(
    input: (any PlayerInput)?, isInterrupted: () -> Bool, suspension: PlayerSuspension?
  ) throws -> PlayEnd {
    var input = input
    defer { close() }
    try activate { .opened($0) }
    for problem in [midiProblem, spillProblem].compactMap(\.self) { report(.problem(problem)) }
    midi?.start(following: clock)
    openSocket()
    try begin()
    follower.start()
    while true {
      let (hasInput, isCalled) = wait(for: input)
      // A closed terminal stays readable forever, so it is dropped.
      if !hasInput { input = nil }
      for command in input?.read() ?? [] { handleKey(command) }
      socket?.serve(isCalled: isCalled) { answer($0) }
      for event in follower.takeEvents() { handle(event) }
      try observe()
      if isInterrupted() { end = .interrupted }
      if end == nil, let suspension, suspension.isRequested() { try suspend(suspension.stop) }
      if let end {
        fadeOut()
        finishRecording()
        return end
      }
    }
  }

  /// Before JACK, so that the watchdog inherits nothing of it.
  private static func openMIDI(
    _ request: PlayRequest
  ) throws -> (output: MIDIOutput?, watchdog: Watchdog?, problem: Failure?) {
    if request.midi == .jack {
      do { return (nil, try MIDIWatchdog.ofJack(server: request.server), nil) } catch {
        return (nil, nil, Failure(error))
      }
    }
    guard request.midi == .alsa || request.midi == nil && (MIDIOutput.isThere || !request.midiConnections.isEmpty)
    else { return (nil, nil, nil) }
    do {
      return (try MIDIOutput(clientName: request.clientName), nil, nil)
    } catch {
      guard request.midi == nil, request.midiConnections.isEmpty else { throw Failure(playing: error) }
      return (nil, nil, Failure(playing: error))
    }
  }

  /// Highest peaks since another process last asked for the status, linear.
  var askedPeaks: (left: Float, right: Float) = (0, 0)

  /// The engine's peaks since the last call, linear. They are added to `askedPeaks`.
  func takePeaks() -> (left: Float, right: Float) {
    let peaks = engine.takePeaks()
    askedPeaks = (max(askedPeaks.left, peaks.left), max(askedPeaks.right, peaks.right))
    return peaks
  }

  /// State of the ALSA sequencer output; `nil` when it is not used.
  var midiStatus: PlayerStatus.MIDI? { midi.map { PlayerStatus.MIDI($0.status) } }

  /// Waits for something to read, or a twentieth of a second.
  /// - Returns: whether more can come from the input, and whether there is something to read from the socket.
  private func wait(for input: (any PlayerInput)?) -> (hasInput: Bool, isCalled: Bool) {
    let own = [input?.descriptor ?? -1, follower.wakeUp.descriptor]
    var polled = (own + (socket?.descriptors ?? [])).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let count = poll(&polled, nfds_t(polled.count), socket?.hasCommand == true ? 0 : 50)
    if count > 0 { follower.wakeUp.clear() }
    return (
      hasInput: Int32(polled[0].revents) & (POLLHUP | POLLERR | POLLNVAL) == 0,
      isCalled: polled[own.count...].contains { $0.revents != 0 }
    )
  }

  private func openSocket() {
    do {
      let folder = session.folder
      let socket = try PlayerSocket(at: PlayerAddress(of: folder, cacheFolder: folder.sharedCacheFolder.path))
      self.socket = socket
      guard let earlier = socket.earlierPlayer else { return }
      report(
        .problem(
          Failure(
            .tryAgain, code: "playerAlreadyRunning",
            "Process \(earlier) plays this project already; 'daw transport' reaches that one, and this one when it has ended."
          )))
    } catch {
      report(.problem(Failure(error)))
    }
  }

  func handle(_ event: ProjectFollower.Event) {
    switch event {
    case .coming(let next):
      followPorts(of: next)
      follower.setPortsReady()
    case .plays(let next, let entries, let delay):
      play(next)
      guard let newest = entries.last else { return }
      report(
        .edited(
          PlayEdit(
            revision: newest.revision, summary: newest.summary, author: newest.author, count: entries.count,
            delay: delay)))
    case .replaced(let next):
      play(next)
      report(.replaced(revision: next.revision))
    case .problem(let failure): report(.problem(failure))
    case .recovered: report(.recovered)
    }
  }

  /// A plan is heard now: takes its project over.
  private func play(_ next: PlayedProject) {
    let before = project.time
    project = next
    recorder?.note(next)
    do {
      try followCommandedRanges(since: before)
      try followRecordedRange()
    } catch {
      report(.problem(Failure(error)))
    }
    recorder?.follow(next.model)
    if countInEnd != nil { countInEnd = next.countInEnd ?? countInEnd }
    followPorts(of: next)
  }

  /// What sounds fades out before the ports go.
  func fadeOut() {
    guard let client else { return }
    client.leaveTransport()
    let deadline = ContinuousClock.now + .milliseconds(500)
    while engine.record.state != .stopped, ContinuousClock.now < deadline {
      // Again, since JACK's transport may have led in the cycle that took up the last one.
      _ = engine.send(.stop)
      usleep(2_000)
    }
    client.silenceMIDI()
    // The last cycle still has to reach the loudspeaker.
    let status = client.status.snapshot
    usleep(UInt32(clamping: 1_000_000 * (2 * status.bufferSize + status.playbackLatency) / max(1, status.sampleRate)))
  }

  /// What was played has to come in before the client goes. Edits are not followed any more: to put the recording into
  /// the project is one.
  private func finishRecording() {
    guard let recorder else { return }
    follower.end()
    // A plan may have been heard that is not reported yet.
    for event in follower.takeEvents() {
      switch event {
      case .plays(let next, _, _), .replaced(let next): recorder.note(next)
      case .coming, .problem, .recovered: break
      }
    }
    recorder.finish(atMost: inputPatience)
  }

  /// Seconds to wait, after a stop, for the input to what was played, and for it to be written.
  var inputPatience: Double { Double(recorder?.lag ?? 0) / Double(max(1, project.time.rate.hertz)) + 5 }

  private func close() {
    // Where an error ends the player; else it is done.
    recorder?.finish(atMost: 0)
    follower.end()
    socket?.close()
    // While there still is a clock.
    midi?.stop()
    do { try closeClient() } catch { report(.problem(Failure(error))) }
    if hasLostPorts || isEngineHeld { jackWatchdog?.alarm() } else { jackWatchdog?.dismiss() }
    if !isEngineHeld { engine.shutDown() }
  }
}

/// How a player's process is stopped and goes on, as by Ctrl-Z and `fg`.
public struct PlayerSuspension {
  /// Whether it has been asked for since `stop` returned last; asked many times a second.
  public var isRequested: () -> Bool
  /// Stops the process, and returns when it goes on. Nothing sounds meanwhile.
  public var stop: () -> Void

  public init(isRequested: @escaping () -> Bool, stop: @escaping () -> Void) {
    self.isRequested = isRequested
    self.stop = stop
  }
}

/// A source of commands other than the socket, such as a terminal's keys.
public protocol PlayerInput {
  /// The descriptor to poll; negative while there is none.
  var descriptor: Int32 { get }
  /// The commands typed since the last call. Does not block.
  func read() -> [PlayerCommand]
}

extension Session {
  /// Plays the project until it ends, and reports events.
  /// - Parameters:
  ///   - input: commands typed by the user; `nil`: none.
  ///   - isInterrupted: asked many times a second; true ends it.
  ///   - suspension: `nil`: the process is stopped as any other.
  ///   - report: called on this thread for each event.
  /// - Throws: `Failure`, also at the end where something that came in is not in the project.
  public func play(
    _ request: PlayRequest, input: (any PlayerInput)? = nil, isInterrupted: () -> Bool,
    suspension: PlayerSuspension? = nil, report: @escaping (PlayEvent) -> Void
  ) throws -> PlayEnd {
    try failing {
      let player = try Player(self, request, report: report)
      let end = try player.run(input: input, isInterrupted: isInterrupted, suspension: suspension)
      report(.ended(end))
      if let loss = player.recorder?.firstLoss {
        throw Failure(
          loss.kind, code: loss.code, "Not everything that came in is in the project; a message above says why.",
          hint: loss.hint)
      }
      return end
    }
  }
}
