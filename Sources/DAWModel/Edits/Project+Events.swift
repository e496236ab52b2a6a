import DAWTime

extension Project {
  public func eventCount(in region: RegionID, after end: TickCount) -> Int {
    events[region, default: []].count { $0.start > end }
  }
  public func event(_ id: EventID) -> RegionEvent? {
    for events in events.values {
      if let event = events.first(where: { $0.id == id }) { return event }
    }
    return nil
  }
  public func firstPresent(of events: [EventID]) -> EventID? {
    let present = present(events)
    return events.first(where: present.contains)
  }
  public func firstAbsent(of events: [EventID]) -> EventID? {
    let present = present(events)
    return events.first { !present.contains($0) }
  }
  private func present(_ events: [EventID]) -> Set<EventID> {
    let wanted = Set(events)
    return Set(self.events.values.joined().lazy.map(\.id).filter(wanted.contains))
  }

  public mutating func insert(_ events: [RegionEvent]) {
    for (region, added) in Dictionary(grouping: events, by: \.region) {
      self.events[region] = (self.events[region, default: []] + added).sorted { ($0.start, $0.id) < ($1.start, $1.id) }
    }
  }
  public mutating func update(_ events: [RegionEvent]) {
    delete(events.map(\.id))
    insert(events)
  }
  public mutating func delete(_ events: [EventID]) {
    let gone = Set(events)
    for region in Array(self.events.keys) {
      self.events[region]?.removeAll { gone.contains($0.id) }
      if self.events[region]?.isEmpty == true { self.events[region] = nil }
    }
  }
}
