import ArgumentParser
import DAWModel
import DAWProject
import DAWTime

/// Where copies of regions go.
struct RegionCopyOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where the earliest shall begin (default: behind the last of them).", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How far from where they are: 2.0.0, 10s, -0.1.0.", valueName: "distance"),
    transform: TypedShift.init(typed:))
  var by: TypedShift?

  @OptionGroup var copies: CopyCountOptions

  func place(_ start: TimelinePosition, in timeline: Timeline) throws -> RegionCopyPlace {
    if let at { return .at(try at.position(in: timeline)) }
    return try by.map { .by(try $0.shift(from: start, in: timeline)) } ?? .behind
  }

  func validate() throws {
    guard at == nil || by == nil else { throw Exclusion.error("'--at' and '--by' exclude each other.") }
  }
}

/// How many copies are made.
struct CopyCountOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many copies, one behind the other.", valueName: "n"), transform: Int.init(typed:))
  var count = 1

  func validate() throws {
    guard (1...10_000).contains(count) else { throw ValidationError("'--count' is a whole number, 1 … 10000.") }
  }
}
