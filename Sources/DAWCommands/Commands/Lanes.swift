import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject
import DAWTime

struct SetLane: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-lane",
    abstract: "Say whether a lane is read, and whether its points follow the tempo.",
    discussion: """
      A lane that is not read keeps its points; the set value is heard. With another time base the points stay where they \
      are, and afterwards follow changes of tempo, or keep their seconds.

        daw set-lane Vocal volume --no-read
        daw set-lane Vocal volume --time-base absolute
      """)

  @OptionGroup var lane: LaneOptions

  @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Hear the lane in place of the set value.")
  var read: Bool?

  @Option(
    help: ArgumentHelp("What its points keep: their bars (musical) or their seconds (absolute).", valueName: "clock"),
    completion: .list(TimeBase.allCases.map(\.rawValue)), transform: TimeBase.init(typed:))
  var timeBase: TimeBase?

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let entry = try context.editor.setLane(lane.reference, isRead: read, timeBase: timeBase)
    return EditOutcome(
      summary: "Lane \(entry.target.title): \(entry.settings).", warnings: entry.warnings,
      json: JSONObject(["lane": entry.json]))
  }

  func validate() throws {
    if read == nil, timeBase == nil { throw ValidationError("Say what to change: --read, --no-read or --time-base.") }
  }
}

struct RemoveLane: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-lane",
    abstract: "Remove a lane with its points; the set value holds again.",
    discussion: """
        daw remove-lane Vocal volume
        daw remove-lane --group Drums volume
      """)

  @OptionGroup var lane: LaneOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let entry = try context.editor.removeLane(lane.reference)
    return EditOutcome(
      summary: "Removed the lane of \(entry.target.title) with \(counted(entry.pointCount, "point")).",
      json: JSONObject(["removed": [entry.lane.id.uuidString]]))
  }
}

struct ListLanes: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-lanes",
    abstract: "List the lanes: what moves over time.",
    discussion: """
        daw list-lanes
        daw list-lanes Vocal --json
      """)

  @Argument(help: "Only those of this track, its sends and its effects: its name or id.")
  var track: String?

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let entries = try session.read { view in try view.laneEntries(track: track.map(view.track(calledBy:))) }
    var table = TextTable(.text, .text, .text)
    for entry in entries {
      table.add([
        TextTable.Cell(entry.target.isOfGroup ? "\(entry.target.ownerName) (group)" : entry.target.ownerName),
        TextTable.Cell(entry.target.name), TextTable.Cell(entry.settings),
      ])
    }
    return CommandResult(
      lines: entries.isEmpty ? ["No lanes."] : table.lines(), made: entries.map(\.lane.id.uuidString),
      json: entries.map(\.json),
      warnings: entries.filter { $0.isSilent && $0.lane.isRead }.map {
        "\($0.target.title) is at -inf dB throughout: nothing is heard of it."
      } + entries.flatMap(\.warnings))
  }
}

extension LaneEntry {
  /// "12 points, not read, silent".
  var settings: String {
    var words = [counted(pointCount, "point")]
    if lane.timeBase == .absolute { words.append("absolute") }
    if !lane.isRead { words.append("not read") }
    if isSilent { words.append("silent") }
    if idleReason != nil { words.append("idle") }
    return words.joined(separator: ", ")
  }

  var warnings: [String] { idleReason.map { [$0] } ?? [] }

  var json: JSONObject {
    JSONObject([
      "id": lane.id.uuidString, target.isOfGroup ? "group" : "track": target.ownerName, "parameter": target.name,
      "timeBase": lane.timeBase, "isRead": lane.isRead, "isSilent": isSilent, "isIdle": idleReason != nil,
      "pointCount": pointCount,
    ])
  }
}

extension EditContext {
  /// Says of set values that a lane is read in their place.
  /// - Parameter parameters: the names of those that were set.
  func warnings(ofLanesOver parameters: [String?], of owner: Lane.Owner) throws -> [String] {
    let set = parameters.compactMap(\.self)
    guard !set.isEmpty else { return [] }
    return try editor.view.lanes(of: owner).filter { $0.isRead && set.contains($0.parameter) }.compactMap { lane in
      guard let target = try editor.view.target(of: lane),
        try editor.view.pointCount(lane.id) > 0
      else { return nil }
      let words = "\(shellQuoted(target.ownerName)) \(shellQuoted(target.name))"
      return "\(target.title) has a lane that is read: what was set is heard when it is not, as after 'daw set-lane "
        + "\(target.isOfGroup ? "--group " : "")\(words) --no-read'."
    }
  }
}
