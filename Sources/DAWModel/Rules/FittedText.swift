import Foundation

extension String {
  /// The text as a name or a title may be: with spaces instead of control characters, without spaces at its ends, and
  /// cut behind a whole character (grapheme cluster).
  /// - Parameter length: the most Unicode scalars.
  package func fitted(to length: Int) -> String {
    let scalars = unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
    let spaced = String(String.UnicodeScalarView(scalars)).trimmingCharacters(in: .whitespacesAndNewlines)
    var (kept, count) = ("", 0)
    for character in spaced {
      count += character.unicodeScalars.count
      if count > length { break }
      kept.append(character)
    }
    return kept.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
