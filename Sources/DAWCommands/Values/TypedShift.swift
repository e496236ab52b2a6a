import DAWModel
import DAWProject
import DAWTime

/// A distance with a direction: `-0.1.0`, `500ms`.
struct TypedShift {
  let isBack: Bool
  let distance: TypedDistance

  init(typed text: String) throws {
    isBack = text.hasPrefix("-")
    distance = try TypedDistance(typed: text.hasPrefix("-") || text.hasPrefix("+") ? String(text.dropFirst()) : text)
  }

  /// By ticks for what was typed in bars or quarter notes, else by time.
  /// - Parameter start: where the distance is measured: later from there, or back.
  /// - Throws: `Failure` for a distance that the timeline has not.
  func shift(from start: TimelinePosition, in timeline: Timeline) throws -> RegionShift {
    guard distance.isMusical else {
      let length = try distance.flicks(in: timeline, from: timeline.tempoMap.flicks(at: start))
      return .absolute(isBack ? .zero - length : length)
    }
    return .musical(try ticks(from: timeline.tempoMap.ticks(at: start), in: timeline))
  }

  /// - Throws: `Failure` for a distance that the timeline has not.
  func ticks(from start: TickPosition, in timeline: Timeline) throws -> TickCount {
    isBack ? .zero - (try distance.ticksBack(in: timeline, from: start)) : try distance.ticks(in: timeline, from: start)
  }
}
