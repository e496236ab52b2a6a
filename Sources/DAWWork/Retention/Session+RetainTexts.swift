import DAWModel
import DAWProject
import DAWTime

/// How many transcripts and summaries retention has removed, or would remove.
public struct RemovedTexts: Equatable, Sendable {
  public var transcripts = 0
  public var summaries = 0
}

/// Transcripts that are removed in one transaction, so that other processes wait for none of them long.
private let sliceCount = 500

extension Session {
  /// Whether a job that is not done needs a recording.
  func isInOpenJob(_ recording: RecordingID) throws -> Bool {
    let passes = Set(try read { try $0.recordings.passes(of: [recording]) }.map(\.id))
    let open = Set(Job.State.allCases.filter(\.isOpen))
    return try [JobFilter(states: open, passes: passes), JobFilter(states: open, recording: recording)].contains {
      try !work.jobs($0).jobs.isEmpty
    }
  }

  /// Removes transcripts and summaries that were made before a time, transcripts in slices.
  /// - Parameters:
  ///   - isTrial: only counts them.
  ///   - sliceIsDone: called behind each slice, when no lock is held.
  func removeTexts(before time: Timestamp, isTrial: Bool, sliceIsDone: () throws -> Void = {}) throws -> RemovedTexts {
    let old = try work.transcripts(TranscriptFilter(includesWords: false, limit: .max)).transcripts
      .filter { $0.createdAt < time }.map(\.id)
    // They have what was said in other words, and go with it.
    let summaries = try work.summaries(of: nil).filter { $0.createdAt < time }.map(\.recording)
    guard !isTrial else { return RemovedTexts(transcripts: old.count, summaries: summaries.count) }
    // What another process has made anew since then stays.
    var removed = RemovedTexts()
    removed.summaries = try work.removeSummaries(of: summaries, madeBefore: time)
    for start in stride(from: 0, to: old.count, by: sliceCount) {
      let slice = Array(old[start..<min(start + sliceCount, old.count)])
      removed.transcripts += try work.remove(slice, madeBefore: time)
      try sliceIsDone()
    }
    return removed
  }
}
