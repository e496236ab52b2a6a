import DAWCompiler
import DAWEngine
import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTime
import Foundation
import Synchronization

/// Follows a project while it plays: notices what any process commits, compiles what has changed, and gives the engine
/// the new plan. On a thread of its own, so that neither keys nor the server wait for it.
///
/// A project that cannot be played is reported and tried again; the previous plan goes on.
final class ProjectFollower: @unchecked Sendable {
  // Unchecked: what `events` does not guard is used by one thread at a time: the creator's until `start`, then its own.
  private let request: PlayRequest
  private let engine: LiveEngine
  private let midi: MIDIOutput?
  private var session: Session
  private var media: LiveMedia
  private var parts: CompiledParts?
  private var mark: ProjectStore.ChangeMark?
  /// The last project read, with the change mark taken just before.
  private var loaded: (project: LoadedProject, mark: ProjectStore.ChangeMark)?
  /// Revision of the audible plan; `nil` before the first.
  private var revision: Int64?
  /// Times of the audible plan.
  private var played: PlayedTime?
  /// Problems already reported, so that each is reported once.
  private var reportedProblem: Failure?
  /// Problems about sample rates that were reported since the project could last be played.
  private var reportedRates: [Failure] = []
  private var reportedMissing: [String] = []
  /// The file was replaced, and the new one is not heard yet: it may not be playable at first.
  private var isReplaced = false
  /// The file was upgraded by a newer version of `daw`.
  private var isFrozen = false
  private var conversions: [LiveMedia.Conversion] = []
  /// Whether there is more to do at once: a converted file is in no plan yet, or the next file waits to be converted.
  private var looksAgain = false
  private var nextMediaLook = ContinuousClock.now
  private let watch: CommitWatch
  /// The project's file as it was opened.
  private var file: FileIdentity?

  /// How many edits of the tempo have been published.
  private let tempoEdits = Mutex(0)
  /// Whether a count-in runs, during which regions before the start are left out.
  private let countsIn: Atomic<Bool>
  private let events = Mutex<[Event]>([])
  /// Wakes the control thread: there are events.
  let wakeUp = WakeUp()
  /// Wakes the follower's thread for an immediate check.
  private let lookCall = WakeUp()
  /// Signalled when the control thread has registered the ports of the next plan.
  private let portsAreReady = DispatchSemaphore(value: 0)
  private let isEnding = Atomic(false)
  private let isCountInOver = Atomic(false)
  private var thread: Thread?
  private let ended = DispatchSemaphore(value: 0)

  /// An event for the control thread.
  enum Event: Sendable {
    /// The next plan is about to be published; the follower waits for its ports, see `expect()`.
    case coming(PlayedProject)
    /// A plan with new edits is heard. `delay` is the age of the newest edit in milliseconds; `nil` when
    /// no cycle has come in the meantime.
    case plays(PlayedProject, [JournalEntry], delay: Int64?)
    /// The file at the project's path was replaced, and the new one is heard.
    case replaced(PlayedProject)
    case problem(Failure)
    case recovered
  }

  /// Time between checks of the media, and before a failure is retried.
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
    let now = try session.store.changeMark(after: mark)
    mark = now
    return try publish(now).project
  }

  /// Control thread. The count-in is over: the whole project is heard again.
  func endCountIn() {
    guard countsIn.exchange(false, ordering: .relaxed) else { return }
    isCountInOver.store(true, ordering: .relaxed)
    lookCall.call()
  }

  func start() {
    let thread = Thread { [self] in
      while !isEnding.load(ordering: .relaxed) {
        look()
        if !looksAgain { watch.wait(or: lookCall) }
      }
      ended.signal()
    }
    thread.name = "follower"
    thread.stackSize = 4 << 20
    self.thread = thread
    thread.start()
  }

  /// Control thread, before starting the transport. The start waits for all edits committed by now.
  func holdStart() {
    engine.holdStarts()
    lookCall.call()
  }

  /// Control thread. Calls `body` with the number of tempo edits published; no other one is meanwhile.
  func betweenTempoEdits(_ body: (Int) throws -> Bool) throws -> Bool {
    try tempoEdits.withLock { count in try body(count) }
  }

  /// Ends the thread. Nothing is published after it returns.
  func end() {
    guard thread != nil else { return }
    isEnding.store(true, ordering: .relaxed)
    lookCall.call()
    ended.wait()
    thread = nil
  }

  /// Control thread. Returns the events since the last call, oldest first.
  func takeEvents() -> [Event] {
    events.withLock { events in
      defer { events = [] }; return events
    }
  }

  private func report(_ item: Event) {
    events.withLock { $0.append(item) }
    wakeUp.call()
  }

  /// Control thread. The ports of the next plan are registered.
  func setPortsReady() { portsAreReady.signal() }

  /// Lets ports change before the plan is published, so that both change in the same cycle.
  private func announce(_ project: PlayedProject) {
    guard thread != nil, request.hasPortsOfTracks else { return }
    while portsAreReady.wait(timeout: .now()) == .success {}
    report(.coming(project))
    // If the control thread is busy, the ports come a little later.
    _ = portsAreReady.wait(timeout: .now() + .milliseconds(100))
  }

  /// Waits until a plan is heard, at most 250 ms, longer than a large cycle.
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
    looksAgain = false
    let starts = engine.heldStarts
    defer { engine.allowStarts(upTo: starts) }
    guard !isFrozen else { return }
    do {
      if try followFile() { isReplaced = true }
      let now = try session.store.changeMark(after: mark)
      if isCountInOver.exchange(false, ordering: .relaxed) { mark = nil }
      let isDue = ContinuousClock.now >= nextMediaLook
      if isDue { nextMediaLook = .now + Self.mediaInterval }
      // An equal mark may count facts that were written since.
      if now == mark { mark = now }
      guard now != mark || isDue && (reportedProblem != nil || !media.isAsFound) else {
        engine.allowStarts(upTo: starts)
        return convertOne()
      }
      if now != mark, session.store.isReadFromCopy {
        session = try Session.open(session.folder)
        loaded = nil
      }
      mark = now
      let (project, entries) = try publish(now)
      looksAgain = !conversions.isEmpty
      let isHeard = isHeard(project.planNumber)
      if isReplaced {
        isReplaced = false
        report(.replaced(project))
      } else {
        let delay = entries.last.map { max(0, Timestamp.now().milliseconds - $0.date.milliseconds) }
        report(.plays(project, entries, delay: isHeard ? delay : nil))
      }
      if reportedProblem != nil {
        reportedProblem = nil
        reportedRates = []
        report(.recovered)
      }
    } catch {
      reportFailure(Failure(error))
    }
  }

  /// Opens the file now at the project's path if it was replaced.
  /// - Returns: whether the file was replaced.
  /// - Throws: `Failure` when there is none, or it belongs to another project.
  private func followFile() throws -> Bool {
    guard let other = try session.successor(of: file) else { return false }
    session = other.session
    file = other.file
    loaded = nil
    mark = nil
    revision = nil
    return true
  }

  private func reportFailure(_ failure: Failure) {
    isFrozen = failure.code == Failure.newerProject
    guard failure != reportedProblem else { return }
    reportedProblem = failure
    if failure.code == "sampleRateChanged" {
      if reportedRates.contains(failure) { return }
      reportedRates.append(failure)
    }
    let state = isFrozen ? "No further edit is heard." : "What played before goes on."
    report(.problem(Failure(failure.kind, code: failure.code, "\(failure.message) \(state)", hint: failure.hint)))
  }

  /// Reads what has changed, compiles and publishes.
  /// - Parameter now: the file's current change mark.
  /// - Throws: any error of reading or compiling; the previous plan goes on.
  private func publish(
    _ now: ProjectStore.ChangeMark
  ) throws -> (project: PlayedProject, entries: [JournalEntry]) {
    let (read, entries) = try session.readToPlay(
      after: revision, from: loaded?.project, isUnchanged: loaded?.mark == now)
    loaded = (read, now)
    let project = read.project
    guard played == nil || project.settings.sampleRate.hertz == engine.options.sampleRate else {
      throw Failure(
        .invalid, code: "sampleRateChanged", "The project is at \(project.settings.sampleRate.hertz) Hz now.",
        hint: "To hear it at that rate, end 'daw play' and start it again.")
    }
    let look = media.look(at: project)
    guard look.vanished.isEmpty else {
      throw Failure(
        .noInput, code: "missing", look.vanished.joined(separator: " "), hint: "'daw check' says how to repair it.")
    }
    var plan: RenderPlan
    let newParts: CompiledParts
    do throws(CompileError) {
      (plan, newParts) = try compile(
        project, media: look.table,
        options: CompileOptions(
          silencesMissingMedia: true, hasPorts: midi != nil || request.midi == .jack,
          playsExternalTracks: request.playsExternalTracks,
          hasDirectOuts: request.hasDirectOuts, keepsMutedInstruments: true,
          hearsInputs: request.record != nil), reusing: parts)
    } catch {
      throw Failure(.invalid, code: "unplayableProject", "\(error)")
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
    let moved = played.flatMap { move(from: $0, to: time) }
    let isMoved = moved != nil
    next.tempoEdits = tempoEdits.withLock { count in
      if isMoved { count += 1 }
      return count
    }
    let planNumber = engine.publish(plan, moved: moved) { number in
      next.planNumber = number
      announce(next)
    }
    midi?.publish(plan.ports, planNumber: planNumber)
    parts = newParts
    played = time
    revision = project.revision
    conversions = look.conversions
    reportMissing(look.missing)
    return (next, entries)
  }

  /// Reports which media are missing and silent, if that has changed.
  /// - Parameter missing: a sentence for each.
  private func reportMissing(_ missing: [String]) {
    guard missing != reportedMissing else { return }
    reportedMissing = missing
    guard !missing.isEmpty else { return report(.recovered) }
    report(
      .problem(
        Failure(
          .noInput, code: "missing", "\(missing.joined(separator: " ")) It is silent.",
          hint: "'daw check' says how to repair it.")))
  }

  /// Maps frames to another tempo map, at their musical places. `nil` if the map is the same, or if JACK's transport is
  /// followed, whose frames all clients share.
  private func move(from before: PlayedTime, to now: PlayedTime) -> ((TimelineFrame) -> TimelineFrame)? {
    before == now || request.transport == .jack ? nil : { now.frame(at: before.ticks(at: $0)) }
  }

  /// The count-in before `--from` or the loop's start.
  func countIn(in project: Project, _ time: PlayedTime) throws -> CountIn? {
    let timeline = Timeline(project)
    let start = try request.from.map { try $0(timeline) } ?? request.loop.map { try $0.start(timeline) }
    return request.countIn(to: start ?? .zero, in: time)
  }

  /// Converts one waiting file; the next check publishes a plan with it.
  private func convertOne() {
    guard let conversion = conversions.popLast() else { return }
    looksAgain = true
    do throws(MediaWorkError) {
      try media.convert(conversion) { [self] in
        // No plan is published during the conversion, so waiting starts may go on.
        engine.allowStarts(upTo: engine.heldStarts)
        return !isEnding.load(ordering: .relaxed)
      }
      mark = nil
    } catch {
      report(.problem(Failure(error)))
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
  ///   - earlier: the project read before; unchanged parts are reused.
  ///   - isUnchanged: whether the file is unchanged since the last read.
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
