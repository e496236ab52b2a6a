import ArgumentParser
import DAWModel
import DAWProject
import DAWTime

/// What names a lane.
struct LaneOptions: ParsableArguments {
  @Argument(help: "The track, or with --group the group: its name or id.")
  var track: String

  @Argument(
    help: """
      What moves: volume, pan, mute, trim, stereoWidth; of a send send:BUS.level, .pan or .mute; of an effect \
      EFFECT.PARAMETER or EFFECT.bypass; of a group volume or mute.
      """)
  var parameter: String

  @Flag(help: "A parameter of a group, not of a track.")
  var group = false

  var reference: LaneReference { LaneReference(track, parameter, isOfGroup: group) }
}

/// Which points of a lane are meant.
struct PointRangeOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Only points at or after this position.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var from: TypedPosition?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Only points before this position.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var to: TypedPosition?

  var isEmpty: Bool { from == nil && to == nil }

  /// - Throws: `Failure` for a position that is not on the timeline, or an end before the beginning.
  func range(in timeline: Timeline) throws -> LaneRange {
    let ticks = try TimelineRange(from, to, in: timeline)
    return .span(from: ticks.from, to: ticks.to)
  }
}

/// The value of a point, as typed.
struct TypedPointValue {
  var value: PointValue

  /// `-6`, `-6dB`, `-inf`, `0.5`, `2.5k`, `10ms`, `on`, `off`. Which units the parameter has is found when it is known.
  init(typed text: String) throws {
    let lowered = text.lowercased()
    if lowered == "-inf" || lowered == "-infdb" {
      value = .number(-.infinity)
    } else if let number = decimal(lowered[...]) {
      value = .number(number)
    } else if lowered == "on" || lowered == "off" || Self.hasUnit(lowered) {
      value = .typed(text)
    } else {
      throw Unreadable(text, "a value is a number in the parameter's unit such as -6 or 0.5, -inf, on or off.")
    }
  }

  private static let units = ["db", "dbtp", "dbfs", "hz", "khz", "k", "ms", "s", ":1", "%"]

  private static func hasUnit(_ text: String) -> Bool {
    units.contains { text.hasSuffix($0) && decimal(text.dropLast($0.count)) != nil }
  }
}

extension LaneShape {
  init(typed text: String) throws { try self.init(typed: text, listedAs: "a shape is") }
}
