import ArgumentParser
import DAWInterchange
import DAWProject

struct AddMarker: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-marker",
    abstract: "Name a position on the timeline, or a range.",
    discussion: """
      Wherever a position is asked for, @ and the name mean the marker's position: @verse, @chorus+2b, "@second verse". \
      @start and @end are always there.

        daw add-marker Verse --at 5.1.0 --length 8.0.0 --color blue
        daw bounce --from @verse --to @verse+8.0.0
      """)

  @Argument(help: "Its name; several markers may have the same.")
  var name: String

  @OptionGroup var settings: MarkerOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let marker = try context.editor.addMarker(name, settings.change, settings.placement(in: Timeline(view)))
    let map = try view.tempoMap()
    return EditOutcome(
      summary: "Added marker '\(marker.name)' at \(Wording.place(map.ticks(at: marker.start), in: map)).",
      made: [marker.id.uuidString], warnings: MarkerOptions.warnings(about: marker),
      json: JSONObject(["marker": MarkerDocument(marker, in: map)]))
  }

  func validate() throws {
    if settings.at == nil { throw ValidationError("Say where it is: --at 5.1.0.") }
  }
}
