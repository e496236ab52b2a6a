import DAWTime

/// The takes of a track, and what of them is in use: a comp.
///
/// Each region of a take has a span on the timeline; spans of one take that go on in the same file do not overlap. Where
/// two takes follow each other, both sound a little beyond their spans and are crossfaded there: their *reach*. It is not
/// stored: a region's reach is what overlaps the next region of the same take, which is not in use.
public struct Comp {
  private var lines: [Line: [Piece]] = [:]
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
      guard let piece = Piece(region, in: map) else { continue }
      lines[piece.line, default: []].append(piece)
    }
    for line in lines.keys {
      lines[line]?.sort { ($0.span.lowerBound, $0.region.id) < ($1.span.lowerBound, $1.region.id) }
      if !isMIDI { lines[line]?.findReaches() }
    }
  }

  /// Puts a take to use, and what overlaps it of other takes out of use.
  /// - Parameter range: the only part of the timeline to be changed: regions are divided at its edges. `nil`: the whole
  ///   take; other takes' regions that overlap it go out of use whole.
  /// - Returns: the regions that change, in order of start; `nil` if no region of the take lies there.
  public func using(_ take: TakeID, in range: Range<FlickPosition>?) -> [CompPart]? {
    var comp = self
    guard comp.use(take, in: range) else { return nil }
    return comp.lines.values.joined().filter(\.isChanged)
      .sorted { ($0.span.lowerBound, $0.region.id) < ($1.span.lowerBound, $1.region.id) }
      .map { CompPart(region: $0.row(in: map), isNew: $0.isNew, sources: $0.sources) }
  }

  private mutating func use(_ take: TakeID, in range: Range<FlickPosition>?) -> Bool {
    let limits = range.map { bounds(of: $0) } ?? Int64.min..<Int64.max
    let chosen = lines.values.joined().filter { $0.line.take == take }.map { $0.span.clamped(to: limits) }.merged
    guard !chosen.isEmpty else { return false }
    let tolerance = tolerance(at: chosen)
    var places: Set<Int64> = []
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
          places.formUnion([key(of: part.span.lowerBound), key(of: part.span.upperBound)])
          return part.toggled
        }
      }
    }
    for line in lines.keys { lines[line]?.joinToggled() }
    if !isMIDI { crossfade(at: places) }
    return true
  }

  private func bounds(of range: Range<FlickPosition>) -> Range<Int64> {
    let (first, last) = (bound(range.lowerBound), bound(range.upperBound))
    return first..<max(first, last)
  }

  /// On a tick if any region is bound to ticks.
  private func bound(_ position: FlickPosition) -> Int64 {
    let tick = map.ticks(at: position)
    return isMIDI ? tick.ticks : isMusical ? map.flicks(at: tick).flicks : position.flicks
  }

  /// How far edges that mean one place may lie apart: a tick where audio regions are bound to ticks, since they begin on
  /// one, and end anywhere.
  private func tolerance(at ranges: [Range<Int64>]) -> Int64 {
    guard isMusical else { return 0 }
    return ranges.map { range in
      let tick = map.ticks(at: FlickPosition(flicks: range.lowerBound))
      return (map.flicks(at: tick + TickCount(ticks: 1)) - map.flicks(at: tick)).flicks
    }.max() ?? 0
  }

  /// The same for all edges that mean one place.
  private func key(of place: Int64) -> Int64 {
    isMusical ? map.lastTick(notAfter: FlickPosition(flicks: place)).ticks : place
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

// MARK: Pieces

/// What goes on in the same file at the same place of the timeline; of MIDI, a whole take.
private struct Line: Hashable {
  var take: TakeID
  var timeBase: TimeBase
  var file: AudioFileID?
  var channels: ChannelSelection?
  var isReversed = false
  /// Where on the timeline the file begins, in flicks.
  var origin: Int64 = 0
}

private struct Piece {
  /// Its settings; its place and its fades are told by the following.
  var region: Region
  var line: Line
  /// In flicks of audio, in ticks of MIDI.
  var span: Range<Int64>
  var starts: Edge
  var ends: Edge
  var sources: [CompPart.Source]
  var isNew = false
  var isChanged = false

  struct Edge {
    /// How far the region sounds beyond the span.
    var reach: Int64 = 0
    var fade: Fade
    /// Whether the piece beside this edge was put to use, or out of use.
    var isToggled = false
  }

  init?(_ region: Region, in map: TempoMap) {
    guard let take = region.take else { return nil }
    self.region = region
    (starts, ends) = (Edge(fade: region.fadeIn), Edge(fade: region.fadeOut))
    line = Line(take: take, timeBase: region.start.timeBase)
    switch region.content {
    case .audio(let audio):
      let start = region.startFlicks(in: map).flicks
      span = start..<start + audio.duration.flicks
      (line.file, line.channels, line.isReversed) = (audio.file, audio.channels, audio.isReversed)
      line.origin = start - audio.offset.flicks
    case .midi(let length):
      let start = map.ticks(at: region.start).ticks
      span = start..<start + length.ticks
    }
    sources = [CompPart.Source(region: region.id, range: 0..<Int64(span.count))]
  }

  var toggled: Piece {
    var piece = self
    piece.region.isInUse.toggle()
    (piece.starts.isToggled, piece.ends.isToggled, piece.isChanged) = (true, true, true)
    if !piece.region.isInUse { (piece.starts.reach, piece.ends.reach) = (0, 0) }
    return piece
  }

  /// - Parameter distance: places that are no farther than this from an end of the piece are left out.
  func divided(at places: [Int64], notNearerThan distance: Int64) -> [Piece] {
    var (parts, last) = ([Piece](), self)
    for place in places where place - last.span.lowerBound > distance && last.span.upperBound - place > distance {
      var (left, right) = (last, last)
      left.ends = Edge(fade: last.ends.fade.beyond(FlickCount(flicks: last.span.upperBound + last.ends.reach - place)))
      right.starts = Edge(
        fade: last.starts.fade.beyond(FlickCount(flicks: place - last.span.lowerBound + last.starts.reach)))
      left.span = last.span.lowerBound..<place
      right.span = place..<last.span.upperBound
      // Only a whole region is divided, so it has one source.
      let cut = last.sources[0].range.lowerBound + place - last.span.lowerBound
      left.sources[0].range = last.sources[0].range.lowerBound..<cut
      right.sources[0].range = cut..<last.sources[0].range.upperBound
      right.isNew = true
      (left.isChanged, right.isChanged) = (true, true)
      parts.append(left)
      last = right
    }
    return parts + [last]
  }

  func hasSameSettings(as other: Piece) -> Bool {
    region.isInUse == other.region.isInUse && region.isMuted == other.region.isMuted
      && region.gain == other.region.gain && region.color == other.region.color
  }

  func row(in map: TempoMap) -> Region {
    var region = region
    guard var audio = region.audio else {
      region.start = .musical(TickPosition(ticks: span.lowerBound))
      region.content = .midi(TickCount(ticks: Int64(span.count)))
      return region
    }
    var start = FlickPosition(flicks: span.lowerBound - starts.reach)
    switch line.timeBase {
    case .absolute: region.start = .absolute(start)
    case .musical:
      // The last tick up to there, so that no sound is lost between two parts.
      let tick = map.lastTick(notAfter: start)
      region.start = .musical(tick)
      start = map.flicks(at: tick)
    }
    audio.offset = FlickCount(flicks: start.flicks - line.origin)
    audio.duration = FlickCount(flicks: span.upperBound + ends.reach - start.flicks)
    region.content = .audio(audio)
    (region.fadeIn, region.fadeOut) = (starts.fade, ends.fade)
    return region
  }
}

extension [Piece] {
  /// Finds how far regions reach into those beside them.
  fileprivate mutating func findReaches() {
    for (index, next) in zip(indices, indices.dropFirst()) {
      let overlap = self[next].span.lowerBound..<Swift.max(self[next].span.lowerBound, self[index].span.upperBound)
      guard !overlap.isEmpty, overlap.count <= 2 * Fade.edgeLength.flicks,
        overlap.upperBound <= self[next].span.upperBound
      else { continue }
      let place =
        !self[index].region.isInUse
        ? overlap.upperBound
        : !self[next].region.isInUse ? overlap.lowerBound : overlap.lowerBound + Int64(overlap.count / 2)
      guard self[index].span.lowerBound < place, place < self[next].span.upperBound else { continue }
      self[index].ends.reach = overlap.upperBound - place
      self[next].starts.reach = place - overlap.lowerBound
      self[index].span = self[index].span.lowerBound..<place
      self[next].span = place..<self[next].span.upperBound
    }
  }

  /// Makes one of each two that go on seamlessly where one of them was put to use or out of use.
  fileprivate mutating func joinToggled() {
    var joined: [Piece] = []
    for piece in self {
      guard let last = joined.last, last.span.upperBound == piece.span.lowerBound, last.hasSameSettings(as: piece),
        last.ends.isToggled || piece.starts.isToggled
      else {
        joined.append(piece)
        continue
      }
      var whole = last
      whole.span = last.span.lowerBound..<piece.span.upperBound
      whole.ends = piece.ends
      whole.sources += piece.sources
      whole.isChanged = true
      joined[joined.count - 1] = whole
    }
    self = joined
  }
}

// MARK: Crossfades

/// The place of a piece's edge.
private struct EdgePlace {
  var line: Line
  var index: Int
  var edge: RegionEdge
}

extension Comp {
  /// Crossfades what is in use to the left and to the right of places where that has changed.
  private mutating func crossfade(at places: Set<Int64>) {
    var found: [Int64: [EdgePlace]] = [:]
    for (line, pieces) in lines {
      for (index, piece) in pieces.enumerated() {
        for edge in RegionEdge.allCases {
          let place = key(of: piece.place(of: edge))
          if piece.region.isInUse ? places.contains(place) : piece[edge].isToggled {
            found[place, default: []].append(EdgePlace(line: line, index: index, edge: edge))
          }
        }
      }
    }
    for edges in found.values {
      for edge in edges { clean(edge) }
      let heard = edges.filter { lines[$0.line]?[$0.index].region.isInUse == true }
      crossfade(from: heard.filter { $0.edge == .end }, to: heard.filter { $0.edge == .start })
    }
  }

  /// Takes away what an earlier crossfade has made of an edge.
  private mutating func clean(_ place: EdgePlace) {
    guard var piece = lines[place.line]?[place.index], piece[place.edge].fade.isShort else { return }
    let isFileEdge =
      place.edge == .start
      ? piece.span.lowerBound == place.line.origin
      : piece.region.audio.flatMap { fileLengths[$0.file] }.map {
        piece.span.upperBound == place.line.origin + $0.flicks
      } ?? false
    if isFileEdge || room(beyond: place) > 0 { piece[place.edge].fade = .none }
    piece[place.edge].reach = 0
    piece.isChanged = true
    lines[place.line]?[place.index] = piece
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
    // Each reaches half of the crossfade into the other; where one's sound ends, the other reaches further.
    let most = min(limit(rights), shortestHalf(lefts))
    let mostAfter = min(limit(lefts), shortestHalf(rights))
    let before = min(whole - min(whole / 2, mostAfter), most)
    let after = min(whole - before, mostAfter)
    guard before + after > 0 else { return }
    for place in lefts + rights {
      let reach = place.edge == .start ? before : after
      change(place) { edge in
        guard edge.fade.isReplaceable else { return }
        edge.reach = reach
        edge.fade = Fade(
          length: max(edge.fade.visibleLength, FlickCount(flicks: before + after)), shape: edge.fade.shape)
      }
    }
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

  /// How long the part of the take is that goes on beyond an edge, up to the length of a crossfade.
  private func room(beyond place: EdgePlace) -> Int64 {
    guard let pieces = lines[place.line] else { return 0 }
    let beside = place.index + (place.edge == .start ? -1 : 1)
    guard pieces.indices.contains(beside),
      pieces[beside].place(of: place.edge.opposite) == pieces[place.index].place(of: place.edge)
    else { return 0 }
    return min(Int64(pieces[beside].span.count), Fade.edgeLength.flicks)
  }

  private mutating func change(_ place: EdgePlace, _ change: (inout Piece.Edge) -> Void) {
    guard var piece = lines[place.line]?[place.index] else { return }
    change(&piece[place.edge])
    piece.isChanged = true
    lines[place.line]?[place.index] = piece
  }
}

extension Piece {
  fileprivate subscript(edge: RegionEdge) -> Edge {
    get { edge == .start ? starts : ends }
    set { if edge == .start { starts = newValue } else { ends = newValue } }
  }

  fileprivate func place(of edge: RegionEdge) -> Int64 { edge == .start ? span.lowerBound : span.upperBound }
}

extension RegionEdge {
  fileprivate var opposite: RegionEdge { self == .start ? .end : .start }
}

extension Fade {
  /// None, or as an edit makes it at an edge.
  fileprivate var isShort: Bool { length == .zero || shape == .linear && length <= Self.edgeLength }

  /// Whether it may become another fade; one that the user has made may not.
  fileprivate var isReplaceable: Bool { isShort || cut > .zero }
}

extension [Range<Int64>] {
  /// In order, those that touch each other as one, without empty ones.
  fileprivate var merged: [Range<Int64>] {
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

extension [Range<Int64>] {
  /// Those of ranges in order, apart from each other, that overlap another one.
  fileprivate func overlapping(_ range: Range<Int64>, byMoreThan least: Int64) -> [Range<Int64>] {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].upperBound <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return self[low...].prefix { $0.lowerBound < range.upperBound }.filter { $0.clamped(to: range).count > least }
  }
}

extension TempoMap {
  fileprivate func lastTick(notAfter place: FlickPosition) -> TickPosition {
    let tick = ticks(at: place)
    return flicks(at: tick) > place ? tick - TickCount(ticks: 1) : tick
  }
}
