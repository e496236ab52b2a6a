import DAWModel
import DAWTime

/// Some words that are shown together: a cue of subtitles.
public struct Caption: Hashable, Sendable {
  /// At least one.
  public var words: [PlacedWord]
  /// At most `maximumLineCount`, each of at most `maximumLineLength` characters.
  public var lines: [String]
  public var start: FlickPosition
  /// At most `maximumDuration` after the start, and no later than the next caption's start, if that is later.
  public var end: FlickPosition

  static let maximumLineCount = 2
  static let maximumLineLength = 42
  public static let maximumDuration = FlickCount.seconds(7)
  /// A pause that ends a caption.
  static let pause = FlickCount.milliseconds(1_000)

  public var text: String { lines.joined(separator: " ") }
  public var speaker: String? { words.first?.speaker }
  /// The mean of its words', where that is known.
  public var confidence: Double? {
    let known = words.compactMap(\.confidence)
    return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
  }

  /// Divides words into captions. One ends before it would be too long, at a pause, at a change of speaker, and with a
  /// sentence that has filled a line.
  /// - Parameter words: in any order.
  static func captions(of words: [PlacedWord]) -> [Caption] {
    var captions: [Caption] = []
    for word in words.sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }).flatMap(\.pieces) {
      if var last = captions.last, last.append(word) {
        captions[captions.count - 1] = last
      } else {
        captions.append(Caption(word))
      }
    }
    for index in captions.indices {
      var caption = captions[index]
      caption.end = min(caption.end, caption.start + maximumDuration)
      if index + 1 < captions.count, captions[index + 1].start > caption.start {
        caption.end = min(caption.end, captions[index + 1].start)
      }
      captions[index] = caption
    }
    return captions
  }

  private init(_ word: PlacedWord) {
    (words, lines, start, end) = ([word], [word.word], word.start, max(word.start, word.end))
  }

  /// - Returns: whether there was room.
  private mutating func append(_ word: PlacedWord) -> Bool {
    let isSentence = words.last?.word.last.map { ".?!".contains($0) } ?? false
    guard word.speaker == speaker, word.start - end < Self.pause, word.end - start <= Self.maximumDuration,
      !isSentence || text.count < Self.maximumLineLength
    else { return false }
    let line = lines[lines.count - 1] + " " + word.word
    if line.count <= Self.maximumLineLength {
      lines[lines.count - 1] = line
    } else if lines.count < Self.maximumLineCount {
      lines.append(word.word)
    } else {
      return false
    }
    words.append(word)
    end = max(end, word.end)
    return true
  }
}

extension PlacedWord {
  /// Itself, or several where it is longer than a line: they share its time.
  fileprivate var pieces: [PlacedWord] {
    guard word.count > Caption.maximumLineLength else { return [self] }
    var parts: [String] = []
    for character in word {
      if let last = parts.last, last.count < Caption.maximumLineLength {
        parts[parts.count - 1] = last + String(character)
      } else {
        parts.append(String(character))
      }
    }
    let length = (end - start).flicks
    return parts.enumerated().map { index, part in
      var piece = self
      piece.word = part
      piece.start = start + FlickCount(flicks: length / Int64(parts.count) * Int64(index))
      piece.end = start + FlickCount(flicks: length / Int64(parts.count) * Int64(index + 1))
      return piece
    }
  }
}
