import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject

struct SetRegion: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-region",
    abstract: "Change a region's settings, its position, or its track.",
    discussion: """
        daw set-region Drums/Loop --at 9.1.0 --gain -3
        daw set-region Loop --track 'More Drums' --no-mute --color none
        daw set-region Keys/Verse --length 2.0.0 --cut-notes
      """)

  @Argument(help: "The region: TRACK/NAME, a name that only one region has, or an id.")
  var region: String

  @Option(help: "Move it to this track.")
  var track: String?

  @Flag(help: "Cut off the notes of a MIDI region that becomes shorter.")
  var cutNotes = false

  @OptionGroup var settings: RegionOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    var placement = try settings.placement(in: Timeline(view))
    placement.track = track
    placement.cutsNotes = cutNotes
    let region = try context.editor.setRegion(region, settings.change(), placement)
    let entry = try view.entry(of: region)
    return EditOutcome(
      summary: "Region '\(entry.track)/\(region.name)': \(Wording.span(entry)), \(Wording.content(entry.region)).",
      json: JSONObject(["region": entry]))
  }

  func validate() throws {
    if settings.isEmpty, track == nil {
      throw ValidationError("Say what to change, such as --at or --gain; 'daw set-region --help' lists all.")
    }
  }
}
