import ArgumentParser
import DAWModel
import DAWSession

struct AddRegion: EditCommand {
  static let configuration = CommandConfiguration(
    abstract: "Add a region to a track.",
    discussion: """
      On a MIDI track it is empty, and one second long where no length is given.

        daw add-region Keys --at 2.1.0 --length 4.0.0
      """)

  @Argument(help: "The track: its name or id.")
  var track: String

  @OptionGroup var settings: RegionOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let change = try settings.change(in: view.header().settings)
    let region = try context.editor.addMIDIRegion(to: track, change)
    let entry = try view.entry(of: region)
    return EditOutcome(
      summary: "Added region '\(entry.track)/\(region.name)' at \(Wording.place(entry)) (id \(entry.shortID)).",
      made: [region.id.uuidString], json: JSONObject(["region": entry]))
  }
}
