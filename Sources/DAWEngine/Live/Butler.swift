import DAWTime
import Glibc
import Synchronization

/// The disk thread: keeps the file streams filled ahead of the audio thread.
///
/// Each round it reads the transport's record, gives each region that sounds now or soon a stream, and fills the
/// streams that would run dry first. It also frees the plans that the audio thread has retired.
final class Butler: @unchecked Sendable {
  // Unchecked: `inbox` is a monitor; everything else belongs to the butler's thread.
  let options: LiveOptions
  let owner: SharedStateOwner
  let instruments: InstrumentThreads
  let files = SourceFiles()
  let inbox: Monitor<Inbox>

  /// State shared with other threads.
  struct Inbox {
    /// Every plan that the audio thread uses or will use, in order of number.
    var plans: [LivePlan] = []
    /// Raised with every change of `plans`.
    var version = 0
    /// The newest plan whose streams have been primed.
    var primedPlan: UInt64 = 0
    /// Errors of streams since the last `LiveEngine.takeProblems()`.
    var problems: [StreamError] = []
    /// See `LiveEngine.takeRecoveredPaths()`.
    var recoveredPaths: [String] = []
    /// What all reading is done for.
    var completed: StreamPlace?
    var readAhead: Int
    /// Raised to wake the butler before its next round.
    var calls = 0
    var isPaused = false
    var isStopped = false
    var hasEnded = false
  }

  /// What the streams are filled for.
  struct StreamPlace: Equatable {
    var locateNumber: UInt64
    var wrapCount: UInt64
    var nextFrame: TimelineFrame
    /// Of `Inbox.plans`.
    var version: Int
    /// Frames of the longest block announced.
    var announced: Int

    init(_ record: TransportRecord, version: Int, announced: Int) {
      locateNumber = record.locateNumber
      wrapCount = record.wrapCount
      nextFrame = record.nextFrame
      self.version = version
      self.announced = announced
    }
  }

  // MARK: The butler's thread

  var plans: [LivePlan] = []
  var version = 0
  /// By window; those of instruments have none.
  var streams: [FileStream]
  let memory = StreamMemoryPool()
  var openWindows: [Int] = []
  var freeWindows: [Int] = []
  var windowOfKey: [FileStreamKey: Int] = [:]
  /// For each plan, the streams that it was given when it was last scanned.
  var handlesOfPlan: [UInt64: [StreamHandle]] = [:]
  /// The streams that the last scan found, most urgent first.
  var needed: [NeededStream] = []
  var scanned = ScannedPosition()
  var scanNumber: UInt64 = 0
  /// Whether the audio thread let no window be taken from it in this scan.
  var isReaderBusy = false
  /// Frames that streams are to be filled ahead of the playhead, and frames that the memory allows.
  var readAhead: Int
  var allowedReadAhead: Int
  /// Frames from one scan to the next.
  var scanStep = 1
  /// The host's frame when the disk was last late, or less was read ahead since.
  var lateAt: HostFrame = 0
  /// Frames of the longest block so far.
  var longestBlock = RenderPlan.maximumFrames
  /// Until when no stream will have room for a read.
  var fillPause: FillPause?
  /// Whether `needed` or what is in the streams has changed since readiness was published.
  var isReadinessOld = true
  /// Whether streams ran dry since the last round.
  var isDiskLate = false
  /// Files that cannot be read, by path.
  var unreadable: [String: UnreadableFile] = [:]
  /// The locate number for which a lack of streams was last reported: once for each locate.
  var reportedFullAtLocate: UInt64 = 0
  private var completed: StreamPlace?

  /// Bytes read at a time.
  static let readBytes = 1 << 17
  /// Seconds between rounds when there is nothing to do; a tenth of that while freewheeling. Without regions nothing is
  /// urgent, and while such a plan rolls nothing changes but by a command.
  private static let period = 0.003, periodWithoutRegions = 0.01, idlePeriod = 0.05
  /// How long after a command or a plan the audio thread may take it up, and give a plan back.
  private static let commandTime = Duration.milliseconds(200)

  init(options: LiveOptions, owner: SharedStateOwner, instruments: InstrumentThreads) {
    self.options = options
    self.owner = owner
    self.instruments = instruments
    readAhead = options.frames(options.readAheadSeconds)
    allowedReadAhead = readAhead
    inbox = Monitor(Inbox(readAhead: readAhead))
    streams = (0..<options.instrumentCount).map { _ in FileStream() }
  }

  /// The butler's thread: runs until `stop()`.
  func run() {
    var calls = 0
    var lastCall = ContinuousClock.now
    while true {
      // In one turn of the monitor, so that `version` is always that of `plans`.
      let order = inbox.read { inbox -> (plans: [LivePlan]?, version: Int, isPaused: Bool, isStopped: Bool) in
        (inbox.version == version ? nil : inbox.plans, inbox.version, inbox.isPaused, inbox.isStopped)
      }
      if order.isStopped { break }
      if let newest = order.plans {
        version = order.version
        plans = newest
        scanned.isValid = false
        lastCall = .now
      }
      collect()
      let isBusy = order.isPaused ? false : work()
      if !isBusy {
        let record = owner.shared.pointee.record.read()
        let isIdle = record.state == .rolling && .now - lastCall > Self.commandTime
        let period =
          plans.contains { !$0.plan.regions.isEmpty }
          ? Self.period : isIdle ? Self.idlePeriod : Self.periodWithoutRegions
        let newCalls = inbox.wait(atMost: record.isFreewheeling ? period / 10 : period) { inbox -> Int? in
          inbox.calls != calls || inbox.version != version || inbox.isStopped ? inbox.calls : nil
        }
        if let newCalls, newCalls != calls { (calls, lastCall) = (newCalls, .now) }
      }
    }
    plans = []
    inbox.update { inbox in
      inbox.plans = []
      inbox.hasEnded = true
    }
  }

  /// Any thread: ends `run` and waits until it has ended.
  func stop() {
    inbox.update { $0.isStopped = true }
    inbox.wait { $0.hasEnded ? () : nil }
  }

  // Any thread, many times a second: a change would wake the butler.

  /// See `LiveEngine.takeProblems()`.
  func takeProblems() -> [StreamError] {
    guard inbox.read({ !$0.problems.isEmpty }) else { return [] }
    return inbox.update { inbox in
      defer { inbox.problems = [] }
      return inbox.problems
    }
  }

  /// See `LiveEngine.takeRecoveredPaths()`.
  func takeRecoveredPaths() -> [String] {
    guard inbox.read({ !$0.recoveredPaths.isEmpty }) else { return [] }
    return inbox.update { inbox in
      defer { inbox.recoveredPaths = [] }
      return inbox.recoveredPaths
    }
  }

  /// Frees the plan that the audio thread has retired.
  private func collect() {
    guard let left = owner.shared.pointee.plans.collect() else { return }
    forget(left)
  }

  /// Any thread: drops a plan that the audio thread does not use and will not use.
  func forget(_ plan: UnsafeMutableRawPointer) {
    // Freed outside of the lock.
    let (gone, left, version) = inbox.update { inbox in
      let gone = inbox.plans.filter { UnsafeMutableRawPointer($0.memory) == plan }
      inbox.plans.removeAll { UnsafeMutableRawPointer($0.memory) == plan }
      inbox.version += 1
      return (gone, inbox.plans, inbox.version)
    }
    instruments.adopt(left, version: version)
    withExtendedLifetime(gone) {}
  }

  /// - Returns: whether there may be more to do right away.
  private func work() -> Bool {
    // Before the record, so that a block that is not announced here is seen there.
    let announced = owner.shared.pointee.announcedFrames.load(ordering: .relaxed)
    let record = owner.shared.pointee.record.read()
    // Steps with a lead read as if the block were that much longer.
    let latency = owner.shared.pointee.latency.load(ordering: .acquiring)
    longestBlock = max(longestBlock, max(RenderPlan.maximumFrames, announced, record.frameCount) + latency)
    relaxReadAhead(record)
    if scanned.needsScan(at: record, everyFrames: scanStep, longestBlock) { scan(at: record) }
    let isBusy = fill(record)
    publishReadiness(record)
    let place = StreamPlace(record, version: version, announced: announced)
    if !isBusy, scanned.isValid, completed != place {
      completed = place
      inbox.update { $0.completed = place }
    }
    return isBusy
  }

  /// Publishes which plans' files are primed for the scanned position.
  private func publishReadiness(_ record: TransportRecord) {
    guard scanned.isValid, isReadinessOld else { return }
    isReadinessOld = false
    var unready: UInt64 = 0
    for stream in needed where !isPrimed(stream) { unready |= stream.plans }
    for (index, plan) in plans.enumerated() where plan.number >= record.planNumber && unready & bit(of: index) == 0 {
      if index == plans.count - 1 {
        inbox.update { if $0.primedPlan < plan.number { $0.primedPlan = plan.number } }
      }
      plan.memory.pointee.filesReady.pointee.store(scanned.locateNumber, ordering: .releasing)
    }
  }

  /// Stands for `plans[index]` in a set. More than 63 plans share bits: each is ready when all of them are.
  func bit(of index: Int) -> UInt64 { 1 << UInt64(min(index, 63)) }

  func window(_ index: Int) -> UnsafeMutablePointer<StreamWindow> { owner.shared.pointee.windows + index }
}

/// The position of the last scan.
struct ScannedPosition {
  var isValid = false
  var locateNumber: UInt64 = 0
  var wrapCount: UInt64 = 0
  var frame: TimelineFrame = 0
  var planNumber: UInt64 = 0
  var loop: Range<TimelineFrame>?
  var longestBlock = 0

  func needsScan(at record: TransportRecord, everyFrames step: Int, _ longestBlock: Int) -> Bool {
    !isValid || record.locateNumber != locateNumber || record.wrapCount != wrapCount || record.loop != loop
      || record.planNumber != planNumber || longestBlock != self.longestBlock
      || abs(record.nextFrame - frame) >= step
  }

  init() {}

  init(_ record: TransportRecord, longestBlock: Int) {
    isValid = true
    locateNumber = record.locateNumber
    wrapCount = record.wrapCount
    frame = record.nextFrame
    planNumber = record.planNumber
    loop = record.loop
    self.longestBlock = longestBlock
  }
}
