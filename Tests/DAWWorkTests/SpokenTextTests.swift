import DAWModel
import DAWTestSupport
import Foundation
import Testing

@testable import DAWWork

@Suite("The words of a transcript")
struct SpokenTextTests {
  private func heard(_ words: String...) -> [TranscriptWord] {
    words.enumerated().map { TranscriptWord($1, start: Double($0), end: Double($0) + 0.5, confidence: 0.5) }
  }

  private func places(_ text: SpokenText) -> [String] {
    text.words.map { "\(text.text[$0.range]) \($0.start) \($0.end)" }
  }

  @Test("The engine's own text has its times")
  func same() {
    let text = SpokenText("good morning all", heard: heard("good", "morning", "all"), length: 30)
    #expect(places(text) == ["good 0.0 0.5", "morning 1.0 1.5", "all 2.0 2.5"])
    #expect(text.words.allSatisfy { $0.confidence == 0.5 })
    let index = text.text.index(text.text.startIndex, offsetBy: 7)
    #expect(text.word(at: index)?.start == 1)
    #expect(SpokenText("", heard: [], length: 30).words.isEmpty)
  }

  @Test("Words of the user take the time of those in whose place they stand")
  func corrected() {
    let words = heard("good", "mourning", "to", "all", "of", "ewe")
    let text = SpokenText("Good morning, all of you!", heard: words, length: 30)
    // "mourning to" is 1 … 2.5.
    #expect(places(text) == ["Good 0.0 0.5", "morning, 1.0 2.5", "all 3.0 3.5", "of 4.0 4.5", "you! 5.0 5.5"])
    #expect(text.words.map(\.confidence) == [0.5, nil, 0.5, 0.5, nil])
  }

  @Test("Words where nothing was heard share the pause; where no word has a time, the whole range")
  func added() {
    let text = SpokenText("oh good ab abab all yes", heard: heard("good", "all"), length: 10)
    #expect(places(text)[2...3] == ["ab 0.5 0.6666666666666666", "abab 0.6666666666666666 1.0"])
    #expect(places(text)[5] == "yes 1.5 10.0" && text.words[0].start == 0)
    #expect(places(SpokenText("ab ab", heard: [], length: 8)) == ["ab 0.0 4.0", "ab 4.0 8.0"])
  }

  @Test("Whatever a person makes of it, each word has a time, in order")
  func random() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    func words(_ count: Int) -> [String] {
      (0..<count).compactMap { _ in ["a", "bee", "C", "dé", "…", "漢字", "e e"].randomElement(using: &random) }
    }
    for _ in 0..<300 {
      var time = -0.5
      let heard = words(Int.random(in: 0...12, using: &random)).map { word in
        let start = time + Double.random(in: 0...1, using: &random)
        time = start + Double.random(in: 0...1, using: &random)
        return TranscriptWord(word, start: start, end: time)
      }
      let text = SpokenText(
        words(Int.random(in: 0...12, using: &random)).joined(separator: "  "), heard: heard, length: max(0, time) + 0.25
      )
      let times = text.words.flatMap { [$0.start, $0.end] }
      #expect(times.allSatisfy(\.isFinite) && times == times.sorted(), "seed \(seed): \(heard) \(places(text))")
      #expect(text.words.map { String(text.text[$0.range]) } == text.text.split(separator: " ").map(String.init))
      // One word alone is the same, if it is told.
      let stored = String(decoding: try JSONEncoder().encode(heard), as: UTF8.self)
      for index in text.text.indices {
        if let word = SpokenText.word(at: index, of: text.text, heardAs: stored) {
          #expect(word == text.word(at: index), "seed \(seed): \(heard) \(places(text))")
        }
      }
    }
  }

  @Test("One word is told without the others as far as the text is what was heard")
  func oneWord() throws {
    let stored = String(decoding: try JSONEncoder().encode(heard("good", "morning", "all")), as: UTF8.self)
    func start(_ word: String, in text: String) throws -> Double? {
      SpokenText.word(at: try #require(text.range(of: word)).lowerBound, of: text, heardAs: stored)?.start
    }
    #expect(try start("good", in: "good morning all") == 0)
    #expect(try start("ll", in: "good  morning all") == 2)
    #expect(try start("morning", in: "good morning everyone") == 1)
    #expect(try start("everyone", in: "good morning everyone") == nil)
    #expect(try start("all", in: "Good morning all") == nil)
    #expect(try start("more", in: "good morning all more") == nil)
    #expect(SpokenText.word(at: "".startIndex, of: "", heardAs: stored) == nil)
    #expect(SpokenText.word(at: "good".startIndex, of: "good", heardAs: "[]") == nil)
  }

  @Test("A long text that is another throughout is placed as well")
  func long() {
    let words = (0..<3_000).map { TranscriptWord("a\($0)", start: Double($0), end: Double($0) + 1) }
    let text = SpokenText((0..<3_000).map { "b\($0)" }.joined(separator: " "), heard: words, length: 3_000)
    #expect(text.words[0].start == 0 && text.words[2_999].end == 3_000)
  }
}
