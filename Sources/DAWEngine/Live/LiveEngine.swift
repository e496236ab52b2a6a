import DAWRealtime
import DAWTime
import Foundation

/// Plays plans for a host that calls `process` once a block: JACK, or a test.
///
/// A control thread publishes plans and sends commands; a butler thread reads files ahead; further threads render
/// instruments ahead. Played from frame 0 without edit, locate, loop or late stream, the output equals the bounce bit
/// for bit, whatever the block sizes.
///
/// Threads: Documentation/RealTimeRules.md.
public final class LiveEngine: @unchecked Sendable {
  // Unchecked: the audio thread's state belongs to it alone, the rest is guarded by `control` or atomic.
  public let options: LiveOptions
  private let owner: SharedStateOwner
  private let butler: Butler
  private let instruments: InstrumentThreads
  /// Used by the audio thread alone.
  private let audio: UnsafeMutablePointer<AudioThread>
  private let ticks: MetronomeTicks
  private let control = Monitor(Control())

  /// Makes an instrument from a plan without events; the events are sent to it.
  public typealias InstrumentFactory = @Sendable (InstrumentPlan) throws -> any EventPlayer

  private struct Control {
    var planNumber: UInt64 = 0
    var timelineEpoch: UInt64 = 0
    /// The last plan offered to the audio thread.
    var offered: UInt64 = 0
    /// The plan that the next one follows, and the tempo edits since.
    var base: UInt64 = 0
    var moves: [(TimelineFrame) -> TimelineFrame] = []
    var sentCommands: UInt64 = 0
    var isShutDown = false
  }

  /// Control thread: starts the butler and the instruments' threads, which run until `shutDown()`.
  /// - Parameter makeProducer: makes an instrument in its initial state; called on the instruments' threads.
  public init(_ options: LiveOptions, makeProducer: @escaping InstrumentFactory) {
    self.options = options
    // While plans change, streams of several of them are open, and some in two sizes.
    owner = SharedStateOwner(
      windowCount: options.instrumentCount, windowLimit: options.instrumentCount + 3 * options.streamCount)
    instruments = InstrumentThreads(
      options: options, owner: owner, windows: 0..<options.instrumentCount, makeProducer: makeProducer)
    butler = Butler(options: options, owner: owner, instruments: instruments)
    ticks = MetronomeTicks(sampleRate: options.sampleRate)
    audio = .allocate(capacity: 1)
    audio.initialize(
      to: AudioThread(
        owner.shared, startWait: options.frames(options.startWaitSeconds), metronome: ticks.metronome))
    Thread { [butler] in butler.run() }.start()
  }

  deinit {
    shutDown()
    audio.deallocate()
  }

  /// Control thread, after the host's last call of `process`: ends the engine's threads and frees all plans.
  public func shutDown() {
    let wasRunning = control.update { control in
      defer { control.isShutDown = true }
      return !control.isShutDown
    }
    guard wasRunning else { return }
    audio.pointee.releasePlans()
    butler.stop()
    instruments.stop()
  }

  // MARK: Plans

  /// Control thread: replaces the plan that is heard. While the transport rolls, this waits until the new plan's
  /// streams are primed, `LiveOptions.publishWaitSeconds` at most. Streams and instruments that the plan before has as
  /// well continue.
  /// - Parameters:
  ///   - moved: after a tempo edit, maps a timeline frame of the plan before to the new timeline; playhead and loop
  ///     are mapped when the plan is taken up.
  ///   - isComing: called with the plan's number when its streams are primed, right before the audio thread can take
  ///     it up.
  /// - Returns: the plan's number, see `TransportRecord.planNumber`.
  @discardableResult
  public func publish(
    _ plan: RenderPlan, moved: ((TimelineFrame) -> TimelineFrame)? = nil, isComing: (UInt64) -> Void = { _ in }
  ) -> UInt64 {
    let withdrawn = resolveBasePlan()
    let (number, base, timelineEpoch, moves) = control.update { control in
      control.planNumber += 1
      if let moved {
        control.timelineEpoch += 1
        control.moves.append(moved)
      }
      return (control.planNumber, control.base, control.timelineEpoch, control.moves)
    }
    if !moves.isEmpty { waitUntilPlaced() }
    let before = record
    let mapping = moves.isEmpty ? nil : mapping(around: before) { frame in moves.reduce(frame) { $1($0) } }
    let heard = butler.inbox.read { inbox in inbox.plans.first { $0.number == base } }
    let live = LivePlan(
      plan, number: number, base: base, before: heard, timelineEpoch: timelineEpoch, mapping: mapping,
      playhead: before.nextFrame)
    owner.shared.pointee.latency.store(max(live.latency, heard?.latency ?? 0), ordering: .releasing)
    let (plans, version) = butler.inbox.update { inbox in
      inbox.plans.append(live)
      inbox.version += 1
      return (inbox.plans, inbox.version)
    }
    instruments.adopt(plans, version: version)
    if let withdrawn { butler.forget(withdrawn) }
    let deadline = ContinuousClock.now + .seconds(options.publishWaitSeconds)
    while ContinuousClock.now < deadline {
      let record = record
      guard record.state == .rolling,
        butler.inbox.read({ $0.primedPlan < number }) || !instruments.isPrimed(live, for: record)
      else { break }
      usleep(500)
    }
    isComing(number)
    if let untaken = owner.shared.pointee.plans.publish(UnsafeMutableRawPointer(live.memory)) {
      butler.forget(untaken)
    }
    control.update { $0.offered = number }
    return number
  }

  /// Determines the plan that the next one follows: the one that is heard. A plan that the audio thread does not take
  /// up soon is withdrawn; its tempo edits become part of the next one's.
  /// - Returns: the plan withdrawn.
  private func resolveBasePlan() -> UnsafeMutableRawPointer? {
    let (offered, hasMoves) = control.update { ($0.offered, !$0.moves.isEmpty) }
    // While it rolls, the audio thread takes a plan up after the passage under way and the block after that.
    let frames = Double(2 * record.frameCount + 2 * Passage.frameCount)
    waitUntilHeard(offered, atMost: .seconds(record.state == .rolling ? frames / Double(options.sampleRate) : 0))
    if let untaken = owner.shared.pointee.plans.withdraw() { return untaken }
    // Taken up in this block: its timeline is known when the block has been published.
    if hasMoves { waitUntilHeard(offered, atMost: .milliseconds(200)) }
    control.update { control in
      control.base = offered
      control.moves = []
    }
    return nil
  }

  private func waitUntilHeard(_ number: UInt64, atMost duration: Duration) {
    let deadline = ContinuousClock.now + duration
    while record.planNumber < number, ContinuousClock.now < deadline { usleep(200) }
  }

  /// Waits until the commands sent by now have been performed, and the playhead has come to where they lead: the
  /// mapping is made for that place and that loop. `publishWaitSeconds` at most, for a host that does not call.
  private func waitUntilPlaced() {
    let sent = control.read { $0.sentCommands }
    let deadline = ContinuousClock.now + .seconds(options.publishWaitSeconds)
    while ContinuousClock.now < deadline {
      let record = record
      let isLeaving = record.state == .locating || record.state == .stopping
      if record.commandCount >= sent, !isLeaving { return }
      usleep(200)
    }
  }

  /// The mapping as points ahead of the playhead, and from the loop's start on, where it may have wrapped to, for as
  /// long as the swap may take.
  private func mapping(around record: TransportRecord, _ moved: (TimelineFrame) -> TimelineFrame) -> FrameMapping {
    let step = options.sampleRate / 100
    let count = 100 * (Int(options.publishWaitSeconds) + 2)
    return FrameMapping(
      first: record.nextFrame, step: step, frames: (0..<count).map { moved(record.nextFrame + $0 * step) },
      loopFrames: record.loop.map { loop in (0..<count).map { moved(loop.lowerBound + $0 * step) } } ?? [],
      loopBefore: record.loop,
      loopNow: record.loop.map { loop in
        let first = max(0, moved(loop.lowerBound))
        return first..<max(first + 1, moved(loop.upperBound))
      })
  }

  /// Any thread: errors of files and instruments since the last call. The streams affected are silent; all others play
  /// on.
  public func takeProblems() -> [StreamError] {
    butler.takeProblems() + instruments.takeProblems()
  }

  /// Any thread: paths of files that could not be read and can be again, since the last call.
  public func takeRecoveredPaths() -> [String] { butler.takeRecoveredPaths() }

  /// Control thread, between calls of `process`: waits until everything that can be read and rendered ahead is there.
  /// For hosts without a clock.
  /// - Returns: false after a timeout of `seconds`.
  @discardableResult
  public func waitForStreams(seconds: Double = 10) -> Bool {
    let record = record
    let deadline = ContinuousClock.now + .seconds(seconds)
    butler.inbox.update { $0.calls += 1 }
    while ContinuousClock.now < deadline {
      let isUpToDate = butler.inbox.read { inbox in
        inbox.completed == Butler.StreamPlace(record, version: inbox.version, announced: announcedFrames)
      }
      if isUpToDate, instruments.isUpToDate(for: record) { return true }
      usleep(200)
    }
    return false
  }

  private var announcedFrames: Int { owner.shared.pointee.announcedFrames.load(ordering: .relaxed) }

  /// Any thread, before the host's blocks become longer: files are then read, and instruments rendered, far enough
  /// ahead.
  /// - Parameter count: frames in the longest block, ≥ 0.
  public func announceBlocks(frameCount count: Int) {
    owner.shared.pointee.announcedFrames.store(count, ordering: .relaxed)
  }

  // MARK: The transport

  /// Control thread: delays starts until `allowStarts(upTo:)` is called with the value that `heldStarts` has then, or
  /// `LiveOptions.startWaitSeconds` have passed. For a caller that may be about to publish the plan that the start
  /// should play.
  public func holdStarts() { owner.shared.pointee.heldStarts.add(1, ordering: .acquiringAndReleasing) }

  /// Any thread: how often `holdStarts()` was called.
  public var heldStarts: UInt64 { owner.shared.pointee.heldStarts.load(ordering: .acquiring) }

  /// Any thread: whether starts are held that have not been allowed yet.
  public var hasHeldStarts: Bool { owner.shared.pointee.allowedStarts.load(ordering: .acquiring) < heldStarts }

  /// One thread at a time: allows the starts that were held until `heldStarts` was `count`; their plan has been
  /// published.
  public func allowStarts(upTo count: UInt64) {
    guard count > owner.shared.pointee.allowedStarts.load(ordering: .relaxed) else { return }
    owner.shared.pointee.allowedStarts.store(count, ordering: .releasing)
  }

  /// Control thread, one at a time.
  /// - Returns: false if the command queue (256) is full; nothing is sent then.
  public func send(_ command: TransportCommand) -> Bool {
    guard owner.shared.pointee.commands.write(command) else { return false }
    control.update { $0.sentCommands += 1 }
    butler.inbox.update { $0.calls += 1 }
    return true
  }

  /// Any thread: the transport's state in the newest block.
  public var record: TransportRecord { owner.shared.pointee.record.read() }

  /// One thread at a time: the master's peaks since the last call, linear.
  public func takePeaks() -> (left: Float, right: Float) {
    (owner.shared.pointee.peakLeft.take(), owner.shared.pointee.peakRight.take())
  }

  // MARK: The audio thread

  /// Audio thread: renders a block. Never waits, except for streams while the host freewheels, at most 5 s. The host's
  /// callback is a `RealtimeSection`, which is left for that wait.
  @_noLocks public func process(_ block: LiveBlock) {
    let flags = DenormalFlags.flush()
    audio.pointee.process(block)
    flags.restore()
  }

  /// Audio thread, after `process`: the transport's state in that block.
  public var blockRecord: TransportRecord { @_noLocks get { audio.pointee.record } }

  /// Audio thread: whether the streams are primed for a playhead at `frame`; a stopped playhead elsewhere is moved
  /// there. For hosts that wait for their slowest client, as JACK's sync callback does.
  @_noLocks public func isReady(at frame: TimelineFrame) -> Bool { audio.pointee.isReady(at: frame) }

  // MARK: Tests

  /// The newest plan whose streams of files have been primed.
  var primedPlan: UInt64 { butler.inbox.read { $0.primedPlan } }

  /// Bytes in the windows of file streams.
  var streamBytes: Int { butler.memory.usedBytes.load(ordering: .relaxed) }

  /// Frames that files are read ahead, if their streams' memory allows.
  var readAheadFrames: Int { butler.inbox.read { $0.readAhead } }

  /// Pauses the butler, to simulate a disk that does not answer.
  func pauseButler(_ isPaused: Bool) { butler.inbox.update { $0.isPaused = isPaused } }
}
