import DAWErrors
import DAWModel
import DAWStore
import DAWTime

/// Selects the regions of an edit. Criteria that are not set select all regions.
public struct RegionChoice: Sendable {
  /// Names or ids; any of these regions.
  public var regions: [String] = []
  /// Names or ids; regions of any of these tracks.
  public var tracks: [String] = []
  /// Regions with any of these names, in which `*` stands for any characters.
  public var names: [String] = []
  public var type: RegionType?
  /// Regions that start at or after this position.
  public var from: FlickPosition?
  /// Regions that start before this position.
  public var to: FlickPosition?
  /// Whether regions that merely sound at or after `from` are left out.
  public var isStarting = true

  public init() {}
}

extension ProjectView {
  /// The selected regions in order of start.
  /// - Throws: `Failure` if a name is unknown, or no region is selected.
  package func regions(chosenBy choice: RegionChoice) throws -> [Region] {
    let found = try regions(matching: choice)
    guard found.isEmpty else { return found }
    let all = try regions().map(\.name)
    for name in choice.names where !all.contains(where: NamePattern(name).matches) {
      throw referenceNotFound("region", name, among: all.map(\.text))
    }
    throw Failure(
      .noInput, code: "noMatchingRegions", "There are no such regions. Nothing was changed.",
      hint: "'daw list-regions --starts' takes the same options and shows what they choose.")
  }

  /// Likewise; there may be none.
  package func regions(matching choice: RegionChoice) throws -> [Region] {
    let chosen = try choice.regions.isEmpty ? regionsOfTracks(choice) : namedRegions(choice)
    guard !choice.names.isEmpty else { return chosen }
    let patterns = choice.names.map(NamePattern.init)
    return chosen.filter { region in patterns.contains { $0.matches(region.name) } }
  }

  private func regionsOfTracks(_ choice: RegionChoice) throws -> [Region] {
    func filter(_ track: TrackID?) -> RegionFilter {
      RegionFilter(track: track, type: choice.type, from: choice.from, to: choice.to, isStarting: choice.isStarting)
    }
    let tracks = try choice.tracks.map { try track(calledBy: $0).id }.uniqued
    return tracks.isEmpty ? try regions(filter(nil)) : try inOrder(tracks.flatMap { try regions(filter($0)) })
  }

  private func namedRegions(_ choice: RegionChoice) throws -> [Region] {
    let map = try tempoMap()
    let tracks = try Set(choice.tracks.map { try track(calledBy: $0).id })
    let named = try choice.regions.map(region(calledBy:)).uniqued.filter { region in
      let start = region.startFlicks(in: map)
      return (tracks.isEmpty || tracks.contains(region.track))
        && (choice.type ?? region.regionType) == region.regionType
        && choice.from.map { start >= $0 } ?? true && choice.to.map { start < $0 } ?? true
    }
    return try inOrder(named)
  }

  /// Regions in order of start, then of id, as `regions(_:)` returns them.
  func inOrder(_ regions: [Region]) throws -> [Region] {
    let map = try tempoMap()
    return regions.map { (region: $0, start: $0.startFlicks(in: map)) }
      .sorted { ($0.start, $0.region.id) < ($1.start, $1.region.id) }.map(\.region)
  }
}
