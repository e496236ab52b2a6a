/// What an engine has written of everything that was said in a recording. Another one takes its place.
public struct Summary: Hashable, Sendable {
  public var recording: RecordingID
  public var text: String
  public var engine: String
  /// Milliseconds.
  public var processingTime: Int64
  /// Later than that of the summary whose place it took.
  public var createdAt: Timestamp

  public init(
    of recording: RecordingID, text: String, engine: String, processingTime: Int64 = 0, createdAt: Timestamp
  ) {
    self.recording = recording
    self.text = text
    self.engine = engine
    self.processingTime = processingTime
    self.createdAt = createdAt
  }

  /// In bytes.
  public static let maximumTextLength = 1 << 16

  /// Takes the place of another one of the recording.
  public mutating func replace(_ other: Summary) { createdAt = createdAt.following(other.createdAt) }
}

extension Summary: RecordedFact {
  public static let table = "summary"
  public static let key = ["id"]
  public static let rule = Rule.transcriptFacts

  public static let fields: [Field<Summary>] = [
    Field("id", \.recording, rule: rule),
    Field("text", \.text, rule: rule),
    Field("engine", \.engine, rule: rule),
    Field("processingTime", \.processingTime, rule: rule),
    Field("createdAt", \.createdAt, rule: rule),
  ]

  public static let blank = Summary(
    of: RecordingID(rawValue: 0), text: "", engine: "", createdAt: Timestamp(milliseconds: 0))

  public func validate() throws(RuleViolation) {
    try requireFact(recording.rawValue > 0, "the id \(recording.rawValue)")
    let length = text.utf8.count
    try requireFact((1...Self.maximumTextLength).contains(length), "a summary of \(length) bytes")
    try requireFact(Job.isEngineName(engine), "the engine '\(engine)'")
    try requireFact(processingTime >= 0, "a time of \(processingTime) ms")
    try requireFact(Timestamp.accepted.contains(createdAt), "a date of \(createdAt.milliseconds) ms")
  }
}

extension Timestamp {
  /// Itself, or the first that is later than another one.
  func following(_ other: Timestamp) -> Timestamp {
    min(max(self, Timestamp(milliseconds: other.milliseconds + 1)), Timestamp.accepted.upperBound)
  }
}
