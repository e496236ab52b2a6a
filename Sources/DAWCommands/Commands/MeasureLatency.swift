import ArgumentParser
import DAWErrors
import DAWInterchange
import DAWPlay
import DAWProject

struct MeasureLatency: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "latency-test",
    abstract: "Measure how late an input is, through a cable, and correct it.",
    discussion: """
      Plays noise at −18 dBFS for two seconds to one port and listens at another, with a cable between them. What the \
      server does not know of the way, converters for instance, becomes the record offset of the tracks that record from \
      that input.

        daw latency-test --out system:playback_1 --in system:capture_1
        daw latency-test --out system:playback_1 --in system:capture_1 --dry-run
      """)

  @Option(name: .customLong("out"), help: ArgumentHelp("The port to play to.", valueName: "port"))
  var outputPort: String

  @Option(name: .customLong("in"), help: ArgumentHelp("The port to listen to.", valueName: "port"))
  var inputPort: String

  @Option(help: ArgumentHelp("The JACK server. (default: JACK_DEFAULT_SERVER, or the usual one)", valueName: "name"))
  var server: String?

  @Flag(help: "Only measure.")
  var dryRun = false

  @OptionGroup var project: ProjectOptions

  var output: OutputOptions { project.output }

  func perform() throws -> CommandResult {
    let session = try Session.open(try ProjectFinder().find(project.project), isForEditing: !dryRun)
    defer { session.close() }
    let report = try Interruption.catching {
      try session.measureLatency(
        server: server, output: outputPort, input: inputPort, isStored: !dryRun,
        isInterrupted: { Interruption.wasRequested })
    }
    guard let report else {
      return CommandResult(lines: [], json: JSONObject([:]), exitStatus: ExitStatus.of(.interrupted))
    }
    var lines = [
      "\(counted(report.roundTrip, "frame")) there and back at \(report.sampleRate) Hz, of which the server knows "
        + "\(report.reported)."
    ]
    if !report.tracks.isEmpty {
      let names = report.tracks.map { "'\($0)'" }.joined(separator: ", ")
      lines.append("The record offset of \(names) is \(counted(report.recordOffset, "frame")).")
    } else {
      let reason = dryRun ? "Nothing was changed" : "No track records from '\(inputPort)'"
      lines.append("\(reason): 'daw set-track TRACK --record-offset=\(report.recordOffset)f' sets it.")
    }
    return CommandResult(lines: lines, json: report)
  }
}

extension LatencyReport: JSONEncoded {}
