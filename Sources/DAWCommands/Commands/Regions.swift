import ArgumentParser
import DAWErrors
import DAWInterchange
import DAWModel
import DAWProject
import Foundation

struct AddRegion: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-region",
    abstract: "Add a region to a track.",
    discussion: """
      On an audio track it plays a file, to its end where no length is given. The file is copied into the project, once \
      for all regions that play it; with --link it stays where it is. On a MIDI track a region is empty, and one bar \
      long where no length is given.

        daw add-region Drums --file loop.flac --at 3.1.0
        daw add-region Voice --file take.wav --offset 1.5s --length 8s --channel left
        daw add-region Keys --at 2.1.0 --length 4.0.0
      """)

  @Argument(help: "The track: its name or id.")
  var track: String

  @Option(help: ArgumentHelp("The audio file that it plays.", valueName: "path"), completion: .file())
  var file: String?

  @Flag(help: "Leave the file where it is, rather than copying it into the project.")
  var link = false

  @OptionGroup var settings: RegionOptions
  @OptionGroup var edit: EditOptions

  static func mayBringInFiles(_ words: [String]) -> Bool { words.contains { $0.hasPrefix("--file") } }

  var incomingFiles: [IncomingFile] { file.map { [IncomingFile(path: $0, isLinked: link)] } ?? [] }

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let (region, warnings) = try add(settings.placement(in: context.timeline()), context)
    let entry = try view.entry(of: region)
    return EditOutcome(
      summary: "Added region '\(entry.track)/\(region.name)' at \(Wording.place(entry)) (id \(entry.shortID)).",
      made: [region.id.uuidString], warnings: warnings, json: JSONObject(["region": entry]))
  }

  private func add(_ placement: RegionPlacement, _ context: EditContext) throws -> (Region, warnings: [String]) {
    if let file {
      let added = try context.editor.addAudioRegion(
        to: track, file: context.path(file), isLinked: link, settings.change(), placement)
      return (added.region, added.imported.warnings)
    }
    let track = try context.editor.view.track(calledBy: track)
    guard track.trackType == .midi else {
      throw Failure(
        .usage, code: "fileRequired", "A region of track '\(track.name)' needs a file to play. Nothing was changed.",
        hint: "Name one with --file. (Only MIDI tracks have regions without a file.)")
    }
    guard !settings.isAboutAudio else {
      throw Failure(
        .usage, code: "audioOnlyOption",
        "A MIDI region has no offset, no channels, no fades and no absolute time base. Nothing was changed.",
        hint: "These options go with --file.")
    }
    var placement = placement
    if placement.length == nil {
      placement.length = TypedDistance.bar.expression(in: try context.timeline())
    }
    return (try context.editor.addMIDIRegion(to: "id:\(track.id)", settings.change(), placement), [])
  }

  func validate() throws {
    if let file, ["mid", "midi", "smf", "kar", "rmi"].contains((file as NSString).pathExtension.lowercased()) {
      throw ValidationError(
        "'\(file)' is a MIDI file, which comes in by 'daw import \(shellQuoted(file)) --track \(shellQuoted(track))'.")
    }
    if link, file == nil { throw ValidationError("'--link' goes with '--file'.") }
  }
}

extension AddRegion: PlainlyTyped {
  static let plainArguments: [PlainAssignment<Self>] = [{ $0.track = $1 }]

  /// Those that a region of notes is mostly given.
  static let plainOptions: [String: PlainAssignment<Self>] = [
    "--at": { $0.settings.at = try TypedPosition(typed: $1) },
    "--length": { $0.settings.length = try TypedDistance(typed: $1) },
    "--name": { $0.settings.name = $1 },
  ]
}

struct SetRegion: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-region",
    abstract: "Change a region's settings, its position, its track, or its take.",
    discussion: """
        daw set-region Drums/Loop --at 9.1.0 --gain -3
        daw set-region Drums/Loop --at -10ms
        daw set-region Loop --track 'More Drums' --no-mute --color none
        daw set-region Keys/Verse --length 2.0.0 --cut-notes
        daw set-region Vox/Chorus --take 'Vox/Take 2'
      """)

  @Argument(help: "The region: TRACK/NAME, a name that only one region has, or an id.")
  var region: String

  @Option(help: "Move it to this track.")
  var track: String?

  @Option(help: "Make it a part of this take of its track; 'none' for no take.")
  var take: String?

  @Flag(help: "Cut off the notes of a MIDI region that becomes shorter.")
  var cutNotes = false

  @OptionGroup var settings: RegionOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    var placement = try settings.placement(in: context.timeline(), of: view.region(calledBy: region))
    placement.track = track
    placement.take = take.map { $0.lowercased() == "none" ? nil : $0 }
    placement.cutsNotes = cutNotes
    let region = try context.editor.setRegion(region, settings.change(), placement)
    let entry = try view.entry(of: region)
    return EditOutcome(
      summary: "Region '\(entry.track)/\(region.name)': \(Wording.span(entry)), \(Wording.content(entry.region)).",
      json: JSONObject(["region": entry]))
  }

  func validate() throws {
    if settings.isEmpty, track == nil, take == nil {
      throw ValidationError("Say what to change, such as --at or --gain; 'daw set-region --help' lists all.")
    }
  }
}

struct RemoveRegion: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-region",
    abstract: "Remove regions with their notes.",
    discussion: """
      Audio files stay in the project, so that undo brings all of it back; 'daw clean' removes what nothing uses.

        daw remove-region Drums/Loop Keys/Verse
      """)

  @Argument(help: "The regions: TRACK/NAME, a name that only one region has, or an id.")
  var regions: [String]

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let removed = try context.editor.removeRegions(regions)
    let what = removed.count == 1 ? "region '\(removed[0].name)'" : counted(removed.count, "region")
    return EditOutcome(summary: "Removed \(what).", json: JSONObject(["removed": removed.map(\.id.uuidString)]))
  }
}

struct ListRegions: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-regions",
    abstract: "List regions in order of their start.",
    discussion: """
      A range lists what lies in it at any point; with --starts, only what begins in it.

        daw list-regions
        daw list-regions --track Drums --from 3.1.0 --to 5.1.0
        daw list-regions --type midi --json
      """)

  @OptionGroup var match: RegionMatchOptions
  @OptionGroup var range: ListRangeOptions
  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let entries = try session.read { view in
      let timeline = try session.timeline(of: view)
      _ = try range.ticks(in: timeline)
      var choice = match.choice
      choice.from = try range.from?.flicks(in: timeline)
      choice.to = try range.to?.flicks(in: timeline)
      choice.isStarting = range.starts
      return try view.regionEntries(choice)
    }
    let hasUnused = entries.contains { !$0.region.row.isInUse }
    var table = TextTable(.text, .plain, hasUnused ? .textKeeping("not in use".count) : .text, .id)
    for entry in entries {
      table.add([
        "\(entry.track)/\(entry.region.name)", "\(Wording.span(entry))",
        "\(Wording.content(entry.region))",
        TextTable.Cell(entry.shortID, .dim),
      ])
    }
    return CommandResult(
      lines: entries.isEmpty ? ["No such regions."] : table.lines(),
      made: entries.map(\.region.id.uuidString),
      json: entries)
  }
}
