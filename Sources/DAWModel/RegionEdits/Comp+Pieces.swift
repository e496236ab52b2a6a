import DAWTime

/// What goes on in the same file at the same place of the timeline; of MIDI, a whole take.
struct TakeLine: Hashable {
  var take: TakeID
  var timeBase: TimeBase
  var file: AudioFileID?
  var channels: ChannelSelection?
  var isReversed = false
  /// Where on the timeline the file begins, in flicks.
  var origin: Int64 = 0
}

struct TakePiece {
  /// Its settings; its place and its fades are told by the following.
  var region: Region
  var line: TakeLine
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
    /// How much of the take's sound beyond the span is in no other piece.
    var spare: Int64 = 0
    var fade: Fade
    /// Whether the piece beside this edge was put to use, or out of use.
    var isToggled = false
    /// Whether an earlier comp has crossfaded the edge with another one, so that its fade is of that.
    var isCrossfaded = false
  }

  init?(_ region: Region, in map: TempoMap) {
    guard let take = region.take else { return nil }
    self.region = region
    (starts, ends) = (Edge(fade: region.fadeIn), Edge(fade: region.fadeOut))
    line = TakeLine(take: take, timeBase: region.start.timeBase)
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

  var toggled: TakePiece {
    var piece = self
    piece.region.isInUse.toggle()
    (piece.starts.isToggled, piece.ends.isToggled, piece.isChanged) = (true, true, true)
    if !piece.region.isInUse { (piece.starts.reach, piece.ends.reach) = (starts.spare, ends.spare) }
    return piece
  }

  /// - Parameter distance: places that are no farther than this from an end of the piece are left out.
  func divided(at places: [Int64], notNearerThan distance: Int64) -> [TakePiece] {
    var (parts, last) = ([TakePiece](), self)
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

  func hasSameSettings(as other: TakePiece) -> Bool {
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

extension [TakePiece] {
  /// Finds how far regions reach into those beside them.
  mutating func findReaches() {
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
  mutating func joinToggled() {
    var joined: [TakePiece] = []
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
