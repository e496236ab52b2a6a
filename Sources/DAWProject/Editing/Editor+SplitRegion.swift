import DAWErrors
import DAWModel
import DAWStore
import DAWTime

extension Editor {
  /// Splits a region at a position on the timeline. Notes that cross it are split as well; audio stays in place to the
  /// frame.
  /// - Throws: `Failure` if the position is not inside the region.
  public func splitRegion(_ reference: String, at place: TimelinePosition) throws -> (left: Region, right: Region) {
    let region = try view.region(calledBy: reference)
    let parts = try split(region, at: place)
    note("Split region '\(region.name)'")
    return parts
  }

  /// The same without a line in the summary.
  func split(_ region: Region, at place: TimelinePosition) throws -> (left: Region, right: Region) {
    let map = try tempoMap()
    var left = region
    var right = region
    right.id = try newID(of: Region.self)
    right.name = try freeName(region.name, on: region.track)
    switch region.content {
    case .audio(let span):
      // The right part's start must match the left part's to the flick, so the cut is rounded to the time base of the
      // region.
      right.start =
        switch region.start.timeBase {
        case .absolute: .absolute(map.flicks(at: place))
        case .musical: .musical(map.ticks(at: place))
        }
      let cut = map.flicks(at: right.start) - region.startFlicks(in: map)
      guard cut > .zero, cut < span.duration else { throw outside(region) }
      left = region.part(.zero..<cut)
      set(&right, to: region.part(cut..<span.duration))
      try apply(.set(left))
      try apply(.add(right))
    case .midi(let length):
      let start = map.ticks(at: region.start)
      let cut = map.ticks(at: place) - start
      guard cut > .zero, cut < length else { throw outside(region) }
      left = region.part(.zero..<cut)
      set(&right, to: region.part(cut..<length))
      right.start = .musical(start + cut)
      try apply(.add(right))
      try splitNotes(of: region, into: right, at: cut)
      try splitEvents(of: region, into: right, at: cut)
      try apply(.set(left))
    }
    return (left, right)
  }

  /// Gives a new region what a part has, but its own id, name and start.
  private func set(_ region: inout Region, to part: Region) {
    let own = region
    region = part
    (region.id, region.name, region.start) = (own.id, own.name, own.start)
  }

  private func splitNotes(of region: Region, into right: Region, at cut: TickCount) throws {
    var moved: [MIDINote] = []
    var shortened: [MIDINote] = []
    var added: [MIDINote] = []
    for note in try view.notes(in: region.id) {
      if note.start >= cut {
        var note = note
        note.region = right.id
        note.start = note.start - cut
        moved.append(note)
      } else if note.end > cut {
        var rest = note
        rest.region = right.id
        rest.start = .zero
        rest.duration = note.end - cut
        added.append(rest)
        var note = note
        note.duration = cut - note.start
        shortened.append(note)
      }
    }
    if !moved.isEmpty { try apply(.set(moved)) }
    if !shortened.isEmpty { try apply(.set(shortened)) }
    guard !added.isEmpty else { return }
    let first = try newID(of: MIDINote.self)
    for index in added.indices { added[index].id = first.advanced(by: index) }
    try apply(.add(added))
  }

  /// Events at the cut go to the right part.
  private func splitEvents(of region: Region, into right: Region, at cut: TickCount) throws {
    let moved = try view.events(in: region.id).filter { $0.start >= cut }.map { event in
      var event = event
      event.region = right.id
      event.start = event.start - cut
      return event
    }
    if !moved.isEmpty { try apply(.set(moved)) }
  }

  private func outside(_ region: Region) -> Failure {
    Failure(
      .invalid, code: "splitOutsideRegion",
      "The place to split is not inside region '\(region.name)'. Nothing was changed.",
      hint: "Give a place after its start and before its end; 'daw list-regions' shows them.")
  }
}
