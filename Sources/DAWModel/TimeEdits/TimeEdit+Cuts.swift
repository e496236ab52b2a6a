import DAWTime

extension TimeEdit {
  /// A cut inside a fade or a crossfade, beside which the sound is not as it was before the edit.
  public struct Cut: Hashable, Sendable {
    /// Whose fade or crossfade it is, by their ids before the edit.
    public var regions: [RegionID]
    /// In the old timeline.
    public var position: TickPosition
  }

  /// What rows cannot say: a fade's edge that begins at a level of its own, and the rest of a crossfade, which the
  /// compiler makes of what overlaps.
  public struct Cuts: Equatable, Sendable {
    public var fades: [Cut] = []
    public var crossfades: [Cut] = []

    public init() {}
  }

  /// Finds the cuts through two regions that sound together on a crossfading track.
  mutating func findCutCrossfades() {
    let places = Set(layout.stretches.flatMap { [$0.old, $0.oldEnd ?? .zero] }).filter { $0 > .zero }.sorted()
    let heard = rows(\.regions).filter { $0.audio != nil && $0.isHeard && $0.gain > .silence }
    for track in rows(\.tracks) where track.overlap == .crossfade && tracks?.contains(track.id) ?? true {
      let regions = heard.filter { $0.track == track.id }
      for place in places {
        let crossed = regionsCrossed(at: place, of: regions)
        if crossed.count > 1 { cuts.crossfades.append(Cut(regions: crossed.sorted(), position: place)) }
      }
    }
  }

  /// The regions around a place. One that a split there has made two counts as one, by its first part.
  private func regionsCrossed(at place: TickPosition, of regions: [Region]) -> [RegionID] {
    let cut = before.flicks(at: place)
    var crossed: [RegionID] = []
    var (ending, beginning): ([Region], [Region]) = ([], [])
    for region in regions {
      let (start, end) = (region.startFlicks(in: before), region.endFlicks(in: before))
      if start < cut, cut < end { crossed.append(region.id) }
      if start == cut { beginning.append(region) }
      if end == cut { ending.append(region) }
    }
    let edges = ExposedEdges(from: [], to: beginning, in: before)
    return crossed + ending.filter { edges.goesOn($0, at: .end) }.map(\.id)
  }
}
