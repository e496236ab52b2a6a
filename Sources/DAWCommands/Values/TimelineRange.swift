import DAWErrors
import DAWModel
import DAWProject
import DAWTime

/// What lies between two typed positions; either may be left out.
struct TimelineRange {
  var from: TickPosition?
  var to: TickPosition?

  /// - Throws: `Failure` for a position that is not on the timeline, or an end before the beginning.
  init(_ from: TypedPosition?, _ to: TypedPosition?, in timeline: Timeline) throws {
    self.from = try from?.ticks(in: timeline)
    self.to = try to?.ticks(in: timeline)
    guard let begin = self.from, let end = self.to, end < begin else { return }
    let map = timeline.tempoMap
    throw Failure(
      .invalid, code: "invalidRange",
      "The range ends at \(map.barBeatTick(at: end)), before it begins at \(map.barBeatTick(at: begin)).",
      hint: "Give --to a later position than --from.")
  }
}
