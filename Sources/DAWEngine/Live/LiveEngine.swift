import DAWRealtime
import Foundation

/// Plays plans for a host that calls `process` for each of its blocks: JACK, for one, or a test.
///
/// Plans are published and commands sent from a control thread; files are read ahead by a butler, and instruments rendered
/// ahead by threads of their own. What is heard from frame 0 on, without edit, locate, loop or late stream, has the bits
/// of the bounce, however it is cut into blocks.
///
/// Which thread may do what: Documentation/RealTimeRules.md.
public final class LiveEngine: @unchecked Sendable {
  // Unchecked: the audio thread's state belongs to it alone, the rest is guarded by `control` or atomic.
  public let options: LiveOptions
  private let owner: CrossingOwner
  private let butler: Butler
  private let instruments: InstrumentThreads
  /// The audio thread's.
  private let audio: UnsafeMutablePointer<AudioThread>
  private let ticks: MetronomeTicks
  private let control = Monitor(Control())

  /// Makes an instrument of a plan that has no events: it will be told them.
  public typealias InstrumentFactory = @Sendable (InstrumentPlan) throws -> any EventPlayer

  private struct Control {
    var planNumber: UInt64 = 0
    var lineage: UInt64 = 0
    /// The last plan that was offered to the audio thread.
    var offered: UInt64 = 0
    /// The plan that the next one follows, and what has happened to the timeline since.
    var base: UInt64 = 0
    var moves: [(Int64) -> Int64] = []
    var isShutDown = false
  }

  /// Control thread: starts the butler and the instruments' threads. `shutDown()` ends them.
  /// - Parameters:
  ///   - makeProducer: makes an instrument that has been told nothing; called on the instruments' threads.
  ///   - openReader: opens a source that has to be decoded; called on the butler's thread.
  public init(
    _ options: LiveOptions, makeProducer: @escaping InstrumentFactory,
    openReader: @escaping SampleReaderOpener = openAudioFile
  ) {
    self.options = options
    let windowCount = options.streamCount + options.instrumentCount
    owner = CrossingOwner(windowCount: windowCount)
    instruments = InstrumentThreads(
      options: options, owner: owner, windows: options.streamCount..<windowCount, makeProducer: makeProducer)
    butler = Butler(options: options, owner: owner, instruments: instruments, openReader: openReader)
    ticks = MetronomeTicks(sampleRate: options.sampleRate)
    audio = .allocate(capacity: 1)
    audio.initialize(
      to: AudioThread(
        owner.crossing, startWait: options.frames(options.startWaitSeconds), metronome: ticks.metronome))
    Thread { [butler] in butler.run() }.start()
  }

  deinit {
    shutDown()
    audio.deallocate()
  }

  /// Control thread, once the host calls `process` no more: ends the engine's threads and lets go of all plans.
  public func shutDown() {
    let wasRunning = control.update { control in
      defer { control.isShutDown = true }
      return !control.isShutDown
    }
    guard wasRunning else { return }
    audio.pointee.letGo()
    butler.stop()
    instruments.stop()
  }

  // MARK: Plans

  /// Control thread: has a plan heard in place of the one before. Its streams are opened first; while the transport rolls,
  /// this waits until they are primed, `LiveOptions.publishWaitSeconds` at most. Streams and instruments that the plan
  /// before has as well go on.
  /// - Parameters:
  ///   - moved: where a timeline frame of the plan before lies now, where the tempo has changed; playhead and loop
  ///     go there when the plan is taken up.
  ///   - isComing: called with the plan's number when the streams are primed, right before the audio thread can take it up.
  /// - Returns: the plan's number, as `TransportRecord.planNumber` has it.
  @discardableResult
  public func publish(
    _ plan: RenderPlan, moved: ((Int64) -> Int64)? = nil, isComing: (UInt64) -> Void = { _ in }
  ) -> UInt64 {
    let withdrawn = settleMoves(isMoved: moved != nil)
    let before = record
    let (number, base, lineage, moves) = control.update { control in
      control.planNumber += 1
      if let moved {
        control.lineage += 1
        control.moves.append(moved)
      }
      return (control.planNumber, control.base, control.lineage, control.moves)
    }
    let mapping = moves.isEmpty ? nil : mapping(around: before) { frame in moves.reduce(frame) { $1($0) } }
    let live = LivePlan(plan, number: number, base: base, lineage: lineage, mapping: mapping)
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
        butler.inbox.update({ $0.primedPlan < number }) || !instruments.isPrimed(live, for: record)
      else { break }
      usleep(500)
    }
    isComing(number)
    if let untaken = owner.crossing.pointee.plans.publish(UnsafeMutableRawPointer(live.memory)) {
      butler.forget(untaken)
    }
    control.update { $0.offered = number }
    return number
  }

  /// Finds the plan that the next one follows, before the timeline moves, or after. A plan that has moved it and has not been
  /// taken up is taken back: its move is part of the next one's.
  /// - Returns: the plan that was taken back.
  private func settleMoves(isMoved: Bool) -> UnsafeMutableRawPointer? {
    let (offered, hasMoves) = control.update { ($0.offered, !$0.moves.isEmpty) }
    guard isMoved || hasMoves else {
      control.update { $0.base = offered }
      return nil
    }
    if let untaken = owner.crossing.pointee.plans.withdraw() { return untaken }
    // It is being taken up in this block at the latest, and what the record says is then of its timeline.
    let deadline = ContinuousClock.now + .milliseconds(200)
    while record.planNumber < offered, ContinuousClock.now < deadline { usleep(500) }
    control.update { control in
      control.base = offered
      control.moves = []
    }
    return nil
  }

  /// Points on the way from the playhead, for as long as the swap may take.
  private func mapping(around record: TransportRecord, _ moved: (Int64) -> Int64) -> FrameMapping {
    let step = Int64(options.sampleRate / 100)
    let count = 100 * (Int64(options.publishWaitSeconds) + 2)
    return FrameMapping(
      first: record.nextFrame, step: step, frames: (0..<count).map { moved(record.nextFrame + $0 * step) },
      loopBefore: record.loop,
      loopNow: record.loop.map { loop in
        let first = max(0, moved(loop.lowerBound))
        return first..<max(first + 1, moved(loop.upperBound))
      })
  }

  /// Any thread: files and instruments that could not go on since the last call. They are silent; the rest goes on.
  public func takeProblems() -> [StreamError] {
    let problems = butler.inbox.update { inbox in
      defer { inbox.problems = [] }
      return inbox.problems
    }
    return problems + instruments.takeProblems()
  }

  /// Control thread, while nobody calls `process`: waits until everything that can be read and rendered ahead is there. For
  /// hosts without a clock.
  /// - Returns: whether that was so within `seconds`.
  @discardableResult
  public func waitForStreams(seconds: Double = 10) -> Bool {
    let record = record
    let deadline = ContinuousClock.now + .seconds(seconds)
    butler.inbox.update { $0.calls += 1 }
    while ContinuousClock.now < deadline {
      let isSettled = butler.inbox.update { inbox in
        inbox.settled == (record.locateNumber, record.wrapCount, record.nextFrame, inbox.version)
      }
      if isSettled, instruments.isSettled(for: record) { return true }
      usleep(200)
    }
    return false
  }

  /// Any thread, before a host calls `process` with longer blocks than before: instruments are rendered far enough ahead.
  /// - Parameter count: of a block, ≥ 0.
  public func announceBlocks(frameCount count: Int) {
    owner.crossing.pointee.announcedFrames.store(count, ordering: .relaxed)
  }

  // MARK: The transport

  /// Control thread: from now on no start rolls before `allowStarts(upTo:)` was called with the number that `heldStarts` has
  /// then, or the start has waited `LiveOptions.startWaitSeconds`. For a caller that may have a plan to publish which the
  /// start is to play.
  public func holdStarts() { owner.crossing.pointee.heldStarts.add(1, ordering: .acquiringAndReleasing) }

  /// Any thread: how often starts were held.
  public var heldStarts: UInt64 { owner.crossing.pointee.heldStarts.load(ordering: .acquiring) }

  /// One thread: what was to be published for the starts that were held until `heldStarts` was `count` is published.
  public func allowStarts(upTo count: UInt64) {
    guard count > owner.crossing.pointee.allowedStarts.load(ordering: .relaxed) else { return }
    owner.crossing.pointee.allowedStarts.store(count, ordering: .releasing)
  }

  /// Control thread, one at a time.
  /// - Returns: false where the audio thread has not taken up the last few hundred commands; nothing is sent then.
  public func send(_ command: TransportCommand) -> Bool { owner.crossing.pointee.commands.write(command) }

  /// Any thread: what the transport did in the newest block.
  public var record: TransportRecord { owner.crossing.pointee.record.read() }

  /// One thread: the greatest magnitudes of the master since the last call, linear.
  public func takePeaks() -> (left: Float, right: Float) {
    (owner.crossing.pointee.peakLeft.take(), owner.crossing.pointee.peakRight.take())
  }

  // MARK: The audio thread

  /// Audio thread: fills a block. Never waits, but for streams while the host freewheels, 5 s at most. The host's callback
  /// stands in a `RealtimeSection`, which is left for that.
  @_noLocks public func process(_ block: LiveBlock) {
    let flags = DenormalFlags.flush()
    audio.pointee.process(block)
    flags.restore()
  }

  /// Audio thread, behind `process`: what the transport did in that block.
  public var blockRecord: TransportRecord { @_noLocks get { audio.pointee.record } }

  /// Audio thread: whether the streams are there for a playhead at `frame`; it is put there where it stands elsewhere.
  /// What a host asks that waits for its slowest client.
  @_noLocks public func isReady(at frame: Int64) -> Bool { audio.pointee.isReady(at: frame) }

  // MARK: Tests

  /// The newest plan whose streams of files have been primed.
  var primedPlan: UInt64 { butler.inbox.update { $0.primedPlan } }

  /// A butler that does nothing, as a disk that does not answer.
  func pauseButler(_ isPaused: Bool) { butler.inbox.update { $0.isPaused = isPaused } }
}
