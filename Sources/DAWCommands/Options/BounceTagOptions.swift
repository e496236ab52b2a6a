import ArgumentParser
import DAWMedia
import DAWRender

/// The options of `bounce` for what a compressed file says of itself.
struct BounceTagOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The title in the file's tags.", valueName: "text"))
  var title: String?

  @Option(help: ArgumentHelp("The artist in them.", valueName: "text"))
  var artist: String?

  @Option(help: ArgumentHelp("The album in them.", valueName: "text"))
  var album: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The place in the album: 3, or 3/12.", valueName: "n"),
    transform: FileTags.TrackNumber.init(typed:))
  var trackNumber: FileTags.TrackNumber?

  @Option(help: ArgumentHelp("The comment in them.", valueName: "text"))
  var comment: String?

  @Option(
    help: ArgumentHelp("A JPEG or PNG for the cover.", valueName: "file"),
    completion: .file(extensions: ["jpg", "jpeg", "png"]))
  var cover: String?

  @Flag(
    inversion: .prefixedNo, exclusivity: .exclusive, help: "Make chapters of the markers from --from to --to.")
  var chapters: Bool?

  /// Those that are given and have an effect on a file alone: all but what leaves chapters out.
  var forFile: [String] {
    [
      ("--title", title != nil), ("--artist", artist != nil), ("--album", album != nil),
      ("--track-number", trackNumber != nil), ("--comment", comment != nil), ("--cover", cover != nil),
      ("--chapters", chapters == true),
    ].compactMap { $1 ? $0 : nil }
  }

  func apply(_ preset: BouncePreset, to request: inout BounceRequest) {
    request.tags.title = title ?? preset.title
    request.tags.artist = artist ?? preset.artist
    request.tags.album = album ?? preset.album
    request.tags.trackNumber = trackNumber
    request.tags.comment = comment ?? preset.comment
    request.tags.cover = cover ?? preset.cover
    request.tags.hasChapters = chapters ?? preset.chapters ?? false
  }
}

extension FileTags.TrackNumber {
  /// - Throws: `Unreadable`.
  init(typed text: String) throws {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { wholeNumber(String($0)) ?? 0 }
    guard (1...2).contains(numbers.count), numbers.allSatisfy({ 1...9_999 ~= $0 }),
      numbers[0] <= numbers[numbers.count - 1]
    else { throw Unreadable(text, "a place in an album is 1 … 9999, or such as 3/12: the third of twelve.") }
    self.init(number: numbers[0], total: numbers.count == 2 ? numbers[1] : nil)
  }
}
