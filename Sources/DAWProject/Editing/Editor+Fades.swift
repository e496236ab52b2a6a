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
  /// Fades the edges of a region that an edit has made inside its file, unless it said how; a file's own first and last
  /// frame get no fade. Fades that are longer than the region end with it.
  /// - Parameter old: the region before the edit; `nil` for a new one.
  func fadeCutEdges(
    of region: inout Region, replacing old: Region?, unless changes: FadeChanges = FadeChanges()
  ) throws {
    guard let span = region.audio, let file = try view.audioFile(span.file) else { return }
    let isInside: [RegionEdge: Bool] = [.start: span.offset > .zero, .end: span.offset + span.duration < file.duration]
    for edge in RegionEdge.allCases where changes[edge].length == nil {
      var fade = region[edge]
      if old?.hasSame(edge, as: region) == true {
        fade.length = min(fade.length, fade.cut + span.duration)
      } else {
        fade = Fade(length: min(fade.visibleLength, span.duration), shape: fade.shape)
        if isInside[edge] == true {
          fade.length = max(fade.length, Fade.none.exposed(in: span.duration).length)
        } else if fade == Fade(length: Fade.edgeLength) {
          // The edge is the file's own again.
          fade = .none
        }
      }
      region[edge] = fade
    }
  }

  /// Fades the edges that an edit exposes: of regions that it moves away from where they went on, and of those that
  /// stay.
  /// - Parameters:
  ///   - old: regions before the edit.
  ///   - new: the same, in this order, after it, or the parts of the only one; empty if they are removed.
  ///   - areCopies: whether the old ones stay where they are.
  /// - Returns: the new ones.
  func fadeExposedEdges(
    from old: [Region], to new: [Region], areCopies: Bool = false, in map: TempoMap
  ) throws -> [Region] {
    guard old.contains(where: { $0.audio != nil }) else { return new }
    let around = try surroundings(of: old, in: map)
    let gone = areCopies ? [] : Set(old.map(\.id))
    let staying = around.filter { !gone.contains($0.id) }
    let edges = ExposedEdges(from: around, to: staying + new, in: map)
    if !areCopies {
      let changed = staying.map { ($0, edges.faded($0, from: $0)) }.filter { $0 != $1 }.map(\.1)
      if !changed.isEmpty { try apply(.set(changed)) }
    }
    return new.enumerated().map { index, region in edges.faded(region, from: old.count == 1 ? old[0] : old[index]) }
  }

  /// The audio regions that could go on where these end, and these.
  private func surroundings(of regions: [Region], in map: TempoMap) throws -> [Region] {
    let one = FlickCount(flicks: 1)
    // A few look up what touches them; of many, their tracks are read once.
    let filters: [RegionFilter] =
      regions.count > 8
      ? Set(regions.map(\.track)).map { RegionFilter(track: $0, type: .audio) }
      : regions.flatMap { region in
        RegionEdge.allCases.map { edge in
          let place = region.place(of: edge, in: map)
          return RegionFilter(track: region.track, type: .audio, from: place - one, to: place + one)
        }
      }
    let found = try filters.flatMap { try view.regions($0) } + regions
    return Array(Dictionary(found.map { ($0.id, $0) }) { first, _ in first }.values)
  }
}

extension FadeChanges {
  fileprivate subscript(edge: RegionEdge) -> FadeChange { edge == .start ? fadeIn : fadeOut }
}

extension Region {
  /// Whether an edge lies where another region's does in the same file.
  fileprivate func hasSame(_ edge: RegionEdge, as other: Region) -> Bool {
    guard let span = audio, let old = other.audio, span.file == old.file, span.channels == old.channels,
      span.isReversed == old.isReversed
    else { return false }
    return edge == .start ? span.offset == old.offset : span.offset + span.duration == old.offset + old.duration
  }
}
