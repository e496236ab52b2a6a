import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject

struct AddTrack: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-track",
    abstract: "Add a track.",
    discussion: """
        daw add-track Drums
        daw add-track Keys --type midi --program 4 --volume -6 --pan -0.5
        daw add-track Reverb --type bus
        id=$(daw add-track Bass -q)
      """)

  @Argument(help: "What it is called; no other track may have that name.")
  var name: String

  @OptionGroup var settings: TrackOptions
  @OptionGroup var edit: EditOptions

  static func mayBringInFiles(_ words: [String]) -> Bool { words.contains { $0.hasPrefix("--soundfont") } }

  var incomingFiles: [IncomingFile] { settings.instrument.incomingFiles }

  func perform(in context: EditContext) throws -> EditOutcome {
    let track = try context.editor.addTrack(named: name, settings.change(in: context), settings.setup(in: context))
    let entry = try context.editor.view.entry(of: track)
    return EditOutcome(
      summary: "Added track '\(track.name)' (\(Wording.settingsAndRouting(entry.track)); id \(entry.shortID)).",
      made: [track.id.uuidString], json: JSONObject(["track": entry]))
  }
}

struct SetTrack: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-track",
    abstract: "Change a track's settings.",
    discussion: """
        daw set-track Bass --volume -3.5 --pan 0.2
        daw set-track Keys --name Piano --no-mute --output Band
        daw set-track Guitar --trim 3 --invert right --stereo-width 0.5
        daw set-track Vox --arm --input system:capture_1 --monitor off
        daw set-track Master --volume -1
      """)

  @Argument(help: "The track: its name or id.")
  var track: String

  @Option(help: "What it shall be called.")
  var name: String?

  @OptionGroup var settings: TrackOptions
  @OptionGroup var edit: EditOptions

  static func mayBringInFiles(_ words: [String]) -> Bool { words.contains { $0.hasPrefix("--soundfont") } }

  var incomingFiles: [IncomingFile] { settings.instrument.incomingFiles }

  func perform(in context: EditContext) throws -> EditOutcome {
    var change = try settings.change(in: context)
    change.set(\.name, to: try name.map { try Name(ofItem: $0) })
    if settings.type == nil { try settings.instrument.requireInstrument(of: track, in: context) }
    let track = try context.editor.setTrack(track, change, settings.setup(in: context))
    let entry = try context.editor.view.entry(of: track)
    return EditOutcome(
      summary: "Track '\(track.name)': \(Wording.settingsAndRouting(entry.track)).",
      warnings: try context.warnings(ofLanesOver: settings.lanes, of: .track(track.id)),
      json: JSONObject(["track": entry]))
  }

  func validate() throws {
    if settings.isEmpty, name == nil {
      throw ValidationError("Say what to change, such as --volume or --name; 'daw set-track --help' lists all.")
    }
  }
}

struct MoveTrack: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "move-track",
    abstract: "Move a track among the others.",
    discussion: """
        daw move-track Bass --to 1
      """)

  @Argument(help: "The track: its name or id.")
  var track: String

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Its new place, from 1; the master stays last.", valueName: "n"),
    transform: Int.init(typed:))
  var to: Int

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let track = try context.editor.moveTrack(track, to: to)
    return EditOutcome(
      summary: "Moved track '\(track.name)' to place \(to).",
      json: JSONObject(["track": try context.editor.view.entry(of: track)]))
  }
}

struct CopyTrack: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy-track",
    abstract: "Copy a track: settings, lanes, sends, effects, instrument, regions.",
    discussion: """
      The copy lies behind the original, and is in the same groups. Comments stay with the original.

        daw copy-track Bass
        daw copy-track Bass --name 'Bass DI' --no-regions
      """)

  @Argument(help: "The track: its name or id.")
  var track: String

  @Option(help: "What the copy is called (default: a free name, such as 'Bass 2').")
  var name: String?

  @Flag(name: .customLong("no-regions"), help: "Copy only the settings, the sends, the effects and the instrument.")
  var leavesOutRegions = false

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let (original, copy, count) = try context.editor.copyTrack(track, named: name, includesRegions: !leavesOutRegions)
    let entry = try context.editor.view.entry(of: copy)
    let regions = count == 0 ? "" : " with \(counted(count, "region"))"
    return EditOutcome(
      summary: "Copied track '\(original.name)' as '\(copy.name)'\(regions) (id \(entry.shortID)).",
      made: [copy.id.uuidString], json: JSONObject(["track": entry]))
  }
}

struct RemoveTrack: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-track",
    abstract: "Remove a track with its regions.",
    discussion: """
      Audio files stay in the project, so that undo brings all of it back; 'daw clean' removes what nothing uses. A bus \
      that outputs or sends lead to is refused unless they are rerouted.

        daw remove-track Bass
        daw remove-track Reverb --reroute
      """)

  @Argument(help: "The track: its name or id.")
  var track: String

  @Flag(help: "Give what feeds a bus the bus's own output, and remove the sends to it.")
  var reroute = false

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let regions = try view.regionCount(of: view.track(calledBy: track).id)
    let (track, outputs, sends, keyed) = try context.editor.removeTrack(track, reroutes: reroute)
    let remark = regions == 0 ? "" : " with \(counted(regions, "region"))"
    let rerouted = [
      outputs == 0 ? nil : "\(counted(outputs, "output")) rerouted to \(try view.targetName(of: track))",
      sends == 0 ? nil : "\(counted(sends, "send")) removed",
    ].compactMap(\.self).map { ", \($0)" }.joined()
    return EditOutcome(
      summary: "Removed track '\(track.name)'\(remark)\(rerouted).",
      warnings: keyed.map { "It was the key of effect '\($0)', which listens to its own strip now." },
      json: JSONObject([
        "removed": [track.id.uuidString], "reroutedOutputs": outputs, "removedSends": sends, "releasedKeys": keyed,
      ]))
  }
}

struct ListTracks: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-tracks",
    abstract: "List the tracks in their order, the master last.",
    discussion: """
        daw list-tracks
        daw list-tracks --type midi
        daw list-tracks --soloed --json
      """)

  @Flag(help: "Only tracks that are soloed.")
  var soloed = false

  @Option(
    help: "Only tracks of this type: audio, midi, bus or master.",
    completion: .list(TrackType.allCases.map(\.rawValue)), transform: kind)
  var type: TrackType?

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let entries = try session.read { try $0.trackEntries(type: type, isSoloed: soloed) }
    let presets = session.presetNames(ofSoundFonts: entries.compactMap(\.track.instrument?.soundFont))
    var table = TextTable(.number, .text, .text, .plain, .id)
    for entry in entries {
      table.add([
        "\(entry.track.index + 1)", TextTable.Cell(entry.track.name.text, .colored(entry.track.color)),
        "\(Wording.settings(entry.track, presets))",
        TextTable.Cell(entry.track.trackType == .master ? "" : counted(entry.regionCount, "region")),
        TextTable.Cell(entry.shortID, .dim),
      ])
      if let routing = Wording.routing(entry.track) {
        table.add(["", "", TextTable.Cell(routing, overflows: true), "", ""])
      }
    }
    return CommandResult(
      lines: entries.isEmpty ? ["No such tracks."] : table.lines(),
      made: entries.map(\.track.id.uuidString),
      json: entries)
  }

  private static func kind(_ text: String) throws -> TrackType {
    try TrackType(typed: text, listedAs: "the types are")
  }
}
