import DAWTime
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
  private typealias State = InstrumentStreams
  /// The windows of the pool that belong to instruments.
  private let windows: Range<Int>

  init(options: LiveOptions, owner: SharedStateOwner, windows: Range<Int>, makeProducer: @escaping Factory) {
    self.options = options
    self.owner = owner
    self.windows = windows
    self.makeProducer = makeProducer
    shared = Monitor(State(windows: windows))
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
  /// still has continue; those that no plan plays are parked.
  func adopt(_ plans: [LivePlan], version: Int) {
    // Not under the lock: a track's events are walked when they are new.
    for planned in plans.last?.plan.instruments ?? [] { _ = planned.plan.sequence.linked }
    // Freed outside of the lock.
    let dropped = shared.update { state -> [InstrumentStream] in
      guard version > state.version else { return [] }
      state.version = version
      state.plans = plans
      var (wanted, playing): (Set<Int>, Set<Int>) = ([], [])
      for plan in plans {
        for planned in plan.plan.instruments {
          guard let index = state.place(of: InstrumentStream.Key(planned), for: plan.number) else { continue }
          wanted.insert(index)
          if !planned.isParked { playing.insert(index) }
        }
      }
      for index in wanted {
        state.streams[index].setParked(!playing.contains(index), newestPlan: plans.last?.number ?? 0)
      }
      state.remove(Set(state.streams.indices).subtracting(wanted))
      assignStreams(&state)
      return state.takeDropped()
    }
    _ = dropped
    publishReadiness()
  }

  /// Assigns streams to the instruments that all plans play.
  private func assignStreams(_ state: inout State) {
    state.isWaiting = false
    for plan in state.plans {
      let isNewest = plan === state.plans.last
      var hasAll = true
      for (index, planned) in plan.plan.instruments.enumerated() {
        let handle = assignStream(planned, of: plan, isNewest: isNewest, &state)
        guard !planned.isParked else { continue }
        if let handle {
          plan.memory.pointee.instruments[index].store(handle.bits, ordering: .releasing)
        } else {
          hasAll = false
        }
      }
      let hasRoom = plan.plan.instruments.count { !$0.isParked } <= windows.count
      if isNewest, hasRoom { state.isShort = false }
      guard !hasAll else { continue }
      state.isWaiting = true
      guard state.retiring.isEmpty, !hasRoom || state.plans.count == 1 else { continue }
      state.newestShortPlan = max(state.newestShortPlan, plan.number)
      // Reported once, until there is room again.
      if isNewest, !state.isShort { state.problems.append(.tooManyInstruments(limit: windows.count)) }
      if isNewest { state.isShort = true }
    }
  }

  /// - Returns: the instrument's stream; `nil` if there are too many, or if it is parked and has none.
  private func assignStream(
    _ planned: PlannedInstrument, of plan: LivePlan, isNewest: Bool, _ state: inout State
  ) -> StreamHandle? {
    let key = InstrumentStream.Key(planned)
    guard let index = state.place(of: key, for: plan.number) else {
      return planned.isParked ? nil : openStream(planned, key, of: plan, &state)
    }
    let entry = state.streams[index]
    guard isNewest, plan.number > entry.planNumber else { return entry.stream.handle }
    let hasMoved = plan.memory.pointee.mapping.count > 0
    let isChanged = hasMoved || entry.events != planned.plan.sequence
    // While nothing sounds, all that was rendered ahead belongs to the plan before, so the new plan gets its own
    // stream.
    if isChanged, !planned.isParked, !owner.shared.pointee.record.read().state.isSounding {
      return openStream(planned, key, of: plan, &state)
    }
    if isChanged {
      state.streams[index].events = planned.plan.sequence
      state.streams[index].pendingEdit = InstrumentStream.Edit(
        events: planned.plan.sequence, planNumber: plan.number,
        movedFrom: entry.pendingEdit?.movedFrom ?? (hasMoved ? entry.planNumber : nil))
    }
    state.streams[index].planNumber = plan.number
    return entry.stream.handle
  }

  /// Opens a stream for an instrument.
  private func openStream(
    _ planned: PlannedInstrument, _ key: InstrumentStream.Key, of plan: LivePlan, _ state: inout State
  ) -> StreamHandle? {
    guard let handle = state.takeWindow() else { return nil }
    let memory = owner.shared.pointee.windows + handle.window
    while !memory.pointee.beginExclusive(owner.shared.pointee.readEpoch) {}
    memory.pointee.generation = handle.generation
    memory.pointee.reset(
      at: 0, capacity: InstrumentStream.capacity, bytesPerFrame: 4, byteCount: 8 * InstrumentStream.capacity)
    memory.pointee.endExclusive()
    let events = planned.plan.sequence
    let stream = InstrumentStream(key, events: events, planNumber: plan.number, handle: handle, shared: owner.shared)
    state.append(InstrumentEntry(stream, events: events, planNumber: plan.number))
    return handle
  }

  // MARK: What is ready

  /// Frames to render ahead.
  private func ahead(_ record: TransportRecord) -> Int {
    let announced = owner.shared.pointee.announcedFrames.load(ordering: .relaxed)
    let latency = owner.shared.pointee.latency.load(ordering: .acquiring)
    return max(options.frames(options.renderAheadSeconds), 3 * max(announced, record.frameCount)) + latency
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

  /// Any thread: whether the instruments that a plan plays and the plan before does not are ready at the record's
  /// position. The others go on as they are, late or not.
  func isPrimed(_ plan: LivePlan, for record: TransportRecord) -> Bool {
    shared.update { isPrimed(plan, $0, record, isStart: false) }
  }

  private func isPrimed(_ plan: LivePlan, _ state: State, _ record: TransportRecord, isStart: Bool) -> Bool {
    guard state.plans.contains(where: { $0 === plan }) else { return false }
    let ahead = ahead(record) / 2
    return plan.plan.instruments.indices.allSatisfy { index in
      guard !plan.plan.instruments[index].isParked else { return true }
      let handle = StreamHandle(bits: plan.memory.pointee.instruments[index].load(ordering: .relaxed))
      // An instrument without a stream is silent and has been reported.
      guard handle.window >= 0 else { return state.newestShortPlan >= plan.number }
      guard let place = state.places[handle.window] else { return false }
      if !isStart, state.streams[place].isPlayed(before: plan.number) { return true }
      return state.streams[place].isFilled(for: record, ahead: ahead)
    }
  }

  /// Any thread: publishes which plans' instruments are ready at the playhead.
  private func publishReadiness() {
    let record = owner.shared.pointee.record.read()
    shared.update { state in
      for plan in state.plans where plan.number >= record.planNumber {
        let ready = plan.memory.pointee.instrumentsReady
        guard ready.pointee.load(ordering: .relaxed) != record.locateNumber,
          isPrimed(plan, state, record, isStart: true)
        else {
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
    let last = shared.update { state -> State? in
      state.runningThreads -= 1
      guard state.runningThreads == 0 else { return nil }
      defer { state = State(windows: windows) }
      return state
    }
    _ = last
  }

  /// The free instrument that is furthest behind, and the record to render it for.
  private func take() -> (stream: InstrumentStream, record: TransportRecord)? {
    let record = owner.shared.pointee.record.read()
    let ahead = ahead(record)
    return shared.update { state in
      guard let index = state.furthestBehind(for: record, ahead: ahead) else { return nil }
      return (state.streams[index].take(for: record, state.plans), record)
    }
  }

  private func render(_ stream: InstrumentStream, for record: TransportRecord) {
    stream.render(for: record, { owner.shared.pointee.record.read() }, makeProducer: makeProducer)
    stream.plans = []
    let dropped = shared.update { state -> [InstrumentStream] in
      if let index = state.places[stream.handle.window], state.streams[index].stream === stream {
        state.streams[index].finishPiece()
        // Its window can be given away now.
        if state.isWaiting, state.streams[index].isParked { assignStreams(&state) }
      } else {
        state.retire(stream)
        assignStreams(&state)
      }
      if let problem = stream.problem, !state.problems.contains(problem) { state.problems.append(problem) }
      return state.takeDropped()
    }
    _ = dropped
  }
}
