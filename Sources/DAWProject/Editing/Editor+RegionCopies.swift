import DAWErrors
import DAWModel
import DAWStore
import DAWTime

/// Where copies of selected regions go.
public enum RegionCopyPlace: Sendable {
  /// The earliest begins there, the others keep their distances; further copies follow end to end.
  case at(TimelinePosition)
  /// Each copy is this far from the one before.
  case by(RegionShift)
  /// Behind the last of the regions, end to end.
  case behind
}

extension Editor {
  /// Copies a region with its notes and events; each further copy begins where the previous one ends.
  /// - Parameter place: where the first copy begins; `nil`: where the region ends.
  public func copyRegion(_ reference: String, at place: TimelinePosition?, count: Int) throws -> [Region] {
    let map = try tempoMap()
    let region = try view.region(calledBy: reference)
    let rounds = place == nil ? 1..<count + 1 : 0..<count
    let copies = rounds.map { round in
      var copy = region
      copy.start = region.start(ofRound: round, from: place ?? region.start, in: map)
      return copy
    }
    for _ in copies { note("Copied region '\(region.name)'") }
    return try add(copiesNamed: faded(copies, of: region, in: map))
  }

  /// Copies a region end to end until a position, where the last copy is cut.
  /// - Throws: `Failure` if the region reaches the position already, or more than `maximumCopyCount` copies would.
  public func loopRegion(_ reference: String, until place: TimelinePosition) throws -> [Region] {
    let map = try tempoMap()
    let region = try view.region(calledBy: reference)
    let end = map.flicks(at: place)
    var copies: [Region] = []
    var (start, round) = (region.end(in: map), 1)
    let isReached = region.endFlicks(in: map) >= end
    while !isReached, map.flicks(at: start) < end {
      try requireCopyCount(copies.count + 1)
      var copy = region
      copy.start = start
      round += 1
      start = region.start(ofRound: round, from: region.start, in: map)
      // Sound that begins on a tick may be shorter than that.
      guard map.flicks(at: start) > map.flicks(at: copy.start) else {
        throw Failure(
          .invalid, code: Rule.regionDuration.rawValue,
          "\(region.subject) is shorter than a tick, so that its copies fill nothing. Nothing was changed.",
          hint: "'daw trim-region --to' makes it longer.")
      }
      switch copy.content {
      case .midi(let length):
        let room = map.ticks(at: place) - map.ticks(at: copy.start)
        // The position may lie within the tick.
        guard room > .zero else { break }
        copy.content = .midi(min(length, room))
        copies.append(copy)
      case .audio(var span):
        span.duration = min(span.duration, end - map.flicks(at: copy.start))
        copy.content = .audio(span)
        copies.append(copy)
      }
    }
    // Also where less than a tick is left.
    guard var last = copies.popLast() else {
      throw Failure(
        .invalid, code: Rule.regionDuration.rawValue,
        "\(region.subject) ends at \(map.barBeatTick(at: map.ticks(at: region.end(in: map)))), "
          + "so there is nothing to fill until \(map.barBeatTick(at: map.ticks(at: place))). Nothing was changed.",
        hint: "Give a later position; 'daw trim-region --to' makes a region shorter.")
    }
    try fadeCutEdges(of: &last, replacing: region)
    copies.append(last)
    note("Looped region '\(region.name)'")
    return try add(copiesNamed: faded(copies, of: region, in: map))
  }

  /// Copies regions with their notes and events.
  /// - Returns: the report, and the copies in order of start within each round.
  public func copyRegions(
    _ choice: RegionChoice, count: Int, _ place: (TimelinePosition, TempoMap) throws -> RegionCopyPlace
  ) throws -> RegionEditReport {
    let chosen = try view.regions(chosenBy: choice)
    let map = try tempoMap()
    try requireCopyCount(chosen.count * count)
    guard let first = chosen.first, let behind = chosen.shiftToEnd(in: map) else { return RegionEditReport() }
    // Each round is measured from where the first begins: what is rounded to a tick does not add up.
    let base: [Region]
    let step: RegionShift
    let rounds: Range<Int>
    switch try place(first.start, map) {
    case .at(let position):
      base = chosen.moved(by: RegionShift(from: first.start, to: position, in: map), in: map)
      (step, rounds) = (behind, 0..<count)
    case .by(let distance): (base, step, rounds) = (chosen, distance, 1..<count + 1)
    case .behind: (base, step, rounds) = (chosen, behind, 1..<count + 1)
    }
    var copies: [Region] = []
    copies.reserveCapacity(chosen.count * count)
    for round in rounds { copies += base.moved(by: step * round, in: map) }
    try requireStarts(of: copies, in: map)
    copies = try fadeExposedEdges(
      from: Array(repeating: chosen, count: count).flatMap(\.self), to: copies, areCopies: true, in: map)
    let added = try add(copiesNamed: copies)
    note("Copied \(counted(chosen.count, "region"))\(count == 1 ? "" : " \(count) times")")
    return RegionEditReport(
      chosenCount: chosen.count, changed: added, examples: added.prefix(RegionEditReport.exampleCount).map { (nil, $0) }
    )
  }

  private func faded(_ copies: [Region], of region: Region, in map: TempoMap) throws -> [Region] {
    try fadeExposedEdges(from: copies.map { _ in region }, to: copies, areCopies: true, in: map)
  }

  /// The most copies that one edit makes.
  static let maximumCopyCount = 100_000

  func requireCopyCount(_ count: Int) throws {
    guard count > Self.maximumCopyCount else { return }
    throw Failure(
      .invalid, code: "tooManyRegions",
      "That would make more than \(Self.maximumCopyCount) regions at once. Nothing was changed.",
      hint: "Choose fewer regions, a smaller --count or an earlier position.")
  }

  /// Adds copies of regions under free names, each with the notes and events of the region whose id it still has, as
  /// far as they lie within its length.
  private func add(copiesNamed copies: [Region]) throws -> [Region] {
    var copies = copies
    for (track, indices) in Dictionary(grouping: copies.indices, by: { copies[$0].track }) {
      let names = try freeNames(indices.map { copies[$0].name }, on: track)
      for (index, name) in zip(indices, names) { copies[index].name = name }
    }
    return try add(copies: copies)
  }

  /// Adds copies of regions under the names that they have, likewise with notes and events.
  func add(copies: [Region]) throws -> [Region] {
    var added = copies
    let first = try newID(of: Region.self)
    for index in added.indices { added[index].id = first.advanced(by: index) }
    try apply(.add(added))
    let pairs = zip(copies, added).filter { $0.0.regionType == .midi }.map { (original: $0.id, copy: $1) }
    try addContents(to: pairs, from: view.notes(in:)) { note, id, copy in
      guard case .midi(let length) = copy.content, note.start < length else { return false }
      (note.id, note.region, note.duration) = (id, copy.id, min(note.duration, length - note.start))
      return true
    }
    try addContents(to: pairs, from: view.events(in:)) { event, id, copy in
      guard case .midi(let length) = copy.content, event.start <= length else { return false }
      (event.id, event.region) = (id, copy.id)
      return true
    }
    return added
  }

  /// Adds copies of notes or events.
  /// - Parameters:
  ///   - contents: of an original.
  ///   - put: assigns the id and the region of a row; `false` leaves it out.
  private func addContents<Content: RegionContent>(
    to pairs: [(original: RegionID, copy: Region)], from contents: (RegionID) throws -> [Content],
    _ put: (inout Content, Identifier<Content>, Region) -> Bool
  ) throws {
    var rows: [Content] = []
    var id: Identifier<Content>?
    var known: [RegionID: [Content]] = [:]
    for (original, copy) in pairs {
      let originals = try known[original] ?? contents(original)
      known[original] = originals
      for var row in originals {
        let next = try id ?? newID(of: Content.self)
        guard put(&row, next, copy) else { continue }
        id = next.advanced(by: 1)
        rows.append(row)
      }
      // Together, since beginning an edit takes as long as adding a few notes; but not millions of rows at once.
      guard rows.count >= 10_000 else { continue }
      try apply(.add(rows))
      rows = []
    }
    if !rows.isEmpty { try apply(.add(rows)) }
  }
}

extension Region {
  /// Where a copy of it begins, end to end with others, in its own time base. Each is rounded to a tick by itself: what
  /// is rounded does not add up.
  /// - Parameters:
  ///   - round: the number of copies before it from `first` on.
  ///   - first: where round 0 begins.
  fileprivate func start(
    ofRound round: Int, from first: TimelinePosition, in map: TempoMap
  ) -> TimelinePosition {
    let duration = endFlicks(in: map) - startFlicks(in: map)
    return switch (start, content) {
    case (.musical, .midi(let length)): .musical(map.ticks(at: first) + length * round)
    case (.musical, .audio): .musical(map.ticks(at: map.flicks(at: first) + duration * round))
    case (.absolute, _): .absolute(map.flicks(at: first) + duration * round)
    }
  }

  /// Where it ends, in its own time base.
  func end(in map: TempoMap) -> TimelinePosition {
    switch (start, content) {
    case (.musical(let ticks), .midi(let length)): .musical(ticks + length)
    case (.musical, .audio): .musical(map.ticks(at: endFlicks(in: map)))
    case (.absolute, _): .absolute(endFlicks(in: map))
    }
  }
}
