import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject

struct AddSend: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-send",
    abstract: "Send a track to a bus, beside its output.",
    discussion: """
      A send takes what leaves the track's fader, or with --pre what comes to it. A track has one send to a bus. Its own \
      --pan replaces the track's; only where the track has effects behind its fader, it acts on what is panned already.

        daw add-track Reverb --type bus
        daw add-send Vocal Reverb --level -12
        daw add-send Vocal Headphones --pre --pan 0
      """)

  @OptionGroup var ends: SendEnds
  @OptionGroup var settings: SendOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let entry = try context.editor.view.entry(
      of: context.editor.addSend(from: ends.track, to: ends.bus, settings.change))
    return EditOutcome(
      summary: "Added send \(entry.title) (\(Wording.settings(entry.send))).", made: [entry.send.id.uuidString],
      json: JSONObject(["send": entry.json]))
  }
}

struct SetSend: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-send",
    abstract: "Change a send's settings.",
    discussion: """
        daw set-send Vocal Reverb --level -9 --no-mute
        daw set-send Vocal Reverb --post --pan strip
      """)

  @OptionGroup var ends: SendEnds
  @OptionGroup var settings: SendOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let entry = try context.editor.view.entry(
      of: context.editor.setSend(from: ends.track, to: ends.bus, settings.change))
    return EditOutcome(
      summary: "Send \(entry.title): \(Wording.settings(entry.send)).",
      warnings: try context.warnings(ofLanesOver: settings.lanes, of: .send(entry.send.id)),
      json: JSONObject(["send": entry.json]))
  }

  func validate() throws {
    if settings.isEmpty { throw ValidationError("Say what to change, such as --level or --pre.") }
  }
}

struct RemoveSend: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-send",
    abstract: "Remove a send.",
    discussion: """
        daw remove-send Vocal Reverb
      """)

  @OptionGroup var ends: SendEnds
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let entry = try context.editor.removeSend(from: ends.track, to: ends.bus)
    return EditOutcome(
      summary: "Removed send \(entry.title).", json: JSONObject(["removed": [entry.send.id.uuidString]]))
  }
}

/// What names a send.
struct SendEnds: ParsableArguments {
  @Argument(help: "The track: its name or id.")
  var track: String

  @Argument(help: "The bus: its name or id.")
  var bus: String
}

struct ListSends: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-sends",
    abstract: "List the sends, in order of their tracks.",
    discussion: """
        daw list-sends
        daw list-sends Vocal --json
      """)

  @Argument(help: "Only those of this track: its name or id.")
  var track: String?

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let (entries, all) = try session.read { view in
      (try view.sendEntries(from: track.map(view.track(calledBy:))), try view.all(Send.self).map(\.id))
    }
    let shortIDs = ShortIDs(entries.map(\.send.id), among: all)
    var table = TextTable(.text, .text, .text, .id)
    for entry in entries {
      table.add([
        TextTable.Cell(entry.track.name.text, .colored(entry.track.color)),
        TextTable.Cell((Terminal.drawsUnicode ? "→ " : "-> ") + entry.bus.name.text),
        "\(Wording.settings(entry.send))", TextTable.Cell(shortIDs[entry.send.id], .dim),
      ])
    }
    return CommandResult(
      lines: entries.isEmpty ? ["No sends."] : table.lines(), made: entries.map(\.send.id.uuidString),
      json: entries.map(\.json))
  }
}

extension SendEntry {
  /// "Vocal → Reverb".
  fileprivate var title: String { "\(track.name) \(Terminal.drawsUnicode ? "→" : "->") \(bus.name)" }

  fileprivate var json: JSONObject {
    JSONObject([
      "id": send.id.uuidString, "track": track.name.text, "trackID": track.id.uuidString, "bus": bus.name.text,
      "busID": bus.id.uuidString, "level": send.level, "pan": send.pan, "isPreFader": send.isPreFader,
      "isMuted": send.isMuted,
    ])
  }
}
