/// What a text that is searched belongs to.
public enum SearchKind: String, CaseIterable, Sendable {
  case project, track, region, take, group, marker, comment, recording, lyric, transcript, summary
}

/// What is looked for in texts. Anything that is typed can be looked for.
public struct SearchQuery: Equatable, Sendable {
  /// Words that follow each other.
  package struct Phrase: Equatable, Sendable {
    package var words: [String]
    /// Whether the last word may go on.
    package var isPrefix = false
  }

  package enum Content: Equatable, Sendable {
    /// A text has them all, in any order.
    case phrases([Phrase])
    /// A text has this within it, words or not.
    case part(String)
  }

  package let content: Content

  /// The most words of a query.
  public static let maximumWordCount = 100

  /// Words, `"phrases in quotation marks"`, and beginnings of words, `beg*`. Where nothing of it is a letter or a
  /// digit, it is looked for as it is.
  /// - Returns: `nil` if there is nothing to look for, or more than `maximumWordCount` words.
  public init?(words typed: String) {
    var phrases: [Phrase] = []
    for (index, part) in typed.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
      let isQuoted = index % 2 == 1
      for piece in isQuoted ? [part] : part.split(whereSeparator: \.isWhitespace) {
        let words = FoldedText(String(piece)).wordTexts
        if !words.isEmpty { phrases.append(Phrase(words: words, isPrefix: piece.hasSuffix("*"))) }
      }
    }
    guard phrases.reduce(0, { $0 + $1.words.count }) <= Self.maximumWordCount else { return nil }
    if phrases.isEmpty {
      self.init(part: typed)
    } else {
      self.init(.phrases(phrases))
    }
  }

  /// A text that may begin and end within words.
  /// - Returns: `nil` if there is nothing to look for, or more than `maximumPartLength` characters.
  public init?(part typed: String) {
    let folded = FoldedText(typed)
    guard !folded.scalars.isEmpty, folded.scalars.count <= Self.maximumPartLength else { return nil }
    self.init(.part(folded.text))
  }

  private init(_ content: Content) { self.content = content }

  /// The most characters of a part, as folded.
  public static let maximumPartLength = 1000

  /// Where a text has what is looked for, in order and without overlaps.
  /// - Returns: empty unless it has all of it.
  package func places(in text: String) -> [Range<String.Index>] {
    let folded = FoldedText(text)
    var found: [Range<Int>] = []
    switch content {
    case .part(let part): found = Self.places(of: Array(part.unicodeScalars), in: folded.scalars)
    case .phrases(let phrases):
      let ranges = folded.words
      let words = ranges.map { folded.scalars[$0] }
      for phrase in phrases {
        let wanted = phrase.words.map { Array($0.unicodeScalars) }
        let starts = words.indices.filter { phrase.stands(at: $0, in: words, wanted) }
        if starts.isEmpty { return [] }
        found += starts.flatMap { ranges[$0..<$0 + phrase.words.count] }
      }
    }
    return found.map { folded.places[$0.lowerBound].lowerBound..<folded.places[$0.upperBound - 1].upperBound }
      .sorted { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) }
      .reduce(into: [Range<Int>]()) { places, next in
        if next.lowerBound >= places.last?.upperBound ?? 0 { places.append(next) }
      }
      .map { place in
        let start = text.utf8.index(text.startIndex, offsetBy: place.lowerBound)
        return start..<text.utf8.index(start, offsetBy: place.count)
      }
  }

  private static func places(of part: [Unicode.Scalar], in scalars: [Unicode.Scalar]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start = 0
    while start + part.count <= scalars.count {
      if scalars[start..<start + part.count].elementsEqual(part) {
        found.append(start..<start + part.count)
        start += part.count
      } else {
        start += 1
      }
    }
    return found
  }
}

extension SearchQuery.Phrase {
  /// - Parameter wanted: the scalars of its words: equality of strings would take canonically equivalent ones for
  ///   equal.
  fileprivate func stands(
    at start: Int, in texts: [ArraySlice<Unicode.Scalar>], _ wanted: [[Unicode.Scalar]]
  ) -> Bool {
    guard start + wanted.count <= texts.count else { return false }
    return wanted.indices.allSatisfy { index in
      let isOpen = isPrefix && index == wanted.count - 1
      let text = texts[start + index]
      return isOpen ? text.starts(with: wanted[index]) : text.elementsEqual(wanted[index])
    }
  }
}
