import DAWErrors
import DAWMedia
import DAWModel
import DAWStore
import Foundation

extension Session {
  /// Repairs what can be repaired: finds media that were moved, finishes recordings that their processes have left, and
  /// marks the segments whose files are gone, or there again, and removes damaged files of the cache. The project file
  /// is backed up first, if there is anything to do; where nothing could be done, the backup goes again; else
  /// backups beyond the usual limits go. Nothing outside the project is changed.
  /// - Parameter folders: where to look for media, besides the project's folder.
  /// - Returns: descriptions of what was done, and of recordings that could not be finished.
  /// - Throws: `Failure`; what was done before it is kept.
  public func repair(searching folders: [String], _ origin: EditOrigin) throws -> [String] {
    let cached = try removeDamagedCacheFiles().map {
      "removed '\($0)' from the cache, which was damaged; it is made again"
    }
    guard
      try !mediaNotAtHand().isEmpty || !lostRecordedFiles().isEmpty || !segmentsToMark().isEmpty
        || !leftRecordings().isEmpty || !spilledFiles().lost.isEmpty
    else { return cached }
    var done: [String] = []
    var left: [String] = []
    let backup = try backUp()
    let found = try relink(searching: [folder.path] + folders, origin).value.found
    done += found.map { "found '\($0.medium)' again: '\($0.file)'" }
    for recording in try recoverRecordings().recovered {
      switch recording.outcome {
      case .success: done.append("finished the recording '\(recording.folder)'")
      case .failure(let failure): left.append("left the recording '\(recording.folder)' as it is: \(failure.message)")
      }
    }
    for mark in try segmentsToMark() {
      try failing { try store.recordings.set(mark.state, ofSegments: mark.segments.map(\.index), of: mark.pass) }
      done += mark.segments.map { "marked '\($0.path)' as \(mark.state == .missing ? "missing" : "there again")" }
    }
    guard !done.isEmpty else {
      folder.place("Backups", (backup as NSString).lastPathComponent).removeAll()
      return cached + left
    }
    try removeOldBackups()
    return ["made a backup, '\(backup)'"] + cached + done + left
  }

  /// Segments of completed recordings whose files are gone, or there again. Those of a recording whose removal was
  /// interrupted lie in the trash.
  func segmentsToMark() throws -> [(
    pass: PassID, state: RecordedSegment.State, segments: [RecordedSegment]
  )] {
    let inTrash = try? namesInTrash()
    return try read { view in
      try view.recordings.recordingIDs().flatMap { id -> [(PassID, RecordedSegment.State, [RecordedSegment])] in
        guard let recording = try view.recordings.recording(id), recording.isCompleted,
          recording.trashedAt != nil || !mayBeInTrash(recording, inTrash)
        else { return [] }
        let marked = try view.recordings.segments(of: id).compactMap { segment in
          state(of: segment).map { (segment: segment, state: $0) }
        }
        return Dictionary(grouping: marked) { [Int64($0.state == .missing ? 1 : 0), $0.segment.pass.rawValue] }.values
          .map { ($0[0].segment.pass, $0[0].state, $0.map(\.segment)) }
          .sorted { ($0.0, $0.2[0].index) < ($1.0, $1.2[0].index) }
      }
    }
  }

  /// Whether the files of a recording that is not in the trash may be there.
  /// - Parameter names: what is in the trash; `nil` if it cannot be read.
  func mayBeInTrash(_ recording: Recording, _ names: Set<String>?) -> Bool {
    if let names { return names.contains(recording.id.uuidString) }
    // It would have been moved there as a whole.
    guard let name = recording.folderName else { return false }
    return (try? Self.exists(recordings.appending(name))) == false
  }

  /// The state that a segment should have; `nil` if it has it.
  private func state(of segment: RecordedSegment) -> RecordedSegment.State? {
    var status = stat()
    let isThere = stat(folder.absolute(segment.path), &status) == 0
    // In a folder of another user's it may be there.
    if !isThere, errno != ENOENT, errno != ENOTDIR { return nil }
    return switch segment.state {
    case .sealed, .recovered: isThere ? nil : .missing
    case .missing: isThere && Int64(status.st_size) == segment.fileSize ? .recovered : nil
    case .recording, .trashed: nil
    }
  }

  /// Recordings that are not finished, and segments whose files are gone although they are not marked as missing. Where
  /// sound is lost, that is a fault.
  /// - Parameter takes: what was said of the segments of takes; that is not said again.
  func recordingFindings(besides takes: CheckedTakes) throws -> [CheckFinding] {
    let blocked = try blockedRecordings()
    let unopened = blocked.map { name, failure in
      CheckFinding(
        code: "unfinished",
        message: "The recording in '\(name)' was left by its process before it was finished. \(failure.message)",
        hint: failure.hint ?? "", isNotice: true)
    }
    let blockedNames = Set(blocked.map(\.folder))
    let names = try leftRecordings().filter { !blockedNames.contains($0) }
    let completed = try names.isEmpty ? [] : foldersOfCompleted()
    let left = names.map { name -> CheckFinding in
      if completed.contains(name), (try? RecordingFolder(opening: recordings.appending(name)))?.header == nil {
        return CheckFinding(
          code: "unfinished",
          message: "The ledger of the recording in '\(name)', which is in the project, is missing or cannot be read.",
          hint: "'daw recover-recordings' makes it again.", isNotice: true)
      }
      return CheckFinding(
        code: "unfinished",
        message: "The recording in '\(name)' was left by its process before it was finished and in the project.",
        hint: "'daw recover-recordings' finishes it, and so does the next edit.", isNotice: true)
    }
    let lost = try lostRecordings().map { entry in
      CheckFinding(
        code: "missing",
        message: "The folder '\(entry.recording.folder)' of a recording that was left unfinished is missing or empty.",
        hint: "Put it back, or let 'daw forget id:\(entry.recording.id) --yes' forget what is known about it.",
        isNotice: entry.summary.passCount == 0)
    }
    let absent = try segmentsToMark().filter { $0.state == .missing }.flatMap(\.segments)
    let gone = absent.compactMap { segment -> CheckFinding? in
      let key = SegmentKey(pass: segment.pass.rawValue, index: segment.index)
      if takes.reported.contains(key) { return nil }
      return CheckFinding(
        code: "missing", message: "The file '\(segment.path)' of a recording is missing.",
        hint:
          "Put it back, or let 'daw relink --search FOLDER' find it\(segment.sha256.map { ": its SHA-256 is \($0)" } ?? ""). "
          + "'daw check --repair' marks it as missing.",
        // A take that is in order has it elsewhere.
        isNotice: takes.known.contains(key))
    }
    return left + unopened + lost + gone
  }

  /// The names of the folders of recordings that are in the project, and not in the trash.
  private func foldersOfCompleted() throws -> Set<String> {
    try read { view in
      let ids = try view.recordings.recordingIDs()
      return Set(
        try ids.compactMap { id -> String? in
          guard let recording = try view.recordings.recording(id), recording.isCompleted, recording.trashedAt == nil
          else { return nil }
          return recording.folderName
        })
    }
  }

  /// Files outside the project that rows of another program call segments. A file that 'daw record --spill' wrote there
  /// names its pass itself.
  func foreignSegmentFindings() throws -> [CheckFinding] {
    try spilledFiles().foreign.map { row in
      let violation = RuleViolation(pathOfRecording: "the file '\(row.segment.path)', which is no segment of it")
      return CheckFinding(
        code: violation.rule.rawValue,
        message: "\(violation.value) (table \(RecordedPass.table), row \(row.key.pass)) breaks a rule.",
        hint: violation.accepted)
    }
  }

  /// A notice of files in `Audio/` that nothing uses, the history included.
  func orphanFindings() throws -> [CheckFinding] {
    guard case .readWrite = store.access else { return [] }
    let unused = try unusedMedia()
    guard let first = unused.removed.first else { return [] }
    let rest = unused.removed.count - 1
    return [
      CheckFinding(
        code: "orphaned",
        message: "Nothing uses '\(first)'\(rest == 0 ? "" : " and \(counted(rest, "other file")) in 'Audio'").",
        hint: "'daw clean' removes what nothing uses; 'daw import' brings a file into the project.", isNotice: true)
    ]
  }
}
