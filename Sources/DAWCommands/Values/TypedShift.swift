import DAWErrors
import DAWModel
import DAWProject
import DAWTime

/// A distance forwards or back, as typed: `1b`, `+1b`, `-0.1.0`.
struct TypedShift {
  let isBack: Bool
  let distance: TypedDistance

  init(typed text: String) throws {
    isBack = text.hasPrefix("-")
    distance = try TypedDistance(typed: Self.hasSign(text) ? String(text.dropFirst()) : text)
  }

  init(_ distance: TypedDistance, isBack: Bool) {
    self.distance = distance
    self.isBack = isBack
  }

  static func hasSign(_ text: String) -> Bool { text.hasPrefix("+") || text.hasPrefix("-") }

  /// Negative for what goes back.
  /// - Throws: `Failure` for a length that the timeline has not.
  func ticks(in timeline: Timeline, from start: TickPosition) throws -> TickCount {
    isBack
      ? .zero - (try distance.ticksBack(in: timeline, from: start)) : try distance.ticks(in: timeline, from: start)
  }

  /// By ticks for what was typed in bars or quarter notes, else by time.
  /// - Parameter start: where the distance is measured: later from there, or back.
  /// - Throws: `Failure` for a distance that the timeline has not.
  func shift(from start: TimelinePosition, in timeline: Timeline) throws -> RegionShift {
    guard distance.isMusical else {
      let length = try distance.flicks(in: timeline, from: timeline.tempoMap.flicks(at: start))
      return .absolute(isBack ? .zero - length : length)
    }
    return .musical(try ticks(in: timeline, from: timeline.tempoMap.ticks(at: start)))
  }

  /// A position as far from another: a distance in bars or quarter notes leads to a beat, one in seconds or frames to a
  /// second.
  /// - Parameter text: what was typed, for messages.
  /// - Throws: `Failure` for a position that is not on the timeline.
  func position(from place: TimelinePosition, in timeline: Timeline, typed text: String) throws -> TimelinePosition {
    let map = timeline.tempoMap
    let moved: TimelinePosition
    if distance.isMusical {
      let start = map.ticks(at: place)
      moved = .musical(start + (try ticks(in: timeline, from: start)))
    } else {
      let flicks = map.flicks(at: place)
      let length = try distance.flicks(in: timeline, from: flicks)
      moved = .absolute(isBack ? flicks - length : flicks + length)
    }
    let isOnTimeline =
      switch moved {
      case .musical(let ticks): (.zero ... .timelineEnd).contains(ticks)
      case .absolute(let flicks): (.zero ... .timelineEnd).contains(flicks)
      }
    guard isOnTimeline else {
      let origin = Self.hasSign(text) ? " from \(map.barBeatTick(at: map.ticks(at: place)))" : ""
      throw Failure(
        .invalid, code: "invalidTime", "'\(text)'\(origin) is not on the timeline. Nothing was changed.",
        hint: "The timeline begins at 1.1.0, or 0s. \(Rule.timelineEnd.accepted)")
    }
    return moved
  }
}

/// A position in a region, as typed: from its start, or with a sign from where a note or an event is now.
struct TypedRegionPlace {
  private enum Reading {
    case distance(TypedDistance)
    case shift(TypedShift, text: String)
  }

  private let reading: Reading

  init(typed text: String) throws {
    reading =
      TypedShift.hasSign(text)
      ? .shift(try TypedShift(typed: text), text: text) : .distance(try TypedDistance(typed: text))
  }

  /// - Parameter current: from the region's start, where the note or event is now; `nil` for a new one.
  /// - Throws: `Failure` for a position that is not on the timeline, or a sign before that of a new one.
  func start(in clock: NoteClock, from current: TickCount? = nil) throws -> TickCount {
    switch reading {
    case .distance(let distance): return try clock.start(distance)
    case .shift(let shift, let text):
      guard let current else {
        throw Failure.nothingMoves(
          text,
          hint: "A new one is placed from its region's start, without a sign. "
            + TimeParseError(.distance, .negative, text: text).acceptedForms)
      }
      return current + (try shift.ticks(in: clock.timeline, from: clock.regionStart + current))
    }
  }
}

extension Failure {
  /// The failure of a position with a sign where nothing is moved.
  static func nothingMoves(_ text: String, hint: String) -> Failure {
    Failure(
      .invalid, code: "invalidTime",
      "'\(text)' is a distance from where something is now, and nothing is moved here. Nothing was changed.",
      hint: hint)
  }
}
