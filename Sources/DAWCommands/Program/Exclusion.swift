import ArgumentParser
import Synchronization

/// Options that exclude each other: an error of usage with a code of its own. The parser's errors hold nothing but a
/// sentence, so that those of exclusions are remembered.
enum Exclusion {
  private static let sentences = Mutex<Set<String>>([])

  /// The error for `validate()`.
  static func error(_ sentence: String) -> ValidationError {
    sentences.withLock { _ = $0.insert(sentence) }
    return ValidationError(sentence)
  }

  /// The code of an error of the parser.
  /// - Parameter sentence: the error's.
  static func code(_ sentence: String) -> String {
    // The parser's own words, of flags such as --mute and --no-mute.
    let isOne = sentence.contains("had already been set with") || sentences.withLock { $0.contains(sentence) }
    return isOne ? "invalidCombination" : "usage"
  }
}
