import ArgumentParser
import DAWInterchange
import DAWProject
import DAWTime

struct Export: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write MIDI tracks as a Standard MIDI File.",
    discussion: """
      Notes, controllers, programs and texts of all MIDI tracks, with tempo, meters, key signatures and markers. Positions are \
      exact unless --division makes them coarser than they are. A range begins with the programs and controllers that \
      hold there; notes are cut at its ends. The file appears only when it is complete.

        daw export -o song.mid
        daw export -o groove.mid --track Drums --track Bass --from 9.1.0 --to 17.1.0
        daw export -o keyboard.mid --format 0 --division 480 --overwrite

      What a MIDI file cannot say, such as regions, colours and the mix, is in Documentation/Formats.md.
      """)

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The file; - for standard output.", valueName: "file"), completion: .file())
  var output: String

  @Option(
    parsing: .unconditional, help: ArgumentHelp("0: all on one track; 1: a track each.", valueName: "0|1"),
    completion: .list(["0", "1"]), transform: Int.init(typed:))
  var format = 1

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Ticks to the quarter note. (default: 480, or more where some position needs it)", valueName: "n"),
    transform: Int.init(typed:))
  var division: Int?

  @Option(help: ArgumentHelp("Only this track; may be repeated.", valueName: "track"))
  var track: [String] = []

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where to begin. (default: the start)", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var from: TypedPosition?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where to end. (default: the end)", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var to: TypedPosition?

  @Flag(help: "Replace the file where it exists; never a project's file, nor a medium.")
  var overwrite = false

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    var request = MIDIExportRequest()
    request.path = isStandardOutput ? nil : output
    request.overwrites = overwrite
    request.format = format
    request.division = division
    request.tracks = track
    let range = try session.read { try TimelineRange(from, to, in: session.timeline(of: $0)) }
    request.from = range.from
    request.to = range.to
    let song = try session.exportMIDI(request)
    if isStandardOutput { try Console.writeFile(song.bytes) }
    let isOne = song.format == 0 && song.tracks.count > 1
    let tracks = counted(song.tracks.count, "track") + (isOne ? " on one" : "")
    return CommandResult(
      text: isStandardOutput
        ? ""
        : "Wrote '\(song.path ?? output)': \(tracks), \(counted(song.noteCount, "note")), "
          + "\(counted(song.eventCount, "event")), \(song.division) ticks to the quarter note.",
      made: song.path.map { [$0] } ?? [], json: ExportEntry(song), warnings: song.warnings)
  }

  func validate() throws {
    guard !isStandardOutput || !project.output.json && !project.output.quiet else {
      throw Exclusion.error("'-o -' writes the file itself to standard output, so --json and --quiet have no place.")
    }
  }

  private var isStandardOutput: Bool { output == "-" }
}

/// What was written, as JSON.
private struct ExportEntry: JSONEncoded {
  var path: String?
  var format: Int
  var division: Int
  var tracks: [String]
  var noteCount: Int
  var eventCount: Int
  var tempoCount: Int
  var meterCount: Int
  var markerCount: Int
  var warnings: [String]

  init(_ song: ExportedMIDIFile) {
    path = song.path
    format = song.format
    division = song.division
    tracks = song.tracks
    noteCount = song.noteCount
    eventCount = song.eventCount
    tempoCount = song.tempoCount
    meterCount = song.meterCount
    markerCount = song.markerCount
    warnings = song.warnings
  }
}
