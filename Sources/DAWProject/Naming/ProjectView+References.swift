import DAWErrors
import DAWModel
import DAWStore
import DAWTime

/// Resolution of references: by name, or by an id or the end of one.
extension ProjectView {
  /// The track with a name or an id. Case does not matter; a name takes precedence over the end of an id; `id:…` forces
  /// an id.
  /// - Throws: `Failure` with similar names, or with the candidates.
  public func track(calledBy reference: String) throws -> Track {
    let id = try IDReference(reference, isName: track(named: reference) != nil)
    if let digits = id?.forced { return try one(tracks(withID: digits), "track", reference) }
    if let track = try track(named: reference) { return track }
    if let digits = id?.digits {
      let found = try tracks(withID: digits)
      if !found.isEmpty { return try one(found, "track", reference) }
    }
    throw referenceNotFound("track", reference, among: try tracks().map(\.name.text))
  }

  /// The region with `TRACK/NAME`, a name that only one region has, or an id.
  /// - Throws: `Failure` with similar names, or with the candidates.
  public func region(calledBy reference: String) throws -> Region {
    try remembering(reference) { try findRegion(calledBy: reference) }
  }

  /// The note with an id, or with the end of one.
  /// - Throws: `Failure`.
  public func note(calledBy reference: String) throws -> MIDINote {
    let text = reference.hasPrefix("id:") ? String(reference.dropFirst(3)) : reference
    if let id = NoteID(uuidString: text), let note = try note(id) { return note }
    let found = try IDReference(reference).map { try notes(withIDEnding: $0.digits) } ?? []
    guard found.count <= 1 else { throw ambiguousReference("note", reference, found.map { "id \($0.id)" }) }
    guard let note = found.first else {
      throw Failure(
        .noInput, code: "noteNotFound", "There is no note '\(reference)'. Nothing was changed.",
        hint: "A note is named by its id, or its last 6 or more digits; 'daw list-notes' shows them.")
    }
    return note
  }

  private func tracks(withID digits: String) throws -> [Track] {
    if let id = TrackID(uuidString: digits) { return try track(id).map { [$0] } ?? [] }
    return try tracks(withIDEnding: digits)
  }

  package func regions(withID digits: String) throws -> [Region] {
    if let id = RegionID(uuidString: digits) { return try region(id).map { [$0] } ?? [] }
    return try regions(withIDEnding: digits)
  }

  private func one(_ tracks: [Track], _ noun: String, _ reference: String) throws -> Track {
    guard let track = tracks.first else { throw referenceNotFound(noun, reference, among: []) }
    guard tracks.count == 1 else {
      throw ambiguousReference(noun, reference, tracks.map { "'\($0.name)' (id \($0.id))" })
    }
    return track
  }
}

extension ProjectView {
  /// The event with an id, or with the end of one.
  /// - Throws: `Failure`.
  public func event(calledBy reference: String) throws -> RegionEvent {
    let text = reference.hasPrefix("id:") ? String(reference.dropFirst(3)) : reference
    if let id = EventID(uuidString: text), let event = try event(id) { return event }
    let found = try IDReference(reference).map { try events(withIDEnding: $0.digits) } ?? []
    guard found.count <= 1 else { throw ambiguousReference("event", reference, found.map { "id \($0.id)" }) }
    guard let event = found.first else {
      throw Failure(
        .noInput, code: "eventNotFound", "There is no event '\(reference)'. Nothing was changed.",
        hint: "An event is named by its id, or its last 6 or more digits; 'daw list-events' shows them.")
    }
    return event
  }
}

extension Array<String> {
  /// These references with whole ids in the place of the ends of ids that only one id has. To find one end, all rows are
  /// read: thousands of ends are looked for together.
  /// - Parameter isName: whether a reference is a name, which goes before the end of an id.
  package func completed<Kind>(
    among all: () throws -> [Identifier<Kind>], unless isName: (String) throws -> Bool = { _ in false }
  ) throws -> [String] {
    func isWhole(_ reference: String) -> Bool {
      Identifier<Kind>(uuidString: reference.hasPrefix("id:") ? String(reference.dropFirst(3)) : reference) != nil
    }
    guard count > 1, !allSatisfy(isWhole) else { return self }
    let endings = IDEndings(try all())
    return try map { reference in
      guard !isWhole(reference), try !isName(reference), let digits = try IDReference(reference)?.digits else {
        return reference
      }
      let found = endings.matching(digits)
      return found.count == 1 ? found[0].uuidString : reference
    }
  }
}

/// An id, or the end of one, as typed by the user.
public struct IDReference {
  /// At least 6 hexadecimal digits, and hyphens if they were typed.
  public var digits: String
  /// The digits, if `id:` says that they are not a name.
  var forced: String?

  /// `nil` if it cannot be an id: fewer than 6 digits, or other characters.
  /// - Throws: `Failure` for `id:` with fewer than 6 digits, which names nothing: a script's variable may be empty.
  public init?(_ text: String) throws(Failure) {
    let isForced = text.hasPrefix("id:")
    digits = isForced ? String(text.dropFirst(3)) : text
    guard digits.allSatisfy({ $0 == "-" || $0.isASCII && $0.isHexDigit }) else { return nil }
    let count = digits.count { $0 != "-" }
    guard count >= ShortIDs.minimumLength else {
      guard isForced else { return nil }
      throw Failure(
        .usage, code: "usage",
        "'\(text)' is no id: it has \(counted(count, "digit")). Nothing was changed.",
        hint: "An id is typed whole, or as its last \(ShortIDs.minimumLength) or more hexadecimal digits.")
    }
    forced = isForced ? digits : nil
  }

  /// The same for what has a name as well: `id:` with fewer than 6 digits is one, where something has just that name.
  /// - Parameter isName: whether something has; asked of such a text alone.
  init?(_ text: String, isName: @autoclosure () throws -> Bool) throws {
    do {
      guard let reference = try IDReference(text) else { return nil }
      self = reference
    } catch {
      if try isName() { return nil }
      throw error
    }
  }
}
