import DAWModel
import DAWStore
import DAWTime

extension Editor {
  /// Moves a region's edges; its contents keep their position on the timeline.
  /// - Parameters:
  ///   - start: the new start; `nil` keeps it.
  ///   - end: the new end; `nil` keeps it.
  ///   - cutsNotes: whether notes outside are removed or shortened, and events removed; otherwise that is refused.
  /// - Throws: `Failure` if nothing would be left of the region, or notes or events would lie outside.
  public func trimRegion(
    _ reference: String, from start: TimelinePosition?, to end: TimelinePosition?, cutsNotes: Bool
  ) throws -> Region {
    let region = try view.region(calledBy: reference)
    let trimmed = try trim(region, from: start, to: end, cutsNotes: cutsNotes)
    note("Trimmed region '\(region.name)'")
    return trimmed
  }

  /// The same without a line in the summary.
  func trim(
    _ region: Region, from start: TimelinePosition?, to end: TimelinePosition?, cutsNotes: Bool
  ) throws -> Region {
    let map = try tempoMap()
    return switch region.content {
    case .audio(let span): try trim(region, span, from: start, to: end, in: map)
    case .midi(let length): try trim(region, length, from: start, to: end, cutsNotes, in: map)
    }
  }

  /// Audio stays in place to the flick: frame 0 of the file keeps its position on the timeline.
  private func trim(
    _ region: Region, _ span: AudioSpan, from start: TimelinePosition?, to end: TimelinePosition?, in map: TempoMap
  ) throws -> Region {
    var (trimmed, span) = (region, span)
    if let start {
      trimmed.start =
        region.start.timeBase == .musical ? .musical(map.ticks(at: start)) : .absolute(map.flicks(at: start))
    }
    let shift = map.flicks(at: trimmed.start) - region.startFlicks(in: map)
    let last = end.map { map.flicks(at: $0) } ?? region.endFlicks(in: map)
    span.offset = span.offset + shift
    span.duration = last - map.flicks(at: trimmed.start)
    try requireLength(span.duration > .zero, of: region)
    trimmed.content = .audio(span)
    try fadeCutEdges(of: &trimmed, replacing: region)
    trimmed = try fadeExposedEdges(from: [region], to: [trimmed], in: map)[0]
    if trimmed != region { try apply(.set(trimmed)) }
    return trimmed
  }

  private func trim(
    _ region: Region, _ length: TickCount, from start: TimelinePosition?, to end: TimelinePosition?,
    _ cutsNotes: Bool, in map: TempoMap
  ) throws -> Region {
    let old = map.ticks(at: region.start)
    let first = start.map { map.ticks(at: $0) } ?? old
    let last = end.map { map.ticks(at: $0) } ?? old + length
    try requireLength(first < last, of: region)
    let shift = first - old
    let newLength = last - first
    let notes = try view.notes(in: region.id).map { note in
      var note = note
      note.start = note.start - shift
      return note
    }
    let events = try view.events(in: region.id).map { event in
      var event = event
      event.start = event.start - shift
      return event
    }
    let outside = notes.filter { $0.start < .zero || $0.end > newLength }
    let gone = events.filter { $0.start < .zero || $0.start > newLength }
    if !cutsNotes { try requireNone(outside.count, gone.count, of: region) }
    let removed = outside.filter { $0.end <= .zero || $0.start >= newLength }.map(\.id)
    if !removed.isEmpty { try apply(.remove(removed)) }
    if !gone.isEmpty { try apply(.remove(gone.map(\.id))) }
    let (removedNotes, removedEvents) = (Set(removed), Set(gone.map(\.id)))
    let kept = notes.filter { !removedNotes.contains($0.id) }.map { note in
      var note = note
      let stop = min(note.end, newLength)
      note.start = max(note.start, .zero)
      note.duration = stop - note.start
      return note
    }
    let keptEvents = events.filter { !removedEvents.contains($0.id) }
    var trimmed = region
    trimmed.start = .musical(first)
    trimmed.content = .midi(newLength)
    // The region must contain its contents after each step: it grows before they move, and shrinks afterwards.
    var isSet = trimmed == region
    if shift < .zero {
      var grown = trimmed
      grown.content = .midi(max(last, old + length) - first)
      try apply(.set(grown))
      isSet = grown == trimmed
    }
    let changesNotes = shift != .zero || !outside.isEmpty
    if changesNotes, !kept.isEmpty { try apply(.set(kept)) }
    if shift != .zero, !keptEvents.isEmpty { try apply(.set(keptEvents)) }
    if !isSet { try apply(.set(trimmed)) }
    return trimmed
  }

  private func requireLength(_ isLeft: Bool, of region: Region) throws {
    guard isLeft else {
      throw RuleViolation(.regionDuration, value: "an end at or before its start", subject: region.subject)
    }
  }

  private func requireNone(_ notes: Int, _ events: Int, of region: Region) throws {
    if notes > 0 {
      throw RuleViolation(
        .regionCoversNotes, value: "edges that leave \(counted(notes, "note")) outside", subject: region.subject)
    }
    if events > 0 {
      throw RuleViolation(
        .regionCoversEvents, value: "edges that leave \(counted(events, "event")) outside", subject: region.subject)
    }
  }
}
