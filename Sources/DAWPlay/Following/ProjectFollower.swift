import DAWCompiler
import DAWEngine
import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import Foundation
import Synchronization

/// Follows a project while it plays: notices what any process commits, compiles what has changed, and gives the engine the
/// new plan. On a thread of its own, so that neither keys nor the server wait for it.
///
/// What cannot be played leaves the plan before in place, and is told; it is tried again until it can.
final class ProjectFollower: @unchecked Sendable {
  // Unchecked: what is not guarded by `news` is used by one thread at a time, the maker's until `start`, then its own.
  private let request: PlayRequest
  private let engine: LiveEngine
  private let midi: MIDIOutput?
  private var session: Session
  private var media: LiveMedia
  private var parts: CompiledParts?
  private var mark: ProjectStore.ChangeMark?
  /// What was read last, and what the file looked like shortly before.
  private var loaded: (project: LoadedProject, mark: ProjectStore.ChangeMark)?
  /// Of the plan that sounds; `nil` before the first.
  private var revision: Int64?
  /// Of the plan that sounds.
  private var played: PlayedTime?
  /// What is told already, so that it is told once.
  private var toldProblem: Failure?
  private var toldMissing: [String] = []
  /// A newer program has the file now.
  private var isFrozen = false
  private var conversions: [LiveMedia.Conversion] = []
  private var nextMediaLook = ContinuousClock.now
  private let watch: CommitWatch
  /// The project's file as it was opened.
  private var file: FileIdentity?

  /// Whether what lies before the beginning is left out, for the time that is counted in.
  private let countsIn: Atomic<Bool>
  private let news = Mutex<[News]>([])
  /// Wakes the control thread: there is news.
  let wakeUp = WakeUp()
  /// Wakes this thread: it is to look at once.
  private let lookCall = WakeUp()
  /// Signalled when the control thread has given what is coming its ports.
  private let isExpected = DispatchSemaphore(value: 0)
  private let isEnding = Atomic(false)
  private let isCountInOver = Atomic(false)
  private var thread: Thread?
  private let ended = DispatchSemaphore(value: 0)

  /// What has happened, for the player's control thread.
  enum News: Sendable {
    /// This is heard from the next cycle on, and the follower waits until its ports are there: `expect()`.
    case coming(PlayedProject)
    /// This is heard, since edits of the journal were made. `delay` is how many milliseconds ago the newest was; `nil` where
    /// no cycle has come in the meantime.
    case plays(PlayedProject, [JournalEntry], delay: Int64?)
    /// This is heard: the file at the project's path is another one than before.
    case replaced(PlayedProject)
    case problem(Failure)
    case mended
  }

  /// Between two looks at the media, and before something that failed is tried again.
  private static let mediaInterval = Duration.seconds(1)

  init(_ session: Session, _ request: PlayRequest, engine: LiveEngine, midi: MIDIOutput?) {
    self.midi = midi
    self.session = session
    self.request = request
    self.engine = engine
    countsIn = Atomic(request.countInBars > 0)
    media = LiveMedia(folder: session.folder, cacheFolder: session.cacheFolder)
    watch = CommitWatch(path: session.folder.database)
    file = FileIdentity(of: session.folder.database)
  }

  /// Compiles the project for the first time.
  /// - Throws: `Failure`; nothing plays.
  func begin() throws -> PlayedProject {
    let now = try session.store.changeMark()
    mark = now
    return try publish(now).project
  }

  /// The control thread: what was counted in is over, and all of the project is to be heard again.
  func endCountIn() {
    guard countsIn.exchange(false, ordering: .relaxed) else { return }
    isCountInOver.store(true, ordering: .relaxed)
  }

  func start() {
    let thread = Thread { [self] in
      while !isEnding.load(ordering: .relaxed) {
        look()
        watch.wait(or: lookCall)
      }
      ended.signal()
    }
    thread.name = "follower"
    thread.stackSize = 4 << 20
    self.thread = thread
    thread.start()
  }

  /// The control thread, before it starts the transport: what has been committed by now is what the start plays.
  func holdStart() {
    engine.holdStarts()
    lookCall.call()
  }

  /// Ends the thread; when this returns, nothing is published any more.
  func end() {
    guard thread != nil else { return }
    isEnding.store(true, ordering: .relaxed)
    ended.wait()
    thread = nil
  }

  /// The control thread: what has happened since it asked last, in order.
  func takeNews() -> [News] {
    news.withLock { news in
      defer { news = [] }; return news
    }
  }

  private func tell(_ item: News) {
    news.withLock { $0.append(item) }
    wakeUp.call()
  }

  /// The control thread: what is coming has its ports.
  func expect() { isExpected.signal() }

  /// Ports change before the plan, so that they do in the same cycle.
  private func announce(_ project: PlayedProject) {
    guard thread != nil, request.hasPortsOfTracks else { return }
    while isExpected.wait(timeout: .now()) == .success {}
    tell(.coming(project))
    // Where the control thread is busy, they come a little later.
    _ = isExpected.wait(timeout: .now() + .milliseconds(100))
  }

  /// Waits until a plan is heard, at most so long as a large cycle takes.
  private func isHeard(_ planNumber: UInt64) -> Bool {
    let deadline = ContinuousClock.now + .milliseconds(250)
    while engine.record.planNumber < planNumber {
      guard ContinuousClock.now < deadline, !isEnding.load(ordering: .relaxed) else { return false }
      usleep(1_000)
    }
    return true
  }

  // MARK: The follower's thread

  private func look() {
    let starts = engine.heldStarts
    defer { engine.allowStarts(upTo: starts) }
    guard !isFrozen else { return }
    do {
      let isOther = try followFile()
      let now = try session.store.changeMark()
      if isCountInOver.exchange(false, ordering: .relaxed) { mark = nil }
      let isDue = ContinuousClock.now >= nextMediaLook
      if isDue { nextMediaLook = .now + Self.mediaInterval }
      guard now != mark || isDue && (toldProblem != nil || !media.isAllThere) else {
        engine.allowStarts(upTo: starts)
        return convertOne()
      }
      if now != mark, session.store.isReadFromCopy {
        session = try Session.open(session.folder)
        loaded = nil
      }
      mark = now
      let (project, entries) = try publish(now)
      let isHeard = isHeard(project.planNumber)
      if isOther {
        tell(.replaced(project))
      } else {
        let delay = entries.last.map { max(0, Timestamp.now().milliseconds - $0.date.milliseconds) }
        tell(.plays(project, entries, delay: isHeard ? delay : nil))
      }
      if toldProblem != nil {
        toldProblem = nil
        tell(.mended)
      }
    } catch {
      report(Failure(error), error)
    }
  }

  /// Sees to it that what is followed is the file at the project's path.
  /// - Returns: whether it is another one than before.
  /// - Throws: `Failure` where there is none, or it is another project's.
  private func followFile() throws -> Bool {
    let path = session.folder.database
    guard let now = FileIdentity(of: path) else {
      throw Failure(
        .noInput, code: "projectGone", "There is no project at '\(session.folder.path)' any more.",
        hint: "It is followed again when it is back at that place.")
    }
    guard now != file else { return false }
    let other = try Session.open(session.folder)
    let (id, otherID) = (try session.read { try $0.header().id }, try other.read { try $0.header().id })
    guard id == otherID else {
      throw Failure(
        .invalid, code: "otherProject", "Another project has been put at '\(session.folder.path)'.",
        hint: "To play that one, end 'daw play' and begin it anew.")
    }
    session = other
    file = now
    loaded = nil
    mark = nil
    revision = nil
    return true
  }

  private func report(_ failure: Failure, _ error: any Error) {
    isFrozen = failure.code == Failure.newerProject
    guard failure != toldProblem else { return }
    toldProblem = failure
    let state = isFrozen ? "No further edit is heard." : "What played before goes on."
    tell(.problem(Failure(failure.kind, code: failure.code, "\(failure.message) \(state)", hint: failure.hint)))
  }

  /// Reads what has changed, compiles and publishes.
  /// - Parameter now: what the file looks like.
  /// - Throws: whatever stands in the way; the plan before goes on.
  private func publish(
    _ now: ProjectStore.ChangeMark
  ) throws -> (project: PlayedProject, entries: [JournalEntry]) {
    let (read, entries) = try session.readToPlay(
      after: revision, from: loaded?.project, isUnchanged: loaded?.mark == now)
    loaded = (read, now)
    let project = read.project
    guard played == nil || project.settings.sampleRate.hertz == engine.options.sampleRate else {
      throw Failure(
        .invalid, code: "sampleRate", "The project is at \(project.settings.sampleRate.hertz) Hz now.",
        hint: "To hear it at that rate, end 'daw play' and begin it anew.")
    }
    let look = media.look(at: project)
    guard look.vanished.isEmpty else {
      throw Failure(
        .noInput, code: "missing", look.vanished.joined(separator: " "), hint: "'daw check' says how to mend it.")
    }
    var plan: RenderPlan
    let newParts: CompiledParts
    do throws(CompileError) {
      (plan, newParts) = try compile(
        project, media: look.table,
        options: CompileOptions(
          silencesMissingMedia: true, hasPorts: midi != nil || request.midi == .jack,
          playsExternalTracks: request.playsExternalTracks,
          hasDirectOuts: request.hasDirectOuts), reusing: parts)
    } catch {
      throw Failure(.invalid, code: "cannotPlay", "\(error)")
    }
    let time = PlayedTime(map: project.tempoMap, rate: project.settings.sampleRate)
    let to = try request.to.map { time.frame(at: try $0(Timeline(project))) }
    if let to { plan = plan.ending(at: to) }
    let countIn = countsIn.load(ordering: .relaxed) ? try countIn(in: project, time) : nil
    if let countIn { plan = plan.beginning(at: countIn.frames.upperBound) }
    plan.clicks = request.clicks(in: time, until: max(plan.endFrame, to ?? 0), countIn: countIn)
    plan.ports = try request.connected(plan.ports)
    var next = PlayedProject(
      project, plan: plan, to: to, countInEnd: countIn?.frames.upperBound, silentMedia: look.silentCount)
    let planNumber = engine.publish(plan, moved: played.flatMap { move(from: $0, to: time) }) { number in
      next.planNumber = number
      announce(next)
    }
    midi?.publish(plan.ports, planNumber: planNumber)
    parts = newParts
    played = time
    revision = project.revision
    conversions = look.conversions
    if look.missing != toldMissing {
      toldMissing = look.missing
      if !look.missing.isEmpty {
        tell(
          .problem(
            Failure(
              .noInput, code: "missing", "\(look.missing.joined(separator: " ")) It is silent.",
              hint: "'daw check' says how to mend it.")))
      }
    }
    return (next, entries)
  }

  /// Where each frame lies when another tempo map holds: the musical place stays. `nil` where it is the same map, and where
  /// JACK's transport is followed, whose frames are everybody's.
  private func move(from before: PlayedTime, to now: PlayedTime) -> ((Int64) -> Int64)? {
    before == now || request.transport == .jack ? nil : { now.frame(at: before.ticks(at: $0)) }
  }

  /// What is counted in before `--from`, or the loop's start.
  func countIn(in project: Project, _ time: PlayedTime) throws -> CountIn? {
    let timeline = Timeline(project)
    let start = try request.from.map { try $0(timeline) } ?? request.loop.map { try $0.start(timeline) }
    return request.countIn(to: start ?? .zero, in: time)
  }

  /// Makes one copy that is waited for, and has it heard.
  private func convertOne() {
    guard let conversion = conversions.popLast() else { return }
    do throws(MediaWorkError) {
      try media.convert(conversion) { [self] in
        // Nothing is published before it is done.
        engine.allowStarts(upTo: engine.heldStarts)
        return !isEnding.load(ordering: .relaxed)
      }
      mark = nil
    } catch {
      tell(.problem(Failure(error)))
    }
  }
}

extension Failure {
  static let newerProject = "newerProject"
}

extension Session {
  /// The project as it is now, and the journal's entries after a revision.
  /// - Parameters:
  ///   - revision: `nil` asks for no entries.
  ///   - earlier: what was read before, of which all that has not changed is taken.
  ///   - isUnchanged: whether nobody has written since.
  func readToPlay(
    after revision: Int64?, from earlier: LoadedProject?, isUnchanged: Bool
  ) throws -> (LoadedProject, [JournalEntry]) {
    try failing {
      try store.readIfKnown { view in
        let unchanged = isUnchanged ? earlier : nil
        return (try unchanged ?? view.load(after: earlier), try revision.map(view.entries(after:)) ?? [])
      }
    }
  }
}
