import Foundation

public typealias TranscriptTextID = Identifier<TranscriptText>

/// What the user says was spoken, instead of what an engine heard. Its id is that of the transcript, which need not be
/// known any more.
public struct TranscriptText: Hashable, Sendable, Identifiable {
  public var id: TranscriptTextID
  public var text: String

  public init(id: TranscriptTextID, text: String = "") {
    self.id = id
    self.text = text
  }

  /// In characters (Unicode scalars).
  public static let maximumLength = 65_536
}

extension TranscriptText: Entity {
  public static let kind = EntityKind.transcriptText
  public static let noun = "transcript"
  public static let table = "transcriptText"
  public static let collection: RowCollection<TranscriptText>? = \Project.transcriptTexts

  public static let fields: [Field<TranscriptText>] = [Field("text", \.text, rule: .transcriptText)]

  public init(blank id: TranscriptTextID) { self.init(id: id) }

  public var subject: String { "a transcript" }

  public func validate() throws(RuleViolation) {
    try requireID()
    let scalars = text.unicodeScalars
    try require(
      (1...Self.maximumLength).contains(scalars.count), .transcriptText, "a text of \(scalars.count) characters",
      of: subject)
    try require(!scalars.contains("\0"), .transcriptText, "a text with a NUL character", of: subject)
    let spaces = CharacterSet.whitespacesAndNewlines
    try require(
      ![scalars.first, scalars.last].contains { $0.map(spaces.contains) ?? false }, .transcriptText,
      "a text with spaces at its ends", of: subject)
  }
}
