import DAWTime

/// Edges at which audio regions go on with the same file, as a split leaves them, and which an edit takes apart: they
/// are faded, so that they do not click.
public struct ExposedEdges {
  private let before: Seams
  private let after: Seams
  private let map: TempoMap

  /// - Parameters:
  ///   - before: the regions around the edit, before it.
  ///   - after: the same after it.
  public init(from before: [Region], to after: [Region], in map: TempoMap) {
    self.before = Seams(before, in: map)
    self.after = Seams(after, in: map)
    self.map = map
  }

  /// Whether another region goes on at an edge after the edit.
  public func goesOn(_ region: Region, at edge: RegionEdge) -> Bool { after.continues(region, at: edge, in: map) }

  /// A region after the edit, with the edges that it exposes faded. An edge that has a fade of its own keeps it.
  /// - Parameter old: the region before the edit, or the one that it was copied from.
  public func faded(_ region: Region, from old: Region) -> Region {
    guard let span = region.audio else { return region }
    var faded = region
    for edge in RegionEdge.allCases where before.continues(old, at: edge, in: map) && !goesOn(region, at: edge) {
      faded[edge] = region[edge].exposed(in: span.duration)
    }
    return faded
  }
}

/// One of the two ends of a region.
public enum RegionEdge: CaseIterable, Sendable {
  case start, end
}

extension Region {
  /// The fade at an edge.
  public subscript(edge: RegionEdge) -> Fade {
    get { edge == .start ? fadeIn : fadeOut }
    set { if edge == .start { fadeIn = newValue } else { fadeOut = newValue } }
  }

  public func place(of edge: RegionEdge, in map: TempoMap) -> FlickPosition {
    edge == .start ? startFlicks(in: map) : endFlicks(in: map)
  }
}

/// What audio regions play at their edges.
private struct Seams {
  private struct Key: Hashable {
    var track: TrackID
    var file: AudioFileID
    var channels: ChannelSelection
    var isReversed: Bool
    var place: FlickPosition
    /// In the file.
    var offset: FlickCount
  }

  private var starts: Set<Key> = []
  private var ends: Set<Key> = []

  init(_ regions: [Region], in map: TempoMap) {
    for region in regions {
      if let key = Self.key(region, .start, map) { starts.insert(key) }
      if let key = Self.key(region, .end, map) { ends.insert(key) }
    }
  }

  /// Whether a region goes on, or leads to, where this one ends, or begins.
  func continues(_ region: Region, at edge: RegionEdge, in map: TempoMap) -> Bool {
    guard let key = Self.key(region, edge, map) else { return false }
    return edge == .start ? ends.contains(key) : starts.contains(key)
  }

  private static func key(_ region: Region, _ edge: RegionEdge, _ map: TempoMap) -> Key? {
    guard let span = region.audio, region.isInUse else { return nil }
    return Key(
      track: region.track, file: span.file, channels: span.channels, isReversed: span.isReversed,
      place: region.place(of: edge, in: map), offset: edge == .start ? span.offset : span.offset + span.duration)
  }
}
