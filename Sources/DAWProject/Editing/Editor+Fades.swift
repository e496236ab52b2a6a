import DAWErrors
import DAWModel
import DAWStore
import DAWTime

/// A change to one fade of a region; `nil` keeps what is there.
public struct FadeChange: Sendable {
  public var length: LengthExpression?
  public var shape: Fade.Shape?

  public init(length: LengthExpression? = nil, shape: Fade.Shape? = nil) {
    self.length = length
    self.shape = shape
  }

  var isEmpty: Bool { length == nil && shape == nil }
}

/// A change to the fades of a region.
public struct FadeChanges: Sendable {
  public var fadeIn = FadeChange()
  public var fadeOut = FadeChange()

  public init(fadeIn: FadeChange = FadeChange(), fadeOut: FadeChange = FadeChange()) {
    self.fadeIn = fadeIn
    self.fadeOut = fadeOut
  }

  public var isEmpty: Bool { fadeIn.isEmpty && fadeOut.isEmpty }
}

extension Editor {
  /// - Throws: `Failure` for a fade of a MIDI region, or one that is longer than the region.
  func apply(_ changes: FadeChanges, to region: inout Region, in map: TempoMap) throws {
    guard !changes.isEmpty else { return }
    guard let span = region.audio else {
      throw Failure(
        .invalid, code: Rule.fade.rawValue, "\(region.subject) holds notes, so it has no fades. Nothing was changed.",
        hint: "Set the velocities of its notes, or automate the track's volume with controller 7 or 11.")
    }
    let start = region.startFlicks(in: map)
    region.fadeIn = try changed(region.fadeIn, by: changes.fadeIn, "fade in", of: region, span) {
      try $0.flicks(map, start)
    }
    region.fadeOut = try changed(region.fadeOut, by: changes.fadeOut, "fade out", of: region, span) { length in
      let first = try length.flicks(map, start)
      // A length in beats is measured where the fade is.
      return first > .zero && first <= span.duration ? try length.flicks(map, start + span.duration - first) : first
    }
  }

  private func changed(
    _ fade: Fade, by change: FadeChange, _ title: String, of region: Region, _ span: AudioSpan,
    _ length: (LengthExpression) throws -> FlickCount
  ) throws -> Fade {
    var fade = fade
    if let typed = change.length {
      fade = Fade(length: try length(typed), shape: fade.shape)
      guard fade.length <= span.duration else {
        throw Failure(
          .invalid, code: Rule.fade.rawValue,
          "A \(title) of \(fade.length.seconds) s is longer than \(region.subject), which is \(span.duration.seconds) s "
            + "long. Nothing was changed.", hint: "Give a length up to that.")
      }
    }
    if let shape = change.shape {
      guard fade.length != .zero else {
        throw Failure(
          .invalid, code: Rule.fade.rawValue, "\(region.subject) has no \(title) to be shaped. Nothing was changed.",
          hint: "Give its length too: --\(title.replacing(" ", with: "-")) 20ms.")
      }
      fade.shape = shape
    }
    return fade
  }
}

// MARK: Cut edges

extension Editor {
  /// An edge that lies inside its file gets a fade of 3 ms, or half the region's length if that is shorter, when it is
  /// made or moved.
  static let defaultFade = FlickCount.milliseconds(3)

  /// Fades the edges of a region that an edit has made or exposed, unless it said how; a file's own first and last
  /// frame get no fade. Fades that are longer than the region end with it.
  /// - Parameter old: the region before the edit; `nil` for a new one.
  func fadeCutEdges(
    of region: inout Region, replacing old: Region?, unless changes: FadeChanges = FadeChanges(), in map: TempoMap
  ) throws {
    guard let span = region.audio, let file = try view.audioFile(span.file) else { return }
    func fade(_ fade: Fade, _ edge: Edge, isInside: Bool, isTyped: Bool) throws -> Fade {
      guard !isTyped else { return fade }
      let length = min(Self.defaultFade, FlickCount(flicks: span.duration.flicks / 2))
      let visible = min(fade.visibleLength, span.duration)
      let isNew = old.map { !$0.hasSame(edge, as: region) } ?? true
      if isNew {
        if isInside { return Fade(length: max(visible, length), shape: fade.shape) }
        // The edge is the file's own again.
        return fade == Fade(length: Self.defaultFade) ? .none : Fade(length: visible, shape: fade.shape)
      }
      if let old, old.track != region.track || old.place(of: edge, in: map) != region.place(of: edge, in: map),
        try fade.cut > .zero || (fade == .none && isInside && continuation(of: old, edge, map) != nil)
      {
        return Fade(length: max(visible, length), shape: fade.shape)
      }
      return Fade(length: min(fade.length, fade.cut + span.duration), cut: fade.cut, shape: fade.shape)
    }
    region.fadeIn = try fade(
      region.fadeIn, .start, isInside: span.offset > .zero, isTyped: changes.fadeIn.length != nil)
    region.fadeOut = try fade(
      region.fadeOut, .end, isInside: span.offset + span.duration < file.duration,
      isTyped: changes.fadeOut.length != nil)
  }

  /// Fades the edges of neighbours that continued a region before an edit and no longer do.
  /// - Parameters:
  ///   - old: the region before the edit.
  ///   - new: the region after it; `nil` if it is removed.
  func fadeEdges(exposedBy old: Region, replacedBy new: Region?, in map: TempoMap) throws {
    guard old.audio != nil else { return }
    for edge in [Edge.start, .end] {
      let place = old.place(of: edge, in: map)
      if let new, new.track == old.track, new.place(of: edge, in: map) == place, new.hasSame(edge, as: old) { continue }
      guard var neighbour = try continuation(of: old, edge, map), let span = neighbour.audio else { continue }
      let length = min(Self.defaultFade, FlickCount(flicks: span.duration.flicks / 2))
      func exposed(_ fade: Fade) -> Fade {
        fade == .none || fade.cut > .zero
          ? Fade(length: max(fade.visibleLength, length), shape: fade.shape) : fade
      }
      let before = neighbour
      if edge == .start {
        neighbour.fadeOut = exposed(neighbour.fadeOut)
      } else {
        neighbour.fadeIn = exposed(neighbour.fadeIn)
      }
      if neighbour != before { try apply(.set(neighbour)) }
    }
  }

  /// The region that goes on with the same file where this one ends, or that ends with what comes before its start:
  /// what a split leaves.
  private func continuation(of region: Region, _ edge: Edge, _ map: TempoMap) throws -> Region? {
    guard let span = region.audio else { return nil }
    let place = region.place(of: edge, in: map)
    let touching = RegionFilter(track: region.track, type: .audio, from: place - .one, to: place + .one)
    return try view.regions(touching).first { other in
      guard other.id != region.id, let next = other.audio, next.continues(span) else { return false }
      return edge == .start
        ? other.endFlicks(in: map) == place && next.offset + next.duration == span.offset
        : other.startFlicks(in: map) == place && next.offset == span.offset + span.duration
    }
  }
}

/// One of the two ends of a region.
enum Edge {
  case start, end
}

extension Region {
  fileprivate func place(of edge: Edge, in map: TempoMap) -> FlickPosition {
    edge == .start ? startFlicks(in: map) : endFlicks(in: map)
  }

  /// Whether an edge lies where another region's does in the same file.
  fileprivate func hasSame(_ edge: Edge, as other: Region) -> Bool {
    guard let span = audio, let old = other.audio, span.continues(old) else { return false }
    return edge == .start ? span.offset == old.offset : span.offset + span.duration == old.offset + old.duration
  }
}

extension AudioSpan {
  /// Whether both play the same channels of the same file in the same direction.
  fileprivate func continues(_ other: AudioSpan) -> Bool {
    file == other.file && channels == other.channels && isReversed == other.isReversed
  }
}

extension FlickCount {
  fileprivate static let one = FlickCount(flicks: 1)
}
