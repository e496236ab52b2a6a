import ArgumentParser
import DAWErrors
import DAWMedia
import DAWRender

/// The words of `daw bounce` that are no numbers.
enum BounceFormat {
  static let containers = ["wav", "rf64", "flac", "aiff", "ogg", "opus", "mp3", "m4a"]

  static func container(_ text: String) throws -> AudioFileFormat.Container {
    switch text.lowercased() {
    case "wav": return .wave
    case "rf64": return .rf64
    case "flac": return .flac
    case "aiff", "aif": return .aiff
    case "ogg": return .vorbis
    case "opus": return .opus
    case "mp3": return .mp3
    case "m4a": return .m4a
    default: throw unknown(text, "The formats are \(containers.joined(separator: ", ")).")
    }
  }

  static func encoding(_ text: String) throws -> SampleEncoding {
    switch text.lowercased() {
    case "16": return .int16
    case "24": return .int24
    case "32": return .int32
    case "32f": return .float32
    case "64f": return .float64
    default: throw unknown(text, "The bits of a sample are 16, 24, 32, 32f or 64f.")
    }
  }

  static func quality(_ text: String) throws -> LossyQuality {
    guard let quality = LossyQuality(rawValue: text.lowercased()) else {
      throw unknown(text, "The qualities are \(LossyQuality.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    return quality
  }

  static func dither(_ text: String) throws -> Dither {
    guard let dither = Dither(rawValue: text.lowercased()) else { throw unknown(text, "Dither is none or tpdf.") }
    return dither
  }

  static func problem(_ text: String) throws -> BounceProblem {
    guard let problem = BounceProblem(rawValue: text.lowercased()) else {
      throw unknown(text, "What can be allowed is \(BounceProblem.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    return problem
  }

  /// Runs what reads such words before anything is opened.
  /// - Throws: `ValidationError`, which ArgumentParser reports as an error of usage.
  static func readable(_ body: () throws -> Void) throws {
    do { try body() } catch let failure as Failure {
      throw ValidationError([failure.message, failure.hint].compactMap(\.self).joined(separator: " "))
    }
  }

  private static func unknown(_ text: String, _ accepted: String) -> Failure {
    Failure(.usage, code: "usage", "'\(text)' is not known. Nothing was written.", hint: accepted)
  }
}
