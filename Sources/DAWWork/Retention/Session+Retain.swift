import DAWErrors
import DAWModel
import DAWProject
import DAWStore
import DAWTime

/// What `daw retain` has removed, or would remove.
public struct RetentionReport: Sendable {
  /// Moved to the trash, the oldest first.
  public var trashed: [RemovedRecording] = []
  /// Removed from the trash for good.
  public var forgotten: [RemovedRecording] = []
  /// Compressed, the oldest first.
  public var compressed: [CompressedRecording] = []
  public var removedTexts = RemovedTexts()
  /// Old enough, and kept because something uses them.
  public var kept: [(entry: RecordingEntry, reason: String)] = []
  /// What could not be done; the rest was.
  public var failures: [Failure] = []

  /// What was done with recordings, as clauses.
  fileprivate var changes: [String] {
    [(forgotten.count, "removed for good"), (trashed.count, "moved to the trash"), (compressed.count, "compressed")]
      .filter { $0.0 > 0 }
      .map { "\(counted($0.0, "recording")) \($0.0 == 1 ? "was" : "were") \($0.1)" }
  }
}

extension Session {
  /// Removes what the project's retention says is too old: recordings go to the trash, and what has been there long
  /// enough goes for good; of others the sound is compressed. A recording that a job which is not done needs stays as
  /// it is. Each recording is a transaction of its own, so that other processes wait for none of them long.
  /// - Parameters:
  ///   - now: what ages are counted to.
  ///   - isTrial: only reports what would go.
  ///   - includesUsed: whether what regions play may go, where the retention's scope is `all`.
  /// - Throws: `Failure`, before anything is looked at if the project cannot be written; else what was removed until
  ///   then stays removed, which the message says, and the next call goes on.
  public func retain(
    now: Timestamp = .now(), isTrial: Bool = false, includesUsed: Bool = false
  ) throws -> RetentionReport {
    try failing {
      // Also where it is only tried: without the write lock not all can be looked at.
      try store.requireWritable()
      let retention = try read { try $0.header().settings.retention }
      var report = RetentionReport()
      let takesUsed = retention.scope == .all && includesUsed
      var isAtTexts = false
      do {
        try emptyTrash(retention, now, isTrial, takesUsed, &report)
        try trashOld(retention, now, isTrial, takesUsed, &report)
        try compressOld(retention, now, isTrial, &report)
        if let age = retention.transcripts {
          isAtTexts = true
          report.removedTexts = try removeTexts(before: now - age, isTrial: isTrial)
        }
      } catch {
        var done = report.changes
        if isAtTexts { done.append("old transcripts and summaries may have been removed") }
        throw Failure(error).after(isTrial ? [] : done, "'daw retain' goes on.")
      }
      if !isTrial, !report.changes.isEmpty || report.removedTexts != RemovedTexts() {
        report.failures = report.failures.map(\.besideChanges)
      }
      return report
    }
  }

  private func emptyTrash(
    _ retention: Retention, _ now: Timestamp, _ isTrial: Bool, _ takesUsed: Bool, _ report: inout RetentionReport
  ) throws {
    guard retention.isOn else { return }
    let last = now - retention.trash
    for entry in try entries(isTrashed: true) {
      guard let time = entry.recording.trashedAt, time <= last else { continue }
      if try isInOpenJob(entry.recording.id) {
        report.kept.append((entry, Self.openJob))
        continue
      }
      try attempt(entry, &report) { report in
        report.forgotten.append(
          try forgetRecording(entry.recording.id, isTrial: isTrial, includesUsed: takesUsed, ifTrashedBy: last))
      }
    }
  }

  private func trashOld(
    _ retention: Retention, _ now: Timestamp, _ isTrial: Bool, _ takesUsed: Bool, _ report: inout RetentionReport
  ) throws {
    guard let age = retention.recordings else { return }
    let cutoff = now - age
    let old = try entries(isTrashed: false).dropFirst(retention.newest ?? 0)
      .filter { $0.recording.isCompleted && ($0.recording.endTime ?? $0.recording.createdAt) < cutoff }
    guard !old.isEmpty else { return }
    // Every stop of a recording is an edit: while the history reaches back to it, undo could bring its regions back.
    if !isTrial { try pruneHistory(before: cutoff) }
    let inHistory = try audioFilesInHistory(since: isTrial ? cutoff : nil)
    let media = try read { view in try view.audioFiles().filter { inHistory.contains($0.id) } }
    let folders = recordingFolders(of: media)
    for entry in old.reversed() {
      if try isInOpenJob(entry.recording.id) {
        report.kept.append((entry, Self.openJob))
        continue
      }
      try attempt(entry, &report) { report in
        let place = try place(of: entry)
        let id = entry.recording.id
        let removed = try removeRecording(id, isTrial: true, includesUsed: takesUsed)
        let isInHistory =
          folders.contains(place.name) || isElsewhere(place) && media.contains { isMedium($0.location, in: place) }
        if !takesUsed, isInHistory {
          report.kept.append((entry, "the project's history uses it"))
        } else {
          report.trashed.append(
            isTrial ? removed : try removeRecording(id, includesUsed: takesUsed, now: now))
        }
      }
    }
  }

  static let openJob = "a job that is not done uses it"

  /// Notes that one is in use, or failed, and lets the others go on.
  func attempt(
    _ entry: RecordingEntry, _ report: inout RetentionReport, _ body: (inout RetentionReport) throws -> Void
  ) throws {
    do {
      try body(&report)
    } catch let failure as Failure where failure.code == "recordingInUse" {
      report.kept.append((entry, "regions or comments use it"))
    } catch let failure as Failure where failure.code == "recordingNotInTrash" {
      report.kept.append((entry, "it was brought back from the trash"))
    } catch {
      let failure = Failure(error)
      if failure.kind == .interrupted { throw failure }
      // Another process, which may be a 'daw retain' as well, has moved or forgotten it meanwhile.
      let current = try read { try $0.recordings.recording(entry.recording.id) }
      guard let current, current.trashedAt == entry.recording.trashedAt else { return }
      // One that can neither be removed nor compressed fails twice.
      if !report.failures.contains(failure) { report.failures.append(failure) }
    }
  }

  /// The newest first.
  func entries(isTrashed: Bool) throws -> [RecordingEntry] {
    try read { try $0.recordingEntries(RecordingFilter(isTrashed: isTrashed, limit: .max)).entries }
  }
}

extension Timestamp {
  static func - (time: Timestamp, days: Days) -> Timestamp {
    Timestamp(milliseconds: time.milliseconds - days.milliseconds)
  }
}
