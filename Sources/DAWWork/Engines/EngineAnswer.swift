import DAWModel
import Foundation

/// What an engine has written, in one form.
struct EngineAnswer: Equatable {
  /// Times in seconds from the start of the sound that it was given.
  var words: [TranscriptWord] = []
  /// The text of an engine that gives no words.
  var text: String?
  var confidence: Double?
  /// Other keys of its answer: a JSON object.
  var details: String?

  struct Unreadable: Error {
    var reason: String
  }

  init() {}

  /// - Parameter length: of the sound, in seconds; no word lies beyond it.
  init(_ bytes: [UInt8], as output: Engine.Output, length: Double) throws(Unreadable) {
    guard let answer = String(validating: bytes, as: UTF8.self) else { throw Unreadable(reason: "it is not UTF-8.") }
    // Both are one character: no line would end.
    let text = answer.replacing("\r\n", with: "\n")
    switch output {
    case .text: self.text = Self.plain(text)
    case .jsonl: try readLines(text)
    case .srt: try readSubtitles(text)
    case .pocketsphinx: readPocketsphinx(text)
    }
    for index in words.indices {
      let word = words[index]
      guard word.start.isFinite, word.end.isFinite, word.start >= 0, word.start <= word.end, word.start <= length,
        word.end <= length + 1
      else {
        throw Unreadable(reason: "'\(word.word.prefix(40))' at \(word.start) … \(word.end) s of \(length) s.")
      }
      words[index].end = min(word.end, max(length, word.start))
    }
    if confidence == nil {
      let known = words.compactMap(\.confidence)
      if !known.isEmpty { confidence = known.reduce(0, +) / Double(known.count) }
    }
    if let confidence, !(0...1).contains(confidence) {
      throw Unreadable(reason: "a confidence of \(confidence) is not 0 … 1.")
    }
  }

  /// Without control characters and spaces at the ends.
  private static func plain(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control && $0 != "\n" ? " " : $0 })
    ).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Objects with `word`, `start`, `end`, `confidence` and `speaker`, with `progress`, or with other keys.
  private mutating func readLines(_ text: String) throws(Unreadable) {
    var others: [String: Any] = [:]
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.allSatisfy(\.isWhitespace) { continue }
      guard var object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
        throw Unreadable(reason: "line \(number + 1) is no JSON object.")
      }
      object["progress"] = nil
      guard let word = object["word"] as? String else {
        if object["word"] != nil { throw Unreadable(reason: "line \(number + 1) has a word that is no text.") }
        self.text = (object.removeValue(forKey: "text") as? String).map(Self.plain) ?? self.text
        confidence = object.removeValue(forKey: "confidence") as? Double ?? confidence
        others.merge(object) { _, new in new }
        continue
      }
      guard let start = object["start"] as? Double, let end = object["end"] as? Double else {
        throw Unreadable(reason: "line \(number + 1) has a word without start and end.")
      }
      let sure = object["confidence"] as? Double
      guard sure.map({ (0...1).contains($0) }) ?? true else {
        throw Unreadable(reason: "line \(number + 1) has a confidence of \(sure ?? 0).")
      }
      let spoken = Self.plain(word)
      guard !spoken.isEmpty else { continue }
      let speaker = (object["speaker"] as? String).map { String(Self.plain($0).prefix(255)) }
      words.append(TranscriptWord(spoken, start: start, end: end, confidence: sure, speaker: speaker))
    }
    guard !others.isEmpty else { return }
    let data = try? JSONSerialization.data(withJSONObject: others, options: [.sortedKeys, .withoutEscapingSlashes])
    guard let data, data.count <= 65_536 else { throw Unreadable(reason: "its other keys have more than 64 KiB.") }
    details = String(decoding: data, as: UTF8.self)
  }

  /// The words of a subtitle share its time by their lengths.
  private mutating func readSubtitles(_ text: String) throws(Unreadable) {
    let blocks = text.replacing("\u{feff}", with: "").split(separator: "\n\n")
    for block in blocks {
      let lines = block.split(separator: "\n")
      guard let place = lines.firstIndex(where: { $0.contains("-->") }) else {
        if lines.isEmpty { continue }
        throw Unreadable(reason: "a subtitle has no time.")
      }
      let times = lines[place].split(separator: " ").compactMap(Self.seconds)
      guard times.count >= 2, times[0] <= times[1] else { throw Unreadable(reason: "the time '\(lines[place])'.") }
      let spoken = lines[(place + 1)...].joined(separator: " ").split(whereSeparator: \.isWhitespace)
        .map { Self.plain(String($0)) }.filter { !$0.isEmpty }
      let total = Double(spoken.reduce(0) { $0 + $1.count })
      var done = 0.0
      for word in spoken {
        let start = times[0] + (times[1] - times[0]) * done / total
        done += Double(word.count)
        words.append(TranscriptWord(word, start: start, end: times[0] + (times[1] - times[0]) * done / total))
      }
    }
  }

  /// `00:01:02,345`
  private static func seconds(_ text: Substring) -> Double? {
    let parts = text.replacing(",", with: ".").split(separator: ":")
    guard (2...3).contains(parts.count) else { return nil }
    var total = 0.0
    for part in parts {
      guard let value = Double(part), value >= 0 else { return nil }
      total = total * 60 + value
    }
    return total
  }

  /// Lines of text, each followed by lines such as `hello(2) 0.120 0.450 0.997`. What is in angle brackets is no word.
  private mutating func readPocketsphinx(_ text: String) {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ")
      guard parts.count == 4, let start = Double(parts[1]), let end = Double(parts[2]), let sure = Double(parts[3])
      else { continue }
      var word = parts[0]
      if word.hasPrefix("<") || word.hasPrefix("[") || word.hasPrefix("++") { continue }
      if let variant = word.firstIndex(of: "(") { word = word[..<variant] }
      guard !word.isEmpty else { continue }
      words.append(
        TranscriptWord(String(word), start: start, end: end, confidence: sure.isFinite ? min(max(sure, 0), 1) : 0))
    }
  }
}
