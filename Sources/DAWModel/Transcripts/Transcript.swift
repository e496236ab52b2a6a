import DAWTime
import Foundation

public typealias TranscriptID = Identifier<Transcript>

/// A stretch of sound that is transcribed at once.
public struct SoundRange: Hashable, Sendable {
  /// What the sound is in.
  public enum Medium: Hashable, Sendable {
    /// A segment of a recorded pass, by its index.
    case segment(PassID, Int)
    /// An imported file. Its row need not be there any more.
    case file(AudioFileID)
  }

  public var medium: Medium
  /// From the start of the pass or of the file.
  public var start: FrameCount
  public var frames: FrameCount
  public var sampleRate: SampleRate

  public init(_ medium: Medium, start: FrameCount, frames: FrameCount, sampleRate: SampleRate) {
    self.medium = medium
    self.start = start
    self.frames = frames
    self.sampleRate = sampleRate
  }

  /// Whether a transcript of the one takes the place of a transcript of the other.
  public func isSamePlace(as other: SoundRange) -> Bool {
    switch medium {
    case .segment: medium == other.medium
    case .file: medium == other.medium && start == other.start
    }
  }

  public var pass: PassID? { if case .segment(let pass, _) = medium { pass } else { nil } }
  public var audioFile: AudioFileID? { if case .file(let file) = medium { file } else { nil } }

  public func seconds(_ frames: FrameCount) -> Double { Double(frames.frames) / Double(sampleRate.hertz) }

  static let blank = SoundRange(
    .file(AudioFileID(rawValue: 0)), start: .zero, frames: .zero, sampleRate: SampleRate(hertz: 0))
}

/// What an engine heard in a stretch of sound. Of each stretch one is current; what it replaced is kept beside it.
public struct Transcript: Hashable, Sendable, Identifiable, IdentifiedKind {
  /// Stays with the stretch: when it is transcribed again, the text that is replaced gets another.
  public var id: TranscriptID
  public var range: SoundRange
  public var isCurrent: Bool
  /// Empty: nothing was said.
  public var text: String
  /// As in BCP 47: `en`, `de-AT`.
  public var language: String
  /// 0 … 1; `nil` if the engine does not tell.
  public var confidence: Double?
  /// `nil`: the sound was too quiet to be sent to one.
  public var engine: String?
  /// Milliseconds.
  public var processingTime: Int64
  /// Empty if the engine gives no times.
  public var words: [TranscriptWord]
  /// Other keys of the engine's answer: a JSON object.
  public var details: String?
  /// Later than that of the text that it replaced.
  public var createdAt: Timestamp

  public init(
    id: TranscriptID = TranscriptID(rawValue: 0), range: SoundRange, isCurrent: Bool = true, text: String = "",
    language: String = "en", confidence: Double? = nil, engine: String? = nil, processingTime: Int64 = 0,
    words: [TranscriptWord] = [], details: String? = nil, createdAt: Timestamp
  ) {
    self.id = id
    self.range = range
    self.isCurrent = isCurrent
    self.text = text
    self.language = language
    self.confidence = confidence
    self.engine = engine
    self.processingTime = processingTime
    self.words = words
    self.details = details
    self.createdAt = createdAt
  }

  /// Takes the place of the current transcript of the same range.
  public mutating func replace(_ current: Transcript) {
    id = current.id
    createdAt = createdAt.following(current.createdAt)
  }

  /// The same as that of its `TranscriptText`, so that both have the same UUID.
  public static let identifierKind = TranscriptText.identifierKind
  public static let noun = "transcript"
  /// In bytes.
  public static let maximumTextLength = 1 << 20
  /// In bytes.
  public static let maximumWordsLength = 4 << 20

  /// At most what its words take as JSON, in bytes.
  public var wordsLength: Int {
    // A character may be escaped; the rest are keys, signs and numbers.
    words.reduce(0) { $0 + 2 * ($1.word.utf8.count + ($1.speaker?.utf8.count ?? 0)) + 160 }
  }

  /// The last of some words as an engine heard it, if it heard all of them first, in this order. Faster than to read
  /// all words.
  /// - Parameters:
  ///   - beginning: at least one.
  ///   - stored: the words as they are stored.
  /// - Returns: `nil` if it heard others, or if the words have to be read to tell.
  package static func lastWord(of beginning: [Substring], inStored stored: String) -> TranscriptWord? {
    PlainListReader.lastWord(of: beginning, in: stored).flatMap { $0.isAccepted ? $0 : nil }
  }

  /// Letters, digits and hyphens.
  public static func isLanguage(_ text: String) -> Bool {
    (1...35).contains(text.utf8.count) && !text.hasPrefix("-")
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}

public struct TranscriptWord: Hashable, Sendable, Codable {
  public var word: String
  /// Seconds from the start of the range; a word at an edge may reach beyond it.
  public var start: Double
  public var end: Double
  /// 0 … 1
  public var confidence: Double?
  public var speaker: String?

  public init(_ word: String, start: Double, end: Double, confidence: Double? = nil, speaker: String? = nil) {
    self.word = word
    self.start = start
    self.end = end
    self.confidence = confidence
    self.speaker = speaker
  }

  var isAccepted: Bool {
    !word.isEmpty && start.isFinite && end.isFinite && start <= end
      && confidence.map { (0...1).contains($0) } ?? true
  }
}

extension Transcript: RecordedFact {
  public static let table = "transcript"
  public static let key = ["id"]
  public static let rule = Rule.transcriptFacts

  public static let fields: [Field<Transcript>] =
    [Field("id", \.id, rule: rule)]
    + Field.range(get: { $0.range == .blank ? nil : $0.range }, set: { $0.range = $1 })
    + [
      Field("isCurrent", \.isCurrent, rule: rule),
      Field("text", \.text, rule: rule),
      Field("language", \.language, rule: rule),
      Field("confidence", \.confidence, rule: rule),
      Field("engine", \.engine, rule: rule),
      Field("processingTime", \.processingTime, rule: rule),
      Field(json: "words", \.words, usually: PlainListReader.words),
      Field("details", \.details, rule: rule),
      Field("createdAt", \.createdAt, rule: rule),
    ]

  public static let blank = Transcript(range: .blank, createdAt: Timestamp(milliseconds: 0))

  public func validate() throws(RuleViolation) {
    try requireFact(id.rawValue > 0, "the id \(id.rawValue)")
    try requireFact(range.isAccepted, range.text)
    try requireFact(text.utf8.count <= Self.maximumTextLength, "a text of \(text.utf8.count) bytes")
    try requireFact(Self.isLanguage(language), "the language '\(language)'")
    try requireFact(confidence.map { (0...1).contains($0) } ?? true, "a confidence of \(confidence ?? 0)")
    try requireFact(engine.map(Job.isEngineName) ?? true, "the engine '\(engine ?? "")'")
    try requireFact(processingTime >= 0, "a time of \(processingTime) ms")
    try requireFact(words.allSatisfy(\.isAccepted), "a word that ends before it starts, or with no confidence of 0 … 1")
    let isObject = details.map { (try? JSONSerialization.jsonObject(with: Data($0.utf8))) is [String: Any] } ?? true
    try requireFact(isObject, "details that are no JSON object")
    try requireFact(Timestamp.accepted.contains(createdAt), "a date of \(createdAt.milliseconds) ms")
  }
}

extension SoundRange {
  /// In words, for a message.
  fileprivate var text: String {
    "the range from frame \(start.frames) with \(frames.frames) frames at \(sampleRate.hertz) Hz"
  }

  var isAccepted: Bool {
    let isMedium =
      switch medium {
      case .segment(let pass, let index): pass.rawValue > 0 && index >= 0
      case .file(let file): file.rawValue > 0
      }
    return isMedium && start >= .zero && frames > .zero && frames.frames <= .max - start.frames
      && (1...10_000_000).contains(sampleRate.hertz)
  }
}

extension Field where Row: RecordedFact {
  /// The columns of a range: of a segment the first two, of a file the third.
  static func range(
    get: @escaping @Sendable (Row) -> SoundRange?, set: @escaping @Sendable (inout Row, SoundRange) -> Void
  ) -> [Field<Row>] {
    func number(_ name: String, _ path: any WritableKeyPath<SoundRange, FrameCount> & Sendable) -> Field<Row> {
      Field(name, rule: Row.rule, value: { get($0)?[keyPath: path] }) { row, stored in
        guard var range = get(row) else { return stored == .null }
        guard let frames = FrameCount(stored: stored) else { return false }
        range[keyPath: path] = frames
        set(&row, range)
        return true
      }
    }
    return [
      Field("pass", rule: Row.rule, value: { get($0)?.pass }) { row, stored in
        guard let pass = PassID?(stored: stored) else { return false }
        if let pass {
          set(&row, SoundRange(.segment(pass, 0), start: .zero, frames: .zero, sampleRate: SampleRate(hertz: 0)))
        }
        return true
      },
      Field(
        "segmentIndex", rule: Row.rule,
        value: { row -> Int? in
          guard case .segment(_, let index) = get(row)?.medium else { return nil }
          return index
        }
      ) { row, stored in
        guard var range = get(row), let pass = range.pass else { return stored == .null }
        guard let index = Int(stored: stored) else { return false }
        range.medium = .segment(pass, index)
        set(&row, range)
        return true
      },
      Field("audioFile", rule: Row.rule, value: { get($0)?.audioFile }) { row, stored in
        guard get(row) == nil else { return stored == .null }
        guard let file = AudioFileID?(stored: stored) else { return false }
        if let file {
          set(&row, SoundRange(.file(file), start: .zero, frames: .zero, sampleRate: SampleRate(hertz: 0)))
        }
        return true
      },
      number("startFrame", \.start), number("frames", \.frames),
      Field("sampleRate", rule: Row.rule, value: { get($0)?.sampleRate }) { row, stored in
        guard var range = get(row) else { return stored == .null }
        guard let rate = SampleRate(stored: stored) else { return false }
        range.sampleRate = rate
        set(&row, range)
        return true
      },
    ]
  }
}
