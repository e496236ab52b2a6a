extension ModelTables {
  mutating func applyToAudioFiles(_ edit: Edit) throws {
    switch edit {
    case .addAudioFile(let file):
      try file.validate()
      try require(try audioFile(file.id) == nil, .identifier, "an id that is in use", of: file.subject)
      try require(try audioFile(withHash: file.location.sha256) == nil, .mediaIsOnce, "a second row", of: file.subject)
      try insert(file)
    case .setAudioFile(let file):
      _ = try audioFile(file.id).found(file.id)
      try file.validate()
      if let other = try audioFile(withHash: file.location.sha256), other != file.id {
        throw RuleViolation(.mediaIsOnce, value: "a second row", subject: file.subject)
      }
      for region in try regions(over: file.id) {
        try region.validate(on: track(region.track).found(region.track), over: file)
      }
      try update(file)
    case .removeAudioFile(let id):
      let file = try audioFile(id).found(id)
      try require(try regions(over: id).isEmpty, .mediumIsUnused, "removing what regions play", of: file.subject)
      try delete(id)
    default: break
    }
  }

  mutating func applyToSoundFonts(_ edit: Edit) throws {
    switch edit {
    case .addSoundFont(let font):
      try font.validate()
      try require(try soundFont(font.id) == nil, .identifier, "an id that is in use", of: font.subject)
      try require(try soundFont(withHash: font.location.sha256) == nil, .mediaIsOnce, "a second row", of: font.subject)
      try insert(font)
    case .setSoundFont(let font):
      _ = try soundFont(font.id).found(font.id)
      try font.validate()
      if let other = try soundFont(withHash: font.location.sha256), other != font.id {
        throw RuleViolation(.mediaIsOnce, value: "a second row", subject: font.subject)
      }
      try update(font)
    case .removeSoundFont(let id):
      let font = try soundFont(id).found(id)
      try require(try !isUsed(id), .mediumIsUnused, "removing what tracks play with", of: font.subject)
      try delete(id)
    default: break
    }
  }
}
