import DAWModel
import DAWProject
import DAWStore
import DAWTime

/// A comment as JSON, within the track or region that it is about; one about a recording is within the project. Of the
/// integers of its position only that of its own clock is there.
@dynamicMemberLookup
public struct CommentDocument {
  /// Without its position, when it was read.
  public var row: Comment
  public var timeBase: TimeBase?
  /// Without seconds if it has no position.
  public var start = WrittenTime(seconds: nil)
  /// The path of its sound.
  public var audioFile: String?
  /// In order of date.
  public var replies: [CommentDocument] = []

  public subscript<Value>(dynamicMember path: KeyPath<Comment, Value>) -> Value { row[keyPath: path] }
}

extension CommentDocument: JSONRecord {
  package static var blank: CommentDocument { CommentDocument(row: Comment(blank: CommentID(rawValue: 0))) }

  package static let members = JSONMembers<CommentDocument>(
    JSONMember.start(\.start) + [
      JSONMember(id: \.row.id),
      JSONMember("timeBase", \.timeBase),
      JSONMember("author", \.row.author, isRequired: true),
      JSONMember("date", \.row.date, isRequired: true),
      JSONMember("text", \.row.text, isRequired: true),
      JSONMember("isResolved", \.row.isResolved),
      JSONMember("recording", \.row.recording),
      JSONMember("audioFile", \.audioFile),
      JSONMember("replies", \.replies),
    ])
}

extension CommentDocument {
  /// - Parameter files: the paths of the project's audio files.
  init(_ comment: Comment, replies: [CommentDocument] = [], in map: TempoMap, files: [AudioFileID: String]) {
    row = comment
    audioFile = comment.audioFile.flatMap { files[$0] }
    if let position = comment.position {
      timeBase = position.timeBase
      start = WrittenTime(position, in: map)
    }
    self.replies = replies
  }

  /// The comments of a project, by what they are about.
  struct Threads {
    private var bySubject: [[Int64?]: [CommentDocument]] = [:]

    init(_ view: ProjectView, in map: TempoMap, files: [AudioFileID: String]) throws {
      let all = try view.all(Comment.self).sorted { ($0.date.milliseconds, $0.id) < ($1.date.milliseconds, $1.id) }
      let replies = Dictionary(grouping: all, by: \.thread)
      for first in replies[nil] ?? [] {
        bySubject[[first.track?.rawValue, first.region?.rawValue], default: []].append(
          CommentDocument(
            first, replies: (replies[first.id] ?? []).map { CommentDocument($0, in: map, files: files) }, in: map,
            files: files))
      }
    }

    /// - Returns: `nil` if there are none.
    func about(track: TrackID? = nil, region: RegionID? = nil) -> [CommentDocument]? {
      bySubject[[track?.rawValue, region?.rawValue]]
    }
  }

  /// - Parameter file: finds one of the project's audio files.
  fileprivate func comment(in map: TempoMap, file: (String) throws -> AudioFileID) throws -> Comment {
    var comment = row
    comment.audioFile = try audioFile.map(file)
    if start != WrittenTime(seconds: nil) {
      comment.position = try start.position(timeBase ?? (start.flicks == nil ? .musical : .absolute), in: map)
    }
    return comment
  }
}

extension Editor {
  /// Adds the comments about a track, a region or, with those about recordings, the project, with their replies.
  /// - Parameter file: finds one of the project's audio files.
  func add(
    _ comments: [CommentDocument]?, track: TrackID? = nil, region: RegionID? = nil, in map: TempoMap,
    file: (String) throws -> AudioFileID
  ) throws {
    for document in comments ?? [] {
      var first = try document.comment(in: map, file: file)
      (first.track, first.region) = (track, region)
      first = try add([first], \.id)[0]
      try add(
        document.replies.map { reply in
          var comment = try reply.comment(in: map, file: file)
          comment.thread = first.id
          return comment
        }, \.id)
    }
  }
}
