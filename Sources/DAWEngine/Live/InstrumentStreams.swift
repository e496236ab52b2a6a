import DAWTime

/// The streams of the instruments that live plans have, and their windows. Guarded by the monitor of
/// `InstrumentThreads`.
struct InstrumentStreams {
  var plans: [LivePlan] = []
  var version = -1
  var streams: [InstrumentEntry] = []
  /// Where the stream with a window is in `streams`, and those of a track.
  private(set) var places: [Int: Int] = [:]
  private var placesOfTracks: [Int64: [Int]] = [:]
  /// Streams that no plan uses but a thread still renders: their windows are not free yet.
  private(set) var retiring: [InstrumentStream] = []
  /// Streams that are not used any more, to be freed outside of the lock.
  private var dropped: [InstrumentStream] = []
  private var freeWindows: [Int]
  private var generations: [Int: UInt32] = [:]
  var problems: [StreamError] = []
  /// The newest plan that has more instruments than there are windows, and whether that has been reported.
  var newestShortPlan: UInt64 = 0
  var isShort = false
  /// Whether an instrument has no window yet.
  var isWaiting = false
  var runningThreads = 0
  var isStopped = false

  init(windows: Range<Int>) { freeWindows = windows.reversed() }

  /// Where the stream of a plan's instrument is; streams opened for later plans are left out.
  func place(of key: InstrumentStream.Key, for planNumber: UInt64) -> Int? {
    placesOfTracks[key.trackID]?.last { streams[$0].firstPlan <= planNumber && streams[$0].stream.key == key }
  }

  /// A window for a new stream; where none is free, that of a parked stream.
  mutating func takeWindow() -> StreamHandle? {
    if freeWindows.isEmpty, let parked = streams.firstIndex(where: { $0.isParked && !$0.isBusy }) { remove([parked]) }
    guard let window = freeWindows.popLast() else { return nil }
    generations[window, default: 0] += 1
    return StreamHandle(window: window, generation: generations[window, default: 0])
  }

  mutating func append(_ entry: InstrumentEntry) {
    streams.append(entry)
    setPlace(streams.count - 1)
  }

  private mutating func setPlace(_ place: Int) {
    let stream = streams[place].stream
    places[stream.handle.window] = place
    placesOfTracks[stream.key.trackID, default: []].append(place)
  }

  /// Removes the streams at these places.
  mutating func remove(_ unwanted: Set<Int>) {
    guard !unwanted.isEmpty else { return }
    for place in unwanted {
      let entry = streams[place]
      if entry.isBusy { retiring.append(entry.stream) } else { free(entry.stream) }
    }
    streams = streams.indices.filter { !unwanted.contains($0) }.map { streams[$0] }
    (places, placesOfTracks) = ([:], [:])
    for place in streams.indices { setPlace(place) }
  }

  /// A thread has rendered the last piece of a retiring stream.
  mutating func retire(_ stream: InstrumentStream) {
    retiring.removeAll { $0 === stream }
    free(stream)
  }

  private mutating func free(_ stream: InstrumentStream) {
    freeWindows.append(stream.handle.window)
    dropped.append(stream)
  }

  mutating func takeDropped() -> [InstrumentStream] {
    defer { dropped = [] }
    return dropped
  }

  /// The free stream that is furthest behind; where none is, a parked one in which something rings on.
  func furthestBehind(for record: TransportRecord, ahead: Int) -> Int? {
    var (found, least): (Int?, Int) = (nil, .max)
    for place in streams.indices where !streams[place].isBusy && !streams[place].isFilled(for: record, ahead: ahead) {
      let ready = streams[place].ready(for: record)
      if found == nil || ready < least { (found, least) = (place, ready) }
    }
    return found ?? streams.firstIndex { !$0.isBusy && $0.isDraining }
  }
}

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
  mutating func take(for record: TransportRecord, _ plans: [LivePlan]) -> InstrumentStream {
    isBusy = true
    stream.plans = plans
    if let pendingEdit { stream.apply(pendingEdit) }
    pendingEdit = nil
    if isToPark { stream.park() }
    isToPark = false
    if !isParked { stream.unpark(at: record) }
    return stream
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
