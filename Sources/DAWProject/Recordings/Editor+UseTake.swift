import DAWErrors
import DAWModel
import DAWStore
import DAWTime

/// What putting a take to use came to.
public struct UsedTake: Sendable {
  public var take: Take
  /// "Vox/Take 2"
  public var name: String
  /// The regions that were changed or are new, in order of start.
  public var regions: [Region] = []
  /// The regions that became parts of others.
  public var removed: [RegionID] = []
}

extension Editor {
  /// Puts a take to use, and what overlaps it of other takes of its track out of use.
  /// - Parameters:
  ///   - from: the beginning of the only part of the timeline to be changed; `nil`: from the start.
  ///   - to: its end; `nil`: to the end.
  /// - Throws: `Failure` if no region of the take lies there.
  public func useTake(_ reference: String, from: FlickPosition? = nil, to: FlickPosition? = nil) throws -> UsedTake {
    let first = from ?? .zero
    let range = from == nil && to == nil ? nil : first..<max(first, to ?? FlickPosition(flicks: .max))
    let used = try use(view.take(calledBy: reference), in: range)
    note("Used take '\(used.name)'")
    return used
  }

  /// - Parameter range: the only part of the timeline to be changed; `nil`: where the take lies.
  func use(_ take: Take, in range: Range<FlickPosition>?) throws -> UsedTake {
    let map = try tempoMap()
    let old = try view.regions(RegionFilter(track: take.track)).filter { $0.take != nil }
    guard let parts = try comp(of: old, in: map).using(take.id, in: range) else {
      throw try nothingToUse(take, hasRegions: old.contains { $0.take == take.id })
    }
    var used = UsedTake(take: take, name: try name(of: take))
    (used.regions, used.removed) = try apply(parts, to: old)
    return used
  }

  /// Puts regions of takes of one track out of use.
  func useNone(of regions: [Region]) throws {
    _ = try apply(comp(of: regions, in: tempoMap()).unused(), to: regions)
  }

  private func comp(of regions: [Region], in map: TempoMap) throws -> Comp {
    var lengths: [AudioFileID: FlickCount] = [:]
    for id in Set(regions.compactMap { $0.audio?.file }) { lengths[id] = try view.audioFile(id)?.duration }
    return Comp(regions, in: map, fileLengths: lengths)
  }

  private func nothingToUse(_ take: Take, hasRegions: Bool) throws -> Failure {
    hasRegions
      ? Failure(
        .invalid, code: "takeNotInRange", "No region of take '\(take.name)' lies in that range. Nothing was changed.",
        hint: "'daw list-regions' shows where the regions of a take lie.")
      : Failure(
        .invalid, code: "takeHasNoRegions", "Take '\(take.name)' has no regions to be used. Nothing was changed.",
        hint: "'daw set-region REGION --take TAKE' makes a region a part of a take.")
  }

  /// "Vox/Take 2"
  func name(of take: Take) throws -> String { "\(try view.row(take.track)?.name.text ?? "")/\(take.name)" }

  /// - Parameter old: the regions before, of one track.
  /// - Returns: those that were changed or are new, in order of start, and those that became parts of others.
  private func apply(_ parts: [CompPart], to old: [Region]) throws -> (regions: [Region], removed: [RegionID]) {
    var regions: [Region] = []
    let before = Dictionary(old.map { ($0.id, $0) }) { first, _ in first }
    var (changed, added): ([Region], [Region]) = ([], [])
    var contents = PartContents()
    var holders: [RegionID: RegionID] = [:]
    let firstID = try newID(of: Region.self)
    for part in parts {
      var region = part.region
      if part.isNew {
        region.id = firstID.advanced(by: added.count)
        added.append(region)
      } else {
        changed.append(region)
      }
      for source in part.sources where source.range.lowerBound == 0 { holders[source.region] = region.id }
      regions.append(region)
      if region.regionType == .midi { try contents.add(part, as: region.id, in: view) }
    }
    if let track = added.first?.track {
      for (index, name) in zip(added.indices, try freeNames(added.map(\.name), on: track)) { added[index].name = name }
    }
    let named = Dictionary(added.map { ($0.id, $0) }) { first, _ in first }
    regions = regions.map { named[$0.id] ?? $0 }
    // A region covers its contents after each step: it grows before they move, and shrinks afterwards.
    let grown = changed.map { region in
      guard case .midi(let length) = region.content, case .midi(let oldLength)? = before[region.id]?.content else {
        return region
      }
      var region = region
      region.content = .midi(max(length, oldLength))
      return region
    }
    if !grown.isEmpty { try apply(.set(grown)) }
    if !added.isEmpty { try apply(.add(added)) }
    try contents.apply(with: self)
    if grown != changed { try apply(.set(changed)) }
    let kept = Set(changed.map(\.id))
    let removed = Set(parts.flatMap { $0.sources.map(\.region) }).subtracting(kept).sorted()
    if !removed.isEmpty {
      try moveComments(holders.filter { !kept.contains($0.key) })
      try apply(.remove(removed))
    }
    return (regions, removed)
  }

  private func moveComments(_ holders: [RegionID: RegionID]) throws {
    let comments = try view.all(Comment.self).compactMap { comment -> Comment? in
      guard let holder = comment.region.flatMap({ holders[$0] }) else { return nil }
      var comment = comment
      comment.region = holder
      return comment
    }
    if !comments.isEmpty { try apply(.set(comments)) }
  }
}

/// The notes and events of MIDI regions that are divided and joined. A note or event keeps its id in the first part
/// that holds some of it.
private struct PartContents {
  private var changedNotes: [MIDINote] = []
  private var addedNotes: [MIDINote] = []
  private var changedEvents: [RegionEvent] = []
  private var known: [RegionID: (notes: [MIDINote], events: [RegionEvent], length: Int64)] = [:]
  private var kept: Set<NoteID> = []

  mutating func add(_ part: CompPart, as region: RegionID, in view: ProjectView) throws {
    var offset = TickCount.zero
    for source in part.sources {
      let old = try known[source.region] ?? contents(of: source.region, in: view)
      known[source.region] = old
      let range = TickCount(ticks: source.range.lowerBound)..<TickCount(ticks: source.range.upperBound)
      for note in old.notes {
        guard var moved = note.part(range) else { continue }
        (moved.region, moved.start) = (region, moved.start + offset)
        if !kept.insert(note.id).inserted {
          addedNotes.append(moved)
        } else if moved != note {
          changedNotes.append(moved)
        }
      }
      for event in old.events {
        guard var moved = event.part(range, isLast: source.range.upperBound == old.length) else { continue }
        (moved.region, moved.start) = (region, moved.start + offset)
        if moved != event { changedEvents.append(moved) }
      }
      offset = offset + (range.upperBound - range.lowerBound)
    }
  }

  private func contents(
    of region: RegionID, in view: ProjectView
  ) throws -> (notes: [MIDINote], events: [RegionEvent], length: Int64) {
    guard case .midi(let length)? = try view.region(region)?.content else { return ([], [], 0) }
    return (try view.notes(in: region), try view.events(in: region), length.ticks)
  }

  func apply(with editor: Editor) throws {
    var added = addedNotes
    if !changedNotes.isEmpty { try editor.apply(.set(changedNotes)) }
    if !added.isEmpty {
      let first = try editor.newID(of: MIDINote.self)
      for index in added.indices { added[index].id = first.advanced(by: index) }
      try editor.apply(.add(added))
    }
    if !changedEvents.isEmpty { try editor.apply(.set(changedEvents)) }
  }
}
