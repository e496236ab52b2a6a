extension ModelTables {
  mutating func applyToRegions(_ edit: Edit) throws {
    switch edit {
    case .addRegion(let region):
      try region.validate()
      try require(try self.region(region.id) == nil, .identifier, "an id that is in use", of: region.subject)
      try validateParents(of: region)
      try insert(region)
    case .setRegion(let region):
      let old = try self.region(region.id).found(region.id)
      try region.validate()
      try require(region.regionType == old.regionType, .regionType, "a change of type", of: old.subject)
      try validateParents(of: region)
      if case .midi(let length) = region.content, case .midi(let oldLength) = old.content, length < oldLength {
        let count = try noteCount(in: region.id, endingAfter: length)
        try require(
          count == 0, .regionCoversNotes, "a length that leaves \(count == 1 ? "1 note" : "\(count) notes") outside",
          of: old.subject)
        let events = try eventCount(in: region.id, after: length)
        try require(
          events == 0, .regionCoversEvents,
          "a length that leaves \(events == 1 ? "1 event" : "\(events) events") outside", of: old.subject)
      }
      try update(region)
    case .removeRegion(let id):
      _ = try region(id).found(id)
      try delete(id)
    default: break
    }
  }

  private func validateParents(of region: Region) throws {
    let track = try self.track(region.track).found(region.track)
    let file = try region.audio.map { try audioFile($0.file).found($0.file) }
    try region.validate(on: track, over: file)
  }
}
