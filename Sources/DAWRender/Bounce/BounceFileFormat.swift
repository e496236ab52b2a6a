import DAWBounce
import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWTime
import Foundation

extension BounceRequest {
  /// Checks for options that exclude each other and values that no file can have.
  /// - Throws: `Failure`.
  func validate() throws {
    try tags.validate()
    if let rate = sampleRate, !AudioFileFacts.acceptedRates.contains(rate.hertz) {
      throw Failure(
        .invalid, code: "invalidSampleRate", "\(rate.hertz) Hz is no rate of a file. Nothing was written.",
        hint: "Choose --rate 44100, 48000 or 96000.")
    }
    if let ceiling, ceiling > 0 || !ceiling.isFinite { throw Self.level("A ceiling", ceiling, "-1dBTP") }
    if isLimited, let ceiling, ceiling < LimiterStage.lowestCeiling {
      throw Failure(
        .invalid, code: "invalidLevel", "A limiter's ceiling of \(ceiling) dBTP is out of range. Nothing was written.",
        hint: "It is \(LimiterStage.lowestCeiling) … 0 dBTP.")
    }
    switch normalization {
    case .loudness(let level) where !(-70...0 ~= level): throw Self.level("A loudness", level, "-16LUFS")
    case .truePeak(let level) where !(-100...0 ~= level), .samplePeak(let level) where !(-100...0 ~= level):
      throw Self.level("A peak", level, "-1dBTP")
    case nil where ceiling != nil && !isLimited:
      throw Self.invalidCombination("A ceiling is for --normalize or --limit, and neither is there.")
    default: break
    }
    if writesStems, destination == .standardOutput {
      throw Self.invalidCombination(
        "Stems are a folder of files, which standard output cannot be.", hint: "Name a folder with -o.")
    }
  }

  private static func level(_ noun: String, _ value: Double, _ example: String) -> Failure {
    Failure(
      .invalid, code: "invalidLevel", "\(noun) of \(value) is out of range. Nothing was written.",
      hint: "A level is at most 0, such as \(example).")
  }

  static func invalidCombination(_ sentence: String, hint: String? = nil) -> Failure {
    Failure(.usage, code: "invalidCombination", sentence + " Nothing was written.", hint: hint)
  }
}

extension Session {
  /// The container, by name or extension, and its sample encoding.
  /// - Parameter rate: of the samples before a conversion.
  /// - Throws: `Failure` for what the container cannot hold.
  func format(of request: BounceRequest, at rate: SampleRate) throws -> AudioFileFormat {
    let container = try request.container ?? containerByEnding(request) ?? request.usualContainer
    let wanted = request.sampleRate ?? container.rate(nearest: rate)
    guard container.rate(nearest: wanted) == wanted, !container.isLossy || wanted.hertz >= 8_000 else {
      let known = container == .opus ? "48000" : "44100 or 48000"
      throw Failure(
        .usage, code: "unsupportedFormat", "\(container.rawValue) cannot hold \(wanted.hertz) Hz. Nothing was written.",
        hint: "Choose --rate \(known), or leave it out.")
    }
    if container.isLossy, request.encoding != nil {
      throw BounceRequest.invalidCombination(
        "\(container.rawValue) has no bits to a sample.", hint: "Leave out --bits, and a preset that sets bits.")
    }
    let encoding = request.encoding ?? (container.isLossy ? .float32 : .int24)
    guard container.encodings.contains(encoding) else {
      let bits = container.encodings.map { $0.isFloat ? "\($0.bitsPerSample)f" : "\($0.bitsPerSample)" }
      throw Failure(
        .usage, code: "unsupportedFormat", "\(container.rawValue) cannot hold \(encoding). Nothing was written.",
        hint: "Choose --bits \(bits.joined(separator: " or ")).")
    }
    if request.dither != .none, encoding.isFloat {
      throw BounceRequest.invalidCombination(
        "Dither is for samples that are rounded to integers, which \(container.isLossy ? container.rawValue : "float") does not do.",
        hint: "Leave out --dither, or choose --bits 16 or 24.")
    }
    if !request.description.isEmpty, container != .wave, container != .rf64 {
      throw BounceRequest.invalidCombination(
        "\(container.rawValue) has no place for bext, iXML and markers.",
        hint: "Choose WAV, or leave out --bext, --ixml and --markers.")
    }
    if !request.tags.isEmpty, !container.takesTags {
      throw BounceRequest.invalidCombination(
        "\(container.rawValue) has no place for tags, a cover and chapters here.",
        hint: "Choose MP3, M4A, FLAC, Ogg or Opus, or for a WAV --bext and --markers.")
    }
    // Before anything is rendered.
    if container == .m4a { _ = try FFmpeg.required("M4A is written") }
    return AudioFileFormat(
      container: container, encoding: encoding, sampleRate: wanted, channelCount: request.isMono ? 1 : 2,
      dither: request.dither, quality: request.quality)
  }

  /// `nil` where no file is named, or its name has no ending.
  private func containerByEnding(_ request: BounceRequest) throws -> AudioFileFormat.Container? {
    guard let path = request.destination.place?.path, !request.writesStems else { return nil }
    let ending = (path as NSString).pathExtension.lowercased()
    if ending.isEmpty { return nil }
    guard let container = AudioFileFormat.Container(ending: ending) else {
      throw Failure(
        .usage, code: "unknownFormat", "No format is known by the ending '.\(ending)'. Nothing was written.",
        hint: "Use .wav, .flac, .aiff, .ogg, .opus, .mp3 or .m4a, or say it with --format.")
    }
    return container
  }
}

extension AudioFileFormat.Container {
  /// - Parameter ending: the file's extension, in lower case, without the dot.
  init?(ending: String) {
    switch ending {
    case "wav", "wave": self = .wave
    case "rf64": self = .rf64
    case "flac": self = .flac
    case "aif", "aiff": self = .aiff
    case "ogg", "oga": self = .vorbis
    case "opus": self = .opus
    case "mp3": self = .mp3
    case "m4a": self = .m4a
    default: return nil
    }
  }

  /// The ending of file names.
  var fileEnding: String {
    switch self {
    case .wave, .rf64: "wav"
    case .flac: "flac"
    case .aiff: "aiff"
    case .vorbis: "ogg"
    case .opus: "opus"
    case .mp3: "mp3"
    case .m4a: "m4a"
    }
  }
}
