import DAWTime

extension InstrumentStreams {
  /// - SeeAlso: `InstrumentThreads.adopt`.
  /// - Returns: streams that are not used any more.
  mutating func adopt(_ plans: [LivePlan], version: Int) -> [InstrumentStream] {
    guard version > self.version else { return [] }
    self.version = version
    self.plans = plans
    var (wanted, playing): (Set<Int>, Set<Int>) = ([], [])
    for plan in plans {
      for planned in plan.plan.instruments {
        guard let index = place(of: InstrumentStream.Key(planned), for: plan.number) else { continue }
        wanted.insert(index)
        if !planned.isParked { playing.insert(index) }
      }
    }
    for index in wanted {
      streams[index].setParked(!playing.contains(index), newestPlan: plans.last?.number ?? 0)
    }
    remove(Set(streams.indices).subtracting(wanted))
    assignStreams()
    publishReadiness()
    return takeDropped()
  }

  /// Assigns streams to the instruments that all plans play.
  mutating func assignStreams() {
    isWaiting = false
    for plan in plans {
      let isNewest = plan === plans.last
      var hasAll = true
      for (index, planned) in plan.plan.instruments.enumerated() {
        let handle = assignStream(planned, of: plan, isNewest: isNewest)
        guard !planned.isParked else { continue }
        if let handle {
          plan.memory.pointee.instruments[index].store(handle.bits, ordering: .releasing)
        } else {
          hasAll = false
        }
      }
      let hasRoom = plan.plan.instruments.count { !$0.isParked } <= windows.count
      if isNewest, hasRoom { isShort = false }
      guard !hasAll else { continue }
      isWaiting = true
      guard retiring.isEmpty, !hasRoom || plans.count == 1 else { continue }
      newestShortPlan = max(newestShortPlan, plan.number)
      // Reported once, until there is room again.
      if isNewest, !isShort { problems.append(.tooManyInstruments(limit: windows.count)) }
      if isNewest { isShort = true }
    }
  }

  /// - Returns: the instrument's stream; `nil` if there are too many, or if it is parked and has none.
  private mutating func assignStream(
    _ planned: PlannedInstrument, of plan: LivePlan, isNewest: Bool
  ) -> StreamHandle? {
    let key = InstrumentStream.Key(planned)
    guard let index = place(of: key, for: plan.number) else {
      return planned.isParked ? nil : openStream(planned, key, of: plan)
    }
    let entry = streams[index]
    guard isNewest, plan.number > entry.planNumber else { return entry.stream.handle }
    let hasMoved = plan.memory.pointee.mapping.count > 0
    let isChanged = hasMoved || entry.events != planned.plan.sequence
    // While nothing sounds, all that was rendered ahead belongs to the plan before, so the new plan gets its own
    // stream.
    if isChanged, !planned.isParked, !owner.shared.pointee.record.read().state.isSounding {
      return openStream(planned, key, of: plan)
    }
    if isChanged {
      streams[index].events = planned.plan.sequence
      streams[index].pendingEdit = InstrumentStream.Edit(
        events: planned.plan.sequence, planNumber: plan.number,
        movedFrom: entry.pendingEdit?.movedFrom ?? (hasMoved ? entry.planNumber : nil))
    }
    streams[index].planNumber = plan.number
    return entry.stream.handle
  }

  /// Opens a stream for an instrument.
  private mutating func openStream(
    _ planned: PlannedInstrument, _ key: InstrumentStream.Key, of plan: LivePlan
  ) -> StreamHandle? {
    guard let handle = takeWindow() else { return nil }
    let memory = owner.shared.pointee.windows + handle.window
    while !memory.pointee.beginExclusive(owner.shared.pointee.readEpoch) {}
    memory.pointee.generation = handle.generation
    memory.pointee.reset(
      at: 0, capacity: InstrumentStream.capacity, bytesPerFrame: 4, byteCount: 8 * InstrumentStream.capacity)
    memory.pointee.endExclusive()
    let events = planned.plan.sequence
    let stream = InstrumentStream(
      key, events: events, planNumber: plan.number, handle: handle, shared: owner.shared,
      makeProducer: makeProducer)
    append(InstrumentEntry(stream, events: events, planNumber: plan.number))
    return handle
  }
}
