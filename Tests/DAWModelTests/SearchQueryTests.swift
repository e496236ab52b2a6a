import DAWTestSupport
import Foundation
import Testing

@testable import DAWModel

@Suite("What is searched for")
struct SearchQueryTests {
  /// What a query finds in a text, part by part.
  private func found(_ typed: String, in text: String, within: Bool = false) -> [String]? {
    let query = within ? SearchQuery(part: typed) : SearchQuery(words: typed)
    return query.map { $0.places(in: text).map { String(text[$0]) } }
  }

  @Test(
    "Case and accents do not matter, nor do ligatures, wide letters, points and the form of Unicode",
    arguments: [
      ("strasse", "Die Straße"), ("STRASSE", "strasse"), ("straße", "STRASSE"), ("grosse", "Große"),
      ("cafe", "Cafe\u{301} noir"), ("Café", "cafe"), ("fi", "ﬁ"), ("abc", "ＡＢＣ"), ("lodz", "Łódź"),
      ("smorrebrod", "Smørrebrød"), ("οδος", "ΟΔΌΣ"), ("שלום", "שָׁלוֹם"), ("й", "и\u{306}"), ("istanbul", "İstanbul"),
    ])
  func folding(_ typed: String, _ text: String) {
    #expect(found(typed, in: text)?.isEmpty == false, "\(typed) in \(text)")
  }

  @Test("A text of ASCII folds to the same by the short way as by the long one")
  func shortWay() {
    var random = SeededGenerator(seed: Seed.current())
    for _ in 0..<500 {
      let bytes = (0..<Int.random(in: 0...30, using: &random)).map { _ in UInt8.random(in: 0...127, using: &random) }
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(FoldedText.folded(text) == FoldedText(text).text, "\(bytes)")
    }
  }

  @Test("All words are found, in any order, and the places of all are told")
  func words() {
    #expect(found("loud too", in: "Too loud, far too loud") == ["Too", "loud", "too", "loud"])
    #expect(found("loud quiet", in: "Too loud") == [])
    #expect(found("lou", in: "Too loud") == [])
    #expect(found("lou*", in: "Too loud") == ["loud"])
  }

  @Test("Words in quotation marks follow each other, whatever stands between them")
  func phrases() {
    #expect(found("\"second verse\"", in: "the second\n verse") == ["second", "verse"])
    #expect(found("\"second verse\"", in: "second a verse") == [])
    #expect(found("\"second ver*\"", in: "second verses") == ["second", "verses"])
    #expect(found("it's", in: "it’s; its") == ["it", "s"])
    #expect(found("\"open second", in: "open second") == ["open", "second"])
  }

  @Test("Symbols outside ASCII are found, alone and beside words; punctuation is between words")
  func symbols() {
    #expect(found("🎸", in: "🎸") == ["🎸"])
    #expect(found("🎸", in: "Lead🎸🎹 2") == ["🎸"])
    #expect(found("lead", in: "Lead🎸") == ["Lead"])
    #expect(found("❤", in: "❤️") == ["❤️"] && found("❤️", in: "❤") == ["❤"])
    #expect(found("F♯", in: "in F♯ minor") == ["F", "♯"] && found("f", in: "F♯") == ["F"])
    #expect(found("€", in: "5€") == ["€"] && found("👍", in: "👍🏽") == ["👍🏽"])
    #expect(found("½", in: "½") == ["½"] && found("🎹", in: "🎸") == [])
    #expect(found("\"good bye\"", in: "good – bye…") == ["good", "bye"])
  }

  @Test("Scripts without spaces are found in part")
  func withoutSpaces() {
    #expect(found("漢字", in: "これは漢字テスト") == ["漢", "字"])
    #expect(found("字漢", in: "漢字") == [])
    #expect(found("학교", in: "학교에서") == ["학", "교"])
    #expect(found("ガ", in: "カ") == [])
  }

  @Test("Within words, spaces and signs count")
  func parts() {
    #expect(found("uita", in: "Guitars", within: true) == ["uita"])
    #expect(found("c++", in: "in C++", within: true) == ["C++"])
    #expect(found("a b", in: "a \n b", within: true) == ["a \n b"])
    #expect(found("字テ", in: "漢字テスト", within: true) == ["字テ"])
    #expect(found("ss", in: "ß", within: true) == ["ß"])
  }

  @Test(
    "Whatever is typed can be looked for",
    arguments: ["C++", "AND", "NEAR(", "a\" OR b", "-x", "col:x", "*", "^a", "{", "\"\"x", "a\0b", "\u{1b}[31m", "🎸 x"])
  func anything(_ typed: String) throws {
    let query = try #require(SearchQuery(words: typed))
    #expect(query.places(in: "unrelated").isEmpty)
    #expect(!query.places(in: typed).isEmpty)
  }

  @Test("Without anything to look for there is no query, nor with too much")
  func nothing() {
    #expect(SearchQuery(words: " \n") == nil)
    #expect(SearchQuery(part: "") == nil)
    #expect(SearchQuery(words: "\u{200B}") == nil)
    let most = String(repeating: "a ", count: SearchQuery.maximumWordCount)
    #expect(SearchQuery(words: most) != nil)
    #expect(SearchQuery(words: most + "a") == nil)
    #expect(SearchQuery(part: String(repeating: "a", count: 1001)) == nil)
  }
}
