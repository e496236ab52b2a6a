import DAWModel
import DAWProject
import DAWTime

extension RetentionUse {
  /// What a project's jobs and transcripts use.
  public static func ofWork(in session: Session) -> RetentionUse { ofWork(in: session) {} }

  /// - Parameter sliceIsDone: called behind each slice of transcripts, when no lock is held.
  static func ofWork(in session: Session, sliceIsDone: @escaping @Sendable () throws -> Void) -> RetentionUse {
    RetentionUse(
      isInOpenJob: { recording in
        let passes = Set(try session.read { try $0.recordings.passes(of: [recording]) }.map(\.id))
        let open = Set(Job.State.allCases.filter(\.isOpen))
        return try [JobFilter(states: open, passes: passes), JobFilter(states: open, recording: recording)].contains {
          try !session.work.jobs($0).jobs.isEmpty
        }
      },
      removeTranscripts: { time, isTrial in
        let old = try session.work.transcripts(TranscriptFilter(includesWords: false, limit: .max)).transcripts
          .filter { $0.createdAt < time }.map(\.id)
        // They have what was said in other words, and go with it.
        let summaries = try session.work.summaries(of: nil).filter { $0.createdAt < time }.map(\.recording)
        let count = TextCount(transcripts: old.count, summaries: summaries.count)
        guard !isTrial else { return count }
        try session.work.removeSummaries(of: summaries)
        for start in stride(from: 0, to: old.count, by: sliceCount) {
          try session.work.remove(Array(old[start..<min(start + sliceCount, old.count)]))
          try sliceIsDone()
        }
        return count
      })
  }

  /// Transcripts that are removed in one transaction, so that other processes wait for none of them long.
  private static let sliceCount = 500
}
