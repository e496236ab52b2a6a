import DAWTestSupport
import Foundation
import Testing

@testable import DAWModel

@Suite struct PlainListReaderTests {
  @Test(
    "Words are read as JSONDecoder reads them, or left to it",
    arguments: [
      "[]", " [ ] ", #"[{"word":"a","start":0,"end":1}]"#,
      #"[{"word": "naïve", "start": 0.30000000000000004, "end": 1.5, "confidence": 0.9, "speaker": "B"}]"#,
      #"[{"end":-0.125,"start":-1,"word":"x"},{"word":"y","start":123456789.987654321,"end":999999999999999}]"#,
      #"[{"word":"a","start":0,"end":1,"speaker":null,"confidence":null}]"#, #"[{"word":"\"","start":0,"end":1}]"#,
      #"[{"word":"a","start":1e3,"end":2E+3}]"#, #"[{"word":"a","start":0.0,"end":-0.0,"other":[{}]}]"#,
      #"[{"word":"a","word":"b","start":0,"end":1}]"#,
    ])
  func reads(text: String) throws {
    let expected = try JSONDecoder().decode([TranscriptWord].self, from: Data(text.utf8))
    if let words = PlainListReader.words(in: text) { #expect(words == expected) }
  }

  @Test("What the project writes needs no JSONDecoder")
  func usual() throws {
    let words = [
      TranscriptWord("it", start: 0.25, end: 1.0 / 3, confidence: 0.5),
      TranscriptWord("'s", start: 2, end: 3, speaker: "A"),
    ]
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    #expect(PlainListReader.words(in: String(decoding: try encoder.encode(words), as: UTF8.self)) == words)
  }

  @Test("One word is read without what stands behind it")
  func oneWord() {
    let text =
      #"[{"word":"a","start":-0.5,"end":1,"speaker":"B"}, {"confidence": 1, "word": "é", "start": 1, "end": 2}, x"#
    #expect(PlainListReader.lastWord(of: ["a"], in: text) == TranscriptWord("a", start: -0.5, end: 1, speaker: "B"))
    #expect(PlainListReader.lastWord(of: ["a", "é"], in: text) == TranscriptWord("é", start: 1, end: 2, confidence: 1))
    for other in [[], ["b"], ["a", "b"], ["b", "é"], ["a", "e\u{301}"], ["a", "é", "x"]] as [[Substring]] {
      #expect(PlainListReader.lastWord(of: other, in: text) == nil)
    }
  }

  @Test(
    "A word is not read behind one that JSONDecoder has to read",
    arguments: [
      #"{"start":0,"end":1}"#, #"{"word":"a","word":"b","start":0,"end":1}"#, #"{"word":"\u0061","start":0,"end":1}"#,
      #"{"word":"a","start":1e3,"end":2E+3}"#, #"{"word":"a","start":null,"end":1}"#, #"{"word":"a","other":1}"#,
    ])
  func unusual(first: String) {
    let text = "[\(first),{\"word\":\"b\",\"start\":1,\"end\":2}]"
    #expect(PlainListReader.lastWord(of: ["a", "b"], in: text) == nil)
  }

  @Test(
    "Texts are read as JSONDecoder reads them, or left to it",
    arguments: ["[]", #"["system:capture_1"]"#, #"[ "a" , "été" ]"#, #"["a\n", "\u0041"]"#])
  func texts(text: String) throws {
    let expected = try JSONDecoder().decode([String].self, from: Data(text.utf8))
    // Escapes are left to it.
    #expect(PlainListReader.texts(in: text) == (text.contains(#"\"#) ? nil : expected))
  }

  @Test("What is no list of texts is not read", arguments: ["", "[", #"["a""#, "[1]", #"["a"] x"#, #"{"a":"b"}"#])
  func noTexts(text: String) { #expect(PlainListReader.texts(in: text) == nil) }

  @Test(
    "What is no list of words is not read",
    arguments: [
      "", "[", "]", "{}", "[{}]", "[,]", #"[{"word":"a","start":0}]"#, #"[{"word":"a","start":01,"end":1}]"#,
      #"[{"word":"a","start":.5,"end":1}]"#, #"[{"word":"a","start":1.,"end":1}]"#,
      #"[{"word":"a","start":-,"end":1}]"#,
      #"[{"word":"a","start":0,"end":1},]"#, #"[{"word":"a","start":0,"end":1}] x"#,
      #"[{"word":"a","start":0,"end":1}"#,
      "[{\"word\":\"a\nb\",\"start\":0,\"end\":1}]", #"[{"word":"a","start":nan,"end":1}]"#,
      #"[{"word":1,"start":0,"end":1}]"#,
    ])
  func refuses(text: String) { #expect(PlainListReader.words(in: text) == nil) }

  @Test("A text that was changed anywhere is read as JSONDecoder reads it, or not at all")
  func changed() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    let original = Array(
      #"[{"word":"été","start":0.125,"end":10.75,"confidence":0.5},{"end":2,"start":1,"word":"b c"}]"#.utf8)
    for _ in 0..<20_000 {
      var bytes = original
      for _ in 0...Int.random(in: 0...2, using: &random) {
        let place = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0...2, using: &random) {
        case 0: bytes[place] = original.randomElement(using: &random) ?? 0
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8.random(in: 0x20...0x7e, using: &random), at: place)
        }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      guard let words = PlainListReader.words(in: text) else { continue }
      let expected = try? JSONDecoder().decode([TranscriptWord].self, from: Data(text.utf8))
      #expect(words == expected, "\(text), seed \(seed)")
    }
  }
}
