extension ModelTables {
  mutating func applyToNotes(_ edit: Edit) throws {
    switch edit {
    case .addNotes(let notes):
      try validate(notes)
      try requireDistinct(notes.map(\.id))
      for note in notes {
        try require(try self.note(note.id) == nil, .identifier, "an id that is in use", of: note.subject)
      }
      try insert(notes)
    case .setNotes(let notes):
      try requireDistinct(notes.map(\.id))
      for note in notes { _ = try self.note(note.id).found(note.id) }
      try validate(notes)
      try update(notes)
    case .removeNotes(let ids):
      try requireDistinct(ids)
      for id in ids { _ = try note(id).found(id) }
      try delete(ids)
    default: break
    }
  }

  private func validate(_ notes: [MIDINote]) throws {
    var region: Region?
    for note in notes {
      if note.region != region?.id { region = try self.region(note.region).found(note.region) }
      try note.validate()
      if let region { try note.validate(in: region) }
    }
  }

  private func requireDistinct(_ ids: [NoteID]) throws {
    guard ids.count > 1 else { return }
    try require(Set(ids).count == ids.count, .identifier, "an id that is given twice")
  }
}
