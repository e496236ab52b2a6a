extension ModelTables {
  mutating func applyToEvents(_ edit: Edit) throws {
    switch edit {
    case .addEvents(let events):
      try validate(events)
      try requireDistinct(events.map(\.id.rawValue))
      let present = try firstPresent(of: events.map(\.id))
      try require(present == nil, .identifier, "an id that is in use", of: "event \(present?.uuidString ?? "")")
      try insert(events)
    case .setEvents(let events):
      try requireDistinct(events.map(\.id.rawValue))
      try requirePresent(events.map(\.id))
      try validate(events)
      try update(events)
    case .removeEvents(let ids):
      try requireDistinct(ids.map(\.rawValue))
      try requirePresent(ids)
      try delete(ids)
    default: break
    }
  }

  private func validate(_ events: [RegionEvent]) throws {
    var region: Region?
    for event in events {
      if event.region != region?.id { region = try self.region(event.region).found(event.region) }
      try event.validate()
      if let region { try event.validate(in: region) }
    }
  }

  private func requirePresent(_ ids: [EventID]) throws {
    if let absent = try firstAbsent(of: ids) {
      throw EditError.missing(noun: RegionEvent.noun, id: absent.uuidString)
    }
  }
}
