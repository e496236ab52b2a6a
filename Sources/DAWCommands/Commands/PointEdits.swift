import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject
import DAWTime

struct MovePoints: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "move-points",
    abstract: "Move the points of a lane, all or those of a range.",
    discussion: """
        daw move-points Vocal volume --from 5.1.0 --to 9.1.0 --by 1b
        daw move-points Vocal volume --by -20ms
      """)

  @OptionGroup var lane: LaneOptions
  @OptionGroup var range: PointRangeOptions

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How far; negative is earlier.", valueName: "distance"),
    transform: TypedShift.init(typed:))
  var by: TypedShift

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try context.timeline()
    let (entry, points) = try context.editor.movePoints(lane.reference, range.range(in: timeline)) {
      try by.shift(from: $0, in: timeline)
    }
    return EditOutcome(
      summary: "Moved \(counted(points.count, "point")) of \(entry.target.title).",
      json: JSONObject(["lane": entry.json, "points": points.map(\.id.uuidString)]))
  }
}

struct ScalePoints: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "scale-points",
    abstract: "Change the values of a lane's points, all or those of a range.",
    discussion: """
      Values are multiplied by --by, then --add is added, both in the parameter's unit: of a level in dB, where --add 3 \
      is 3 dB louder and --by 0.5 halves the distance from 0 dB. Silence (-inf) stays.

        daw scale-points Vocal volume --add -3
        daw scale-points Vocal pan --by 50% --from @chorus
      """)

  @OptionGroup var lane: LaneOptions
  @OptionGroup var range: PointRangeOptions

  @Option(
    parsing: .unconditional, help: ArgumentHelp("What to multiply by: 0.5, 50%, -1.", valueName: "factor"),
    transform: Self.factor)
  var by: Double?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("What to add, in the parameter's unit: -3.", valueName: "number"),
    transform: Self.factor)
  var add: Double?

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let (entry, points) = try context.editor.scalePoints(
      lane.reference, range.range(in: context.timeline()), by: by ?? 1, adding: add ?? 0)
    return EditOutcome(
      summary: "Scaled \(counted(points.count, "point")) of \(entry.target.title).",
      json: JSONObject(["lane": entry.json, "points": points.map(\.id.uuidString)]))
  }

  func validate() throws {
    if by == nil, add == nil { throw ValidationError("Say what to do: --by 0.5 or --add -3.") }
  }

  private static func factor(_ text: String) throws -> Double {
    let lowered = text.lowercased()
    if lowered.hasSuffix("%"), let number = decimal(lowered.dropLast()), number.isFinite { return number / 100 }
    guard let number = decimal(lowered.hasSuffix("db") ? lowered.dropLast(2) : lowered[...]), number.isFinite else {
      throw Unreadable(text, "a number such as 0.5, -3 or 50% is meant.")
    }
    return number
  }
}

struct CopyPoints: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy-points",
    abstract: "Copy points of a lane to another place, or to another lane.",
    discussion: """
      The first copy lies at --at, or where the first point lies. Points that lie from there to the last copy are \
      replaced.

        daw copy-points Vocal volume --from 5.1.0 --to 9.1.0 --at 13.1.0
        daw copy-points Vocal volume --to-track Choir
        daw copy-points Vocal pan --to-parameter send:Reverb.pan
      """)

  @OptionGroup var lane: LaneOptions
  @OptionGroup var range: PointRangeOptions

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where the first copy lies.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition?

  @Option(help: ArgumentHelp("The track, or with --group the group, of the other lane.", valueName: "track"))
  var toTrack: String?

  @Option(help: ArgumentHelp("The parameter of the other lane.", valueName: "parameter"))
  var toParameter: String?

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try context.timeline()
    let target = LaneReference(toTrack ?? lane.track, toParameter ?? lane.parameter, isOfGroup: lane.group)
    let copied = try context.editor.copyPoints(
      lane.reference, range.range(in: timeline), to: target, at: at?.position(in: timeline))
    let ids = copied.points.map(\.id.uuidString)
    return EditOutcome(
      summary: "Copied \(counted(ids.count, "point")) to \(copied.target.title)"
        + (copied.replacedCount == 0 ? "." : ", \(copied.replacedCount) replaced."), made: ids,
      warnings: copied.entry?.warnings ?? [],
      json: JSONObject(["lane": copied.entry?.json, "points": ids, "replaced": copied.replacedCount]))
  }

  func validate() throws {
    if at == nil, toTrack == nil, toParameter == nil {
      throw ValidationError("Say where to: --at, --to-track or --to-parameter.")
    }
  }
}

struct ThinPoints: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "thin-points",
    abstract: "Remove points that the curve of a lane hardly needs.",
    discussion: """
      The curve moves by no more than --tolerance, in the parameter's unit. Points of curved shapes, and those beside \
      silence, stay.

        daw thin-points Vocal volume --tolerance 0.1
      """)

  @OptionGroup var lane: LaneOptions
  @OptionGroup var range: PointRangeOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How far the curve may move, in the parameter's unit.", valueName: "number"),
    transform: Self.tolerance)
  var tolerance: Double

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let (entry, removed, left) = try context.editor.thinPoints(
      lane.reference, range.range(in: context.timeline()), tolerance: tolerance)
    return EditOutcome(
      summary: "Removed \(counted(removed, "point")) of \(entry.target.title); "
        + "\(left) \(left == 1 ? "is" : "are") left.",
      json: JSONObject(["lane": entry.json, "removed": removed, "left": left]))
  }

  private static func tolerance(_ text: String) throws -> Double {
    let lowered = text.lowercased()
    guard let number = decimal(lowered.hasSuffix("db") ? lowered.dropLast(2) : lowered[...]), number >= 0 else {
      throw Unreadable(text, "a tolerance is a number from 0, such as 0.1.")
    }
    return number
  }
}
