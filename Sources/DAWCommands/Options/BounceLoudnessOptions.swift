import ArgumentParser
import DAWRender

/// The loudness options of `bounce`.
struct BounceLoudnessOptions: ParsableArguments {
  @Flag(
    inversion: .prefixedNo, exclusivity: .exclusive,
    help: "Measure integrated loudness, loudness range and true peak. (default: with --json, --normalize and --bext)")
  var loudness: Bool?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Apply the gain that brings the mix to this level: -16LUFS, -1dBTP (true peak) or -1dBFS.", valueName: "level"),
    transform: NormalizationTarget.init(typed:))
  var normalize: NormalizationTarget?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Refuse a gain that brings the true peak above this. (default: -1dBTP with a level in LUFS)", valueName: "dBTP"),
    transform: BounceLevel.ceiling)
  var ceiling: Double?

  @Flag(
    inversion: .prefixedNo, exclusivity: .exclusive,
    help: "Put a limiter behind the gain, at --ceiling (-1dBTP if none is given), instead of refusing.")
  var limit: Bool?

  /// Those that are given and have an effect on a file, or on what is said of it, alone.
  var forFile: [String] {
    [
      ("--loudness", loudness == true), ("--normalize", normalize != nil), ("--ceiling", ceiling != nil),
      ("--limit", limit == true),
    ].compactMap { $1 ? $0 : nil }
  }

  /// - Parameters:
  ///   - preset: the values of options that are not given.
  ///   - isUsual: whether the loudness is measured by default.
  func apply(_ preset: BouncePreset, to request: inout BounceRequest, isUsual: Bool) throws {
    request.normalization = try normalize ?? preset.normalize.map(NormalizationTarget.init(typed:))
    request.ceiling = try ceiling ?? preset.ceiling.map(BounceLevel.ceiling)
    request.isLimited = (limit ?? preset.limit ?? false) && !request.writesStems
    request.measuresLoudness =
      loudness ?? preset.loudness ?? (isUsual || request.description.hasExtension)
  }
}
