import DAWErrors
import DAWModel
import DAWStore
import DAWTime

extension ProjectView {
  /// The marker that a name or an id means; an `@` before it does not matter.
  /// - Throws: `Failure` with what comes near, or with the candidates.
  public func marker(calledBy reference: String) throws -> Marker {
    let text = reference.hasPrefix("@") ? String(reference.dropFirst()) : reference
    let id = IDReference(text)
    var found = id?.forced == nil ? try markers(named: text) : []
    if found.isEmpty, let digits = id?.digits { found = try markers(withID: digits) }
    guard let marker = found.first else { throw try markerNotFound(text) }
    if found.count > 1 { throw try ambiguousMarker(text, found, in: tempoMap()) }
    return marker
  }

  /// Markers whose id is, or ends in, these digits. In order of id.
  func markers(withID digits: String) throws -> [Marker] {
    let wanted = digits.lowercased().filter { $0 != "-" }
    return try markers().filter { ShortIDs.digits($0.id).hasSuffix(wanted) }.sorted { $0.id < $1.id }
  }

  private func markerNotFound(_ name: String) throws -> Failure {
    DAWProject.markerNotFound(name, among: try markers().map(\.name.text))
  }

  /// The change of tempo whose id is, or ends in, these digits.
  /// - Throws: `Failure` where there is none, or more than one.
  public func tempoMark(withID digits: String) throws -> TempoMark {
    try one(tempoMarks(), withID: digits, "change of tempo", listedBy: "list-tempos")
  }

  /// The same of a change of meter.
  public func meterMark(withID digits: String) throws -> MeterMark {
    try one(meterMarks(), withID: digits, "change of time signature", listedBy: "list-meters")
  }

  /// The same of a key signature.
  public func keyMark(withID digits: String) throws -> KeyMark {
    try one(keyMarks(), withID: digits, "key signature", listedBy: "list-keys")
  }

  private func one<Mark: Identifiable, Kind>(
    _ marks: [Mark], withID digits: String, _ noun: String, listedBy command: String
  ) throws -> Mark where Mark.ID == Identifier<Kind> {
    let wanted = digits.lowercased().filter { $0 != "-" }
    let found = marks.filter { ShortIDs.digits($0.id).hasSuffix(wanted) }
    guard let mark = found.first, found.count == 1 else {
      throw Failure(
        found.isEmpty ? .noInput : .invalid, code: found.isEmpty ? "notFound" : "ambiguous",
        "\(found.isEmpty ? "No" : "More than one") \(noun) has an id that ends in '\(digits)'. Nothing was changed.",
        hint: "'daw \(command)' shows them.")
    }
    return mark
  }

  /// The change of tempo at a place; `nil` is the project's own, at the start.
  /// - Throws: `Failure` where there is none.
  public func tempoMark(at position: TickPosition) throws -> TempoMark? {
    guard position > .zero else { return nil }
    guard let mark = try tempoMarks().first(where: { $0.position == position }) else {
      throw Failure(
        .noInput, code: "tempoNotFound",
        "The tempo does not change at \(try tempoMap().barBeatTick(at: position)). Nothing was changed.",
        hint: "'daw list-tempos' shows where it does.")
    }
    return mark
  }

  /// The change of meter at a bar; `nil` is the project's own, at bar 1.
  /// - Throws: `Failure` where there is none.
  public func meterMark(atBar bar: Int64) throws -> MeterMark? {
    guard bar > 1 else { return nil }
    guard let mark = try meterMarks().first(where: { $0.bar == bar }) else {
      throw Failure(
        .noInput, code: "meterNotFound", "The time signature does not change at bar \(bar). Nothing was changed.",
        hint: "'daw list-meters' shows where it does.")
    }
    return mark
  }

  /// The key signature at a place.
  /// - Throws: `Failure` where there is none.
  public func keyMark(at position: TickPosition) throws -> KeyMark {
    guard let mark = try keyMarks().first(where: { $0.position == position }) else {
      throw Failure(
        .noInput, code: "keyNotFound",
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
