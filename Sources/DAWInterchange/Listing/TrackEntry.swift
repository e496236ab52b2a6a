import DAWModel
import DAWProject
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
    let counts = try regionCounts()
    let fonts = Dictionary(try soundFonts().map { ($0.id, $0.location.path) }) { first, _ in first }
    let instruments = Dictionary(uniqueKeysWithValues: try self.all(Instrument.self).map { ($0.track, $0) })
    return all.enumerated().filter { _, track in
      (type == nil || track.trackType == type) && (!isSoloed || track.isSolo)
    }.map { index, track in
      TrackEntry(
        track: TrackDocument(
          track, index: index,
          instrument: instruments[track.id].map {
            InstrumentDocument($0, soundFont: $0.soundFont.flatMap { fonts[$0] })
          },
          regions: nil),
        regionCount: counts[track.id] ?? 0, shortID: shortIDs[track.id])
    }
  }

  public func entry(of track: Track) throws -> TrackEntry {
    let instrument = try instrument(of: track.id).map {
      InstrumentDocument($0, soundFont: try $0.soundFont.flatMap { try soundFont($0)?.location.path })
    }
    return TrackEntry(
      track: TrackDocument(track, index: try index(of: track), instrument: instrument, regions: nil),
      regionCount: try regionCount(of: track.id), shortID: try shortID(of: track.id))
  }
}
