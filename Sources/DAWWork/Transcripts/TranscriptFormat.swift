import DAWTime
import Foundation

/// A form of text in which a transcript is written.
public enum TranscriptFormat: String, CaseIterable, Sendable {
  /// SubRip subtitles.
  case srt
  /// WebVTT subtitles.
  case vtt
  /// Text alone, a line from pause to pause.
  case txt
  /// An object with a list of captions and their words.
  case json
  /// A line for each caption: `start,end,speaker,confidence,text`, in seconds.
  case csv
}

extension TranscriptFormat {
  /// - Parameter captions: in order of start.
  func text(_ captions: [Caption]) throws -> String {
    switch self {
    case .srt:
      captions.enumerated().map { index, caption in
        "\(index + 1)\n\(Self.time(caption.start, ",")) --> \(Self.time(caption.end, ","))\n"
          + caption.lines.map(Self.withoutArrows).joined(separator: "\n") + "\n"
      }.joined(separator: "\n")
    case .vtt:
      "WEBVTT\n"
        + captions.map { caption in
          let speaker = caption.speaker.map { "<v \(Self.escaped($0))>" } ?? ""
          return "\n\(Self.time(caption.start, ".")) --> \(Self.time(caption.end, "."))\n\(speaker)"
            + caption.lines.map(Self.escaped).joined(separator: "\n") + "\n"
        }.joined()
    case .txt: Self.paragraphs(captions)
    case .json: try Self.json(captions)
    case .csv:
      "start,end,speaker,confidence,text\n"
        + captions.map { caption in
          [
            Self.seconds(caption.start), Self.seconds(caption.end), Self.cell(caption.speaker ?? ""),
            caption.confidence.map { "\(($0 * 1000).rounded() / 1000)" } ?? "", Self.cell(caption.text),
          ].joined(separator: ",") + "\n"
        }.joined()
    }
  }

  /// Without `-->`, which a player takes for the time of another subtitle.
  private static func withoutArrows(_ line: String) -> String {
    var line = line
    while line.contains("-->") { line = line.replacing("-->", with: "->") }
    return line
  }

  /// "00:01:02,345"
  private static func time(_ position: FlickPosition, _ point: String) -> String {
    let milliseconds = Self.milliseconds(position)
    func digits(_ number: Int64, _ count: Int) -> String {
      String(repeating: "0", count: max(0, count - String(number).count)) + String(number)
    }
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    return digits(seconds / 3600, 2) + ":" + digits(seconds / 60 % 60, 2) + ":" + digits(seconds % 60, 2) + point
      + digits(rest, 3)
  }

  private static func milliseconds(_ position: FlickPosition) -> Int64 {
    Int64((max(0, position.seconds) * 1000).rounded())
  }

  private static func seconds(_ position: FlickPosition) -> String { "\(Double(milliseconds(position)) / 1000)" }

  /// - SeeAlso: WebVTT, section 4.2.2, cue text
  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  /// - SeeAlso: RFC 4180
  private static func cell(_ text: String) -> String {
    text.contains { $0 == "\"" || $0 == "," || $0.isNewline } ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
  }

  private static func paragraphs(_ captions: [Caption]) -> String {
    var text = ""
    var last: Caption?
    for caption in captions {
      if let last {
        let goesOn = caption.speaker == last.speaker && caption.start - last.end < Caption.pause
        text += goesOn ? " " : "\n"
      }
      text += caption.text
      last = caption
    }
    return text.isEmpty ? "" : text + "\n"
  }
}

// MARK: JSON

extension TranscriptFormat {
  private struct Captions: Encodable {
    var captions: [Object]
  }

  /// Times in seconds.
  private struct Object: Encodable {
    var start: Double
    var end: Double
    var text: String
    var speaker: String?
    var confidence: Double?
    var words: [Word]
  }

  private struct Word: Encodable {
    var word: String
    var start: Double
    var end: Double
    var confidence: Double?
    var speaker: String?
  }

  private static func json(_ captions: [Caption]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let objects = captions.map { caption in
      Object(
        start: caption.start.seconds, end: caption.end.seconds, text: caption.text, speaker: caption.speaker,
        confidence: caption.confidence,
        words: caption.words.map {
          Word(
            word: $0.word, start: $0.start.seconds, end: $0.end.seconds, confidence: $0.confidence, speaker: $0.speaker)
        })
    }
    return String(decoding: try encoder.encode(Captions(captions: objects)), as: UTF8.self) + "\n"
  }
}
