import DAWModel
import DAWProject
import DAWStore
import DAWTime
import Foundation

/// The sound of a spoken comment, and what is known of its words.
public struct Memo: Sendable {
  public var file: AudioFile
  /// The state of the jobs that transcribe it; `nil` if it was never to be transcribed.
  public var state: Job.State?
  public var lastError: String?
  /// What was said, as far as it was transcribed; `nil`: not at all.
  public var text: String?
  /// The engine that transcribed it.
  public var engine: String?

  /// Seconds.
  public var duration: Double { Double(file.frames.frames) / Double(file.sampleRate.hertz) }
  public var isThinking: Bool { state == .pending || state == .processing }
  public var isError: Bool { state == .failed || state == .retrying }
}

extension ProjectView {
  /// The sounds of comments.
  public func memos(of comments: [Comment]) throws -> [CommentID: Memo] {
    let files = Set(comments.compactMap(\.audioFile))
    guard !files.isEmpty else { return [:] }
    let filter = TranscriptFilter(media: .init(files: files), includesWords: false, limit: .max)
    let transcripts = Dictionary(grouping: try work.transcripts(filter).transcripts, by: \.range.audioFile)
    let jobs = Dictionary(
      grouping: try work.jobs(JobFilter(files: files, limit: .max)).jobs.filter { $0.kind == .transcribe },
      by: \.range?.audioFile)
    var memos: [CommentID: Memo] = [:]
    for comment in comments {
      guard let file = try comment.audioFile.flatMap({ try row($0) }) else { continue }
      var memo = Memo(file: file)
      let found = transcripts[file.id] ?? []
      if !found.isEmpty {
        memo.text = try found.map { try row(TranscriptTextID(rawValue: $0.id.rawValue))?.text ?? $0.text }
          .filter { !$0.isEmpty }.joined(separator: " ")
        memo.engine = found.compactMap(\.engine).first
      }
      // Of each stretch the latest job counts.
      let latest = Dictionary((jobs[file.id] ?? []).map { ($0.range?.start, $0) }) { $1 }.values
      let order: [Job.State] = [.failed, .retrying, .processing, .pending, .cancelled, .completed]
      memo.state =
        order.first { state in latest.contains { $0.state == state } } ?? (found.isEmpty ? nil : .completed)
      memo.lastError = latest.first { $0.state == memo.state }?.lastError
      memos[comment.id] = memo
    }
    return memos
  }
}

extension Editor {
  /// Adds a comment that was spoken, with jobs that turn it into text.
  /// - Parameters:
  ///   - track: a reference.
  ///   - path: of its sound, which is copied into the project.
  ///   - quality: what the sound is compressed to; `nil`: it stays as it is.
  /// - Returns: warnings about the file as sentences, too.
  public func addMemo(
    _ text: String, on track: String, file path: String, quality: Retention.Quality?, at position: TimelinePosition?,
    by engine: Engine, fallback: Engine? = nil, language: String,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> (comment: Comment, jobs: [Job], warnings: [String]) {
    // First what costs little.
    _ = try view.track(calledBy: track)
    let imported = try importAudioFile(at: path, isLinked: false, quality: quality)
    let comment = try addComment(text, track: track, at: position, audioFile: imported.file.id)
    let jobs = try add(
      sealed(
        Job.transcribing(
          ProjectView.ranges(of: imported.file), by: engine, fallback: fallback, language: language), environment))
    return (comment, jobs, imported.warnings)
  }
}
