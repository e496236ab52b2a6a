import Foundation

public typealias RecordingNoteID = Identifier<RecordingNote>

/// What the user says about a recording. Its id is that of the recording, which need not be known any more.
public struct RecordingNote: Hashable, Sendable, Identifiable {
  public var id: RecordingNoteID
  /// Empty: none.
  public var title: String
  public var notes: String?

  public init(id: RecordingNoteID, title: String = "", notes: String? = nil) {
    self.id = id
    self.title = title
    self.notes = notes
  }

  public var recording: RecordingID { RecordingID(rawValue: id.rawValue) }

  /// In characters (Unicode scalars).
  public static let maximumTitleLength = 255
  public static let maximumNotesLength = 65_536
}

extension RecordingNote: Entity {
  public static let kind = EntityKind.recordingNote
  public static let noun = "recording"
  public static let table = "recordingNote"
  public static let collection: RowCollection<RecordingNote>? = \Project.recordingNotes

  public static let fields: [Field<RecordingNote>] = [
    Field("title", \.title, rule: .recordingTitle), Field("notes", \.notes, rule: .recordingNotes),
  ]

  public init(blank id: RecordingNoteID) { self.init(id: id) }

  public var subject: String { title.isEmpty ? "a recording" : "recording '\(title)'" }

  public func validate() throws(RuleViolation) {
    try requireID()
    let scalars = title.unicodeScalars
    try require(
      scalars.count <= Self.maximumTitleLength, .recordingTitle, "a title of \(scalars.count) characters", of: subject)
    try require(
      !scalars.contains { $0.properties.generalCategory == .control }, .recordingTitle,
      "a title with a control character", of: subject)
    try require(!Self.hasSpaceAtEnds(title), .recordingTitle, "a title with spaces at its ends", of: subject)
    guard let notes else { return }
    let length = notes.unicodeScalars.count
    try require(
      (1...Self.maximumNotesLength).contains(length), .recordingNotes, "notes of \(length) characters", of: subject)
    try require(!notes.unicodeScalars.contains("\0"), .recordingNotes, "notes with a NUL character", of: subject)
    try require(!Self.hasSpaceAtEnds(notes), .recordingNotes, "notes with spaces at their ends", of: subject)
  }

  private static func hasSpaceAtEnds(_ text: String) -> Bool {
    let spaces = CharacterSet.whitespacesAndNewlines
    return [text.unicodeScalars.first, text.unicodeScalars.last].contains { $0.map(spaces.contains) ?? false }
  }
}
