import DAWTime

/// A stream among `InstrumentStreams`.
struct InstrumentEntry {
  let stream: InstrumentStream
  var isBusy = false
  /// The first plan that uses it.
  let firstPlan: UInt64
  var events: MIDISequence
  /// The newest plan that uses it; `events` belong to it.
  var planNumber: UInt64
  /// An edit that the stream has not been given yet.
  var pendingEdit: InstrumentStream.Edit?
  /// Whether no plan plays it.
  private(set) var isParked = false
  /// Whether the stream has yet to be told.
  private var isToPark = false
  /// The first plan since which it has been played.
  private var playedSince: UInt64
  // Copies of the stream's, taken when it was last not busy.
  private var locateNumber: UInt64 = 0
  private var isBroken = false
  private var wasParked = false
  private var isDrained = false

  init(_ stream: InstrumentStream, events: MIDISequence, planNumber: UInt64) {
    self.stream = stream
    self.events = events
    self.planNumber = planNumber
    firstPlan = planNumber
    playedSince = planNumber
  }

  /// A thread takes it.
  mutating func take(for record: TransportRecord, _ plans: [LivePlan]) -> InstrumentPiece {
    isBusy = true
    stream.plans = plans
    if let pendingEdit { stream.apply(pendingEdit) }
    pendingEdit = nil
    if isToPark { stream.park() }
    isToPark = false
    if !isParked { stream.unpark(at: record) }
    return InstrumentPiece(stream: stream, record: record)
  }

  /// The thread is done with it.
  mutating func finishPiece() {
    isBusy = false
    locateNumber = stream.locateNumber
    isBroken = stream.problem != nil
    wasParked = stream.isParked
    isDrained = stream.isDrained
  }

  /// Whether a plan before this one plays it already.
  func isPlayed(before planNumber: UInt64) -> Bool { playedSince < planNumber }

  mutating func setParked(_ isParked: Bool, newestPlan: UInt64) {
    if self.isParked, !isParked { playedSince = newestPlan }
    if isParked, !self.isParked { isToPark = true }
    self.isParked = isParked
  }

  /// Frames that are ready ahead of the playhead.
  func ready(for record: TransportRecord) -> Int {
    locateNumber == record.locateNumber && !wasParked && !isToPark ? stream.renderedFrame - record.rolledFrame : 0
  }

  /// Whether at least `ahead` frames are ready, or it is parked or broken.
  func isFilled(for record: TransportRecord, ahead: Int) -> Bool {
    isBroken || isParked
      || !wasParked && !isToPark && locateNumber == record.locateNumber && ready(for: record) >= ahead
  }

  /// Whether it is to be parked, or rings on.
  var isDraining: Bool { isParked && !isBroken && (isToPark || !isDrained) }
}

/// A stream's next frames, for the playhead of a record.
struct InstrumentPiece: RenderPiece {
  let stream: InstrumentStream
  let record: TransportRecord

  func render() {
    stream.render(for: record)
    stream.plans = []
  }
}
