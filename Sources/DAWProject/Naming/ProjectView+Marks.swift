import DAWErrors
import DAWModel
import DAWStore
import DAWTime

extension ProjectView {
  /// The marker with a name or an id; a leading `@` is ignored.
  /// - Throws: `Failure` with similar names, or with the candidates.
  public func marker(calledBy reference: String) throws -> Marker {
    let text = reference.hasPrefix("@") ? String(reference.dropFirst()) : reference
    let id = try IDReference(text, isName: !markers(named: text).isEmpty)
    var found = id?.forced == nil ? try markers(named: text) : []
    if found.isEmpty, let digits = id?.digits { found = try rows(Marker.self, withIDReference: digits) }
    guard let marker = found.first else { throw try markerNotFound(text) }
    if found.count > 1 { throw try ambiguousMarker(text, found, in: tempoMap()) }
    return marker
  }

  private func markerNotFound(_ name: String) throws -> Failure {
    DAWProject.markerNotFound(name, among: try markers().map(\.name.text))
  }

  /// The change of tempo with an id that is, or ends in, these digits.
  /// - Throws: `Failure` if there is none, or more than one.
  public func tempoChange(withID digits: String) throws -> TempoChange {
    try one(TempoChange.self, withID: digits, "change of tempo", listedBy: "list-tempos")
  }

  /// The change of meter, likewise.
  public func meterChange(withID digits: String) throws -> MeterChange {
    try one(MeterChange.self, withID: digits, "change of time signature", listedBy: "list-meters")
  }

  /// The key signature, likewise.
  public func keySignature(withID digits: String) throws -> KeySignature {
    try one(KeySignature.self, withID: digits, "key signature", listedBy: "list-keys")
  }

  /// The row that is named by its id, or by the end of one.
  /// - Parameter digits: with or without `id:`.
  /// - Throws: `Failure` if there is none, or more than one.
  func one<E: Entity>(
    _ entity: E.Type, withID digits: String, _ noun: String, listedBy command: String
  ) throws -> E {
    let found = try rows(entity, withIDReference: try IDReference(digits)?.digits ?? "")
    guard let row = found.first, found.count == 1 else {
      throw Failure(
        found.isEmpty ? .noInput : .invalid, code: found.isEmpty ? "idNotFound" : "ambiguous",
        found.isEmpty
          ? "There is no \(noun) '\(digits)'. Nothing was changed."
          : "More than one \(noun) has an id that ends in '\(digits)'. Nothing was changed.",
        hint: "It is named by its id, or its last \(ShortIDs.minimumLength) or more digits; "
          + "'daw \(command)' shows them.")
    }
    return row
  }

  /// The rows whose ids are, or end in, these digits, in order of id.
  func rows<E: Entity>(_ entity: E.Type, withIDReference digits: String) throws -> [E] {
    // Not looked for among all: thousands may be named.
    if let id = Identifier<E>(uuidString: digits) { return try row(id).map { [$0] } ?? [] }
    let end = digits.filter { $0 != "-" }.suffix(ShortIDs.minimumLength)
    let near = try rows(entity, withIDEnding: String(end))
    let ids = Set(ShortIDs.matching(near.map(\.id), digits))
    return near.filter { ids.contains($0.id) }
  }

  /// The change of tempo at a position; `nil` is the project's own, at the start.
  /// - Throws: `Failure` if there is none.
  public func tempoChange(at position: TickPosition) throws -> TempoChange? {
    guard position > .zero else { return nil }
    guard let mark = try rows(TempoChange.self, where: "startTime", is: position).first else {
      throw Failure(
        .noInput, code: "tempoNotFound",
        "The tempo does not change at \(try tempoMap().barBeatTick(at: position)). Nothing was changed.",
        hint: "'daw list-tempos' shows where it does.")
    }
    return mark
  }

  /// The change of meter at a bar; `nil` is the project's own, at bar 1.
  /// - Throws: `Failure` if there is none.
  public func meterChange(atBar bar: Int64) throws -> MeterChange? {
    guard bar > 1 else { return nil }
    guard let mark = try rows(MeterChange.self, where: "bar", is: bar).first else {
      throw Failure(
        .noInput, code: "meterNotFound", "The time signature does not change at bar \(bar). Nothing was changed.",
        hint: "'daw list-meters' shows where it does.")
    }
    return mark
  }

  /// The key signature at a position.
  /// - Throws: `Failure` if there is none.
  public func keySignature(at position: TickPosition) throws -> KeySignature {
    guard let mark = try rows(KeySignature.self, where: "startTime", is: position).first else {
      throw Failure(
        .noInput, code: "keySignatureNotFound",
        "There is no key signature at \(try tempoMap().barBeatTick(at: position)). Nothing was changed.",
        hint: "'daw list-keys' shows where they are.")
    }
    return mark
  }
}

func markerNotFound(_ name: String, among names: [String]) -> Failure {
  let near = nearest(to: name, among: names + ["start", "end"])
  return Failure(
    .noInput, code: "markerNotFound", "There is no marker '\(name)'. Nothing was changed.",
    hint: near.isEmpty
      ? "'daw list-markers' shows what is there; @start and @end always are."
      : "Did you mean \(near.map { "'@\($0)'" }.joined(separator: " or "))?")
}

func ambiguousMarker(_ name: String, _ markers: [Marker], in map: TempoMap) -> Failure {
  let candidates = markers.map { marker in
    "'\(marker.name)' at \(map.barBeatTick(at: map.ticks(at: marker.start))) (id \(marker.id))"
  }
  return Failure(
    .invalid, code: "ambiguous", "'\(name)' means more than one marker: \(candidates.joined(separator: "; ")).",
    hint: "Give the id: @id:\(ShortIDs.digits(markers[0].id).suffix(12)). Nothing was changed.")
}
