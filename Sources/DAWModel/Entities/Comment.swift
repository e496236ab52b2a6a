import DAWTime
import Foundation

public typealias CommentID = Identifier<Comment>

/// A remark by a person about a track, a region, a recording or the project, or a reply to one.
public struct Comment: Hashable, Sendable, Identifiable {
  public var id: CommentID
  /// The track that it is about.
  public var track: TrackID?
  /// The region that it is about.
  public var region: RegionID?
  /// The recording that it is about, which need not be known any more.
  public var recording: RecordingID?
  /// The first comment of the thread that this one replies to; `nil` for a first comment.
  public var thread: CommentID?
  /// The position on the timeline that it is about. If its time base is musical, it follows changes of tempo.
  public var position: TimelinePosition?
  /// As in the journal: user@host, unless the user gave another name.
  public var author: String
  public var date: Timestamp
  public var text: String
  /// The sound of a spoken comment.
  public var audioFile: AudioFileID?
  /// Whether the thread that it begins is done with.
  public var isResolved: Bool

  public init(
    id: CommentID, track: TrackID? = nil, region: RegionID? = nil, recording: RecordingID? = nil,
    thread: CommentID? = nil, position: TimelinePosition? = nil, author: String, date: Timestamp, text: String,
    audioFile: AudioFileID? = nil, isResolved: Bool = false
  ) {
    self.id = id
    self.track = track
    self.region = region
    self.recording = recording
    self.thread = thread
    self.position = position
    self.author = author
    self.date = date
    self.text = text
    self.audioFile = audioFile
    self.isResolved = isResolved
  }

  /// In characters (Unicode scalars).
  public static let maximumLength = 65_536
}

extension Comment: Entity {
  public static let kind = EntityKind.comment
  public static let noun = "comment"
  public static let table = "comment"
  public static let parents = [
    ParentReference(.track, column: "track"), ParentReference(.region, column: "region"),
    ParentReference(.comment, column: "thread"),
  ]
  public static let collection: RowCollection<Comment>? = \Project.comments

  /// The start comes after its time base.
  public static let fields: [Field<Comment>] = [
    Field("track", \.track, rule: .commentSubject),
    Field("region", \.region, rule: .commentSubject),
    Field("thread", \.thread, rule: .commentThread),
    Field("timeBase", rule: .timeBase, value: { $0.position?.timeBase }) { comment, stored in
      guard let timeBase = TimeBase?(stored: stored) else { return false }
      comment.position = timeBase.map { TimelinePosition(0, in: $0) }
      return true
    },
    Field("startTime", rule: .markPosition, value: { $0.position }) { comment, stored in
      guard let number = Int64?(stored: stored), (number == nil) == (comment.position == nil) else { return false }
      if let number { comment.position?.number = number }
      return true
    },
    Field("author", \.author, rule: .commentAuthor),
    Field("date", \.date, rule: .commentDate),
    Field("text", \.text, rule: .commentText),
    Field("isResolved", \.isResolved, rule: .flag),
    Field("recording", \.recording, rule: .identifier),
    Field("audioFile", \.audioFile, rule: .referenceExists),
  ]

  public init(blank id: CommentID) {
    self.init(id: id, author: "", date: Timestamp(milliseconds: 0), text: "")
  }

  public var subject: String { "a comment" }

  public func validate() throws(RuleViolation) {
    try requireID()
    let subjects = [(track != nil, "a track"), (region != nil, "a region"), (recording != nil, "a recording")]
      .filter(\.0).map(\.1)
    try require(subjects.count <= 1, .commentSubject, subjects.joined(separator: " and "), of: subject)
    try require(
      recording.map { $0.rawValue > 0 } ?? true, .identifier, "the recording \(recording?.rawValue ?? 0)", of: subject)
    if thread != nil {
      try require(
        subjects.isEmpty && position == nil, .commentThread,
        "a reply with a track, a region, a recording or a position of its own", of: subject)
      try require(!isResolved, .commentThread, "a resolved reply", of: subject)
      try require(thread != id, .commentThread, "a reply to itself", of: subject)
    }
    if let position { try requireOnTimeline(position) }
    try require(
      Timestamp.accepted.contains(date), .commentDate, "a date of \(date.milliseconds) ms", of: subject)
    let length = author.unicodeScalars.count
    try require((1...255).contains(length), .commentAuthor, "an author of \(length) characters", of: subject)
    try require(!author.unicodeScalars.contains("\0"), .commentAuthor, "a NUL character", of: subject)
    try validateText()
  }

  private func validateText() throws(RuleViolation) {
    let scalars = text.unicodeScalars
    try require(!scalars.isEmpty, .commentText, "an empty text", of: subject)
    try require(
      scalars.count <= Self.maximumLength, .commentText, "a text of \(scalars.count) characters", of: subject)
    try require(!scalars.contains("\0"), .commentText, "a text with a NUL character", of: subject)
    let spaces = CharacterSet.whitespacesAndNewlines
    try require(
      ![scalars.first, scalars.last].contains { $0.map(spaces.contains) ?? false }, .commentText,
      "a text with spaces at its ends", of: subject)
  }

  public func validate(in tables: some ModelTables, replacing old: Comment?) throws {
    if let track { _ = try tables.require(track) }
    if let region { _ = try tables.require(region) }
    if let audioFile { _ = try tables.require(audioFile) }
    if let thread {
      try require(try tables.require(thread).thread == nil, .commentThread, "a reply to a reply", of: subject)
      try require(
        try old == nil || tables.firstID(of: Comment.self, where: "thread", is: id) == nil, .commentThread,
        "a reply that others reply to", of: subject)
    }
  }
}
