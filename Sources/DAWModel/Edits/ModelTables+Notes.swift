extension ModelTables {
  mutating func applyToNotes(_ edit: Edit) throws {
    switch edit {
    case .addNotes(let notes):
      try validate(notes)
      try requireDistinct(notes.map(\.id.rawValue))
      let present = try firstPresent(of: notes.map(\.id))
      try require(present == nil, .identifier, "an id that is in use", of: "note \(present?.uuidString ?? "")")
      try insert(notes)
    case .setNotes(let notes):
      try requireDistinct(notes.map(\.id.rawValue))
      try requirePresent(notes.map(\.id))
      try validate(notes)
      try update(notes)
    case .removeNotes(let ids):
      try requireDistinct(ids.map(\.rawValue))
      try requirePresent(ids)
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

  private func requirePresent(_ ids: [NoteID]) throws {
    if let absent = try firstAbsent(of: ids) { throw EditError.missing(noun: MIDINote.noun, id: absent.uuidString) }
  }

  /// - Parameter ids: as numbers, since identifiers of any kind are compared ten times slower.
  func requireDistinct(_ ids: [Int64]) throws {
    // A batch counts up, which is quickly seen.
    guard !zip(ids, ids.dropFirst()).allSatisfy(<) else { return }
    try require(Set(ids).count == ids.count, .identifier, "an id that is given twice")
  }
}
