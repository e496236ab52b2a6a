import DAWEngine
import DAWErrors
import DAWJack
import DAWProject
import DAWTime
import Foundation

extension Player {
  /// Puts the playhead and the loop where they were asked for, and rolls.
  /// - Throws: `Failure` for a place that is not on the timeline.
  func begin() throws {
    let timeline = Timeline(project.model)
    countsIn = request.countInBars > 0
    let recording = try recordedRange()
    if let punch = recording?.punch { recorder?.setPunch(frames(of: punch)) }
    try sendRecordedRange()
    let loop = try request.loop.map { (try $0.start(timeline), try $0.end(timeline)) }
    if let loop { try setLoop(loop.0.flicks, loop.1.flicks) }
    if let countIn = try follower.countIn(in: project.model, project.time)?.frames {
      try send(.locate(countIn.lowerBound))
      countInEnd = countIn.upperBound
    } else if let from = try recording?.start ?? request.from.map({ try $0(timeline) }) ?? loop?.0 {
      try locate(project.time.frame(at: from))
    }
    if !request.startsStopped { try start() }
  }

  /// What the request says is to be recorded, and where playback begins.
  private func recordedRange() throws -> (punch: Range<FlickPosition>?, start: FlickPosition?)? {
    try request.record?.range(
      from: request.from ?? request.loop?.start, to: request.to, countsIn: countsIn, in: Timeline(project.model))
  }

  /// Sets the punch range of the request again, after its places have moved (a tempo edit) or the count-in is over.
  /// - Parameter firstLocate: the first host frame of the next locate, if the range applies from there on; else `nil`.
  func followRecordedRange(from firstLocate: HostFrame? = nil) throws {
    guard recordsAsRequested, let recorder, let punch = try recordedRange()?.punch.map(frames(of:)),
      recorder.punch != punch
    else { return }
    if let firstLocate {
      recorder.setPunchFromLocate(punch, notBefore: firstLocate)
    } else {
      recorder.setPunch(punch, fromPlan: project.planNumber)
    }
    try sendRecordedRange()
  }

  /// After an edit of the tempo: what commands have set stays at its musical places, as the loop that is on does.
  /// - Parameter earlier: of the project before.
  func followCommandedRanges(since earlier: PlayedTime) throws {
    guard earlier != project.time else { return }
    lastLoop = lastLoop.map { project.time.range($0, of: earlier) }
    guard !recordsAsRequested, let recorder, let punch = recorder.punch else { return }
    recorder.setPunch(project.time.range(punch, of: earlier), fromPlan: project.planNumber)
    try sendRecordedRange()
  }

  /// Answers a command of another process.
  func answer(_ command: PlayerCommand) -> PlayerAnswer {
    do {
      switch command {
      case .locate, .loop, .punch: catchUp()
      default: break
      }
      try perform(command)
      // So that the answer shows the new state.
      if command != .status, command != .counts { awaitBlock() }
      var status = status()
      _ = takePeaks()
      (status.peakLeft, status.peakRight) = askedPeaks
      if command == .status { askedPeaks = (0, 0) }
      return PlayerAnswer(status: status)
    } catch {
      return PlayerAnswer(failure: Failure(error))
    }
  }

  /// Takes up the edits committed by now. The places of another process's command are those of the newest tempo: an
  /// edit of it that is taken up after the command would move them once more. Waits a second at most.
  private func catchUp() {
    guard client != nil else { return }
    follower.holdStart()
    let deadline = ContinuousClock.now + .seconds(1)
    while engine.hasHeldStarts, ContinuousClock.now < deadline {
      for event in follower.takeEvents() { handle(event) }
      usleep(1_000)
    }
    // What was reported last.
    for event in follower.takeEvents() { handle(event) }
  }

  /// Waits for a block that has begun after this call. The one under way, whose record comes first, may have read the
  /// commands before the last was sent.
  private func awaitBlock() {
    let deadline = ContinuousClock.now + .milliseconds(200)
    for _ in 0..<2 {
      let last = engine.record.hostFrame
      while client != nil, engine.record.hostFrame == last, ContinuousClock.now < deadline { usleep(1_000) }
    }
  }

  /// Performs a command typed on the terminal.
  func handleKey(_ command: PlayerCommand) {
    do { try perform(command) } catch { report(.problem(Failure(error))) }
  }

  /// Performs a command. One with places waits for an edit of the tempo that is being taken up, a second at most:
  /// its frames are those of one timeline, and the audio thread would take them for those of the other.
  private func perform(_ command: PlayerCommand) throws {
    guard command.hasPlaces else { return try carryOut(command) }
    let deadline = ContinuousClock.now + .seconds(1)
    while true {
      let isDone = try follower.betweenTempoEdits { count in
        guard hasTakenUp(count) || ContinuousClock.now >= deadline else { return false }
        try carryOut(command)
        return true
      }
      if isDone { return }
      usleep(1_000)
      for event in follower.takeEvents() { handle(event) }
    }
  }

  /// Whether the audio thread and `project` are behind so many edits of the tempo.
  private func hasTakenUp(_ count: Int) -> Bool {
    // Frames of JACK's transport stay as they are.
    if client == nil || request.transport == .jack { return true }
    return project.tempoEdits == count && engine.record.planNumber >= project.planNumber
  }

  private func carryOut(_ command: PlayerCommand) throws {
    switch command {
    case .start: try start()
    case .stop: try stop()
    case .toggle: if isRolling { try stop() } else { try start() }
    case .locate(let flicks): try locate(project.time.frame(at: FlickPosition(flicks: flicks)))
    case .locateBars(let count): try locateBars(count)
    case .locateEnd: try locate(project.endFrame)
    case .loop(let start, let end): try setLoop(start, end)
    case .endLoop: try send(.noLoop)
    case .toggleLoop: try toggleLoop()
    case .record(let isOn):
      let recorder = try recording()
      if isOn { try requireRecordable(loop: engine.record.loop) }
      recorder.setRecording(isOn)
      try sendRecordedRange()
    case .cancelRecording:
      let outcome = Result { try recording().cancel() }
      // Recording is off also where what was cancelled could not be put into the project.
      try sendRecordedRange()
      try outcome.get()
    case .keep(let seconds): try recording().keep(seconds: seconds)
    case .punch(let start, let end):
      guard start < end else {
        throw Failure(.invalid, code: "invalidRange", "The range does not end after its start. Nothing was changed.")
      }
      try recording().setPunch(frames(of: FlickPosition(flicks: start)..<FlickPosition(flicks: end)))
      recordsAsRequested = false
      try sendRecordedRange()
    case .endPunch:
      try recording().setPunch(nil)
      recordsAsRequested = false
      try sendRecordedRange()
    case .status, .counts: break
    case .quit: end = .quit
    }
  }

  // MARK: Commands

  private func recording() throws -> Recorder {
    guard let recorder else {
      throw Failure(
        .invalid, code: "notRecording", "This player only plays. Nothing was changed.",
        hint: "'daw record' plays and records.")
    }
    return recorder
  }

  /// Tells the engine what is recorded, which decides when `auto` inputs are heard. Sent without a server too, for the
  /// next one.
  func sendRecordedRange() throws {
    guard let range = recorder?.recordedRange else { return }
    guard engine.send(.record(first: range.lowerBound, end: range.upperBound)) else { throw Self.noAnswer }
  }

  private static let noAnswer = Failure(
    .tryAgain, code: "engineNotResponding", "The audio thread does not answer. Nothing was changed.")

  private func frames(of range: Range<FlickPosition>) -> Range<TimelineFrame> {
    let first = project.time.frame(at: range.lowerBound)
    return first..<max(first, project.time.frame(at: range.upperBound))
  }

  var isRolling: Bool {
    guard request.transport == .jack, let client else {
      return [.starting, .rolling, .locating].contains(engine.record.state)
    }
    return client.transport().state != .stopped
  }

  private func start() throws {
    let client = try connectedClient()
    follower.holdStart()
    if request.transport == .jack { client.startTransport() } else { try send(.start) }
  }

  private func stop() throws {
    let client = try connectedClient()
    if request.transport == .jack { client.stopTransport() } else { try send(.stop) }
  }

  private func locate(_ frame: TimelineFrame) throws {
    // First, since a count-in goes on where nothing is moved.
    let client = try connectedClient()
    endCountIn()
    if countsIn {
      // From here on, what lies before the end of the count-in is recorded as well.
      countsIn = false
      let first = engine.record.hostFrame + engine.record.frameCount
      if request.to == nil, request.record?.punch == nil, request.record?.preroll == nil, recordsAsRequested {
        recorder?.setPunchFromLocate(nil, notBefore: first)
        try sendRecordedRange()
      } else {
        try followRecordedRange(from: first)
      }
    }
    let locateNumber = engine.record.locateNumber
    if request.transport == .jack { client.locateTransport(to: frame) } else { try send(.locate(frame)) }
    sent = SentPlayhead(frame: frame, locateNumber: locateNumber, until: .now + .milliseconds(500))
  }

  /// Ends the count-in: the whole project is heard again.
  func endCountIn() {
    guard countInEnd != nil else { return }
    countInEnd = nil
    follower.endCountIn()
  }

  /// Locates by `count` bar lines, forwards or back. Back, a bar line less than a beat before the playhead is skipped.
  private func locateBars(_ count: Int64) throws {
    let time = project.time
    let place = time.barBeatTick(at: playhead)
    let isAtBarLine = place.beat == 1
    let bar = place.bar + count + (count > 0 || isAtBarLine ? 0 : 1)
    try locate(time.frame(atBar: min(max(1, bar), PlayerCommand.bars.upperBound)))
  }

  private func setLoop(_ startFlicks: Int64, _ endFlicks: Int64) throws {
    guard request.transport == .own else {
      throw Failure(
        .invalid, code: "loopUnsupported", "JACK's transport has no loop. Nothing was changed.",
        hint: "Without '--transport jack', 'daw play' has its own, which can.")
    }
    let time = project.time
    let first = time.frame(at: FlickPosition(flicks: startFlicks))
    let end = time.frame(at: FlickPosition(flicks: endFlicks))
    guard first < end else {
      throw Failure(.invalid, code: "invalidRange", "The loop does not end after its start. Nothing was changed.")
    }
    if recorder?.isOn == true { try requireRecordable(loop: first..<end) }
    try send(.loop(first: first, end: end))
    // A playhead behind the loop would never come to it.
    if playhead >= end { try locate(first) }
  }

  private func toggleLoop() throws {
    if engine.record.loop != nil { return try send(.noLoop) }
    guard let lastLoop else {
      throw Failure(
        .invalid, code: "noLoop", "No loop has been set.", hint: "'daw transport loop 5.1.0..9.1.0' sets one.")
    }
    if recorder?.isOn == true { try requireRecordable(loop: lastLoop) }
    try send(.loop(first: lastLoop.lowerBound, end: lastLoop.upperBound))
    if playhead >= lastLoop.upperBound { try locate(lastLoop.lowerBound) }
  }

  /// - Throws: `Failure` where there is no server: nothing can be moved.
  private func connectedClient() throws -> JackClient {
    guard let client else {
      throw Failure(.unavailable, code: "jackServerLost", "The JACK server is gone. Nothing was changed.")
    }
    return client
  }

  private func send(_ command: TransportCommand) throws {
    _ = try connectedClient()
    guard engine.send(command) else { throw Self.noAnswer }
    if case .loop(let first, let end) = command { lastLoop = first..<end }
  }

  // MARK: Performing

  /// The playhead; after a locate that is not performed yet its target, since keys may come faster than cycles.
  private var playhead: TimelineFrame {
    let record = engine.record
    guard let sent, sent.locateNumber == record.locateNumber, ContinuousClock.now < sent.until else {
      return record.nextFrame
    }
    return sent.frame
  }

  func status() -> PlayerStatus {
    let record = engine.record
    let time = project.time
    var status = PlayerStatus()
    status.state = PlayerStatus.State(record.state)
    status.frame = record.nextFrame.position.frames
    status.flicks = time.flicks(at: record.nextFrame).flicks
    status.position = "\(time.barBeatTick(at: record.nextFrame))"
    status.loop = record.loop.map {
      PlayerStatus.Loop(
        startFlicks: time.flicks(at: $0.lowerBound).flicks, endFlicks: time.flicks(at: $0.upperBound).flicks)
    }
    status.lateFrames = Int64(record.lateFrameCount)
    status.revision = project.revision
    status.silentMedia = project.silentMedia
    status.isFreewheeling = record.isFreewheeling
    status.processID = getpid()
    status.sampleRate = time.rate.hertz
    status.xruns = earlierXruns
    status.isConnected = client != nil
    status.midi = midiStatus
    status.recording = recorder?.status
    if let client {
      let server = client.status.snapshot
      status.clientName = client.name
      status.lostExclusives = client.lostExclusives.values.reduce(0, +)
      status.bufferSize = server.bufferSize
      status.playbackLatency = server.playbackLatency
      status.xruns += server.xrunCount
    }
    return status
  }
}

extension PlayerStatus.State {
  init(_ state: TransportState) {
    switch state {
    case .stopped, .stopping: self = .stopped
    case .starting, .locating: self = .starting
    case .rolling: self = .rolling
    }
  }
}
