import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject
import DAWTime

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
    let marker = try context.editor.addMarker(name, settings.change, settings.placement(in: context.timeline()))
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

struct SetMarker: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-marker",
    abstract: "Change a marker.",
    discussion: """
        daw set-marker Verse --at 6.1.0
        daw set-marker Verse --at +1.0.0
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
    let placement = try settings.placement(in: context.timeline(), of: view.marker(calledBy: marker))
    var change = settings.change
    change.set(\.name, to: try name.map { try Name(ofItem: $0) })
    let marker = try context.editor.setMarker(marker, change, placement)
    return EditOutcome(
      summary: "Changed marker '\(marker.name)'.", warnings: MarkerOptions.warnings(about: marker),
      json: JSONObject(["marker": MarkerDocument(marker, in: try view.tempoMap())]))
  }

  func validate() throws {
    if settings.isEmpty, name == nil { throw ValidationError("Say what to change, such as --at or --name.") }
  }
}

struct RemoveMarker: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-marker",
    abstract: "Remove markers.",
    discussion: """
        daw remove-marker Verse
      """)

  @Argument(help: "The markers: their names, or ids.")
  var markers: [String]

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let removed = try context.editor.removeMarkers(markers)
    return EditOutcome(
      summary: "Removed \(removed.map { "'\($0.name)'" }.joined(separator: ", ")).",
      json: JSONObject(["removed": removed.map(\.id.uuidString)]))
  }
}

struct ListMarkers: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-markers",
    abstract: "List markers in order of their position.",
    discussion: """
        daw list-markers
        daw list-markers --json
      """)

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let (map, markers) = try session.read { (try $0.tempoMap(), try $0.markers()) }
    let shortIDs = ShortIDs(markers.map(\.id))
    var table = TextTable(.plain, .text, .plain, .plain, .id)
    for marker in markers {
      let length = map.flicks(at: marker.end) - map.flicks(at: marker.start)
      table.add([
        "\(Wording.place(map.ticks(at: marker.start), in: map))",
        TextTable.Cell(marker.name.text, marker.color.map { .colored($0) }),
        marker.length == nil ? "" : "for \(Wording.time(length.seconds))",
        TextTable.Cell(
          [
            marker.kind == .cue ? "cue" : nil, marker.start.timeBase == .absolute ? "absolute" : nil,
            marker.color?.name,
          ]
          .compactMap(\.self).joined(separator: ", ")), TextTable.Cell(shortIDs[marker.id], .dim),
      ])
    }
    return CommandResult(
      lines: markers.isEmpty ? ["No markers."] : table.lines(), made: markers.map(\.id.uuidString),
      json: markers.map { MarkerDocument($0, in: map) })
  }
}
