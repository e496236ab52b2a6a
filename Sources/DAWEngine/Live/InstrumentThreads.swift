import Foundation

/// The threads that render instruments ahead of the playhead. One thread renders an instrument at a time.
final class InstrumentThreads: @unchecked Sendable {
  // Unchecked: what changes is guarded by the monitor; a stream is used by the thread that has marked it busy.
  /// Makes an instrument in its initial state; the plan it gets has no events.
  typealias Factory = @Sendable (InstrumentPlan) throws -> any EventPlayer

  private let options: LiveOptions
  private let owner: SharedStateOwner
  private let makeProducer: Factory
  private let shared: Monitor<State>
  /// The windows of the pool that belong to instruments.
  private let windows: Range<Int>

  private struct State {
    var plans: [LivePlan] = []
    var version = -1
    var streams: [Entry] = []
    /// Streams that no plan uses but a thread still renders: their windows are not free yet.
    var retiring: [InstrumentStream] = []
    var generations: [UInt32]
    var problems: [StreamError] = []
    /// The newest plan reported for having too many instruments.
    var reportedFullPlan: UInt64 = 0
    var runningThreads = 0
    var isStopped = false
  }

  private struct Entry {
    var stream: InstrumentStream
    var isBusy = false
    /// Copies of the stream's, taken when it was last not busy.
    var locateNumber: UInt64 = 0
    var isBroken = false
    /// The first plan that uses it.
    var firstPlan: UInt64
    var events: [MIDIEvent]
    /// The newest plan that uses it; `events` belong to it.
    var planNumber: UInt64
    /// An edit that the stream has not been given yet.
    var pendingEdit: InstrumentStream.Edit?

    /// Frames that are ready ahead of the playhead.
    func ready(for record: TransportRecord) -> Int64 {
      locateNumber == record.locateNumber ? stream.renderedFrames - record.rolledFrameCount : 0
    }

    /// Whether at least `ahead` frames are ready, or it is broken.
    func isFilled(for record: TransportRecord, ahead: Int64) -> Bool {
      isBroken || (locateNumber == record.locateNumber && ready(for: record) >= ahead)
    }
  }

  init(options: LiveOptions, owner: SharedStateOwner, windows: Range<Int>, makeProducer: @escaping Factory) {
    self.options = options
    self.owner = owner
    self.windows = windows
    self.makeProducer = makeProducer
    shared = Monitor(State(generations: windows.map { _ in 0 }))
    let count = max(1, options.instrumentThreadCount)
    shared.update { $0.runningThreads = count }
    for _ in 0..<count { Thread { [self] in run() }.start() }
  }

  /// Ends the threads and frees all instruments.
  func stop() {
    shared.update { $0.isStopped = true }
    shared.wait { $0.runningThreads == 0 ? () : nil }
  }

  // MARK: Plans

  /// Any thread: sets the plans that are heard or will be, the newest last. Streams of instruments that the newest plan
  /// still has continue.
  func adopt(_ plans: [LivePlan], version: Int) {
    // Freed outside of the lock.
    let dropped = shared.update { state -> [InstrumentStream] in
      guard version > state.version else { return [] }
      state.version = version
      state.plans = plans
      let wanted = Set(
        plans.flatMap { plan in
          plan.plan.instruments.compactMap { index(of: InstrumentStream.Key($0), for: plan.number, state) }
        })
      let unwanted = state.streams.indices.filter { !wanted.contains($0) }.map { state.streams[$0] }
      state.streams = wanted.sorted().map { state.streams[$0] }
      state.retiring += unwanted.filter(\.isBusy).map(\.stream)
      assignStreams(&state)
      return unwanted.map(\.stream)
    }
    _ = dropped
    publishReadiness()
  }

  /// The index of the stream of a plan's instrument; streams opened for later plans are left out.
  private func index(of key: InstrumentStream.Key, for planNumber: UInt64, _ state: State) -> Int? {
    state.streams.lastIndex { $0.firstPlan <= planNumber && $0.stream.key == key }
  }

  /// Assigns streams to the instruments of all plans.
  private func assignStreams(_ state: inout State) {
    for plan in state.plans {
      for (index, planned) in plan.plan.instruments.enumerated() {
        if let handle = assignStream(planned, of: plan, isNewest: plan === state.plans.last, &state) {
          plan.memory.pointee.instruments[index].store(handle.bits, ordering: .releasing)
        } else if state.retiring.isEmpty, state.plans.count == 1 || plan.plan.instruments.count > windows.count {
          reportTooManyInstruments(plan.number, &state)
        }
      }
    }
  }

  /// - Returns: the instrument's stream, `nil` if there are too many.
  private func assignStream(
    _ planned: PlannedInstrument, of plan: LivePlan, isNewest: Bool, _ state: inout State
  ) -> StreamHandle? {
    let key = InstrumentStream.Key(planned)
    let known = index(of: key, for: plan.number, state)
    if let index = known {
      let entry = state.streams[index]
      guard isNewest, plan.number > entry.planNumber else { return entry.stream.handle }
      let hasMoved = plan.memory.pointee.mapping.count > 0
      let isChanged = hasMoved || entry.events != planned.plan.events
      // While nothing sounds, all that was rendered ahead belongs to the plan before, so the new plan gets its own
      // stream.
      if isChanged, !owner.shared.pointee.record.read().state.isSounding {
        return openStream(planned, key, of: plan, &state)
      }
      if isChanged {
        state.streams[index].events = planned.plan.events
        state.streams[index].pendingEdit = InstrumentStream.Edit(
          events: LinkedPorts([
            PlannedPort(
              trackID: key.trackID, name: "", events: planned.plan.events, systemExclusive: planned.plan.systemExclusive
            )
          ]),
          planNumber: plan.number, movedFrom: entry.pendingEdit?.movedFrom ?? (hasMoved ? entry.planNumber : nil))
      }
      state.streams[index].planNumber = plan.number
      return entry.stream.handle
    }
    return openStream(planned, key, of: plan, &state)
  }

  /// Opens a stream for an instrument.
  private func openStream(
    _ planned: PlannedInstrument, _ key: InstrumentStream.Key, of plan: LivePlan, _ state: inout State
  ) -> StreamHandle? {
    let used = Set((state.streams.map(\.stream) + state.retiring).map(\.handle.window))
    guard let window = windows.first(where: { !used.contains($0) }) else { return nil }
    state.generations[window - windows.lowerBound] += 1
    let generation = state.generations[window - windows.lowerBound]
    let memory = owner.shared.pointee.windows + window
    while !memory.pointee.beginExclusive(owner.shared.pointee.readEpoch) {}
    memory.pointee.generation = generation
    memory.pointee.reset(
      at: 0, capacity: InstrumentStream.capacity, bytesPerFrame: 4, byteCount: 8 * InstrumentStream.capacity)
    memory.pointee.endExclusive()
    let handle = StreamHandle(window: window, generation: generation)
    state.streams.append(
      Entry(
        stream: InstrumentStream(
          key, events: planned.plan.events, planNumber: plan.number, handle: handle, shared: owner.shared),
        firstPlan: plan.number, events: planned.plan.events, planNumber: plan.number))
    return handle
  }

  /// Reported once for each plan.
  private func reportTooManyInstruments(_ planNumber: UInt64, _ state: inout State) {
    guard planNumber > state.reportedFullPlan else { return }
    state.reportedFullPlan = planNumber
    state.problems.append(.tooManyInstruments(limit: windows.count))
  }

  // MARK: What is ready

  /// Frames to render ahead.
  private func ahead(_ record: TransportRecord) -> Int64 {
    let announced = owner.shared.pointee.announcedFrames.load(ordering: .relaxed)
    return Int64(max(options.frames(options.renderAheadSeconds), 3 * max(announced, record.frameCount)))
  }

  /// Any thread: whether everything that can be rendered ahead of the record's position has been. Pending edits only
  /// concern later frames.
  func isUpToDate(for record: TransportRecord) -> Bool {
    let isUpToDate = shared.update { state in
      state.streams.allSatisfy { !$0.isBusy && $0.isFilled(for: record, ahead: ahead(record)) }
    }
    if isUpToDate { publishReadiness() }
    return isUpToDate
  }

  /// Any thread: whether a plan's instruments are ready at the record's position.
  func isPrimed(_ plan: LivePlan, for record: TransportRecord) -> Bool {
    shared.update { isPrimed(plan, $0, record) }
  }

  private func isPrimed(_ plan: LivePlan, _ state: State, _ record: TransportRecord) -> Bool {
    guard state.plans.contains(where: { $0 === plan }) else { return false }
    let ahead = ahead(record) / 2
    return (0..<plan.memory.pointee.instrumentCount).allSatisfy { index in
      let handle = StreamHandle(bits: plan.memory.pointee.instruments[index].load(ordering: .relaxed))
      // An instrument without a stream is silent and has been reported.
      guard handle.window >= 0 else { return state.reportedFullPlan >= plan.number }
      return state.streams.first { $0.stream.handle.window == handle.window }?.isFilled(for: record, ahead: ahead)
        == true
    }
  }

  /// Any thread: publishes which plans' instruments are ready at the playhead.
  private func publishReadiness() {
    let record = owner.shared.pointee.record.read()
    shared.update { state in
      for plan in state.plans where plan.number >= record.planNumber {
        let ready = plan.memory.pointee.instrumentsReady
        guard ready.pointee.load(ordering: .relaxed) != record.locateNumber, isPrimed(plan, state, record) else {
          continue
        }
        ready.pointee.store(record.locateNumber, ordering: .releasing)
      }
    }
  }

  /// Any thread: errors of instruments since the last call.
  func takeProblems() -> [StreamError] {
    shared.update { state in
      defer { state.problems = [] }
      return state.problems
    }
  }

  // MARK: Rendering

  private func run() {
    while !shared.update({ $0.isStopped }) {
      if let (stream, record) = take() {
        render(stream, for: record)
      } else {
        publishReadiness()
        usleep(owner.shared.pointee.record.read().isFreewheeling ? 300 : 2_000)
      }
    }
    let last = shared.update { state -> [Entry] in
      state.runningThreads -= 1
      guard state.runningThreads == 0 else { return [] }
      defer {
        state.streams = []
        state.plans = []
      }
      return state.streams
    }
    _ = last
  }

  /// The free instrument that is furthest behind, and the record to render it for.
  private func take() -> (stream: InstrumentStream, record: TransportRecord)? {
    let record = owner.shared.pointee.record.read()
    let ahead = ahead(record)
    return shared.update { state in
      let behind = state.streams.indices.filter {
        !state.streams[$0].isBusy && !state.streams[$0].isFilled(for: record, ahead: ahead)
      }
      let index = behind.min {
        state.streams[$0].ready(for: record) < state.streams[$1].ready(for: record)
      }
      guard let index else { return nil }
      state.streams[index].isBusy = true
      state.streams[index].stream.plans = state.plans
      if let edit = state.streams[index].pendingEdit {
        state.streams[index].stream.apply(edit)
        state.streams[index].pendingEdit = nil
      }
      return (state.streams[index].stream, record)
    }
  }

  private func render(_ stream: InstrumentStream, for record: TransportRecord) {
    stream.render(for: record, { owner.shared.pointee.record.read() }, makeProducer: makeProducer)
    stream.plans = []
    shared.update { state in
      if let index = state.streams.firstIndex(where: { $0.stream === stream }) {
        state.streams[index].isBusy = false
        state.streams[index].locateNumber = stream.locateNumber
        state.streams[index].isBroken = stream.problem != nil
      } else {
        state.retiring.removeAll { $0 === stream }
        assignStreams(&state)
      }
      if let problem = stream.problem, !state.problems.contains(problem) { state.problems.append(problem) }
    }
  }
}
