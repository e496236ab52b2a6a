import ArgumentParser
import DAWRender

/// The metadata options of `bounce`.
struct BounceDescriptionOptions: ParsableArguments {
  @Flag(help: "Write a Broadcast Wave extension: description, originator, position on the timeline, loudness; no date.")
  var bext = false

  @Flag(help: "Write an iXML chunk.")
  var ixml = false

  @Flag(help: "Write the markers of the range as cue points with labels.")
  var markers = false

  @Option(help: ArgumentHelp("The description in it. (default: the project's name)", valueName: "text"))
  var description: String?

  @Option(help: ArgumentHelp("The originator in it. (default: daw)", valueName: "text"))
  var originator: String?

  func apply(_ preset: BouncePreset, to request: inout BounceRequest) {
    request.description.hasExtension = bext || preset.bext ?? false
    request.description.hasXML = ixml || preset.ixml ?? false
    request.description.hasMarkers = markers || preset.markers ?? false
    request.description.text = description ?? preset.description
    request.description.originator = originator ?? preset.originator ?? "daw"
  }

  func validate() throws {
    if !bext, !ixml, description != nil || originator != nil {
      throw ValidationError("'--description' and '--originator' are for '--bext' or '--ixml'.")
    }
  }
}
