import DAWTime

/// The takes of a track, and what of them is in use: a comp.
///
/// Each region of a take has a span on the timeline; spans of one take that go on in the same file do not overlap.
/// Where two takes follow each other, both sound a little beyond their spans and are crossfaded there: their *reach*.
/// It is not stored: a region's reach is what overlaps the next region of the same take, which is not in use.
public struct Comp {
  private var lines: [TakeLine: [TakePiece]] = [:]
  private let isMIDI: Bool
  /// Whether any audio region is bound to ticks.
  private let isMusical: Bool
  private let map: TempoMap
  private let fileLengths: [AudioFileID: FlickCount]

  /// - Parameters:
  ///   - regions: of one track. Those of no take are left out.
  ///   - fileLengths: of the files that audio regions play.
  public init(_ regions: [Region], in map: TempoMap, fileLengths: [AudioFileID: FlickCount]) {
    let regions = regions.filter { $0.take != nil }
    self.map = map
    self.fileLengths = fileLengths
    isMIDI = regions.first?.regionType == .midi
    isMusical = regions.contains { $0.audio != nil && $0.start.timeBase == .musical }
    for region in regions {
      guard let piece = TakePiece(region, in: map) else { continue }
      lines[piece.line, default: []].append(piece)
    }
    for line in lines.keys {
      lines[line]?.sort { ($0.span.lowerBound, $0.region.id) < ($1.span.lowerBound, $1.region.id) }
      if !isMIDI { lines[line]?.findReaches() }
    }
    if !isMIDI { lines.findSeams(in: map, isMusical: isMusical) }
  }

  /// Puts a take to use, and what overlaps it of other takes out of use.
  /// - Parameter range: the only part of the timeline to be changed: regions are divided at its edges. `nil`: the whole
  ///   take; other takes' regions that overlap it go out of use whole.
  /// - Returns: the regions that change, in order of start; `nil` if no region of the take lies there.
  public func using(_ take: TakeID, in range: Range<FlickPosition>?) -> [CompPart]? {
    var comp = self
    guard comp.use(take, in: range) else { return nil }
    return comp.changes
  }

  /// Puts all takes out of use.
  /// - Returns: the regions that change, in order of start.
  public func unused() -> [CompPart] {
    var comp = self
    for line in lines.keys {
      comp.lines[line] = lines[line]?.map { $0.region.isInUse ? $0.toggled : $0 }
      comp.lines[line]?.joinToggled()
    }
    if !isMIDI { comp.crossfade(at: [], notFartherThan: 0) }
    return comp.changes
  }

  private var changes: [CompPart] {
    lines.values.joined().filter(\.isChanged)
      .sorted { ($0.span.lowerBound, $0.region.id) < ($1.span.lowerBound, $1.region.id) }
      .map { CompPart(region: $0.row(in: map), isNew: $0.isNew, sources: $0.sources) }
  }

  private mutating func use(_ take: TakeID, in range: Range<FlickPosition>?) -> Bool {
    let limits = range.map { bounds(of: $0) } ?? Int64.min..<Int64.max
    let chosen = lines.values.joined().filter { $0.line.take == take }.map { $0.span.clamped(to: limits) }.merged
    guard !chosen.isEmpty else { return false }
    let tolerance = tolerance(at: chosen)
    var places: [Int64] = []
    for line in lines.keys {
      let isChosen = line.take == take
      lines[line] = lines[line]?.flatMap { piece in
        // What is in use already, or is not and stays so, is not divided.
        let met =
          piece.region.isInUse == isChosen ? [] : chosen.overlapping(piece.span, byMoreThan: tolerance)
        let edges = met.flatMap { [$0.lowerBound, $0.upperBound] }
        let parts = range == nil ? [piece] : piece.divided(at: edges, notNearerThan: tolerance)
        return parts.map { part in
          guard !met.overlapping(part.span, byMoreThan: tolerance).isEmpty else { return part }
          places += [part.span.lowerBound, part.span.upperBound]
          return part.toggled
        }
      }
    }
    for line in lines.keys { lines[line]?.joinToggled() }
    // A seam beside one that is made again is made again as well: they share the room between them.
    if !isMIDI {
      let seams = lines.places(withSeamsBeside: places, notFartherThan: tolerance)
      crossfade(at: seams, notFartherThan: tolerance)
    }
    return true
  }

  /// An edge that is nearer to a seam than a crossfade is long is moved onto it: between the two there would be no room
  /// for both crossfades.
  private func bounds(of range: Range<FlickPosition>) -> Range<Int64> {
    let (first, last) = (bound(range.lowerBound), bound(range.upperBound))
    guard first < last else { return first..<first }
    let (lower, upper) = (seam(near: first) ?? first, seam(near: last) ?? last)
    if lower < upper { return lower..<upper }
    return abs(lower - first) < abs(upper - last) ? lower..<last : first..<upper
  }

  /// Where the nearest region in use begins or ends, if that is nearer than a crossfade is long; of two that are equally
  /// near, the first.
  private func seam(near place: Int64) -> Int64? {
    guard !isMIDI else { return nil }
    let seams = lines.values.joined().filter(\.region.isInUse).flatMap { [$0.span.lowerBound, $0.span.upperBound] }
    let nearest = seams.min { (abs($0 - place), $0) < (abs($1 - place), $1) }
    return nearest.flatMap { abs($0 - place) < Fade.edgeLength.flicks ? $0 : nil }
  }

  /// On a tick if any region is bound to ticks.
  private func bound(_ position: FlickPosition) -> Int64 {
    let tick = map.ticks(at: position)
    return isMIDI ? tick.ticks : isMusical ? map.flicks(at: tick).flicks : position.flicks
  }

  /// How far edges that mean one place may lie apart: a tick where audio regions are bound to ticks, since they begin
  /// on one, and end anywhere.
  private func tolerance(at ranges: [Range<Int64>]) -> Int64 {
    guard isMusical else { return 0 }
    return ranges.map { range in
      let tick = map.ticks(at: FlickPosition(flicks: range.lowerBound))
      return (map.flicks(at: tick + TickCount(ticks: 1)) - map.flicks(at: tick)).flicks
    }.max() ?? 0
  }
}

/// A region of a comp, made of parts of the regions before.
public struct CompPart {
  /// Its id is that of the first of its sources.
  public var region: Region
  /// Whether it needs an id and a name of its own.
  public var isNew: Bool
  public var sources: [Source]

  /// A part of a region from before.
  public struct Source: Hashable, Sendable {
    public var region: RegionID
    /// From the region's start, in flicks of an audio region, in ticks of a MIDI region.
    public var range: Range<Int64>
  }
}

// MARK: Crossfades

/// The place of a piece's edge.
struct EdgePlace {
  var line: TakeLine
  var index: Int
  var edge: RegionEdge
}

extension Comp {
  /// Crossfades what is in use to the left and to the right of places where that has changed.
  /// - Parameters:
  ///   - places: in order.
  ///   - tolerance: how far edges that mean one place may lie apart.
  private mutating func crossfade(at places: [Int64], notFartherThan tolerance: Int64) {
    var found: [(place: Int64, edge: EdgePlace)] = []
    for (line, pieces) in lines {
      for (index, piece) in pieces.enumerated() {
        for edge in RegionEdge.allCases {
          let place = piece.place(of: edge)
          if piece.region.isInUse ? places.hasOne(near: place, tolerance) : piece[edge].isToggled {
            found.append((place, EdgePlace(line: line, index: index, edge: edge)))
          }
        }
      }
    }
    found.sort { $0.place < $1.place }
    var rest = found[...]
    while let first = rest.first {
      var last = first.place
      let edges = rest.prefix { edge in
        defer { last = edge.place }
        return edge.place.isNear(last, tolerance)
      }.map(\.edge)
      rest = rest.dropFirst(edges.count)
      for edge in edges { clean(edge) }
      let heard = edges.filter { lines[$0.line]?[$0.index].region.isInUse == true }
      crossfade(from: heard.filter { $0.edge == .end }, to: heard.filter { $0.edge == .start })
    }
  }

  /// Takes away what an earlier crossfade has made of an edge. Where the take has no sound beyond it, a short fade may
  /// also be the user's or of another edit, and goes only if it is of a crossfade.
  private mutating func clean(_ place: EdgePlace) {
    guard var piece = lines[place.line]?[place.index], piece[place.edge].fade.isShort else { return }
    // Sound beyond the span that no other piece has is kept.
    if !piece.region.isInUse, piece[place.edge].spare > 0 { return }
    let isFileEdge =
      place.edge == .start
      ? piece.span.lowerBound == place.line.origin
      : piece.region.audio.flatMap { fileLengths[$0.file] }.map {
        piece.span.upperBound == place.line.origin + $0.flicks
      } ?? false
    let isMade = piece[place.edge].isCrossfaded && (isFileEdge || goesOnElsewhere(at: place))
    if isMade || room(beyond: place) > 0 { piece[place.edge].fade = .none }
    piece[place.edge].reach = 0
    piece.isChanged = true
    lines[place.line]?[place.index] = piece
  }

  /// Whether another piece of the take, elsewhere in a file, follows an edge or leads to it without a fade: behind a
  /// locate of its own, a take goes on as it was recorded.
  private func goesOnElsewhere(at edge: EdgePlace) -> Bool {
    guard let place = place(edge) else { return false }
    let (beside, tolerance) = (edge.edge.opposite, tolerance(at: [place..<place]))
    return lines.contains { line, pieces in
      line.take == edge.line.take && line != edge.line
        && pieces.contains { $0[beside].fade.length == .zero && $0.place(of: beside).isNear(place, tolerance) }
    }
  }

  private mutating func crossfade(from lefts: [EdgePlace], to rights: [EdgePlace]) {
    let whole = Fade.edgeLength.flicks
    guard !lefts.isEmpty, !rights.isEmpty else {
      // Nothing follows: an edge within the take's sound is faded.
      for place in lefts + rights where room(beyond: place) > 0 {
        guard let piece = lines[place.line]?[place.index] else { continue }
        let length = FlickCount(flicks: Int64(piece.span.count))
        change(place) { $0.fade = $0.fade.exposed(in: length) }
      }
      return
    }
    if isSplitFade(lefts, rights) { return }
    // Each reaches half of the crossfade into the other; where one's sound ends, the other reaches further.
    let most = min(limit(rights), shortestHalf(lefts))
    let mostAfter = min(limit(lefts), shortestHalf(rights))
    // By how much the ends lie behind the starts, though they mean one place.
    let lag = (lefts.first.flatMap(place) ?? 0) - (rights.first.flatMap(place) ?? 0)
    let before = onTick(max(0, min(whole - min(whole / 2, mostAfter) - max(0, lag), most)), before: rights)
    let after = max(0, min(whole - before - lag, mostAfter))
    let length = before + lag + after
    guard before + after > 0, length > 0 else { return }
    for place in lefts + rights {
      let reach = place.edge == .start ? before : after
      change(place) { edge in
        guard edge.fade.isReplaceable else { return }
        edge.reach = reach
        // A cut fade becomes the crossfade, or a fade over its rest.
        let fade = edge.fade.exposed(in: FlickCount(flicks: 2 * length))
        edge.fade = Fade(length: max(fade.visibleLength, FlickCount(flicks: length)), shape: fade.shape)
      }
    }
  }

  /// Whether two takes go on with the same sound within one fade, as a split inside it leaves them: that needs no
  /// crossfade.
  private func isSplitFade(_ lefts: [EdgePlace], _ rights: [EdgePlace]) -> Bool {
    guard lefts.count == 1, rights.count == 1, let left = piece(lefts[0]), let right = piece(rights[0]),
      left.ends.fade.cut > .zero || right.starts.fade.cut > .zero
    else { return false }
    var next = right.row(in: map)
    next.take = left.region.take
    return left.row(in: map).obstacle(toJoining: next, in: map) == nil
  }

  private func piece(_ edge: EdgePlace) -> TakePiece? { lines[edge.line]?[edge.index] }

  private func place(_ edge: EdgePlace) -> Int64? { lines[edge.line]?[edge.index].place(of: edge.edge) }

  /// How far starts reach if they reach so far at most: a region that is bound to ticks begins on one, and its fade
  /// with it.
  private func onTick(_ reach: Int64, before starts: [EdgePlace]) -> Int64 {
    guard isMusical, reach > 0, let place = starts.first.flatMap(place) else { return reach }
    let least = FlickPosition(flicks: place - reach)
    var tick = map.lastTick(notAfter: least)
    if map.flicks(at: tick) < least { tick = tick + TickCount(ticks: 1) }
    return max(0, place - map.flicks(at: tick).flicks)
  }

  /// How far all of these can reach.
  private func limit(_ places: [EdgePlace]) -> Int64 {
    places.map { place in
      lines[place.line]?[place.index][place.edge].fade.isReplaceable == true ? room(beyond: place) : 0
    }.min() ?? 0
  }

  private func shortestHalf(_ places: [EdgePlace]) -> Int64 {
    places.map { Int64(lines[$0.line]?[$0.index].span.count ?? 0) / 2 }.min() ?? 0
  }

  /// How long the take goes on beyond an edge, up to the length of a crossfade.
  private func room(beyond place: EdgePlace) -> Int64 {
    guard let pieces = lines[place.line] else { return 0 }
    let beside = place.index + (place.edge == .start ? -1 : 1)
    guard pieces.indices.contains(beside),
      pieces[beside].place(of: place.edge.opposite) == pieces[place.index].place(of: place.edge)
    else { return min(pieces[place.index][place.edge].spare, Fade.edgeLength.flicks) }
    return min(Int64(pieces[beside].span.count), Fade.edgeLength.flicks)
  }

  private mutating func change(_ place: EdgePlace, _ change: (inout TakePiece.Edge) -> Void) {
    guard var piece = lines[place.line]?[place.index] else { return }
    change(&piece[place.edge])
    piece.isChanged = true
    lines[place.line]?[place.index] = piece
  }
}

extension TakePiece {
  subscript(edge: RegionEdge) -> Edge {
    get { edge == .start ? starts : ends }
    set { if edge == .start { starts = newValue } else { ends = newValue } }
  }

  func place(of edge: RegionEdge) -> Int64 { edge == .start ? span.lowerBound : span.upperBound }
}

extension RegionEdge {
  var opposite: RegionEdge { self == .start ? .end : .start }
}

extension Fade {
  /// None, or as an edit makes it at an edge.
  var isShort: Bool { length == .zero || shape == .linear && length <= Self.edgeLength }

  /// Whether it may become another fade; one that the user has made may not.
  var isReplaceable: Bool { isShort || cut > .zero }
}

extension [Range<Int64>] {
  /// In order, those that touch each other as one, without empty ones.
  var merged: [Range<Int64>] {
    var merged: [Range<Int64>] = []
    for range in sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }
}

extension Int64 {
  /// Whether it is the same place as another one, or less than a tolerance away.
  fileprivate func isNear(_ other: Int64, _ tolerance: Int64) -> Bool { self == other || abs(self - other) < tolerance }
}

extension [Int64] {
  /// Whether one of places in order is near another one.
  func hasOne(near place: Int64, _ tolerance: Int64) -> Bool {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < place { low = middle + 1 } else { high = middle }
    }
    return [low - 1, low].contains { indices.contains($0) && self[$0].isNear(place, tolerance) }
  }
}

extension [Range<Int64>] {
  /// Those of ranges in order, apart from each other, that overlap another one.
  func overlapping(_ range: Range<Int64>, byMoreThan least: Int64) -> [Range<Int64>] {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].upperBound <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return self[low...].prefix { $0.lowerBound < range.upperBound }.filter { $0.clamped(to: range).count > least }
  }
}

extension TempoMap {
  func lastTick(notAfter place: FlickPosition) -> TickPosition {
    let tick = ticks(at: place)
    return flicks(at: tick) > place ? tick - TickCount(ticks: 1) : tick
  }
}

extension Region {
  /// Whether a comp has crossfaded the end of this region into the start of another: each has a fade over all that both
  /// sound; up to a tick, on which a region may begin.
  public func isCrossfaded(into next: Region, in map: TempoMap) -> Bool {
    guard take != nil, next.take != nil else { return false }
    let start = next.startFlicks(in: map)
    let overlap = endFlicks(in: map) - start
    guard overlap > .zero, overlap <= Fade.edgeLength + Fade.edgeLength else { return false }
    let tick = map.ticks(at: start)
    let tolerance = map.flicks(at: tick + TickCount(ticks: 1)) - map.flicks(at: tick)
    return [fadeOut, next.fadeIn].allSatisfy { fade in
      fade.shape == .linear && fade.cut == .zero && fade.length <= overlap && overlap - fade.length < tolerance
    }
  }
}
