import DAWModel
import DAWStore

/// A track in a listing: as in the project's JSON, with the number of its regions.
public struct TrackEntry: Encodable, Sendable {
  public var track: TrackDocument
  public var regionCount: Int
  /// The shortest unique ending of its id.
  public var shortID: String

  private enum CodingKeys: String, CodingKey { case regionCount }

  public func encode(to encoder: any Encoder) throws {
    try track.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(regionCount, forKey: .regionCount)
  }
}

extension ProjectView {
  /// Tracks in their order, the master last.
  public func trackEntries(type: TrackType? = nil, isSoloed: Bool = false) throws -> [TrackEntry] {
    let all = try tracks()
    let shortIDs = ShortIDs(all.map(\.id))
    return try all.enumerated().filter { _, track in
      (type == nil || track.trackType == type) && (!isSoloed || track.isSolo)
    }.map { index, track in try entry(track, index: index, shortID: shortIDs[track.id]) }
  }

  public func entry(of track: Track) throws -> TrackEntry {
    let index = try tracks().firstIndex { $0.id == track.id } ?? 0
    return try entry(track, index: index, shortID: try shortID(of: track.id))
  }

  private func entry(_ track: Track, index: Int, shortID: String) throws -> TrackEntry {
    let soundFont = try track.instrument?.soundFont.flatMap { try self.soundFont($0)?.location.path }
    return TrackEntry(
      track: TrackDocument(track, index: index, soundFont: soundFont, regions: nil),
      regionCount: try regions(RegionFilter(track: track.id)).count, shortID: shortID)
  }
}
