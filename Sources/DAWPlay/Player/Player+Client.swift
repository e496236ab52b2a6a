import DAWEngine
import DAWErrors
import DAWJack
import DAWModel
import DAWProject
import DAWTime

extension Player {
  static func openClient(
    _ session: Session, _ request: PlayRequest, _ rate: SampleRate, _ engine: LiveEngine, _ watchdog: Watchdog?
  ) throws -> JackClient {
    do throws(JackError) {
      return try JackClient(
        JackClient.Options(
          name: request.clientName, server: request.server, sampleRate: rate,
          followsTransport: request.transport == .jack, hasClickPort: request.hasClickPort), engine: engine,
        table: watchdog?.table)
    } catch {
      throw failure(error, session, request)
    }
  }

  static func makeClock(_ engine: LiveEngine, _ session: Session, _ request: PlayRequest) throws -> JackClock {
    do throws(JackError) {
      return try JackClock(engine: engine)
    } catch {
      throw failure(error, session, request)
    }
  }

  /// Lets the server call us, and connects.
  /// - Throws: `Failure`.
  func activate(_ event: (PlayOpening) -> PlayEvent) throws {
    guard let client else { return }
    var connected: [String] = []
    do throws(JackError) {
      // Looked for first: no frame is to come in from a client that goes again.
      if case .ports(let names) = request.connection, let missing = names.first(where: { !client.hasPort($0) }) {
        throw .connection(port: missing)
      }
      try publishPorts(of: project)
      try recorder?.connect(to: client, following: clock, project.model)
      if request.isTimebaseMaster { _ = client.becomeTimebaseMaster() }
      try client.activate()
      // Only an active client can be connected.
      client.connectInputs()
      recorder?.settle()
      clock.follow(client)
      switch request.connection {
      case .playback: connected = try client.connect(to: nil)
      case .none: break
      case .ports(let names): connected = try client.connect(to: names)
      }
    } catch {
      throw Self.failure(error, session, request)
    }
    let status = client.status.snapshot
    lastReported.server = status
    lastReported.isHeard = client.isConnected
    report(
      event(
        PlayOpening(
          clientName: client.name, sampleRate: status.sampleRate, bufferSize: status.bufferSize,
          connectedPorts: connected, revision: project.revision, memoryProblem: memoryProblem,
          isRealtime: client.isRealtime)))
  }

  /// Ports of tracks that came or were renamed, and beats where the tempo has changed.
  func followPorts(of project: PlayedProject) {
    do throws(JackError) {
      try publishPorts(of: project)
    } catch {
      guard error != lastReported.refusedPort else { return }
      lastReported.refusedPort = error
      var failure = Self.failure(error, session, request)
      failure.message += " All others go on; each edit tries again."
      report(.problem(failure))
    }
  }

  /// The server is gone: another is waited for, or that is the end.
  /// - Throws: `Failure`.
  func loseServer() throws {
    let place = status().position
    recorder?.loseClient(waits: request.reconnects)
    recorder?.observe()
    hasLostPorts = true
    let closing = Result { try closeClient() }
    nextTry = .now + .seconds(1)
    report(.serverLost(isTriedAgain: request.reconnects && !isEngineHeld))
    try closing.get()
    guard !request.reconnects else { return }
    throw Failure(
      .unavailable, code: "jackServerLost",
      "The JACK server went away at \(place).\(recorder == nil ? " The project is as it was." : "")",
      hint: "'--reconnect' waits until one is back.")
  }

  /// Once a second: whether there is a server again that can be used. One at another rate, one that takes no client,
  /// and one without the ports of other programs are no end: another may come, and the ports do in their own time.
  /// - Throws: `Failure` where JACK's library is gone.
  func tryAgain() throws {
    guard client == nil, ContinuousClock.now >= nextTry else { return }
    nextTry = .now + .seconds(1)
    do {
      client = try Self.openClient(session, request, project.time.rate, engine, jackWatchdog)
      hasLostPorts = false
      try activate { .reconnected($0) }
      reasonsToWait = []
    } catch let failure as Failure {
      try dropClient()
      guard failure.code != "jackNotInstalled" else { throw failure }
      // That there is none was said when it went away.
      guard failure.code != "jackNotRunning", reasonsToWait.insert(failure.message).inserted else { return }
      report(.problem(failure.whileWaiting(server: request.server, rate: project.time.rate)))
    }
  }

  /// A client that could not be used goes again.
  /// - Throws: as `closeClient`.
  private func dropClient() throws {
    recorder?.forgetClient()
    try closeClient()
  }

  /// Closes the client, if there is one. One that the server does not let go may still call the engine: no other client
  /// can use that, and the player ends.
  /// - Throws: `Failure` then.
  func closeClient() throws {
    clock.follow(nil)
    guard let client else { return }
    self.client = nil
    earlierXruns += client.status.snapshot.xrunCount
    guard !client.close() else { return }
    isEngineHeld = true
    throw Failure(
      .unavailable, code: "jackNotResponding",
      "The JACK server does not answer. The player ends without closing its client.",
      hint: "It may have to be ended by force: 'killall -9 jackd'.")
  }

  /// Leaves the server, lets `stop` stop the process, and goes on when that returns. A client whose process stands
  /// still would hold up the server and all of its clients.
  /// - Throws: `Failure` when the server does not answer, and when it is gone by then and `reconnects` is off.
  func suspend(_ stop: () -> Void) throws {
    let wasRolling = isRolling && request.transport == .own
    fadeOut()
    recorder?.awaitEnd(until: .now + .seconds(inputPatience))
    recorder?.loseClient()
    try closeClient()
    stop()
    do {
      client = try Self.openClient(session, request, project.time.rate, engine, jackWatchdog)
      try activate { .resumed($0) }
    } catch let failure as Failure {
      try dropClient()
      guard request.reconnects else { throw failure }
      return report(.serverLost(isTriedAgain: true))
    }
    if wasRolling { handleKey(.start) }
  }

  private func publishPorts(of project: PlayedProject) throws(JackError) {
    guard publishedPlan != project.planNumber || publishedClient !== client else { return }
    (publishedPlan, publishedClient) = (project.planNumber, client)
    var ports = JackClient.TrackPorts()
    ports.planNumber = project.planNumber
    if request.hasDirectOuts { ports.directOuts = project.tracks }
    if request.midi == .jack { ports.midi = project.ports }
    if request.isTimebaseMaster {
      ports.beats = BeatTable(map: project.time.map, rate: project.time.rate, end: project.endFrame)
    }
    try client?.publish(ports)
    lastReported.refusedPort = nil
  }

  private static func failure(_ error: JackError, _ session: Session, _ request: PlayRequest) -> Failure {
    Failure(error, server: request.server, folder: session.folder.name)
  }
}
