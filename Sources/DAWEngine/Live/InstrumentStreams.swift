import DAWTime

/// The streams of the instruments that live plans have, their windows, and which is rendered next.
struct InstrumentStreams: RenderSchedule {
  let options: LiveOptions
  let owner: SharedStateOwner
  let makeProducer: InstrumentThreads.Factory
  /// The windows of the pool that belong to instruments.
  let windows: Range<Int>
  var plans: [LivePlan] = []
  var version = -1
  var streams: [InstrumentEntry] = []
  /// Where the stream with a window is in `streams`, and those of a track.
  private var places: [Int: Int] = [:]
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

  init(
    options: LiveOptions, owner: SharedStateOwner, windows: Range<Int>,
    makeProducer: @escaping InstrumentThreads.Factory
  ) {
    self.options = options
    self.owner = owner
    self.windows = windows
    self.makeProducer = makeProducer
    freeWindows = windows.reversed()
  }

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

  /// All streams and plans, when no thread renders any more.
  mutating func takeAll() -> (plans: [LivePlan], streams: [InstrumentStream]) {
    let all = streams.map(\.stream) + takeDropped()
    defer { (plans, streams, places, placesOfTracks) = ([], [], [:], [:]) }
    return (plans, all)
  }

  mutating func takeProblems() -> [StreamError] {
    defer { problems = [] }
    return problems
  }

  // MARK: Rendering

  /// The playhead is no change of the monitor's; where there are no instruments, nothing depends on it.
  var pollSeconds: Double? {
    if streams.isEmpty, plans.allSatisfy(\.plan.instruments.isEmpty) { return nil }
    return owner.shared.pointee.record.read().isFreewheeling ? 0.000_3 : 0.002
  }

  mutating func take() -> InstrumentPiece? {
    let record = owner.shared.pointee.record.read()
    guard let place = furthestBehind(for: record) else {
      publishReadiness()
      return nil
    }
    return streams[place].take(for: record, plans)
  }

  /// The free stream that is furthest behind; where none is, a parked one in which something rings on.
  private func furthestBehind(for record: TransportRecord) -> Int? {
    let ahead = ahead(record)
    var (found, least): (Int?, Int) = (nil, .max)
    for place in streams.indices where !streams[place].isBusy && !streams[place].isFilled(for: record, ahead: ahead) {
      let ready = streams[place].ready(for: record)
      if found == nil || ready < least { (found, least) = (place, ready) }
    }
    return found ?? streams.firstIndex { !$0.isBusy && $0.isDraining }
  }

  mutating func finish(_ piece: InstrumentPiece) -> [InstrumentStream] {
    let stream = piece.stream
    if let place = places[stream.handle.window], streams[place].stream === stream {
      streams[place].finishPiece()
      // Its window can be given away now.
      if isWaiting, streams[place].isParked { assignStreams() }
    } else {
      retire(stream)
      assignStreams()
    }
    if let problem = stream.problem, !problems.contains(problem) { problems.append(problem) }
    return takeDropped()
  }

  // MARK: What is ready

  /// Frames to render ahead.
  private func ahead(_ record: TransportRecord) -> Int {
    let announced = owner.shared.pointee.announcedFrames.load(ordering: .relaxed)
    let latency = owner.shared.pointee.latency.load(ordering: .acquiring)
    return max(options.frames(options.renderAheadSeconds), 3 * max(announced, record.frameCount)) + latency
  }

  /// - SeeAlso: `InstrumentThreads.isUpToDate`.
  func isUpToDate(for record: TransportRecord) -> Bool {
    let ahead = ahead(record)
    guard streams.allSatisfy({ !$0.isBusy && $0.isFilled(for: record, ahead: ahead) }) else { return false }
    publishReadiness()
    return true
  }

  /// - Parameter isStart: whether those that the plan before plays are to be ready too.
  /// - SeeAlso: `InstrumentThreads.isPrimed`.
  func isPrimed(_ plan: LivePlan, _ record: TransportRecord, isStart: Bool) -> Bool {
    guard plans.contains(where: { $0 === plan }) else { return false }
    let ahead = ahead(record) / 2
    return plan.plan.instruments.indices.allSatisfy { index in
      guard !plan.plan.instruments[index].isParked else { return true }
      let handle = StreamHandle(bits: plan.memory.pointee.instruments[index].load(ordering: .relaxed))
      // An instrument without a stream is silent and has been reported.
      guard handle.window >= 0 else { return newestShortPlan >= plan.number }
      guard let place = places[handle.window] else { return false }
      if !isStart, streams[place].isPlayed(before: plan.number) { return true }
      return streams[place].isFilled(for: record, ahead: ahead)
    }
  }

  /// Publishes which plans' instruments are ready at the playhead.
  func publishReadiness() {
    let record = owner.shared.pointee.record.read()
    for plan in plans where plan.number >= record.planNumber {
      let ready = plan.memory.pointee.instrumentsReady
      guard ready.pointee.load(ordering: .relaxed) != record.locateNumber, isPrimed(plan, record, isStart: true) else {
        continue
      }
      ready.pointee.store(record.locateNumber, ordering: .releasing)
    }
  }
}
