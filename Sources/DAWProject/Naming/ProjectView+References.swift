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
    if let digits = IDReference(reference)?.forced { return try one(tracks(withID: digits), "track", reference) }
    if let track = try track(named: reference) { return track }
    if let digits = IDReference(reference)?.digits {
      let found = try tracks(withID: digits)
      if !found.isEmpty { return try one(found, "track", reference) }
    }
    throw notFound("track", reference, among: try tracks().map(\.name.text))
  }

  /// The region with `TRACK/NAME`, a name that only one region has, or an id.
  /// - Throws: `Failure` with similar names, or with the candidates.
  public func region(calledBy reference: String) throws -> Region {
    try remembering(reference) { try findRegion(calledBy: reference) }
  }

  private func findRegion(calledBy reference: String) throws -> Region {
    if let digits = IDReference(reference)?.forced { return try one(regions(withID: digits), "region", reference) }
    var found = try regions(named: reference)
    for slash in reference.indices where reference[slash] == "/" {
      guard let track = try track(named: String(reference[..<slash])) else { continue }
      found += try regions(named: String(reference[reference.index(after: slash)...]), on: track.id)
    }
    if !found.isEmpty { return try one(found, "region", reference) }
    if let digits = IDReference(reference)?.digits {
      let found = try regions(withID: digits)
      if !found.isEmpty { return try one(found, "region", reference) }
    }
    throw notFound("region", reference, among: try regions().map(\.name.text))
  }

  /// The note with an id, or with the end of one.
  /// - Throws: `Failure`.
  public func note(calledBy reference: String) throws -> MIDINote {
    let text = reference.hasPrefix("id:") ? String(reference.dropFirst(3)) : reference
    if let id = NoteID(uuidString: text), let note = try note(id) { return note }
    let found = try IDReference(reference).map { try notes(withIDEnding: $0.digits) } ?? []
    guard found.count <= 1 else { throw ambiguous("note", reference, found.map { "id \($0.id)" }) }
    guard let note = found.first else {
      throw Failure(
        .noInput, code: "noteNotFound", "There is no note '\(reference)'. Nothing was changed.",
        hint: "A note is named by its id, or the end of one; 'daw list-notes' shows them.")
    }
    return note
  }

  private func tracks(withID digits: String) throws -> [Track] {
    if let id = TrackID(uuidString: digits) { return try track(id).map { [$0] } ?? [] }
    return try tracks(withIDEnding: digits)
  }

  private func regions(withID digits: String) throws -> [Region] {
    if let id = RegionID(uuidString: digits) { return try region(id).map { [$0] } ?? [] }
    return try regions(withIDEnding: digits)
  }

  private func one(_ tracks: [Track], _ noun: String, _ reference: String) throws -> Track {
    guard let track = tracks.first else { throw notFound(noun, reference, among: []) }
    guard tracks.count == 1 else {
      throw ambiguous(noun, reference, tracks.map { "'\($0.name)' (id \($0.id))" })
    }
    return track
  }

  private func one(_ regions: [Region], _ noun: String, _ reference: String) throws -> Region {
    let distinct = Dictionary(regions.map { ($0.id, $0) }) { first, _ in first }
    guard let region = distinct.values.first else { throw notFound(noun, reference, among: []) }
    guard distinct.count == 1 else {
      let map = try tempoMap()
      throw ambiguous(
        noun, reference,
        try distinct.values.sorted { $0.id < $1.id }.map { region in
          let track = try track(region.track)?.name.text ?? "?"
          return "'\(track)/\(region.name)' at \(region.startFlicks(in: map).seconds) s (id \(region.id))"
        })
    }
    return region
  }

  private func ambiguous(_ noun: String, _ reference: String, _ candidates: [String]) -> Failure {
    Failure(
      .invalid, code: "ambiguous", "'\(reference)' means more than one \(noun): \(candidates.joined(separator: "; ")).",
      hint: "Give more of the name, or the id. Nothing was changed.")
  }

  func notFound(_ noun: String, _ reference: String, among names: [String]) -> Failure {
    let near = nearest(to: reference, among: names)
    let hint =
      near.isEmpty
      ? "'daw list-\(noun)s' shows what is there." : "Did you mean \(near.map { "'\($0)'" }.joined(separator: " or "))?"
    return Failure(
      .noInput, code: "\(noun)NotFound", "There is no \(noun) '\(reference)'. Nothing was changed.", hint: hint)
  }
}

extension ProjectView {
  /// The event with an id, or with the end of one.
  /// - Throws: `Failure`.
  public func event(calledBy reference: String) throws -> RegionEvent {
    let text = reference.hasPrefix("id:") ? String(reference.dropFirst(3)) : reference
    if let id = EventID(uuidString: text), let event = try event(id) { return event }
    let found = try IDReference(reference).map { try events(withIDEnding: $0.digits) } ?? []
    guard found.count <= 1 else { throw ambiguous("event", reference, found.map { "id \($0.id)" }) }
    guard let event = found.first else {
      throw Failure(
        .noInput, code: "eventNotFound", "There is no event '\(reference)'. Nothing was changed.",
        hint: "An event is named by its id, or the end of one; 'daw list-events' shows them.")
    }
    return event
  }
}

/// An id, or the end of one, as typed by the user.
public struct IDReference {
  /// Hexadecimal digits, and hyphens if they were typed.
  public var digits: String
  /// The digits, if `id:` says that they are not a name.
  var forced: String?

  /// `nil` if it cannot be an id: fewer than 6 digits, or other characters.
  public init?(_ text: String) {
    let isForced = text.hasPrefix("id:")
    digits = isForced ? String(text.dropFirst(3)) : text
    let count = digits.count { $0 != "-" }
    guard digits.allSatisfy({ $0 == "-" || $0.isASCII && $0.isHexDigit }), isForced || count >= 6 else { return nil }
    forced = isForced ? digits : nil
  }
}
