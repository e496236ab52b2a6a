import DAWSession

/// The words of `daw bounce` that are no numbers.
enum BounceFormat {
  static func container(_ text: String) throws -> AudioFileFormat.Container {
    switch text.lowercased() {
    case "wav": return .wave
    case "rf64": return .rf64
    case "flac": return .flac
    case "aiff", "aif": return .aiff
    default: throw Unreadable(text, "the formats are wav, rf64, flac and aiff.")
    }
  }

  static func encoding(_ text: String) throws -> SampleEncoding {
    switch text.lowercased() {
    case "16": return .int16
    case "24": return .int24
    case "32": return .int32
    case "32f": return .float32
    case "64f": return .float64
    default: throw Unreadable(text, "the bits of a sample are 16, 24, 32, 32f or 64f.")
    }
  }

  static func problem(_ text: String) throws -> BounceProblem {
    guard let problem = BounceProblem(rawValue: text.lowercased()) else {
      throw Unreadable(
        text, "what can be allowed is \(BounceProblem.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    return problem
  }
}
