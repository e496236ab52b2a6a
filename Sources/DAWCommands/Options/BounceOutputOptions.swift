import ArgumentParser
import DAWErrors
import DAWMedia
import DAWRender
import DAWTime
import Foundation

/// The destination and sample format of `bounce`.
struct BounceOutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write, or the folder of --stems, or - for standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    help:
      "wav, rf64, flac, aiff, ogg (Vorbis), opus, mp3 or m4a (AAC, by ffmpeg); else by the file's ending, else wav.",
    completion: .list(BounceFormat.containers))
  var format: String?

  @Option(
    help: "Bits of a sample: 16, 24, 32, or 32f and 64f for floating point; 32f is the engine's own. (default: 24)",
    completion: .list(["16", "24", "32", "32f", "64f"]))
  var bits: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Frames per second, converted behind the engine. (default: the project's; Opus has 48000)", valueName: "hz"),
    transform: SampleRate.init(typed:))
  var rate: SampleRate?

  @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "One channel: the mean of both sides.")
  var mono: Bool?

  @Option(
    help: "What is added before rounding to integers: none, or tpdf (triangular, ±1 step). (default: none)",
    completion: .list(Dither.allCases.map(\.rawValue)))
  var dither: String?

  @Option(
    help: ArgumentHelp(
      "Settings by name: cd, streaming, podcast, archive, draft, low, medium, high, or a file of your own. Options win over it.",
      valueName: "name"),
    completion: .list(BouncePreset.builtIn.keys.sorted()))
  var preset: String?

  @Flag(help: "Write each track into a file of its own, in a folder; their sum is the mix before the master's effects.")
  var stems = false

  @Flag(help: "Replace the file, or the folder of stems, where it exists; never a project's file, nor a medium.")
  var overwrite = false

  var isStandardOutput: Bool { output == "-" }

  /// Those that are given and have an effect on a file alone.
  var forFile: [String] {
    [
      ("--format", format != nil), ("--bits", bits != nil), ("--rate", rate != nil), ("--mono", mono == true),
      ("--dither", dither != nil), ("--stems", stems),
    ].compactMap { $1 ? $0 : nil }
  }

  /// - Parameter preset: the values of options that are not given.
  func apply(_ preset: BouncePreset, to request: inout BounceRequest) throws {
    request.destination = output.map { $0 == "-" ? .standardOutput : .file($0) } ?? .automatic
    request.overwrites = overwrite
    request.writesStems = stems
    request.container = try format.map(BounceFormat.container)
    if let format = preset.format { request.usualContainer = try BounceFormat.container(format) }
    request.encoding = try (bits ?? preset.bits).map(BounceFormat.encoding)
    request.sampleRate = rate ?? preset.rate.map { SampleRate(hertz: $0) }
    request.quality = try preset.quality.map(BounceFormat.quality)
    request.isMono = mono ?? preset.mono ?? false
    request.dither = try (dither ?? preset.dither).map(BounceFormat.dither) ?? .none
  }

  /// Refuses stems in the place of a file.
  func requireFolderOfStems() throws {
    var status = stat()
    guard stems, let output, !isStandardOutput, lstat(output, &status) == 0, !status.isFolder, !status.isLink else {
      return
    }
    throw Failure(
      .cannotCreate, code: "alreadyExists",
      "'\(output)' is \(status.isFile ? "a file" : "no folder"), and stems go into a folder. Nothing was written.",
      hint: "Name a folder.")
  }

  func validate() throws {
    try BounceFormat.readable {
      _ = try format.map(BounceFormat.container)
      _ = try bits.map(BounceFormat.encoding)
      _ = try dither.map(BounceFormat.dither)
    }
    if output == "" { throw ValidationError("The name of the file is empty.") }
  }
}
