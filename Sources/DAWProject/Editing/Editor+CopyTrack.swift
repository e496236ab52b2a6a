import DAWModel
import DAWStore

extension Editor {
  /// Copies a track with its settings, its output, its sends, its effects, its instrument and its regions, to the place
  /// behind it and into the same groups. Comments stay with the original: they are about it.
  /// - Parameters:
  ///   - name: of the copy; `nil`: a free one, "Bass 2".
  ///   - includesRegions: whether regions are copied with their notes and events.
  public func copyTrack(
    _ reference: String, named name: String?, includesRegions: Bool
  ) throws -> (original: Track, copy: Track, regionCount: Int) {
    let original = try view.track(calledBy: reference)
    guard original.trackType != .master else {
      throw RuleViolation(.masterIsOne, value: "a copy of the master track", subject: original.subject)
    }
    var copy = original
    copy.id = try newID(of: Track.self)
    copy.name =
      try name.map { try Name($0) } ?? original.name.madeUnique { try view.track(named: $0) != nil }
    copy.orderKey = try orderKey(forPlace: try view.index(of: original) + 2, moving: nil)
    try apply(.add(copy))
    if var instrument = try view.instrument(of: original.id) {
      instrument.id = InstrumentID(of: copy.id)
      try apply(.add(instrument))
    }
    try copyConnections(of: original.id, to: copy.id)
    _ = try copyEffects(of: original.id, to: copy.id)
    let regions = includesRegions ? try view.regions(RegionFilter(track: original.id)) : []
    let copies = regions.map { region in
      var region = region
      region.track = copy.id
      return region
    }
    if !copies.isEmpty { _ = try add(copies: copies) }
    note("Copied track '\(original.name)' as '\(copy.name)'")
    return (original, copy, copies.count)
  }

  private func copyConnections(of original: TrackID, to copy: TrackID) throws {
    for var send in try view.rows(Send.self, where: "track", is: original) {
      (send.id, send.track) = (try newID(), copy)
      try apply(.add(send))
    }
    for member in try view.rows(GroupMember.self, where: "track", is: original) {
      try apply(.add(GroupMember(id: try newID(), of: member.group, track: copy)))
    }
  }
}
