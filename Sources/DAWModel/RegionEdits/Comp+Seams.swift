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
  /// Finds the seams of takes that are copies of a comp. A copy holds only what was in use, with its crossfades, so that
  /// no neighbouring piece of its line shows where a span ends. Its seam is where the piece on the other side has it, if
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
      settle(end, start, in: map, isMusical: isMusical)
    }
    // Then edges of one take. Those whose own lines show the seam are crossfaded with other edges.
    for (end, start) in pairs
    where end.place.line.take == start.place.line.take && !end.isKnown && !start.isKnown {
      settle(end, start, in: map, isMusical: isMusical)
    }
  }

  /// Edges with fades as of a seam that overlap each other, in order.
  private func seamPairs() -> [(end: SeamSide, start: SeamSide)] {
    var (ends, starts): ([SeamSide], [SeamSide]) = ([], [])
    for (line, pieces) in self {
      for (index, piece) in pieces.enumerated() {
        for edge in RegionEdge.allCases where piece[edge].fade.isOfSeam {
          let beside = index + (edge == .start ? -1 : 1)
          let isBeside =
            pieces.indices.contains(beside) && pieces[beside].place(of: edge.opposite) == piece.place(of: edge)
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

  private mutating func settle(_ end: SeamSide, _ start: SeamSide, in map: TempoMap, isMusical: Bool) {
    guard let left = piece(end), let right = piece(start) else { return }
    let isLeftKnown = end.isKnown || left.ends.spare > 0
    let isRightKnown = start.isKnown || right.starts.spare > 0
    let middle = start.limit + (end.limit - start.limit) / 2
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

  /// The edges of what is in use, was changed and is so short that a crossfade at one of its edges bounds the other's.
  var edgesOfShortChanges: [Int64] {
    values.joined().filter {
      $0.region.isInUse && $0.isChanged && Int64($0.span.count) < 2 * Fade.edgeLength.flicks
    }.flatMap { [$0.span.lowerBound, $0.span.upperBound] }
  }
}

extension Fade {
  /// Whether it is as a comp makes it at a seam.
  fileprivate var isOfSeam: Bool {
    shape == .linear && cut == .zero && length > .zero && length <= Self.edgeLength
  }
}
