import DAWModel
import DAWStore

extension Editor {
  /// Copies a track with its settings, its lanes, its output, its sends, its effects, its instrument, its takes and its
  /// regions, to the place behind it and into the same groups. Comments stay with the original: they are about it.
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
      try name.map { try Name(ofItem: $0) } ?? original.name.madeUnique { try view.track(named: $0) != nil }
    copy.orderKey = try orderKey(forPlace: try view.index(of: original) + 2, moving: nil)
    try apply(.add(copy))
    if var instrument = try view.instrument(of: original.id) {
      instrument.id = InstrumentID(of: copy.id)
      try apply(.add(instrument))
    }
    try copyLanes(of: .track(original.id), to: .track(copy.id))
    try copyConnections(of: original.id, to: copy.id)
    for (old, new) in try copyEffects(of: original.id, to: copy.id).sorted(by: { $0.key < $1.key }) {
      try copyLanes(of: .effect(old), to: .effect(new))
    }
    let regions = includesRegions ? try view.regions(RegionFilter(track: original.id)) : []
    let takes = try includesRegions ? copyTakes(of: original.id, to: copy.id) : [:]
    let copies = regions.map { region in
      var region = region
      (region.track, region.take) = (copy.id, region.take.flatMap { takes[$0] })
      return region
    }
    if !copies.isEmpty { _ = try add(copies: copies) }
    note("Copied track '\(original.name)' as '\(copy.name)'")
    return (original, copy, copies.count)
  }

  /// - Returns: the copies, by the takes that they were copied from.
  private func copyTakes(of original: TrackID, to copy: TrackID) throws -> [TakeID: TakeID] {
    var copies: [TakeID: TakeID] = [:]
    for var take in try view.rows(Take.self, where: "track", is: original) {
      let old = take.id
      (take.id, take.track) = (try newID(), copy)
      try apply(.add(take))
      copies[old] = take.id
    }
    return copies
  }

  private func copyConnections(of original: TrackID, to copy: TrackID) throws {
    for var send in try view.rows(Send.self, where: "track", is: original) {
      let old = send.id
      (send.id, send.track) = (try newID(), copy)
      try apply(.add(send))
      try copyLanes(of: .send(old), to: .send(send.id))
    }
    for member in try view.rows(GroupMember.self, where: "track", is: original) {
      try apply(.add(GroupMember(id: try newID(), of: member.group, track: copy)))
    }
  }

  /// Copies the lanes of a track, a send, a group or an effect with their points.
  func copyLanes(of original: Lane.Owner, to copy: Lane.Owner) throws {
    for var lane in try view.lanes(of: original) {
      let points = try view.points(of: lane.id)
      lane.id = try newID()
      lane.owner = copy
      try apply(.add(lane))
      let first = try newID(of: LanePoint.self)
      let copies = points.enumerated().map { index, point in
        LanePoint(
          id: first.advanced(by: index), lane: lane.id, position: point.position, value: point.value,
          shape: point.shape)
      }
      if !copies.isEmpty { try apply(.add(copies)) }
    }
  }
}
