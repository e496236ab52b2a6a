import DAWModel
import Testing

@testable import DAWWork

@Suite("Excerpts of what was found")
struct SearchExcerptTests {
  /// The excerpt with what was found in brackets.
  private func excerpt(of text: String, _ words: String, length: Int) throws -> String {
    let query = try #require(SearchQuery(words: words))
    return SearchExcerpt(of: text, query.places(in: text), length: length).parts
      .map { $0.isMatch ? "[\($0.text)]" : $0.text }.joined()
  }

  @Test("A short text is shown whole, on one line")
  func whole() throws {
    #expect(try excerpt(of: "Too loud\nfrom  here", "from", length: 40) == "Too loud [from] here")
    #expect(try excerpt(of: "Verse", "verse", length: 1) == "[Verse]")
  }

  @Test("Of a long text the part around the first place is shown, words uncut")
  func part() throws {
    let text = "one two three four five six seven eight nine ten"
    #expect(try excerpt(of: text, "six", length: 20) == "…five [six] seven eight…")
    #expect(try excerpt(of: text, "one", length: 12) == "[one] two…")
    #expect(try excerpt(of: text, "ten", length: 12) == "…nine [ten]")
    #expect(try excerpt(of: text, "five two", length: 100) == "one [two] three four [five] six seven eight nine ten")
  }

  @Test("Long words and long finds are shown", arguments: [1, 5, 30])
  func long(_ length: Int) throws {
    let word = String(repeating: "a", count: 100)
    #expect(try excerpt(of: "\(word) b \(word)", word, length: length).hasPrefix("[\(word)]"))
    #expect(try excerpt(of: "\(word)\(word) b", "b", length: length).hasSuffix("[b]"))
  }
}
