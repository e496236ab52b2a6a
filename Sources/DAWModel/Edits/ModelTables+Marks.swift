extension ModelTables {
  mutating func applyToMarks(_ edit: Edit) throws {
    switch edit {
    case .addMark(let mark):
      try mark.validate()
      try require(try self.mark(mark.id) == nil, .identifier, "an id that is in use", of: mark.subject)
      try requireFree(mark)
      try insert(mark)
    case .setMark(let mark):
      try requirePresent(mark.id)
      try mark.validate()
      try requireFree(mark)
      try update(mark)
    case .removeMark(let id):
      try requirePresent(id)
      try delete(id)
    default: break
    }
  }

  private func requirePresent(_ id: TimelineMark.ID) throws {
    guard try mark(id) != nil else { throw EditError.missing(noun: id.noun, id: id.uuidString) }
  }

  private func requireFree(_ mark: TimelineMark) throws {
    if let other = try rival(of: mark), other != mark.id {
      throw RuleViolation(.markIsOnce, value: "a second \(mark.id.noun) at one place", subject: mark.subject)
    }
  }
}
