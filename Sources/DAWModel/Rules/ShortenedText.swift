extension String {
  /// This message with each quoted text cut that is longer than any name can be, and the whole at 4,096 scalars: what
  /// another program wrote into a project file may be megabytes of text.
  package var shortenedForMessage: String {
    // The common case: nothing in it is too long.
    guard utf8.count > Self.longestQuote else { return self }
    let parts = unicodeScalars.split(separator: "'", maxSplits: Self.maximumQuotes, omittingEmptySubsequences: false)
    guard parts.count > 1 else { return cut(unicodeScalars[...], to: Self.longestMessage) }
    let short = parts.map { part in
      part.count > Self.longestQuote ? cut(part, to: Self.lengthOfCutQuote) : String(String.UnicodeScalarView(part))
    }
    return cut(short.joined(separator: "'").unicodeScalars[...], to: Self.longestMessage)
  }

  /// - Parameter length: in Unicode scalars.
  private func cut(_ text: Substring.UnicodeScalarView, to length: Int) -> String {
    guard text.count > length else { return String(String.UnicodeScalarView(text)) }
    return String(String.UnicodeScalarView(text.prefix(length))) + "…"
  }

  /// That of a name, in Unicode scalars.
  private static let longestQuote = 255
  /// In Unicode scalars.
  private static let lengthOfCutQuote = 60
  /// In Unicode scalars: names of a cycle of tracks, for example.
  private static let longestMessage = 4_096
  private static let maximumQuotes = 64
}
