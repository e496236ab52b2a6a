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
