import ArgumentParser
import DAWRender

/// The verification and cache options of `bounce`.
struct BounceProofOptions: ParsableArguments {
  @Flag(
    help: "Write no file: print the SHA-256 of the engine's samples alone. Options of a file, as --rate, are refused.")
  var digest = false

  @Flag(help: "Render twice, in different ways, and compare; print the SHA-256. A file is written only with -o.")
  var verify = false

  @Flag(help: "Write the manifest FILE.json next to the file or the folder of stems, for 'daw verify FILE'.")
  var manifest = false

  @Flag(help: "Say of each instrument and each strip with effects if it was rendered or taken from the cache, and why.")
  var explain = false

  @Flag(help: "Render instruments and effects afresh, and keep none of their renders.")
  var noCache = false

  func apply(to request: inout BounceRequest) {
    request.engine.usesCache = !noCache
  }

  func validate() throws {
    if manifest, digest { throw ValidationError("'--manifest' lies beside a file, and '--digest' writes none.") }
  }

  /// Whether there is no file to write.
  func isWithoutFile(_ request: BounceRequest) -> Bool { digest || verify && request.destination == .automatic }

  /// The lines of the result; with `--explain`, followed by one for each instrument and each strip with effects.
  func explained(_ lines: [String], _ renders: [TrackRender]) -> [String] {
    explain ? lines + renders.map(\.text) : lines
  }
}
