extension ModelTables {
  mutating func applyToTracks(_ edit: Edit) throws {
    switch edit {
    case .addTrack(let track):
      try track.validate()
      try require(track.trackType != .master, .masterIsOne, "a second master track", of: track.subject)
      try require(try self.track(track.id) == nil, .identifier, "an id that is in use", of: track.subject)
      try validateReferences(of: track)
      try insert(track)
    case .setTrack(let track):
      let old = try self.track(track.id).found(track.id)
      try track.validate()
      if track.trackType != old.trackType {
        try require(
          track.trackType != .master && old.trackType != .master, .masterStays,
          "a change of type from \(old.trackType.rawValue) to \(track.trackType.rawValue)", of: old.subject)
        try require(
          try !hasRegions(track.id), .trackTypeStays, "a change of type to \(track.trackType.rawValue)", of: old.subject
        )
      }
      if track.channelCount == 1, old.channelCount != 1, let region = try stereoRegion(of: track.id) {
        throw RuleViolation(
          .channelsFitTrack, value: "a width of 1 over the stereo \(region.subject)", subject: old.subject)
      }
      try validateReferences(of: track)
      try update(track)
    case .removeTrack(let id):
      let track = try self.track(id).found(id)
      try require(track.trackType != .master, .masterStays, "removing it", of: track.subject)
      try delete(id)
    default: break
    }
  }

  private func validateReferences(of track: Track) throws {
    if let other = try self.track(withNameKey: track.name.key), other != track.id {
      throw RuleViolation(.trackNameIsUnique, value: "the name '\(track.name)', which another track has")
    }
    if let soundFont = track.instrument?.soundFont { _ = try self.soundFont(soundFont).found(soundFont) }
  }
}
