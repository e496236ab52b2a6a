import DAWModel
import DAWProject
import DAWStore
import DAWTime

/// A region in a listing: as in the project's JSON, with the track that it lies on.
public struct RegionEntry {
  public var region: RegionDocument
  public var track: String
  public var trackID: TrackID
  /// The shortest unique ending of its id.
  public var shortID: String
  /// Its start as bar, beat and tick.
  public var start: BarBeatTick
}

extension RegionEntry: JSONWritableRecord {
  package static let members = JSONMembers<RegionEntry>(
    RegionDocument.members.within(\.region) + [
      JSONMember(written: "track", \.track), JSONMember(written: "trackID", \.trackID),
    ])
}

extension ProjectView {
  /// Regions in order of start.
  public func regionEntries(_ choice: RegionChoice = RegionChoice()) throws -> [RegionEntry] {
    let found = try regions(matching: choice)
    guard !found.isEmpty else { return [] }
    let shortIDs = ShortIDs(try regions().map(\.id))
    return try found.map { try entry($0, shortID: shortIDs[$0.id]) }
  }

  /// Regions in the given order.
  public func entries(of regions: [Region]) throws -> [RegionEntry] { try regions.map(entry(of:)) }

  public func entry(of region: Region) throws -> RegionEntry { try entry(region, shortID: try shortID(of: region.id)) }

  private func entry(_ region: Region, shortID: String) throws -> RegionEntry {
    let map = try tempoMap()
    let file = try region.audio.flatMap { try audioFile($0.file)?.location.path }
    return RegionEntry(
      region: try RegionDocument(region, in: map, audioFile: file, self, .counts),
      track: try track(region.track)?.name.text ?? "", trackID: region.track, shortID: shortID,
      start: map.barBeatTick(at: map.ticks(at: region.start)))
  }
}
