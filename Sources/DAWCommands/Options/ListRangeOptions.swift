import ArgumentParser
import DAWProject

/// The range of a listing.
struct ListRangeOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Only what ends after this position.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var from: TypedPosition?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Only what begins before this position.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var to: TypedPosition?

  @Flag(help: "Only what begins in the range, not what merely sounds in it.")
  var starts = false

  /// - Throws: `Failure` for a position that is not on the timeline, or an end before the beginning.
  func ticks(in timeline: Timeline) throws -> TimelineRange { try TimelineRange(from, to, in: timeline) }
}

/// What begins in a range.
struct StartRangeOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Only what begins at or after this position.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var from: TypedPosition?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Only what begins before this position.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var to: TypedPosition?

  var isEmpty: Bool { from == nil && to == nil }

  /// - Throws: `Failure` for a position that is not on the timeline, or an end before the beginning.
  func ticks(in timeline: Timeline) throws -> TimelineRange { try TimelineRange(from, to, in: timeline) }
}
