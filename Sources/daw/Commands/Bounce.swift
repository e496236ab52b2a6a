import ArgumentParser
import DAWModel
import DAWSession
import DAWTime
import Foundation

struct Bounce: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "bounce",
    abstract: "Render the project to an audio file, faster than real time.",
    discussion: """
      Renders the master from 0 to the end of the last region, plus the tail. Without -o the file is Bounces/NAME.wav, \
      numbered where that exists. Nobody ever sees half a file.

        daw bounce -o mix.wav
        daw bounce -o chorus.flac --from 9.1.0 --to 17.1.0 --bits 16
        daw bounce --track Bass --track Drums -o rhythm.wav --overwrite
        daw bounce -o - --bits 32f | sox - -d

      What would make the file a lie is refused by its name, unless it is allowed: empty (nothing between the beginning \
      and the end), silent (all is muted, soloed away, or outside the range), missing (a medium is not there), changed \
      (a medium holds other bytes than the project recorded).
      """)

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The file to write, or - for standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(help: "wav, rf64, flac or aiff; else by the file's ending.", completion: .list(["wav", "rf64", "flac", "aiff"]))
  var format: String?

  @Option(
    help: "Bits of a sample: 16, 24, 32, or 32f and 64f for floating point; 32f is the engine's own.",
    completion: .list(["16", "24", "32", "32f", "64f"]))
  var bits: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where to begin. (default: 0s)", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var from: TypedPosition?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where to end, before the tail. (default: the end of the last region)", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var to: TypedPosition?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What rings on behind the end. (default: 2s where an instrument sounds, else 0s)", valueName: "distance"),
    transform: TypedDistance.init(typed:))
  var tail: TypedDistance?

  @Option(help: ArgumentHelp("Render only this track, as if soloed; may be repeated.", valueName: "track"))
  var track: [String] = []

  @Flag(help: "Let instruments begin at --from rather than at 0: faster, and not equal to the same range of the whole.")
  var chase = false

  @Flag(help: "Replace the file where it exists.")
  var overwrite = false

  @Option(
    help: ArgumentHelp("Bounce all the same: empty, silent, missing or changed; may be repeated.", valueName: "name"),
    completion: .list(BounceProblem.allCases.map(\.rawValue)))
  var allow: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Frames rendered at a time, 1 … 65536. Changes no bit of the result.", valueName: "frames"),
    transform: Int.init(typed:))
  var block: Int?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Threads that render. Changes no bit of the result.", valueName: "n"),
    transform: Int.init(typed:))
  var threads: Int?

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let progress = ProgressBar(label: "Bouncing", isShown: !project.output.json && !project.output.quiet)
    defer { progress.clear() }
    let report = try Interruption.catching {
      try session.bounce(try request()) { done, total in
        progress.show(done, of: total)
        return !Interruption.wasRequested
      }
    }
    return CommandResult(
      text: output == "-" ? "" : Self.text(report), made: report.path.map { [$0] } ?? [], json: Self.json(report),
      warnings: report.warnings)
  }

  private func request() throws -> BounceRequest {
    var request = BounceRequest()
    request.destination = output.map { $0 == "-" ? .standardOutput : .file($0) } ?? .automatic
    request.overwrites = overwrite
    request.container = try format.map(BounceFormat.container)
    request.encoding = try bits.map(BounceFormat.encoding)
    if let from { request.from = { try from.flicks(in: $0) } }
    if let to { request.to = { try to.flicks(in: $0) } }
    if let tail { request.tail = { try tail.flicks(in: $0, from: $1) } }
    request.tracks = track
    request.startsCold = chase
    request.allowed = Set(try allow.map(BounceFormat.problem))
    if let block { request.blockFrames = block }
    request.threadCount = threads
    return request
  }

  func validate() throws {
    if let block, !(1...65_536).contains(block) { throw ValidationError("'--block' is 1 … 65536 frames.") }
    if let threads, !(1...256).contains(threads) { throw ValidationError("'--threads' is 1 … 256.") }
    if output == "-", project.output.json || project.output.quiet {
      throw ValidationError("Standard output is the audio with '-o -', so '--json' and '--quiet' have no place.")
    }
    if output == "" { throw ValidationError("The name of the file is empty.") }
  }

  private static func text(_ report: BounceReport) -> String {
    let peak = report.peakLevel.isFinite ? String(format: "%.2f dBFS", report.peakLevel) : "silent"
    let speed = report.timesRealTime.isFinite ? String(format: ", %.0f × real time", report.timesRealTime) : ""
    return """
      \(report.path ?? "standard output")
      \(Wording.time(report.duration)) of \(report.format) at \(report.format.sampleRate.hertz) Hz, peak \(peak), \
      pan law \(report.panLaw.rawValue)\(speed)
      """
  }

  private static func json(_ report: BounceReport) -> JSONObject {
    JSONObject([
      "path": report.path, "format": report.format.container.rawValue, "encoding": report.format.encoding.rawValue,
      "sampleRate": report.format.sampleRate.hertz, "channelCount": report.format.channelCount,
      "frames": report.frameCount, "duration": report.duration, "startTime": report.start.seconds,
      "startFlicks": report.start.flicks, "peak": Level(decibels: report.peakLevel),
      "clippedSamples": report.clippedSampleCount, "invalidSamples": report.invalidSampleCount,
      "panLaw": report.panLaw, "revision": report.revision, "timesRealTime": report.timesRealTime,
      "warnings": report.warnings,
    ])
  }
}
