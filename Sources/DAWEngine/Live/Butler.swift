import Glibc

/// The disk thread: keeps the streams of files filled, so that the audio thread finds what it is going to play.
///
/// It looks at the transport's record, finds the regions that sound now or soon, gives each a stream of the pool, and
/// reads where the least is left. It also frees the plans that the audio thread has given back.
final class Butler: @unchecked Sendable {
  // Unchecked: `inbox` is a monitor; everything else belongs to the butler's thread.
  let options: LiveOptions
  let owner: CrossingOwner
  let instruments: InstrumentThreads
  let files: SourceFiles
  let inbox: Monitor<Inbox>

  /// What other threads and the butler tell each other.
  struct Inbox {
    /// Every plan that the audio thread has or is to have, in order of number.
    var plans: [LivePlan] = []
    /// Raised with every change of `plans`.
    var version = 0
    /// The newest plan whose streams have been primed.
    var primedPlan: UInt64 = 0
    /// Streams that could not go on, since somebody looked.
    var problems: [StreamError] = []
    /// The record for whose place there was nothing left to do, and the plans then.
    var settled = (locateNumber: UInt64(0), wrapCount: UInt64(0), nextFrame: Int64(0), version: -1)
    /// Raised by whoever cannot wait for the butler's next round.
    var calls = 0
    var isPaused = false
    var isStopped = false
    var hasEnded = false
  }

  // MARK: The butler's thread

  var plans: [LivePlan] = []
  var version = 0
  /// One for each window of the pool.
  var streams: [FileStream]
  var windowOfKey: [FileStreamKey: Int] = [:]
  /// What the last look found, by urgency.
  var wanted: [WantedStream] = []
  var seen = SeenPlace()
  var scanNumber: UInt64 = 0
  /// Frames that streams are filled ahead.
  var readAhead: Int
  /// The locate since which it was said that there are too few streams: it is said once.
  var saidFullSince: UInt64 = 0

  /// Frames of what is read at a time, in bytes.
  static let readBytes = 1 << 17
  /// Seconds between two rounds in which there is nothing to do.
  private static let period = 0.003

  init(
    options: LiveOptions, owner: CrossingOwner, instruments: InstrumentThreads,
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

  /// The butler's thread: until `stop()`.
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
        seen.isValid = false
      }
      collect()
      let isBusy = order.isPaused ? false : work()
      if !isBusy {
        let period = owner.crossing.pointee.record.read().isFreewheeling ? Self.period / 10 : Self.period
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

  /// Any thread: ends `run` and waits for that.
  func stop() {
    inbox.update { $0.isStopped = true }
    inbox.wait { $0.hasEnded ? () : nil }
  }

  /// Lets go of the plan that the audio thread has left.
  private func collect() {
    guard let left = owner.crossing.pointee.plans.collect() else { return }
    forget(left)
  }

  /// Any thread: a plan that the audio thread does not use, and will not.
  func forget(_ plan: UnsafeMutableRawPointer) {
    // What goes is freed outside of the lock.
    let (gone, left, version) = inbox.update { inbox in
      let gone = inbox.plans.filter { UnsafeMutableRawPointer($0.memory) == plan }
      inbox.plans.removeAll { UnsafeMutableRawPointer($0.memory) == plan }
      inbox.version += 1
      return (gone, inbox.plans, inbox.version)
    }
    instruments.adopt(left, version: version)
    withExtendedLifetime(gone) {}
  }

  /// - Returns: whether there may be more to do at once.
  private func work() -> Bool {
    let record = owner.crossing.pointee.record.read()
    if seen.needsLook(at: record, everyFrames: readAhead / 8) { look(at: record) }
    let isBusy = fill()
    report(record)
    if !isBusy, seen.isValid {
      let place = (record.locateNumber, record.wrapCount, record.nextFrame, version)
      inbox.update { $0.settled = place }
    }
    return isBusy
  }

  /// Says what is ready.
  private func report(_ record: TransportRecord) {
    guard seen.isValid else { return }
    var unready = Set<UInt64>()
    for stream in wanted where !isPrimed(stream) { unready.formUnion(stream.plans) }
    let current = plans.filter { $0.number >= record.planNumber }
    if let newest = current.last, !unready.contains(newest.number) {
      inbox.update { if $0.primedPlan < newest.number { $0.primedPlan = newest.number } }
    }
    for plan in current where !unready.contains(plan.number) {
      plan.memory.pointee.filesReady.pointee.store(seen.locateNumber, ordering: .releasing)
    }
  }
}

/// The place that the butler has looked at last.
struct SeenPlace {
  var isValid = false
  var locateNumber: UInt64 = 0
  var wrapCount: UInt64 = 0
  var frame: Int64 = 0
  var planNumber: UInt64 = 0
  var loop: Range<Int64>?

  func needsLook(at record: TransportRecord, everyFrames step: Int) -> Bool {
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
