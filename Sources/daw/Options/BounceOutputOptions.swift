import ArgumentParser
import DAWSession

/// Where `bounce` writes, and how samples lie there.
struct BounceOutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, help: ArgumentHelp("The file to write, or - for standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    help: "wav, rf64, flac or aiff; else by the file's ending.", completion: .list(["wav", "rf64", "flac", "aiff"]))
  var format: String?

  @Option(
    help: "Bits of a sample: 16, 24, 32, or 32f and 64f for floating point; 32f is the engine's own.",
    completion: .list(["16", "24", "32", "32f", "64f"]))
  var bits: String?

  @Flag(help: "Replace the file where it exists.")
  var overwrite = false

  var isStandardOutput: Bool { output == "-" }

  func apply(to request: inout BounceRequest) throws {
    request.destination = output.map { $0 == "-" ? .standardOutput : .file($0) } ?? .automatic
    request.overwrites = overwrite
    request.container = try format.map(BounceFormat.container)
    request.encoding = try bits.map(BounceFormat.encoding)
  }

  func validate() throws {
    if output == "" { throw ValidationError("The name of the file is empty.") }
  }
}
