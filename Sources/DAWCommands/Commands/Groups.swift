import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject

struct AddGroup: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-group",
    abstract: "Make a group of tracks, with a volume, a mute and a solo of its own.",
    discussion: """
      The tracks keep their own volumes, to which those of all their groups are added. A track that any of its groups \
      mutes or solos is muted or soloed.

        daw add-group Drums --track Kick --track Snare --volume -3
      """)

  @Argument(help: "What it is called; no other group may have that name.")
  var name: String

  @Option(help: "A track that belongs to it; may be repeated.")
  var track: [String] = []

  @OptionGroup var settings: GroupOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let group = try context.editor.addGroup(named: name, settings.change, tracks: track)
    let document = try context.editor.view.document(of: group)
    return EditOutcome(
      summary: "Added group '\(group.name)' (\(Wording.settings(document))).", made: [group.id.uuidString],
      json: JSONObject(["group": document]))
  }
}

struct SetGroup: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-group",
    abstract: "Change a group's settings, or its tracks.",
    discussion: """
        daw set-group Drums --volume -6 --no-mute
        daw set-group Drums --add-track Hat --remove-track Kick
      """)

  @Argument(help: "The group: its name or id.")
  var group: String

  @Option(help: "What it shall be called.")
  var name: String?

  @Option(help: ArgumentHelp("A track that joins it; may be repeated.", valueName: "track"))
  var addTrack: [String] = []

  @Option(help: ArgumentHelp("A track that leaves it; may be repeated.", valueName: "track"))
  var removeTrack: [String] = []

  @OptionGroup var settings: GroupOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    var change = settings.change
    change.set(\.name, to: try name.map { try Name(ofItem: $0) })
    let group = try context.editor.setGroup(group, change, adding: addTrack, removing: removeTrack)
    let document = try context.editor.view.document(of: group)
    return EditOutcome(
      summary: "Group '\(group.name)' (\(Wording.settings(document))).",
      warnings: try context.warnings(ofLanesOver: settings.lanes, of: .group(group.id)),
      json: JSONObject(["group": document]))
  }

  func validate() throws {
    if settings.change.isEmpty, name == nil, addTrack.isEmpty, removeTrack.isEmpty {
      throw ValidationError("Say what to change, such as --volume or --add-track.")
    }
  }
}

struct RemoveGroup: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-group",
    abstract: "Remove a group; its tracks stay.",
    discussion: """
        daw remove-group Drums
      """)

  @Argument(help: "The group: its name or id.")
  var group: String

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let group = try context.editor.removeGroup(group)
    return EditOutcome(
      summary: "Removed group '\(group.name)'.", json: JSONObject(["removed": [group.id.uuidString]]))
  }
}

struct ListGroups: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-groups",
    abstract: "List the groups with their tracks.",
    discussion: """
        daw list-groups
        daw list-groups --json
      """)

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let groups = try session.read { try $0.groupDocuments() }
    let shortIDs = ShortIDs(groups.map(\.row.id))
    var table = TextTable(.text, .text, .id)
    for group in groups {
      table.add([
        TextTable.Cell(group.name.text), "\(Wording.settings(group))", TextTable.Cell(shortIDs[group.row.id], .dim),
      ])
    }
    return CommandResult(
      lines: groups.isEmpty ? ["No groups."] : table.lines(), made: groups.map(\.row.id.uuidString), json: groups)
  }
}
