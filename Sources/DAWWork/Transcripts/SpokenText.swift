import DAWModel

/// The text of a transcript that counts, with the time of each word. Words that a person has put in place of those that
/// an engine heard share the time of what they stand for.
struct SpokenText {
  struct Word: Equatable {
    /// In the text.
    var range: Range<String.Index>
    /// Seconds from the start of the range of sound; a word at an edge may reach beyond it.
    var start: Double
    var end: Double
    var confidence: Double?
    var speaker: String?
  }

  let text: String
  /// What stands between spaces, in order.
  private(set) var words: [Word]

  /// - Parameters:
  ///   - heard: the engine's words; empty if it gave no times.
  ///   - length: of the range, in seconds.
  init(_ text: String, heard: [TranscriptWord], length: Double) {
    self.text = text
    words = Self.places(ofWordsIn: text).map { Word(range: $0, start: 0, end: 0) }
    let heard = heard.allSatisfy(\.isPlain) ? heard : heard.flatMap(Self.divided)
    let pairs = Self.pairs(of: words.map { text[$0.range] }, with: heard.map(\.word))
    var (next, nextHeard) = (0, 0)
    for (index, other) in pairs + [(words.count, heard.count)] {
      let stood = heard[nextHeard..<other]
      let start = stood.first?.start ?? (nextHeard > 0 ? heard[nextHeard - 1].end : min(0, heard.first?.start ?? 0))
      let end = stood.last?.end ?? (other < heard.count ? heard[other].start : length)
      share(start, max(start, end), among: next..<index)
      guard index < words.count else { break }
      (words[index].start, words[index].end) = (heard[other].start, heard[other].end)
      (words[index].confidence, words[index].speaker) = (heard[other].confidence, heard[other].speaker)
      (next, nextHeard) = (index + 1, other + 1)
    }
  }

  /// The word that has a place of a text, without the others.
  /// - Parameter stored: the engine's words as they are stored.
  /// - Returns: `nil` if the text up to there is not what the engine heard, or if all words are needed to tell.
  static func word(at place: String.Index, of text: String, heardAs stored: String) -> Word? {
    let ranges = places(ofWordsIn: text).prefix { $0.lowerBound <= place }
    guard let range = ranges.last,
      let heard = Transcript.lastWord(of: ranges.map { text[$0] }, inStored: stored)
    else { return nil }
    return Word(
      range: range, start: heard.start, end: heard.end, confidence: heard.confidence, speaker: heard.speaker)
  }

  /// The word that has a place of the text.
  func word(at place: String.Index) -> Word? {
    var (low, high) = (0, words.count)
    while low < high {
      let middle = (low + high) / 2
      if words[middle].range.lowerBound <= place { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? words[low - 1] : nil
  }

  private mutating func share(_ start: Double, _ end: Double, among indices: Range<Int>) {
    let times = Self.shares(of: start, end, lengths: indices.map { text[words[$0].range].count })
    for (index, time) in zip(indices, times) { (words[index].start, words[index].end) = time }
  }

  /// What stands between spaces. A text in ASCII is read by its bytes: by its characters takes ten times as long.
  private static func places(ofWordsIn text: String) -> [Range<String.Index>] {
    var copy = text
    let places: [Range<Int>]? = copy.withUTF8 { bytes in
      guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
      var places: [Range<Int>] = []
      var start: Int?
      for (index, byte) in bytes.enumerated() {
        if byte != 0x20, !(0x09...0x0d).contains(byte) {
          start = start ?? index
        } else if let begin = start {
          places.append(begin..<index)
          start = nil
        }
      }
      if let begin = start { places.append(begin..<bytes.count) }
      return places
    }
    guard let places else { return text.split(whereSeparator: \.isSpace).map { $0.startIndex..<$0.endIndex } }
    return places.map { place in
      let start = text.utf8.index(text.startIndex, offsetBy: place.lowerBound)
      return start..<text.utf8.index(start, offsetBy: place.count)
    }
  }

  /// An engine's word that has spaces, as several.
  private static func divided(_ word: TranscriptWord) -> [TranscriptWord] {
    if word.isPlain { return [word] }
    let parts = word.word.split(whereSeparator: \.isSpace)
    let times = shares(of: word.start, word.end, lengths: parts.map(\.count))
    return zip(parts, times).map { part, time in
      TranscriptWord(
        String(part), start: time.start, end: time.end, confidence: word.confidence, speaker: word.speaker)
    }
  }

  /// Words share a time by their lengths.
  static func shares(of start: Double, _ end: Double, lengths: [Int]) -> [(start: Double, end: Double)] {
    let total = lengths.reduce(0, +)
    var done = 0
    func place() -> Double { done == total ? end : start + (end - start) * Double(done) / Double(total) }
    return lengths.map { length in
      let first = done == 0 ? start : place()
      done += length
      return (first, place())
    }
  }

  /// Case, accents and signs aside.
  private static func key(_ word: Substring) -> String {
    let folded = FoldedText(String(word))
    return folded.wordTexts.joined()
  }

  /// The longest common sequence of two lists, as pairs of indices. Of long lists that differ in much only what they
  /// begin and end with.
  private static func pairs(of written: [Substring], with spoken: [String]) -> [(Int, Int)] {
    // As nearly always: the text is what the engine heard.
    if written.elementsEqual(spoken, by: ==) { return written.indices.map { ($0, $0) } }
    let words = written.map(key)
    let heard = spoken.map { key($0[...]) }
    let shorter = min(words.count, heard.count)
    var head = 0
    while head < shorter, words[head] == heard[head] { head += 1 }
    var tail = 0
    while tail < shorter - head, words[words.count - 1 - tail] == heard[heard.count - 1 - tail] { tail += 1 }
    let middle = words[head..<words.count - tail]
    let heardMiddle = heard[head..<heard.count - tail]
    var pairs = (0..<head).map { ($0, $0) }
    if middle.count * heardMiddle.count <= 1_000_000, !middle.isEmpty, !heardMiddle.isEmpty {
      let difference = Array(middle).difference(from: Array(heardMiddle))
      var inserted: Set<Int> = []
      var removed: Set<Int> = []
      for change in difference {
        switch change {
        case .insert(let offset, _, _): inserted.insert(offset)
        case .remove(let offset, _, _): removed.insert(offset)
        }
      }
      let kept = middle.indices.filter { !inserted.contains($0 - head) }
      let keptHeard = heardMiddle.indices.filter { !removed.contains($0 - head) }
      pairs += zip(kept, keptHeard)
    }
    return pairs + (0..<tail).reversed().map { (words.count - 1 - $0, heard.count - 1 - $0) }
  }
}

extension TranscriptWord {
  /// Whether it is in ASCII, and without spaces, as the usual word.
  fileprivate var isPlain: Bool { word.utf8.allSatisfy { (0x21...0x7e).contains($0) } }
}
