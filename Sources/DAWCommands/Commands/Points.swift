import ArgumentParser
import DAWErrors
import DAWInterchange
import DAWModel
import DAWProject
import DAWTime

struct AddPoint: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-point",
    abstract: "Add a point to the curve of a volume, a pan or another parameter.",
    discussion: """
      The first point makes the parameter's lane, which is heard in place of the set value. Before its first point and \
      behind its last the lane keeps their values. The shape is that of the way to the next point.

        daw add-point Vocal volume -6 --at 5.1.0
        daw add-point Vocal volume -inf --at 9.1.0 --shape sCurve
        daw add-point Vocal send:Reverb.level -12 --at @chorus

      A lane holds from the song's start: for a mute that comes on later, let its first point be off at 1.1.0.

        daw add-point --group Drums mute off --at 1.1.0
        daw add-point --group Drums mute on --at 17.1.0
      """)

  @OptionGroup var lane: LaneOptions

  // Read when the parameter is known: one without a lane has no value that could be typed.
  @Argument(
    help: ArgumentHelp("In the parameter's unit, or with one: -6, -inf, 0.5, 2.5k, 10ms, on, off.", valueName: "value"))
  var value: String

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where it lies.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition

  @Option(
    help: ArgumentHelp("hold, linear, exponential, logarithmic or sCurve.", valueName: "shape"),
    completion: .list(LaneShape.allCases.map(\.rawValue)), transform: LaneShape.init(typed:))
  var shape: LaneShape?

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try context.timeline()
    let value = try readValue(of: context.editor.view.laneTarget(lane.reference).parameter)
    let draft = PointDraft(position: try at.position(in: timeline), value: value, shape: shape)
    let (entry, points) = try context.editor.addPoints(lane.reference, [draft])
    return EditOutcome(
      summary: "Added to \(entry.target.title): \(points.map { entry.text(of: $0, timeline) }.joined()).",
      made: points.map(\.id.uuidString), warnings: entry.warnings,
      json: JSONObject(["point": points.map { entry.json(of: $0, timeline) }.first]))
  }

  /// - Throws: `Failure` for what has no form of a value.
  private func readValue(of parameter: LaneParameter) throws -> PointValue {
    do {
      return try TypedPointValue(typed: value).value
    } catch {
      throw Failure(
        .usage, code: "usage", "The value '\(value)' is invalid for '<value>': \(error) Nothing was changed.",
        hint: parameter.acceptedValues)
    }
  }
}

struct AddPoints: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-points",
    abstract: "Add many points to a lane at once.",
    discussion: """
      Reads CSV: a position, a value and, if need be, a shape on each line, with or without a header. All are added, or \
      none.

        printf '5.1.0,0\\n9.1.0,-inf,sCurve\\n' | daw add-points Vocal volume
        daw add-points Vocal pan pan.csv
      """)

  @OptionGroup var lane: LaneOptions

  @Argument(help: "The file to read, or - for standard input.", completion: .file())
  var file = "-"

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let (bytes, name) = try context.contents(of: file)
    // Before the values, since there may be none that such a parameter takes.
    _ = try context.editor.view.laneTarget(lane.reference)
    let list = try PointList(bytes, name: name).points(in: context.timeline())
    let (entry, points) = try list.add(to: lane.reference, in: context)
    return EditOutcome(
      summary: "Added \(counted(points.count, "point")) to \(entry.target.title).", made: points.map(\.id.uuidString),
      warnings: entry.warnings, json: JSONObject(["lane": entry.json, "points": points.map(\.id.uuidString)]))
  }
}

struct SetPoint: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-point",
    abstract: "Change the point of a lane that lies at a position.",
    discussion: """
        daw set-point Vocal volume --at 5.1.0 --value -3
        daw set-point Vocal volume --at 5.1.0 --shape hold --move +0.2.0
      """)

  @OptionGroup var lane: LaneOptions

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where it lies now.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("In the parameter's unit, or with one: -6, -inf, 0.5, 2.5k, 10ms, on, off.", valueName: "value"),
    transform: TypedPointValue.init(typed:))
  var value: TypedPointValue?

  @Option(
    help: ArgumentHelp("hold, linear, exponential, logarithmic or sCurve.", valueName: "shape"),
    completion: .list(LaneShape.allCases.map(\.rawValue)), transform: LaneShape.init(typed:))
  var shape: LaneShape?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where it shall lie, also from where it is: +1b.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var move: TypedPosition?

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try context.timeline()
    let place = try at.position(in: timeline)
    let (entry, point) = try context.editor.setPoint(
      lane.reference, at: place, to: move.map { try $0.position(in: timeline, from: place) }, value: value?.value,
      shape: shape)
    return EditOutcome(
      summary: "\(entry.target.title): \(entry.text(of: point, timeline)).", warnings: entry.warnings,
      json: JSONObject(["point": entry.json(of: point, timeline)]))
  }

  func validate() throws {
    if value == nil, shape == nil, move == nil {
      throw ValidationError("Say what to change: --value, --shape or --move.")
    }
  }
}

struct RemovePoints: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-points",
    abstract: "Remove the point at a position, or those of a range.",
    discussion: """
        daw remove-points Vocal volume --at 5.1.0
        daw remove-points Vocal volume --from 5.1.0 --to 9.1.0
      """)

  @OptionGroup var lane: LaneOptions

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The one that lies here.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition?

  @OptionGroup var range: PointRangeOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try context.timeline()
    let chosen = try at.map { LaneRange.at(try $0.position(in: timeline)) } ?? range.range(in: timeline)
    let (entry, points) = try context.editor.removePoints(lane.reference, chosen)
    return EditOutcome(
      summary: "Removed \(counted(points.count, "point")) of \(entry.target.title).",
      json: JSONObject(["removed": points.map(\.id.uuidString)]))
  }

  func validate() throws {
    if (at == nil) == range.isEmpty {
      throw ValidationError("Say which: one by --at, or those of a range by --from and --to.")
    }
  }
}

struct ListPoints: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-points",
    abstract: "List the points of a lane.",
    discussion: """
        daw list-points Vocal volume
        daw list-points Vocal send:Reverb.level --from 5.1.0 --to 9.1.0 --json
      """)

  @OptionGroup var lane: LaneOptions
  @OptionGroup var range: PointRangeOptions
  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let (entry, points, timeline) = try session.read { view in
      let timeline = try session.timeline(of: view)
      let entry = try view.lane(calledBy: lane.reference)
      return (entry, try view.points(of: entry, try range.range(in: timeline)), timeline)
    }
    var table = TextTable(.plain, .plain, .number, .text)
    for point in points {
      let place = entry.lane.place(of: point)
      table.add([
        "\(Wording.time(timeline.tempoMap.flicks(at: place).seconds))",
        "\(timeline.tempoMap.barBeatTick(at: timeline.tempoMap.ticks(at: place)))",
        TextTable.Cell(entry.value(of: point)), TextTable.Cell(point.shape.rawValue),
      ])
    }
    return CommandResult(
      lines: points.isEmpty ? ["No such points."] : table.lines(), made: points.map(\.id.uuidString),
      json: points.map { entry.json(of: $0, timeline) })
  }
}

extension LaneEntry {
  /// "-6 dB", "on".
  func value(of point: LanePoint) -> String {
    if target.parameter.isStepped, target.parameter.range == 0...1 { return point.value == 1 ? "on" : "off" }
    return (point.value == -.infinity ? "-inf" : Wording.number((point.value * 1000).rounded() / 1000))
      + target.parameter.unit
  }

  /// "-6 dB at 5.1.0 (0:08.000), linear".
  func text(of point: LanePoint, _ timeline: Timeline) -> String {
    let ticks = timeline.tempoMap.ticks(at: lane.place(of: point))
    return "\(value(of: point)) at \(Wording.place(ticks, in: timeline.tempoMap)), \(point.shape.rawValue)"
  }

  func json(of point: LanePoint, _ timeline: Timeline) -> JSONObject {
    let place = lane.place(of: point)
    let (isMusical, map) = (lane.timeBase == .musical, timeline.tempoMap)
    return JSONObject([
      "id": point.id.uuidString, "startTime": map.flicks(at: place).seconds,
      "start": "\(map.barBeatTick(at: map.ticks(at: place)))", "startTicks": isMusical ? point.position : nil,
      "startFlicks": isMusical ? nil : point.position, "value": Level(decibels: point.value),
      "shape": point.shape.rawValue,
    ])
  }
}
