import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject

struct SetTrack: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-track",
    abstract: "Change a track's settings.",
    discussion: """
        daw set-track Bass --volume -3.5 --pan 0.2
        daw set-track Keys --name Piano --no-mute
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
    var change = settings.change
    change.set(\.name, to: try name.map { try Name($0) })
    if settings.type == nil { try settings.instrument.requireInstrument(of: track, in: context) }
    let track = try context.editor.setTrack(track, change, settings.setup(in: context))
    let entry = try context.editor.view.entry(of: track)
    return EditOutcome(
      summary: "Track '\(track.name)': \(Wording.settings(entry.track)).", json: JSONObject(["track": entry]))
  }

  func validate() throws {
    if settings.isEmpty, name == nil {
      throw ValidationError("Say what to change, such as --volume or --name; 'daw set-track --help' lists all.")
    }
  }
}
