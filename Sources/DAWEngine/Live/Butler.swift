import Glibc

/// The disk thread: keeps the file streams filled ahead of the audio thread.
///
/// Each round it reads the transport's record, gives each region that sounds now or soon a stream of the pool, and
/// fills the stream that would run dry first. It also frees the plans that the audio thread has retired.
final class Butler: @unchecked Sendable {
  // Unchecked: `inbox` is a monitor; everything else belongs to the butler's thread.
  let options: LiveOptions
  let owner: SharedStateOwner
  let instruments: InstrumentThreads
  let files: SourceFiles
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
    /// The position, and the version of `plans`, for which all reading is done.
    var completed = (locateNumber: UInt64(0), wrapCount: UInt64(0), nextFrame: Int64(0), version: -1)
    /// Raised to wake the butler before its next round.
    var calls = 0
    var isPaused = false
    var isStopped = false
    var hasEnded = false
  }

  // MARK: The butler's thread

  var plans: [LivePlan] = []
  var version = 0
  /// One for each window of the pool, with the same index.
  var streams: [FileStream]
  var windowOfKey: [FileStreamKey: Int] = [:]
  /// The streams that the last scan found, most urgent first.
  var needed: [NeededStream] = []
  var scanned = ScannedPosition()
  var scanNumber: UInt64 = 0
  /// Frames that streams are filled ahead of the playhead.
  var readAhead: Int
  /// The locate number for which a lack of streams was last reported: once for each locate.
  var reportedFullAtLocate: UInt64 = 0

  /// Bytes read at a time.
  static let readBytes = 1 << 17
  /// Seconds between rounds when there is nothing to do; a tenth of that while freewheeling.
  private static let period = 0.003

  init(
    options: LiveOptions, owner: SharedStateOwner, instruments: InstrumentThreads,
    openReader: @escaping SampleReaderOpener
  ) {
    self.options = options
    self.owner = owner
    self.instruments = instruments
    files = SourceFiles(openReader: openReader)
    inbox = Monitor(Inbox())
    streams = (0..<options.streamCount).map { _ in FileStream() }
    readAhead = options.frames(options.readAheadSeconds)
  }

  /// The butler's thread: runs until `stop()`.
  func run() {
    var calls = 0
    while true {
      let order = inbox.update { inbox -> (plans: [LivePlan]?, isPaused: Bool, isStopped: Bool) in
        (inbox.version == version ? nil : inbox.plans, inbox.isPaused, inbox.isStopped)
      }
      if order.isStopped { break }
      if let newest = order.plans {
        version = inbox.update { $0.version }
        plans = newest
        scanned.isValid = false
      }
      collect()
      let isBusy = order.isPaused ? false : work()
      if !isBusy {
        let period = owner.shared.pointee.record.read().isFreewheeling ? Self.period / 10 : Self.period
        _ = inbox.wait(atMost: period) { inbox -> Bool? in
          guard inbox.calls != calls || inbox.version != version || inbox.isStopped else { return nil }
          calls = inbox.calls
          return true
        }
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
    let record = owner.shared.pointee.record.read()
    if scanned.needsScan(at: record, everyFrames: readAhead / 8) { scan(at: record) }
    let isBusy = fill()
    publishReadiness(record)
    if !isBusy, scanned.isValid {
      let place = (record.locateNumber, record.wrapCount, record.nextFrame, version)
      inbox.update { $0.completed = place }
    }
    return isBusy
  }

  /// Publishes which plans' files are primed for the scanned position.
  private func publishReadiness(_ record: TransportRecord) {
    guard scanned.isValid else { return }
    var unready = Set<UInt64>()
    for stream in needed where !isPrimed(stream) { unready.formUnion(stream.plans) }
    let current = plans.filter { $0.number >= record.planNumber }
    if let newest = current.last, !unready.contains(newest.number) {
      inbox.update { if $0.primedPlan < newest.number { $0.primedPlan = newest.number } }
    }
    for plan in current where !unready.contains(plan.number) {
      plan.memory.pointee.filesReady.pointee.store(scanned.locateNumber, ordering: .releasing)
    }
  }
}

/// The position of the last scan.
struct ScannedPosition {
  var isValid = false
  var locateNumber: UInt64 = 0
  var wrapCount: UInt64 = 0
  var frame: Int64 = 0
  var planNumber: UInt64 = 0
  var loop: Range<Int64>?

  func needsScan(at record: TransportRecord, everyFrames step: Int) -> Bool {
    !isValid || record.locateNumber != locateNumber || record.wrapCount != wrapCount || record.loop != loop
      || record.planNumber != planNumber || abs(record.nextFrame - frame) >= Int64(step)
  }

  init() {}

  init(_ record: TransportRecord) {
    isValid = true
    locateNumber = record.locateNumber
    wrapCount = record.wrapCount
    frame = record.nextFrame
    planNumber = record.planNumber
    loop = record.loop
  }
}
