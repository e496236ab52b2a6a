import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject

struct SetMarker: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-marker",
    abstract: "Change a marker.",
    discussion: """
        daw set-marker Verse --at 6.1.0
        daw set-marker id:0a1b2c3d --name "Second verse" --length none
      """)

  @Argument(help: "The marker: its name, or an id.")
  var marker: String

  @Option(help: "Another name for it.")
  var name: String?

  @OptionGroup var settings: MarkerOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let placement = try settings.placement(in: Timeline(view))
    var change = settings.change
    change.set(\.name, to: try name.map { try Name($0) })
    let marker = try context.editor.setMarker(marker, change, placement)
    return EditOutcome(
      summary: "Changed marker '\(marker.name)'.", warnings: MarkerOptions.warnings(about: marker),
      json: JSONObject(["marker": MarkerDocument(marker, in: try view.tempoMap())]))
  }

  func validate() throws {
    if settings.isEmpty, name == nil { throw ValidationError("Say what to change, such as --at or --name.") }
  }
}
