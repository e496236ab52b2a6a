import DAWModel
import DAWStore
import DAWTime
import Foundation

/// A comment in a listing.
public struct CommentEntry: Sendable {
  public var comment: Comment
  /// The first comment of the thread: `comment` itself, unless it is a reply.
  public var first: Comment
  /// The track that the thread is about, or on which its region lies.
  public var track: Track?
  public var region: Region?
  /// The recording that the thread is about; `nil` if it is about none, or that is not known any more.
  public var recording: RecordingEntry?
}

extension Editor {
  /// Adds a comment about a track, a region, a recording or the project, or a reply.
  /// - Parameters:
  ///   - track, region, recording: references.
  ///   - audioFile: its sound, if it was spoken.
  ///   - reply: the id of a comment, or the end of one. A reply to a reply belongs to the same thread.
  public func addComment(
    _ text: String, track: String? = nil, region: String? = nil, recording: String? = nil,
    at position: TimelinePosition? = nil, replyingTo reply: String? = nil, audioFile: AudioFileID? = nil,
    author: String = EditOrigin.current.author,
    date: Timestamp = Timestamp.now()
  ) throws -> Comment {
    let parent = try reply.map(view.comment(withID:))
    let comment = Comment(
      id: try newID(), track: try track.map { try view.track(calledBy: $0).id },
      region: try region.map { try view.region(calledBy: $0).id },
      recording: try recording.map { try view.recording(calledBy: $0).recording.id },
      thread: parent.map { $0.thread ?? $0.id },
      position: position, author: author, date: date, text: Self.trimmed(text),
      audioFile: audioFile)
    try apply(.add(comment))
    note(audioFile != nil ? "Added a spoken comment" : reply == nil ? "Added a comment" : "Replied to a comment")
    return comment
  }

  /// - Parameters:
  ///   - text: `nil` keeps it.
  ///   - isResolved: of a thread; refused for a reply.
  public func setComment(_ digits: String, text: String?, isResolved: Bool?) throws -> Comment {
    let old = try view.comment(withID: digits)
    var comment = old
    if let text { comment.text = Self.trimmed(text) }
    if let isResolved { comment.isResolved = isResolved }
    if comment != old { try apply(.set(comment)) }
    note(text == nil ? (comment.isResolved ? "Resolved a comment" : "Opened a comment again") : "Changed a comment")
    return comment
  }

  /// Removes comments; the first one of a thread with its replies.
  /// - Returns: the ids of all that were removed.
  public func removeComments(_ references: [String]) throws -> [CommentID] {
    let all = try view.all(Comment.self)
    let named = Set(try references.completed(among: { all.map(\.id) }).map { try view.comment(withID: $0).id })
    let removed = all.filter { named.contains($0.id) || $0.thread.map(named.contains) ?? false }.map(\.id)
    try apply(.remove(removed.filter(named.contains)))
    note(removed.count == 1 ? "Removed a comment" : "Removed \(removed.count) comments")
    return removed
  }

  private static func trimmed(_ text: String) -> String { text.trimmingCharacters(in: .whitespacesAndNewlines) }
}

extension ProjectView {
  /// The comment whose id is, or ends in, these digits.
  /// - Throws: `Failure` if there is none, or more than one.
  public func comment(withID digits: String) throws -> Comment {
    try one(Comment.self, withID: digits, "comment", listedBy: "list-comments")
  }

  package func commentEntry(of comment: Comment) throws -> CommentEntry {
    // Not looked for among all: a batch may add thousands.
    guard let stored = try row(comment.id), let first = try row(stored.thread ?? stored.id) else {
      throw EditError.missing(noun: Comment.noun, id: comment.id.uuidString)
    }
    let region = try first.region.flatMap { try self.region($0) }
    return CommentEntry(
      comment: stored, first: first, track: try (first.track ?? region?.track).flatMap { try self.track($0) },
      region: region, recording: try first.recording.flatMap { try recordingEntry($0) })
  }

  /// Threads in order of their first comments' dates, each followed by its replies in order of date.
  /// - Parameters:
  ///   - isOpen: only threads that are not resolved.
  ///   - author: only comments of an author: a whole name, or what is before its `@`; case does not matter.
  ///   - track: only threads about a track, or about regions on it.
  ///   - recording: only threads about a recording.
  public func commentEntries(
    isOpen: Bool = false, author: String? = nil, track: Track? = nil, recording: RecordingID? = nil
  ) throws -> [CommentEntry] {
    let all = try self.all(Comment.self).sorted { ($0.date.milliseconds, $0.id) < ($1.date.milliseconds, $1.id) }
    let replies = Dictionary(grouping: all.filter { $0.thread != nil }, by: \.thread)
    var entries: [CommentEntry] = []
    for first in all where first.thread == nil && !(isOpen && first.isResolved) {
      let region = try first.region.flatMap { try self.region($0) }
      let about = try (first.track ?? region?.track).flatMap { try self.track($0) }
      if let track, about?.id != track.id { continue }
      if let recording, first.recording != recording { continue }
      let ofRecording = try first.recording.flatMap { try recordingEntry($0) }
      for comment in [first] + (replies[first.id] ?? [])
      where author.map({ isAuthor(comment.author, calledBy: $0) }) ?? true {
        entries.append(
          CommentEntry(comment: comment, first: first, track: about, region: region, recording: ofRecording))
      }
    }
    return entries
  }
}
