import DAWModel
import DAWStore
import DAWTime

/// Audio regions that go on with the same file where another ends: what a split leaves. Between two of them no fade is
/// needed as long as they stay together; `fadeCutEdges` is about one region alone.
struct Continuations {
  private let map: TempoMap
  private var regions: [RegionID: Region] = [:]
  private var next: [RegionID: RegionID] = [:]
  private var previous: [RegionID: RegionID] = [:]

  /// A place on a track where a file is played from an offset.
  private struct Joint: Hashable {
    var track: TrackID
    var place: FlickPosition
    /// Its length is of no account.
    var span: AudioSpan

    init?(startOf region: Region, in map: TempoMap) {
      guard var span = region.audio else { return nil }
      span.duration = .zero
      (track, place, self.span) = (region.track, region.startFlicks(in: map), span)
    }

    init?(endOf region: Region, in map: TempoMap) {
      guard var span = region.audio else { return nil }
      span.offset = span.offset + span.duration
      span.duration = .zero
      (track, place, self.span) = (region.track, region.endFlicks(in: map), span)
    }
  }

  init(_ regions: [Region], in map: TempoMap) {
    self.map = map
    var starts: [Joint: RegionID] = [:]
    for region in regions {
      self.regions[region.id] = region
      if let joint = Joint(startOf: region, in: map), starts[joint] == nil { starts[joint] = region.id }
    }
    for region in regions {
      guard let joint = Joint(endOf: region, in: map), let follower = starts[joint] else { continue }
      next[region.id] = follower
      previous[follower] = region.id
    }
  }

  /// Regions as an edit leaves them, with fades at the edges whose continuation it takes away.
  /// - Parameters:
  ///   - edited: the regions as they would be after it, in any order.
  ///   - removed: the regions that it removes.
  /// - Returns: the edited regions in their order, and neighbours of theirs that are faded.
  func faded(_ edited: [Region], removed: Set<RegionID> = []) -> (edited: [Region], neighbours: [Region]) {
    var after = Dictionary(uniqueKeysWithValues: edited.map { ($0.id, $0) })
    let touched = removed.union(after.keys)
    func state(_ id: RegionID) -> Region? { removed.contains(id) ? nil : after[id] ?? regions[id] }
    for id in touched.sorted() {
      for (first, second) in [next[id].map { (id, $0) }, previous[id].map { ($0, id) }].compactMap({ $0 }) {
        let (left, right) = (state(first), state(second))
        if let left, let right, isContinued(left, right) { continue }
        if var left { left.fadeOut = Self.exposed(left.fadeOut, of: left); after[first] = left }
        if var right { right.fadeIn = Self.exposed(right.fadeIn, of: right); after[second] = right }
      }
    }
    let neighbours = after.values.filter { !touched.contains($0.id) && $0 != regions[$0.id] }
    return (edited.map { after[$0.id] ?? $0 }, neighbours.sorted { $0.id < $1.id })
  }

  /// A region as it is apart from neighbours that are not of a group.
  func apart(_ region: Region, from group: Set<RegionID>) -> Region {
    var region = region
    if let next = next[region.id], !group.contains(next) { region.fadeOut = Self.exposed(region.fadeOut, of: region) }
    if let previous = previous[region.id], !group.contains(previous) {
      region.fadeIn = Self.exposed(region.fadeIn, of: region)
    }
    return region
  }

  /// Whether a region and the one after it, or before it, still go on in each other after an edit.
  func isKept(_ edge: Edge, of id: RegionID, in edited: [RegionID: Region]) -> Bool {
    guard let other = edge == .end ? next[id] : previous[id], let region = edited[id] ?? regions[id],
      let neighbour = edited[other] ?? regions[other]
    else { return false }
    return edge == .end ? isContinued(region, neighbour) : isContinued(neighbour, region)
  }

  private func isContinued(_ left: Region, _ right: Region) -> Bool {
    Joint(endOf: left, in: map) == Joint(startOf: right, in: map)
  }

  private static func exposed(_ fade: Fade, of region: Region) -> Fade {
    guard let span = region.audio, fade == .none || fade.cut > .zero else { return fade }
    let length = min(Editor.defaultFade, FlickCount(flicks: span.duration.flicks / 2))
    return Fade(length: max(min(fade.visibleLength, span.duration), length), shape: fade.shape)
  }
}

extension Editor {
  /// The continuations among regions and their neighbours.
  func continuations(of regions: [Region], in map: TempoMap) throws -> Continuations {
    let audio = Dictionary(grouping: regions.filter { $0.regionType == .audio }, by: \.track)
    let near = try audio.sorted { $0.key < $1.key }.flatMap { track, regions in
      try view.regions(
        RegionFilter(
          track: track, type: .audio,
          from: regions.map { $0.startFlicks(in: map) - FlickCount(flicks: 1) }.min(),
          to: regions.map { $0.endFlicks(in: map) + FlickCount(flicks: 1) }.max()))
    }
    return Continuations(near, in: map)
  }
}
