import DAWModel
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWWork

@Suite("Subtitles")
struct CaptionTests {
  /// A word of each part, each of `length` milliseconds, without pauses.
  private func words(_ text: String, length: Int64 = 300, from start: Int64 = 0, speaker: String? = nil) -> [PlacedWord]
  {
    text.split(separator: " ").enumerated().map { index, word in
      let first = start + Int64(index) * length
      return PlacedWord(
        word: String(word), start: .zero + .milliseconds(first), end: .zero + .milliseconds(first + length),
        speaker: speaker)
    }
  }

  @Test("A subtitle ends with a sentence that has filled a line, at a pause, a change of speaker, and at 7 s")
  func ends() {
    func texts(_ words: [PlacedWord]) -> [String] { Caption.captions(of: words).map(\.text) }
    #expect(texts(words("One. Two? Three")) == ["One. Two? Three"])
    let sentence = "This is a sentence that fills more than one line."
    #expect(texts(words("\(sentence) Another one.")) == [sentence, "Another one."])
    #expect(texts(words("a b") + words("c d", from: 1_599)) == ["a b c d"])
    #expect(texts(words("a b") + words("c d", from: 1_600)) == ["a b", "c d"])
    #expect(texts(words("a", speaker: "A") + words("b", from: 300, speaker: "B")) == ["a", "b"])
    #expect(texts(words("a b c d", length: 2_000)) == ["a b c", "d"])
    // In any order; a word that lasts too long.
    let long = Caption.captions(of: words("b", length: 60_000, from: 400) + words("a"))
    #expect(long.map(\.text) == ["a", "b"] && long[1].end == .zero + .milliseconds(7_400))
    #expect(Caption.captions(of: []) == [])
  }

  @Test(
    "Whatever is said, no subtitle is too wide, too high or too long, none begins before the last has ended, and no word is lost"
  )
  func limits() {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      var time: Int64 = 0
      let words = (0..<Int.random(in: 0...60, using: &random)).map { _ -> PlacedWord in
        time += Int64.random(in: 0...1_300, using: &random)
        let length = Int64.random(in: 0...900, using: &random)
        let letters = Int.random(in: 0..<20, using: &random) == 0 ? 100 : Int.random(in: 1...12, using: &random)
        defer { time += length }
        return PlacedWord(
          word: String(repeating: "é", count: letters) + (letters % 5 == 0 ? "." : ""),
          start: .zero + .milliseconds(time), end: .zero + .milliseconds(time + length))
      }
      let captions = Caption.captions(of: words)
      for caption in captions {
        #expect(
          (1...2).contains(caption.lines.count) && caption.lines.allSatisfy { (1...42).contains($0.count) },
          "seed \(seed)")
        #expect(caption.end - caption.start <= Caption.maximumDuration && caption.end >= caption.start, "seed \(seed)")
      }
      for (one, next) in zip(captions, captions.dropFirst()) { #expect(one.end <= next.start, "seed \(seed)") }
      #expect(captions.flatMap(\.words).map(\.word).joined() == words.map(\.word).joined(), "seed \(seed)")
    }
  }

  @Test("Signs that a format has a use for are written so that they are read back")
  func escapes() throws {
    var word = PlacedWord(word: "<b>&-->\"x\",", start: .zero, end: .zero + .seconds(3_661))
    word.speaker = "A>B"
    let captions = Caption.captions(of: [word])
    #expect(try TranscriptFormat.vtt.text(captions).hasSuffix("<v A&gt;B>&lt;b&gt;&amp;--&gt;\"x\",\n"))
    #expect(try TranscriptFormat.srt.text(captions) == "1\n00:00:00,000 --> 00:00:07,000\n<b>&->\"x\",\n")
    #expect(try TranscriptFormat.csv.text(captions).hasSuffix("\n0.0,7.0,A>B,,\"<b>&-->\"\"x\"\",\"\n"))
    #expect(try TranscriptFormat.srt.text([]) == "" && TranscriptFormat.vtt.text([]) == "WEBVTT\n")
    for dashes in 2...9 {
      let arrow = PlacedWord(word: String(repeating: "-", count: dashes) + ">>", start: .zero, end: .zero + .seconds(1))
      let lines = try TranscriptFormat.srt.text(Caption.captions(of: [arrow])).split(separator: "\n")
      #expect(lines.count { $0.contains("-->") } == 1, "\(lines)")
    }
    let late = Caption.captions(of: [
      PlacedWord(word: "x", start: .zero + .seconds(450_000), end: .zero + .seconds(450_001))
    ])
    #expect(try TranscriptFormat.srt.text(late).contains("125:00:00,000 --> 125:00:01,000"))
  }
}
