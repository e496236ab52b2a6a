import DAWTime

/// The parts that a cut leaves. Whatever belongs to a region by its place in it (fades; later lanes and takes) is
/// divided here, for splits and edits of time alike.
extension Region {
  /// A part of an audio region, at the same place in its file. Its start is still the region's. The parts of a region
  /// sound together as it does: a cut inside a fade divides the fade, and adds none.
  /// - Parameter range: from the region's start, within it.
  public func part(_ range: Range<FlickCount>) -> Region {
    guard var span = audio else { return self }
    let length = span.duration
    span.offset = span.offset + range.lowerBound
    span.duration = range.upperBound - range.lowerBound
    var part = self
    part.content = .audio(span)
    if range.lowerBound > .zero { part.fadeIn = fadeIn.beyond(range.lowerBound) }
    if range.upperBound < length { part.fadeOut = fadeOut.beyond(length - range.upperBound) }
    return part
  }

  /// A part of a MIDI region, without its notes and events. Its start is still the region's.
  /// - Parameter range: from the region's start, within it.
  public func part(_ range: Range<TickCount>) -> Region {
    var part = self
    part.content = .midi(range.upperBound - range.lowerBound)
    return part
  }
}

extension Fade {
  /// What of a fade reaches beyond a distance from its edge, as a fade there.
  func beyond(_ distance: FlickCount) -> Fade {
    visibleLength > distance ? Fade(length: length, cut: cut + distance, shape: shape) : .none
  }

  /// The length of the fade at an edge inside a file that an edit makes or exposes.
  public static let edgeLength = FlickCount.milliseconds(3)

  /// The fade of an edge that no longer goes on where it was cut. It begins in silence, which the rest of a cut fade
  /// does not. Of the edge's 3 ms and a fade over that rest it is the one that differs less from what was heard.
  /// - Parameter length: the region's.
  public func exposed(in length: FlickCount) -> Fade {
    guard self == .none || cut > .zero else { return self }
    let edge = min(Self.edgeLength, FlickCount(flicks: length.flicks / 2))
    guard visibleLength > edge else { return Fade(length: edge, shape: shape) }
    let isLate = Double(cut.flicks) >= shape.lateShare * Double(self.length.flicks)
    return isLate ? Fade(length: edge) : Fade(length: visibleLength, shape: shape)
  }
}

extension Fade.Shape {
  /// How much of a fade's length is cut off where full level is as near to what was heard of the rest as the same shape
  /// over it: with g the shape, the least c with 1 - g(c) <= max over s of g(c + (1 - c) s) - g(s).
  fileprivate var lateShare: Double {
    switch self {
    case .linear: 0.5
    case .equalPower: 1.0 / 3
    case .exponential: 0.805
    case .sCurve: 0.482
    }
  }
}

extension MIDINote {
  /// What sounds of the note in a part of its region, from the part's start; `nil` if nothing does.
  public func part(_ range: Range<TickCount>) -> MIDINote? {
    let (first, last) = (max(start, range.lowerBound), min(end, range.upperBound))
    guard first < last else { return nil }
    var part = self
    part.start = first - range.lowerBound
    part.duration = last - first
    return part
  }
}

extension RegionEvent {
  /// The event in a part of its region, from the part's start; `nil` if it lies outside. One at a cut belongs to the
  /// part behind it.
  /// - Parameter isLast: whether the part ends where the region ends, where an event may lie as well.
  public func part(_ range: Range<TickCount>, isLast: Bool) -> RegionEvent? {
    guard range.contains(start) || isLast && start == range.upperBound else { return nil }
    var part = self
    part.start = start - range.lowerBound
    return part
  }
}
