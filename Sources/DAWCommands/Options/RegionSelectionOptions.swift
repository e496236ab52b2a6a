import ArgumentParser
import DAWErrors
import DAWModel
import DAWProject

/// A selection of regions: those that match all given options; never every region unless `--all` says so.
struct RegionSelectionOptions: ParsableArguments {
  @OptionGroup var names: RegionNameOptions
  @OptionGroup var range: StartRangeOptions

  /// - Throws: `Failure` for a position that is not on the timeline.
  func choice(in timeline: Timeline) throws -> RegionChoice {
    var choice = names.choice
    _ = try range.ticks(in: timeline)
    choice.from = try range.from?.flicks(in: timeline)
    choice.to = try range.to?.flicks(in: timeline)
    return choice
  }

  func validate() throws { try names.requireChoice(hasRange: !range.isEmpty) }
}

/// A selection of regions without a range, for commands whose `--to` is something else.
struct RegionNameOptions: ParsableArguments {
  @Argument(help: "The regions: TRACK/NAME, a name that only one region has, or an id.")
  var regions: [String] = []

  @OptionGroup var match: RegionMatchOptions

  @Flag(help: "Every region of the project.")
  var all = false

  var choice: RegionChoice {
    var choice = match.choice
    choice.regions = regions
    return choice
  }

  /// - Parameter hasRange: whether a range chooses some of them.
  func requireChoice(hasRange: Bool? = nil) throws {
    let isEmpty = regions.isEmpty && match.isEmpty && hasRange != true
    if all, !isEmpty { throw Exclusion.error("'--all' chooses every region: leave it out, or what else chooses.") }
    if !all, isEmpty {
      let range = hasRange == nil ? "" : " --from, --to,"
      throw ValidationError("Say which regions: their names, --track, --name, --type,\(range) or --all for every one.")
    }
  }
}

/// The criteria other than position.
struct RegionMatchOptions: ParsableArguments {
  @Option(help: "Only regions of this track; may be repeated.")
  var track: [String] = []

  @Option(help: "Only regions of this name, in which * stands for any characters: 'Loop*'; may be repeated.")
  var name: [String] = []

  @Option(help: "Only regions of this type: audio or midi.", completion: .list(["audio", "midi"]), transform: kind)
  var type: RegionType?

  /// Without positions.
  var choice: RegionChoice {
    var choice = RegionChoice()
    choice.tracks = track
    choice.names = name
    choice.type = type
    return choice
  }

  var isEmpty: Bool { track.isEmpty && name.isEmpty && type == nil }

  private static func kind(_ text: String) throws -> RegionType {
    try RegionType(typed: text, listedAs: "the types are")
  }
}
