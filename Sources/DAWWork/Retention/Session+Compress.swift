import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTime
import Foundation

/// A recording whose sound was compressed, or would be.
public struct CompressedRecording: Sendable {
  public var entry: RecordingEntry
  public var fileCount = 0
  /// Bytes of the files before.
  public var byteCount: Int64 = 0
  /// Bytes of the files afterwards; an estimate in a trial.
  public var compressedByteCount: Int64 = 0

  public var freedByteCount: Int64 { byteCount - compressedByteCount }
}

extension Session {
  /// Compresses the sound of recordings that ended long enough ago, as far as no region plays it. Each file is written
  /// beside the one that was recorded, read again, named in the project, and only then takes its place. So a killed run
  /// leaves at least one of them, and the next one goes on.
  func compressOld(
    _ retention: Retention, _ now: Timestamp, _ isTrial: Bool, _ report: inout RetentionReport
  ) throws {
    guard let age = retention.compressAfter else { return }
    let cutoff = now - age
    let gone = Set(report.trashed.map(\.entry.recording.id))
    var work: [RecordingEntry] = []
    for entry in try entries(isTrashed: false).reversed() where !gone.contains(entry.recording.id) {
      guard entry.recording.isCompleted, (entry.recording.endTime ?? entry.recording.createdAt) < cutoff else {
        continue
      }
      try attempt(entry, &report) { _ in
        // Closed again: there may be more folders than a process can have open.
        guard let folder = try openFolder(of: entry) else { return }
        if try !segmentsToCompress(of: entry, in: folder, retention.quality).isEmpty { work.append(entry) }
      }
    }
    guard !work.isEmpty else { return }
    // As with what is removed: while the history reaches back to them, undo could bring regions back.
    if !isTrial { try pruneHistory(before: cutoff) }
    let inHistory = try audioFilesInHistory(since: isTrial ? cutoff : nil)
    for entry in work {
      // What follows would find the disk full as well.
      if report.failures.last?.code == Self.diskFull { return }
      if try isInOpenJob(entry.recording.id) {
        report.kept.append((entry, Self.openJob))
        continue
      }
      try attempt(entry, &report) { report in
        guard let folder = try openFolder(of: entry) else { return }
        // Of two processes one would remove the file that the other has just named in the project.
        guard isTrial || folder.lockForReplacing() else {
          report.kept.append((entry, "another process compresses it"))
          return
        }
        // Another process may have compressed some of them.
        let segments = try segmentsToCompress(of: entry, in: folder, retention.quality)
        let used = try read { view in
          try usedPasses(self.media(in: folder.place, view), of: entry, inHistory, view)
        }
        let unused = segments.filter { !used.contains($0.pass) }
        guard !unused.isEmpty else { return }
        var done = CompressedRecording(entry: entry)
        // What was done before a failure is reported as well.
        defer { if done.fileCount > 0 { report.compressed.append(done) } }
        for segment in unused {
          let size =
            isTrial
            ? estimatedSize(of: segment, entry.recording, retention.quality)
            : try compress(segment, of: entry, in: folder, retention.quality)
          guard let size else { continue }
          done.fileCount += 1
          done.byteCount += segment.fileSize
          done.compressedByteCount += size
        }
      }
    }
  }

  private static let diskFull = "diskFull"

  /// - Returns: `nil` where there is no folder of the recording, or nothing in it.
  /// - Throws: `Failure` where it is there and cannot be read.
  private func openFolder(of entry: RecordingEntry) throws -> RecordingFolder? {
    guard let place = try? place(of: entry), try !Self.names(in: place).isEmpty else { return nil }
    return try? RecordingFolder(opening: place)
  }

  private func segmentsToCompress(
    of entry: RecordingEntry, in folder: RecordingFolder, _ quality: Retention.Quality
  ) throws -> [RecordedSegment] {
    try read { try $0.recordings.segments(of: entry.recording.id) }.filter {
      $0.isToCompress(in: entry.recording, folder, quality)
    }
  }

  /// Finishes what a killed run has begun, too.
  /// - Returns: the size of the compressed file; `nil` where a region has begun to play the segment, and it stays.
  private func compress(
    _ segment: RecordedSegment, of entry: RecordingEntry, in folder: RecordingFolder, _ quality: Retention.Quality
  ) throws -> Int64? {
    if segment.recordedSHA256 != nil {
      try removeRecorded(segment, in: folder)
      return nil
    }
    guard let pass = try read({ try $0.recordings.pass(segment.pass) }), let sha256 = segment.sha256 else {
      return nil
    }
    let sound = SegmentSound(
      sampleRate: entry.recording.sampleRate, channelCount: pass.channelCount, frames: segment.frames.frames)
    let file: CompressedFile
    do {
      file = try folder.compress(segment.fileName, sha256: sha256, as: sound, to: quality.lossy)
    } catch MediaWorkError.reading(.damaged(let path, let reason)) {
      throw Failure(
        .invalid, code: "changed", "'\(path)' was not compressed: \(reason).", hint: "'daw check' says what is wrong.")
    }
    // No region can begin to play it meanwhile: other processes cannot write.
    let isSaved = try store.recordings.save { view in
      let facts = try view.recordings.facts(of: entry.recording.id)
      let media = try self.media(in: folder.place, view)
      guard let facts, facts.recording.trashedAt == nil, facts.segments.contains(segment),
        try !usedPasses(media, of: entry, [], view).contains(segment.pass)
      else { return (nil, false) }
      var row = segment
      row.path = entry.recording.folder + "/" + file.name
      row.fileSize = file.byteCount
      row.recordedSHA256 = sha256
      row.sha256 = file.sha256
      return (RecordingFacts(facts.recording, segments: [row]), true)
    }
    if isSaved {
      try folder.remove(segment.fileName)
      return file.byteCount
    }
    try folder.remove(file.name)
    return nil
  }

  /// Removes the recorded file of a segment whose row says that it is compressed.
  /// - Throws: `Failure` if the compressed file is not what the row says; both stay.
  private func removeRecorded(_ segment: RecordedSegment, in folder: RecordingFolder) throws {
    guard let recorded = CompressedSegment.recordedName(of: segment.fileName), folder.hasFile(recorded) else { return }
    guard let sha256 = segment.sha256,
      folder.holds(CompressedFile(name: segment.fileName, sha256: sha256, byteCount: segment.fileSize))
    else {
      throw Failure(
        .invalid, code: "changed",
        "'\(segment.path)' is not what the segment was compressed to; '\(recorded)' beside it stays.",
        hint: "'daw check' says what else is wrong.")
    }
    try folder.remove(recorded)
  }

  /// The passes of a recording that a region plays, or that undo could bring back to one; all where that is not
  /// certain.
  private func usedPasses(
    _ media: [AudioFile], of entry: RecordingEntry, _ inHistory: Set<AudioFileID>, _ view: ProjectView
  ) throws -> Set<PassID> {
    let passes = try view.recordings.passes(of: [entry.recording.id]).map(\.id)
    var used: Set<PassID> = []
    for file in media {
      let take = TakeManifest.isNamed(file.location.path) ? folder.find(file.location) : nil
      guard let take = try take.flatMap(TakeManifest.read) else {
        // A file itself, as another program or an import by link would name it: the project needs it by its name.
        used.formUnion(passes)
        continue
      }
      let isPlayed =
        try inHistory.contains(file.id) || view.isUsed(file.id)
      if isPlayed { used.insert(PassID(rawValue: take.pass)) }
    }
    return used
  }

  /// The size after compression: for FLAC, which depends on the sound, six tenths of the size before.
  private func estimatedSize(
    of segment: RecordedSegment, _ recording: Recording, _ quality: Retention.Quality
  ) -> Int64? {
    guard segment.recordedSHA256 == nil else { return nil }
    guard let lossy = quality.lossy else { return segment.fileSize / 10 * 6 }
    let seconds = Double(segment.frames.frames) / Double(recording.sampleRate.hertz)
    return min(segment.fileSize, Int64(seconds * Double(lossy.bitRate) / 8))
  }
}

extension RecordedSegment {
  /// Whether there is something to do: it is sound that was recorded in the recording's folder, or its recorded file
  /// was left beside the compressed one.
  fileprivate func isToCompress(
    in recording: Recording, _ folder: RecordingFolder, _ quality: Retention.Quality
  ) -> Bool {
    guard [.sealed, .recovered].contains(state), path == recording.folder + "/" + fileName else { return false }
    if recordedSHA256 != nil { return CompressedSegment.recordedName(of: fileName).map(folder.hasFile) ?? false }
    return sha256 != nil && frames > .zero && !CompressedSegment.names(for: fileName).isEmpty
      && folder.hasFile(fileName) && (quality != .lossless || recording.bitDepth < 32)
  }
}

extension Retention.Quality {
  /// `nil`: lossless.
  fileprivate var lossy: LossyQuality? { LossyQuality(rawValue: rawValue) }
}
