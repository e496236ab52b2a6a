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
    let (region, warnings) = try add(settings.placement(in: Timeline(view)), context)
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
        "A MIDI region has no offset, no channels and no absolute time base. Nothing was changed.",
        hint: "These options go with --file.")
    }
    var placement = placement
    if placement.length == nil {
      placement.length = TypedDistance.bar.expression(in: try Timeline(context.editor.view))
    }
    return (try context.editor.addMIDIRegion(to: "id:\(track.id)", settings.change(), placement), [])
  }

  func validate() throws {
    if let file, ["mid", "midi", "smf", "kar"].contains((file as NSString).pathExtension.lowercased()) {
      throw ValidationError(
        "'\(file)' is a MIDI file, which comes in by 'daw import \(shellWord(file)) --track \(shellWord(track))'.")
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
