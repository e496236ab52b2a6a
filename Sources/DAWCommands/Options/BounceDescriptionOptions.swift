import ArgumentParser
import DAWErrors
import DAWRender

/// The metadata options of `bounce`.
struct BounceDescriptionOptions: ParsableArguments {
  @Flag(
    inversion: .prefixedNo, exclusivity: .exclusive,
    help: "Write a Broadcast Wave extension: description, originator, position on the timeline, loudness; no date.")
  var bext: Bool?

  @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Write an iXML chunk.")
  var ixml: Bool?

  @Flag(
    inversion: .prefixedNo, exclusivity: .exclusive,
    help: "Write the markers of the range as cue points with labels.")
  var markers: Bool?

  @Option(help: ArgumentHelp("The description in it. (default: the project's name)", valueName: "text"))
  var description: String?

  @Option(help: ArgumentHelp("The originator in it. (default: daw)", valueName: "text"))
  var originator: String?

  /// Those that are given and have an effect on a file alone: all but what leaves something out.
  var forFile: [String] {
    [
      ("--bext", bext == true), ("--ixml", ixml == true), ("--markers", markers == true),
      ("--description", description != nil), ("--originator", originator != nil),
    ].compactMap { $1 ? $0 : nil }
  }

  func apply(_ preset: BouncePreset, to request: inout BounceRequest) throws {
    request.description.hasExtension = bext ?? preset.bext ?? false
    request.description.hasXML = ixml ?? preset.ixml ?? false
    guard !hasText || request.description.hasExtension || request.description.hasXML else {
      throw Failure(
        .usage, code: "usage", "\(Self.needsPlace) Neither is asked for. Nothing was written.",
        hint: "Add one of them, for a WAV.")
    }
    request.description.hasMarkers = markers ?? preset.markers ?? false
    request.description.text = description ?? preset.description
    request.description.originator = originator ?? preset.originator ?? "daw"
  }

  /// For where no preset may ask for a place: then it is known before anything is opened.
  func requirePlace() throws {
    if hasText, bext != true, ixml != true { throw ValidationError(Self.needsPlace) }
  }

  private var hasText: Bool { description != nil || originator != nil }
  private static let needsPlace = "'--description' and '--originator' are for '--bext' or '--ixml'."
}
