import Testing

@testable import DAWModel

@Suite("Texts that are fitted to what a name or a title may be")
struct FittedTextTests {
  @Test(
    "have no control characters and no spaces at their ends, and are cut behind a whole character",
    arguments: [
      ("Verse", 255, "Verse"), (" Verse\n", 255, "Verse"), ("a\nb\u{7}", 255, "a b"), ("a\r\nb", 255, "a  b"),
      ("\t \u{85}", 255, ""), ("abc", 3, "abc"), ("abcd", 3, "abc"), ("abc", 0, ""), ("", 5, ""),
      // The cut leaves a space at the end.
      ("ab cd", 3, "ab"), ("e\u{301}x", 2, "e\u{301}"), ("e\u{301}x", 1, ""), ("x👩‍👩‍👧", 5, "x"),
      ("x👩‍👩‍👧", 6, "x👩‍👩‍👧"),
    ] as [(String, Int, String)])
  func fitted(text: String, length: Int, expected: String) {
    #expect(Array(text.fitted(to: length).unicodeScalars) == Array(expected.unicodeScalars))
  }
}
