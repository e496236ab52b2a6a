import Foundation

/// The threads that render instruments ahead of the playhead, each instrument by one of them at a time.
final class InstrumentThreads: @unchecked Sendable {
  // Unchecked: what changes is behind the monitor; a stream is used by the thread that has marked it busy.
  /// Makes an instrument that has been told nothing; its plan has no events.
  typealias Factory = @Sendable (InstrumentPlan) throws -> any EventPlayer

  private let options: LiveOptions
  private let owner: CrossingOwner
  private let makeProducer: Factory
  private let shared: Monitor<State>
  /// The windows of the pool that instruments have.
  private let windows: Range<Int>

  private struct State {
    var plans: [LivePlan] = []
    var version = -1
    var streams: [Entry] = []
    /// Those that no plan wants any more, and that a thread is still at: their windows are not free.
    var leaving: [InstrumentStream] = []
    var generations: [UInt32]
    var problems: [StreamError] = []
    /// The newest plan of which it was said that it has too many instruments.
    var saidFullOf: UInt64 = 0
    var runningThreads = 0
    var isStopped = false
  }

  private struct Entry {
    var stream: InstrumentStream
    var isBusy = false
    /// As the stream had them when it was last at rest.
    var locateNumber: UInt64 = 0
    var isBroken = false
    /// The first plan that it plays for.
    var firstPlan: UInt64
    var events: [MIDIEvent]
    /// The newest plan that it plays for, which the events are of.
    var planNumber: UInt64
    /// What the stream has not been told of.
    var news: InstrumentStream.Edit?

    /// Frames that are ready behind the playhead.
    func ready(for record: TransportRecord) -> Int64 {
      locateNumber == record.locateNumber ? stream.renderedFrames - record.rolledFrameCount : 0
    }

    /// Whether it has nothing to do until `ahead` frames are ready.
    func isFilled(for record: TransportRecord, ahead: Int64) -> Bool {
      isBroken || (locateNumber == record.locateNumber && ready(for: record) >= ahead)
    }
  }

  init(options: LiveOptions, owner: CrossingOwner, windows: Range<Int>, makeProducer: @escaping Factory) {
    self.options = options
    self.owner = owner
    self.windows = windows
    self.makeProducer = makeProducer
    shared = Monitor(State(generations: windows.map { _ in 0 }))
    let count = max(1, options.instrumentThreadCount)
    shared.update { $0.runningThreads = count }
    for _ in 0..<count { Thread { [self] in run() }.start() }
  }

  /// Ends the threads, and lets go of all instruments.
  func stop() {
    shared.update { $0.isStopped = true }
    shared.wait { $0.runningThreads == 0 ? () : nil }
  }

  // MARK: Plans

  /// Any thread: the plans that are heard or are to be, the newest last. Streams that the newest still has go on.
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
      state.leaving += unwanted.filter(\.isBusy).map(\.stream)
      place(&state)
      return unwanted.map(\.stream)
    }
    _ = dropped
    report()
  }

  /// The stream that an instrument of a plan has: of those that later plans were given anew, none.
  private func index(of key: InstrumentStream.Key, for planNumber: UInt64, _ state: State) -> Int? {
    state.streams.lastIndex { $0.firstPlan <= planNumber && $0.stream.key == key }
  }

  /// Leads the plans to their instruments' streams.
  private func place(_ state: inout State) {
    for plan in state.plans {
      for (index, planned) in plan.plan.instruments.enumerated() {
        if let ticket = place(planned, of: plan, isNewest: plan === state.plans.last, &state) {
          plan.memory.pointee.instruments[index].store(ticket.bits, ordering: .releasing)
        } else if state.leaving.isEmpty, state.plans.count == 1 || plan.plan.instruments.count > windows.count {
          sayFull(plan.number, &state)
        }
      }
    }
  }

  /// - Returns: the way to the instrument's stream, `nil` where there are too many.
  private func place(
    _ planned: PlannedInstrument, of plan: LivePlan, isNewest: Bool, _ state: inout State
  ) -> StreamTicket? {
    let key = InstrumentStream.Key(planned)
    let known = index(of: key, for: plan.number, state)
    if let index = known {
      let entry = state.streams[index]
      guard isNewest, plan.number > entry.planNumber else { return entry.stream.ticket }
      let hasMoved = plan.memory.pointee.mapping.count > 0
      let isChanged = hasMoved || entry.events != planned.plan.events
      // Where nothing sounds, all that was rendered ahead is of the plan before, and of use to that one only.
      if isChanged, !owner.crossing.pointee.record.read().state.isSounding {
        return lay(planned, key, of: plan, &state)
      }
      if isChanged {
        state.streams[index].events = planned.plan.events
        state.streams[index].news = InstrumentStream.Edit(
          events: LinkedPorts([
            PlannedPort(
              slot: key.slot, name: "", events: planned.plan.events, systemExclusive: planned.plan.systemExclusive)
          ]),
          planNumber: plan.number, movedFrom: entry.news?.movedFrom ?? (hasMoved ? entry.planNumber : nil))
      }
      state.streams[index].planNumber = plan.number
      return entry.stream.ticket
    }
    return lay(planned, key, of: plan, &state)
  }

  /// Gives an instrument a stream of its own.
  private func lay(
    _ planned: PlannedInstrument, _ key: InstrumentStream.Key, of plan: LivePlan, _ state: inout State
  ) -> StreamTicket? {
    let used = Set((state.streams.map(\.stream) + state.leaving).map(\.ticket.window))
    guard let window = windows.first(where: { !used.contains($0) }) else { return nil }
    state.generations[window - windows.lowerBound] += 1
    let generation = state.generations[window - windows.lowerBound]
    let memory = owner.crossing.pointee.windows + window
    while !memory.pointee.beginFilling(owner.crossing.pointee.turns) {}
    memory.pointee.generation = generation
    memory.pointee.lay(
      at: 0, capacity: InstrumentStream.capacity, bytesPerFrame: 4, byteCount: 8 * InstrumentStream.capacity)
    memory.pointee.endFilling()
    let ticket = StreamTicket(window: window, generation: generation)
    state.streams.append(
      Entry(
        stream: InstrumentStream(
          key, events: planned.plan.events, planNumber: plan.number, ticket: ticket, crossing: owner.crossing),
        firstPlan: plan.number, events: planned.plan.events, planNumber: plan.number))
    return ticket
  }

  /// Said once for each plan that has too many.
  private func sayFull(_ planNumber: UInt64, _ state: inout State) {
    guard planNumber > state.saidFullOf else { return }
    state.saidFullOf = planNumber
    state.problems.append(.tooManyInstruments(limit: windows.count))
  }

  // MARK: What is ready

  /// Frames that are rendered ahead.
  private func ahead(_ record: TransportRecord) -> Int64 {
    let announced = owner.crossing.pointee.announcedFrames.load(ordering: .relaxed)
    return Int64(max(options.frames(options.renderAheadSeconds), 3 * max(announced, record.frameCount)))
  }

  /// Any thread: whether everything that can be rendered ahead of the record's place has been. What a stream has not been told
  /// of is about what comes behind that.
  func isSettled(for record: TransportRecord) -> Bool {
    let isSettled = shared.update { state in
      state.streams.allSatisfy { !$0.isBusy && $0.isFilled(for: record, ahead: ahead(record)) }
    }
    if isSettled { report() }
    return isSettled
  }

  /// Any thread: whether a plan's instruments are ready at the record's place.
  func isPrimed(_ plan: LivePlan, for record: TransportRecord) -> Bool {
    shared.update { isPrimed(plan, $0, record) }
  }

  private func isPrimed(_ plan: LivePlan, _ state: State, _ record: TransportRecord) -> Bool {
    guard state.plans.contains(where: { $0 === plan }) else { return false }
    let ahead = ahead(record) / 2
    return (0..<plan.memory.pointee.instrumentCount).allSatisfy { index in
      let ticket = StreamTicket(bits: plan.memory.pointee.instruments[index].load(ordering: .relaxed))
      // One for which there is no room is silent; it was said.
      guard ticket.window >= 0 else { return state.saidFullOf >= plan.number }
      return state.streams.first { $0.stream.ticket.window == ticket.window }?.isFilled(for: record, ahead: ahead)
        == true
    }
  }

  /// Any thread: says of which plans the instruments are ready where the playhead is.
  private func report() {
    let record = owner.crossing.pointee.record.read()
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

  /// Any thread: instruments that could not go on since the last call.
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
        report()
        usleep(owner.crossing.pointee.record.read().isFreewheeling ? 300 : 2_000)
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

  /// The instrument that is furthest behind, of those that nobody is at, and for which place it is to play.
  private func take() -> (stream: InstrumentStream, record: TransportRecord)? {
    let record = owner.crossing.pointee.record.read()
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
      if let edit = state.streams[index].news {
        state.streams[index].stream.take(edit)
        state.streams[index].news = nil
      }
      return (state.streams[index].stream, record)
    }
  }

  private func render(_ stream: InstrumentStream, for record: TransportRecord) {
    stream.render(for: record, { owner.crossing.pointee.record.read() }, makeProducer: makeProducer)
    stream.plans = []
    shared.update { state in
      if let index = state.streams.firstIndex(where: { $0.stream === stream }) {
        state.streams[index].isBusy = false
        state.streams[index].locateNumber = stream.locateNumber
        state.streams[index].isBroken = stream.problem != nil
      } else {
        state.leaving.removeAll { $0 === stream }
        place(&state)
      }
      if let problem = stream.problem, !state.problems.contains(problem) { state.problems.append(problem) }
    }
  }
}
