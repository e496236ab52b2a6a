import ArgumentParser
import DAWInterchange
import DAWProject

struct AddTrack: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-track",
    abstract: "Add a track.",
    discussion: """
        daw add-track Drums
        daw add-track Keys --type midi --program 4 --volume -6 --pan -0.5
        id=$(daw add-track Bass -q)
      """)

  @Argument(help: "What it is called; no other track may have that name.")
  var name: String

  @OptionGroup var settings: TrackOptions
  @OptionGroup var edit: EditOptions

  static func mayBringInFiles(_ words: [String]) -> Bool { words.contains { $0.hasPrefix("--soundfont") } }

  var incomingFiles: [IncomingFile] { settings.instrument.incomingFiles }

  func perform(in context: EditContext) throws -> EditOutcome {
    let track = try context.editor.addTrack(named: name, settings.change, settings.setup(in: context))
    let entry = try context.editor.view.entry(of: track)
    return EditOutcome(
      summary: "Added track '\(track.name)' (\(Wording.settings(entry.track)); id \(entry.shortID)).",
      made: [track.id.uuidString], json: JSONObject(["track": entry]))
  }
}
