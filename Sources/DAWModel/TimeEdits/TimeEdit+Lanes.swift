import DAWTime

/// A point of a lane's new curve.
private struct LaidPoint {
  var point: LanePoint
  /// The point that it comes from, as it was; `nil` for one that keeps the curve where it was cut.
  var old: LanePoint?
  var isCopy = false
}

extension TimeEdit {
  /// Points go with their place; those in deleted time are removed. Where the curve is cut, points keep its values at
  /// the edges; in time that is put into it the value holds. A curved way that is cut becomes straight ones.
  mutating func layOutLanes() throws {
    for lane in rows(\.lanes) where isEdited(lane) {
      let points = try source.lanePoints(lane.id)
      if !points.isEmpty { try layOut(lane, points) }
    }
  }

  func isEdited(_ lane: Lane) -> Bool {
    guard let tracks else { return true }
    let track: TrackID? =
      switch lane.owner {
      case .track(let id): id
      case .send(let id): source.project.sends[id]?.track
      case .effect(let id): source.project.effects[id]?.track
      case .group, nil: nil
      }
    return track.map(tracks.contains) ?? false
  }

  private func interpolation(of lane: Lane) -> EffectParameter.Interpolation {
    let kind = lane.effect.flatMap { source.project.effects[$0]?.kind }
    return kind?.parameter(lane.parameter)?.interpolation ?? .plain
  }

  private mutating func layOut(_ lane: Lane, _ points: [LanePoint]) throws {
    let cuts = Set(
      layout.stretches.flatMap { stretch in
        let bounds = bounds(of: stretch, in: lane.timeBase)
        return [bounds.lowerBound, bounds.upperBound]
      })
    let curve = LaneCurve(points, lane.timeBase, in: before, interpolation(of: lane)).straightened(at: cuts)
    let laid = laidOut(curve, lane, Dictionary(uniqueKeysWithValues: points.map { ($0.id, $0) }))
    var kept: Set<LanePointID> = []
    var (changed, added): ([LanePoint], [LanePoint]) = ([], [])
    for entry in laid {
      var point = entry.point
      if let old = entry.old, !entry.isCopy, kept.insert(old.id).inserted {
        if point != old { changed.append(point) }
      } else {
        point.id = try newID()
        added.append(point)
      }
    }
    let removed = points.map(\.id).filter { !kept.contains($0) }
    if !removed.isEmpty { append(.remove(removed)) }
    if !changed.isEmpty { append(.set(changed)) }
    if !added.isEmpty { append(.add(added)) }
    let sum = removed.count + changed.count + added.count
    count { $0.points += sum }
  }

  /// - Parameter stored: the lane's points by id; `curve` may have others.
  private func laidOut(_ curve: LaneCurve, _ lane: Lane, _ stored: [LanePointID: LanePoint]) -> [LaidPoint] {
    var laid: [LaidPoint] = []
    // The last position of what is kept before a jump.
    let step = lane.timeBase == .musical ? 1 : FlickCount.perSecond / Int64(source.project.settings.sampleRate.hertz)
    /// The value that the stretch before has at its end.
    var arrived: Double?

    func add(_ position: Int64, _ value: Double, _ shape: LaneShape) {
      let point = LanePoint(
        id: LanePointID(rawValue: 0), lane: lane.id, position: position, value: value, shape: shape)
      if laid.last?.point.position != position { laid.append(LaidPoint(point: point)) }
    }

    for (index, stretch) in layout.stretches.enumerated() {
      let start = moved(
        TimelinePosition(bounds(of: stretch, in: lane.timeBase).lowerBound, in: lane.timeBase), with: stretch
      )
      .number
      guard stretch.content != .empty else {
        if let arrived { add(start, arrived, .hold) }
        continue
      }
      let old = bounds(of: stretch, in: lane.timeBase)
      let inside = curve.points.filter { old.contains($0.position) }
      let isCut = arrived != nil || stretch.old > .zero
      if isCut, inside.first?.position != old.lowerBound, let value = curve.value(at: old.lowerBound) {
        // Before it a jump, unless the curve goes on from there.
        leave(&laid, lane, from: arrived, to: value, at: start, step)
        let isMoving = curve.isMoving(before: old.lowerBound)
        let shape = curve.index(at: old.lowerBound).map { curve.points[$0].shape } ?? .hold
        add(start, value, isMoving ? shape : .hold)
      } else if let first = inside.first {
        leave(&laid, lane, from: arrived, to: first.value, at: start, step)
      }
      for point in inside {
        var new = point
        new.position = moved(lane.place(of: point), with: stretch).number
        if laid.last?.point.position == new.position { laid.removeLast() }
        laid.append(LaidPoint(point: new, old: stored[point.id], isCopy: stretch.content == .copied))
      }
      if index + 1 < layout.stretches.count { arrived = curve.value(before: old.upperBound) }
    }
    return withoutNeedlessPoints(laid)
  }

  /// Ends a way at the value that it has at a cut, where the curve goes on at another.
  private func leave(
    _ laid: inout [LaidPoint], _ lane: Lane, from arrived: Double?, to next: Double, at cut: Int64, _ step: Int64
  ) {
    guard let arrived, arrived != next else { return }
    let end = max(0, cut - step)
    // Without a point before it, the curve would begin with the value behind the cut.
    if let last = laid.last?.point, last.shape == .hold || last.position >= end { return }
    laid.append(
      LaidPoint(
        point: LanePoint(
          id: LanePointID(rawValue: 0), lane: lane.id, position: end, value: arrived, shape: .hold)))
  }

  /// Without the points that were put in where the curve rests anyway.
  private func withoutNeedlessPoints(_ laid: [LaidPoint]) -> [LaidPoint] {
    var result: [LaidPoint] = []
    for (index, entry) in laid.enumerated() {
      let next = index + 1 < laid.count ? laid[index + 1].point : nil
      let before = result.last?.point
      if entry.old == nil, entry.point.shape == .hold, before != nil || next != nil {
        let value = entry.point.value
        let comesFromSame = before.map { $0.value == value } ?? true
        let goesToSame = next.map { $0.value == value } ?? true
        if comesFromSame, goesToSame { continue }
        if let before, before.shape == .hold, before.value == value { continue }
      }
      result.append(entry)
    }
    return result
  }
}
