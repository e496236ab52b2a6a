import ArgumentParser
import DAWModel
import DAWSession

struct Import: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Bring audio files in, each on a track of its own.",
    discussion: """
      A new track is named after its file; a name that is taken gets a number. With --track all go on one track, one \
      behind the other.

        daw import stems/*.wav
        daw import choir.flac --at 9.1.0
        daw import take1.wav take2.wav --track Voice
      """)

  @Argument(help: "Audio files, of any format that libsndfile reads.", completion: .file())
  var files: [String]

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where they begin; else at the start.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition?

  @Option(help: "Put them on this track, rather than on new ones.")
  var track: String?

  @Flag(help: "Leave the files where they are, rather than copying them into the project.")
  var link = false

  @OptionGroup var edit: EditOptions

  static let bringsInFiles = true
  var incomingFiles: [IncomingFile] { files.map { IncomingFile(path: $0, isLinked: link) } }

  func perform(in context: EditContext) throws -> EditOutcome {
    let editor = context.editor
    let settings = try editor.view.header().settings
    var change = RegionChange()
    change.start = try at?.position(in: settings)
    var added: [AddedAudioRegion] = []
    for file in files {
      let next =
        if let track {
          try editor.addAudioRegion(to: track, file: context.path(file), isLinked: link, change)
        } else {
          try editor.importAudio(file: context.path(file), isLinked: link, change)
        }
      added.append(next)
      if track != nil { change.start = .absolute(next.region.endFlicks(in: settings.tempoMap)) }
    }
    let tracks = added.map { "'\($0.track.name)'" }.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    return EditOutcome(
      summary: "Brought in \(counted(added.count, "file")), on \(tracks.joined(separator: ", ")).",
      made: added.map(\.region.id.uuidString), warnings: added.flatMap(\.imported.warnings),
      json: JSONObject(["regions": try added.map { try editor.view.entry(of: $0.region) }]))
  }

  func validate() throws {
    if let file = files.first(where: { $0.lowercased().hasSuffix(".mid") || $0.lowercased().hasSuffix(".midi") }) {
      throw ValidationError("'\(file)' is a MIDI file, which this version of daw cannot bring in.")
    }
  }
}
