import DAWTime

/// One side of what may be a seam.
private struct SeamSide {
  var place: EdgePlace
  var region: RegionID
  /// Where the region's sound ends, or begins.
  var limit: Int64
  /// Whether the neighbouring piece of its line, or an overlap with it, shows where the seam is.
  var isKnown: Bool
}

extension [TakeLine: [TakePiece]] {
  /// Finds the seams of takes that are copies of a comp. A copy holds only what was in use, with its crossfades: no
  /// neighbouring piece of its line shows where a span ends. Its seam is where the piece on the other side has it, if
  /// that is known, else in the middle of the overlap.
  mutating func findSeams(in map: TempoMap, isMusical: Bool) {
    let pairs = seamPairs()
    // First what is heard: there an edge is also crossfaded with the edge of another take.
    for (end, start) in pairs {
      guard let left = piece(end), let right = piece(start), left.region.isInUse, right.region.isInUse,
        left.region.isCrossfaded(into: right.region, in: map)
      else { continue }
      self[end.place.line]?[end.place.index].ends.isCrossfaded = true
      self[start.place.line]?[start.place.index].starts.isCrossfaded = true
      settle(end, start, isFound: false, in: map, isMusical: isMusical)
    }
    // Then edges of one take. Those whose own lines show the seam are crossfaded with other edges.
    for (end, start) in pairs
    where end.place.line.take == start.place.line.take && !end.isKnown && !start.isKnown {
      settle(end, start, isFound: true, in: map, isMusical: isMusical)
    }
  }

  /// Edges with fades as of a seam that overlap each other, in order.
  private func seamPairs() -> [(end: SeamSide, start: SeamSide)] {
    var (ends, starts): ([SeamSide], [SeamSide]) = ([], [])
    for (line, pieces) in self {
      for (index, piece) in pieces.enumerated() {
        for edge in RegionEdge.allCases where piece[edge].fade.isOfSeam {
          let beside = index + (edge == .start ? -1 : 1)
          // Two pieces with fades of seams that touch are those around a short piece of another line, in the middle of
          // which its two crossfades meet.
          let isBeside =
            pieces.indices.contains(beside) && pieces[beside].place(of: edge.opposite) == piece.place(of: edge)
            && !pieces[beside][edge.opposite].fade.isOfSeam
          let reach = piece[edge].reach
          let side = SeamSide(
            place: EdgePlace(line: line, index: index, edge: edge), region: piece.region.id,
            limit: piece.place(of: edge) + (edge == .start ? -reach : reach), isKnown: isBeside || reach > 0)
          if edge == .start { starts.append(side) } else { ends.append(side) }
        }
      }
    }
    ends.sort { ($0.limit, $0.region) < ($1.limit, $1.region) }
    starts.sort { ($0.limit, $0.region) < ($1.limit, $1.region) }
    var pairs: [(end: SeamSide, start: SeamSide)] = []
    var first = 0
    for end in ends {
      while first < starts.count, starts[first].limit < end.limit - 2 * Fade.edgeLength.flicks { first += 1 }
      for start in starts[first...].prefix(while: { $0.limit < end.limit })
      where start.place.line != end.place.line && !(start.isKnown && end.isKnown) {
        pairs.append((end, start))
      }
    }
    return pairs
  }

  private func piece(_ side: SeamSide) -> TakePiece? { self[side.place.line]?[side.place.index] }

  /// - Parameter isFound: whether the places of what is crossfaded are found already.
  private mutating func settle(
    _ end: SeamSide, _ start: SeamSide, isFound: Bool, in map: TempoMap, isMusical: Bool
  ) {
    guard let left = piece(end), let right = piece(start) else { return }
    let isLeftKnown = end.isKnown || left.ends.spare > 0 || isFound && left.ends.isCrossfaded
    let isRightKnown = start.isKnown || right.starts.spare > 0 || isFound && right.starts.isCrossfaded
    // In the middle of what both can have.
    let first = Swift.max(start.limit, left.span.lowerBound)
    let middle = first + (Swift.min(end.limit, right.span.upperBound) - first) / 2
    let place = isLeftKnown ? left.span.upperBound : isRightKnown ? right.span.lowerBound : middle
    guard left.span.lowerBound < place, place < right.span.upperBound, start.limit <= place, place <= end.limit
    else { return }
    // Where regions begin on a tick, an edge is up to a tick from the place that it means.
    var least: Int64 = 0
    if isMusical {
      let tick = map.ticks(at: FlickPosition(flicks: place))
      least = (map.flicks(at: tick + TickCount(ticks: 1)) - map.flicks(at: tick)).flicks
    }
    if !isLeftKnown, end.limit - place > least {
      var moved = left
      moved.span = left.span.lowerBound..<place
      (moved.ends.reach, moved.ends.spare) = (end.limit - place, end.limit - place)
      self[end.place.line]?[end.place.index] = moved
    }
    if !isRightKnown, place - start.limit > least {
      var moved = right
      moved.span = place..<right.span.upperBound
      (moved.starts.reach, moved.starts.spare) = (place - start.limit, place - start.limit)
      self[start.place.line]?[start.place.index] = moved
    }
  }

  /// Places of seams, and of the seams beside them, in chains: as long as one is less than two crossfades from the
  /// next, they bound each other's crossfades. Pieces that are not changed count too: a seam that no neighbouring piece
  /// shows may be found elsewhere than where it was made, and half of the piece ends there.
  /// - Parameter tolerance: how far edges that mean one place may lie apart.
  /// - Returns: in order.
  func places(withSeamsBeside places: [Int64], notFartherThan tolerance: Int64) -> [Int64] {
    let short = values.joined().filter { $0.region.isInUse && Int64($0.span.count) < 2 * Fade.edgeLength.flicks }
    let changed = short.filter(\.isChanged).flatMap { [$0.span.lowerBound, $0.span.upperBound] }
    var found = (places + changed).sorted()
    var open = short
    while true {
      let met = open.partition {
        found.hasOne(near: $0.span.lowerBound, tolerance) || found.hasOne(near: $0.span.upperBound, tolerance)
      }
      guard met < open.count else { return found }
      // Where a region goes on in the next one without a fade is no seam.
      let seams = open[met...].flatMap { piece in
        RegionEdge.allCases.filter { piece[$0].fade.isOfSeam }.map { piece.place(of: $0) }
      }
      found = (found + seams).sorted()
      open.removeSubrange(met...)
    }
  }
}

extension Fade {
  /// Whether it is as a comp makes it at a seam.
  fileprivate var isOfSeam: Bool {
    shape == .linear && cut == .zero && length > .zero && length <= Self.edgeLength
  }
}
