import DAWErrors
import DAWModel
import DAWStore

/// What making a take came to.
public struct NewlyMadeTake: Sendable {
  public var take: Take
  /// "Vox/Take 2"
  public var name: String
  /// Its regions.
  public var regions: [Region] = []
  /// The take of the regions that were in use and belonged to none.
  public var former: Take?
  public var formerName: String?
}

extension Editor {
  /// Makes a take that was not recorded.
  /// - Parameters:
  ///   - name: `nil`: a free one, after the track's.
  ///   - copies: whether it gets copies of the track's regions in use, and is used instead of them. Those that belong
  ///     to no take become a take of their own, so that they can be used again.
  public func newTake(on reference: String, named name: String?, copies: Bool) throws -> NewlyMadeTake {
    let track = try view.track(calledBy: reference)
    guard track.trackType == .audio || track.trackType == .midi else {
      throw Failure(
        .invalid, code: Rule.regionFitsTrack.rawValue,
        "A track of type \(track.trackType.rawValue) has no takes. Nothing was changed.",
        hint: "Takes are of audio and MIDI tracks.")
    }
    var names = FreeNames(taken: Set(try view.all(Take.self).map(\.name.key)))
    let chosen = try name.map { try Name(ofItem: $0) }
    if let chosen { names.insert(chosen) }
    let regions = copies ? try view.regions(RegionFilter(track: track.id)) : []
    let originals = regions.filter(\.isInUse)
    let others = regions.filter { $0.take != nil }
    var former: Take?
    if originals.contains(where: { $0.take == nil }) {
      let take = Take(id: try newID(), track: track.id, name: names.take(track.name))
      try apply(.add(take))
      former = take
    }
    let take = Take(id: try newID(), track: track.id, name: chosen ?? names.take(track.name))
    try apply(.add(take))
    var made = NewlyMadeTake(take: take, name: try self.name(of: take))
    (made.former, made.formerName) = (former, try former.map { try self.name(of: $0) })
    if !originals.isEmpty {
      let freeNames = try freeNames(originals.map(\.name), on: track.id)
      let copied = zip(originals, freeNames).map { original, name in
        var region = original
        (region.name, region.take) = (name, take.id)
        return region
      }
      made.regions = try add(copies: copied)
      let withoutTake = originals.filter { $0.take == nil }.map { original in
        var region = original
        (region.take, region.isInUse) = (former?.id, false)
        return region
      }
      if !withoutTake.isEmpty { try apply(.set(withoutTake)) }
      try useNone(of: others)
    }
    note("Made take '\(made.name)'")
    return made
  }
}
