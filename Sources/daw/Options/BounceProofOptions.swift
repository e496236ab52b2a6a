import ArgumentParser
import DAWSession

/// What `bounce` proves of its result, and what it keeps for the next.
struct BounceProofOptions: ParsableArguments {
  @Flag(help: "Write no file: print the SHA-256 of the engine's samples alone.")
  var digest = false

  @Flag(help: "Render twice, in different ways, and compare; print the SHA-256. A file is written only with -o.")
  var verify = false

  @Flag(help: "Say for each instrument track whether it was rendered or taken from the cache, and why.")
  var explain = false

  @Flag(help: "Render every instrument track afresh, and keep none.")
  var noCache = false

  func apply(to request: inout BounceRequest) { request.engine.usesCache = !noCache }

  /// Whether there is no file to write.
  func isWithoutFile(_ request: BounceRequest) -> Bool { digest || verify && request.destination == .automatic }

  /// The text for a person, with a line for each instrument track where that was asked for.
  func explained(_ text: String, _ renders: [TrackRender]) -> String {
    explain ? ([text] + renders.map(\.text)).joined(separator: "\n") : text
  }
}
