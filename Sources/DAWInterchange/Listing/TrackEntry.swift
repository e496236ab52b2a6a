import DAWModel
import DAWProject
import DAWStore

/// A track in a listing: as in the project's JSON, with the number of its regions.
public struct TrackEntry {
  public var track: TrackDocument
  public var regionCount: Int
  /// The shortest unique ending of its id.
  public var shortID: String
}

extension TrackEntry: JSONWritableRecord {
  package static let members = JSONMembers<TrackEntry>(
    TrackDocument.members.within(\.track) + [JSONMember(written: "regionCount", \.regionCount)])
}

extension ProjectView {
  /// Tracks in their order, the master last.
  public func trackEntries(type: TrackType? = nil, isSoloed: Bool = false) throws -> [TrackEntry] {
    let all = try tracks()
    let shortIDs = ShortIDs(all.map(\.id))
    let counts = try regionCounts()
    let fonts = Dictionary(try soundFonts().map { ($0.id, $0.location.path) }) { first, _ in first }
    let instruments = Dictionary(uniqueKeysWithValues: try self.all(Instrument.self).map { ($0.track, $0) })
    let routing = try ProjectRouting(self, all)
    let effects = try ProjectEffects(self, all)
    return all.enumerated().filter { _, track in
      (type == nil || track.trackType == type) && (!isSoloed || track.isSolo)
    }.map { index, track in
      var document = TrackDocument(track, index: index, instruments[track.id]) { fonts[$0] }
      document.add(routing.of(track.id))
      document.effects = effects.of(track.id)
      return TrackEntry(
        track: document, regionCount: counts[track.id] ?? 0, shortID: shortIDs[track.id])
    }
  }

  public func entry(of track: Track) throws -> TrackEntry {
    var document = try TrackDocument(track, index: index(of: track), instrument(of: track.id)) {
      try soundFont($0)?.location.path
    }
    document.add(try routing(of: track))
    document.effects = try effectDocuments(of: track.id)
    return TrackEntry(
      track: document, regionCount: try regionCount(of: track.id), shortID: try shortID(of: track.id))
  }
}
