import DAWErrors
import DAWModel
import DAWStore
import DAWTime

/// The outcome of an edit of selected regions.
public struct RegionEditReport: Sendable {
  public var chosenCount = 0
  /// The regions that were changed or made, as they are now, or removed, as they were.
  public var changed: [Region] = []
  /// The first few: before and after; one of the two is `nil` for new and removed regions.
  public var examples: [(before: Region?, after: Region?)] = []

  static let exampleCount = 5
}

extension Editor {
  /// Moves regions along the timeline; each keeps its time base.
  /// - Parameter shift: how far, for the start of the earliest.
  public func moveRegions(
    _ choice: RegionChoice, by shift: (TimelinePosition, TempoMap) throws -> RegionShift
  ) throws -> RegionEditReport {
    let chosen = try view.regions(chosenBy: choice)
    let map = try tempoMap()
    guard let first = chosen.first else { return RegionEditReport() }
    let shift = try shift(first.start, map)
    let moved = chosen.moved(by: shift, in: map)
    try requireStarts(of: moved, in: map)
    return try set(chosen, to: fadeExposedEdges(from: chosen, to: moved, in: map), "Moved")
  }

  public func setRegions(
    _ choice: RegionChoice, _ change: Change<Region>, _ fades: FadeChanges = FadeChanges()
  ) throws -> RegionEditReport {
    let chosen = try view.regions(chosenBy: choice)
    let map = try tempoMap()
    if change[\.gain] ?? .unity != .unity { try requireAudio(chosen, "gain", .gain) }
    if !fades.isEmpty { try requireAudio(chosen, "fades", .fade) }
    let changed = try chosen.map { region in
      var region = region
      try set(change, on: &region)
      try apply(fades, to: &region, in: map)
      return region
    }
    return try set(chosen, to: changed, "Changed")
  }

  /// - Throws: `Failure` with the number of the regions that hold notes.
  package func requireAudio(_ regions: [Region], _ setting: String, _ rule: Rule) throws {
    let notes = regions.count { $0.regionType == .midi }
    guard notes > 0, regions.count > 1 else { return }
    throw Failure(
      .invalid, code: rule.rawValue,
      "\(notes) of the \(regions.count) chosen regions hold\(notes == 1 ? "s" : "") notes, so "
        + "\(notes == 1 ? "it has" : "they have") no \(setting). Nothing was changed.",
      hint: "Choose audio regions with --type audio; MIDI has the tracks' volumes and the notes' velocities.")
  }

  /// Removes regions with their notes and events.
  public func removeRegions(_ choice: RegionChoice) throws -> RegionEditReport {
    let chosen = try view.regions(chosenBy: choice)
    _ = try fadeExposedEdges(from: chosen, to: [], in: tempoMap())
    try apply(.remove(chosen.map(\.id)))
    note("Removed \(counted(chosen.count, "region"))")
    return RegionEditReport(
      chosenCount: chosen.count, changed: chosen,
      examples: chosen.prefix(RegionEditReport.exampleCount).map { ($0, nil) })
  }

  /// Applies new values of regions.
  /// - Parameter verb: the first word of the journal's line.
  package func set(_ old: [Region], to new: [Region], _ verb: String) throws -> RegionEditReport {
    let pairs = zip(old, new).filter { $0 != $1 }
    let changed = pairs.map(\.1)
    if !changed.isEmpty { try apply(.set(changed)) }
    note("\(verb) \(counted(changed.count, "region"))")
    return RegionEditReport(
      chosenCount: old.count, changed: changed,
      examples: pairs.prefix(RegionEditReport.exampleCount).map { ($0.0, $0.1) })
  }

  /// - Throws: `Failure` with the number of the regions that would begin before the start of the timeline.
  func requireStarts(of regions: [Region], in map: TempoMap) throws {
    let early = regions.filter { $0.startFlicks(in: map) < .zero }
    guard let first = early.min(by: { $0.startFlicks(in: map) < $1.startFlicks(in: map) }) else { return }
    let track = (try view.track(first.track)?.name.text).map { "\($0)/" } ?? ""
    throw Failure(
      .invalid, code: Rule.regionStart.rawValue,
      "\(counted(early.count, "region")) would begin before the start of the timeline, "
        + "'\(track)\(first.name)' the earliest, by \(FlickPosition.zero - first.startFlicks(in: map)). Nothing was changed.",
      hint: "Move them less far, or choose fewer with --from.")
  }
}
