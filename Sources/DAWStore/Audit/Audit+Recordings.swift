import DAWModel
import GRDB

extension Audit {
  /// Facts that cannot be read, passes whose frames are not accounted for, and paths that lead elsewhere.
  func recordings() throws -> [Finding] {
    let tables = RecordedRows(database: database)
    let facts = try (broken(Recording.self), broken(RecordedPass.self))
    let parts = try (broken(RecordedSegment.self), broken(RecordedGap.self))
    let unreadable =
      try facts.0 + facts.1 + parts.0 + parts.1 + broken(Transcript.self) + broken(Summary.self)
      + broken(Job.self)
    // What cannot be read is missing in the account.
    guard unreadable.isEmpty else { return unreadable }
    let accounts = try tables.completedRecordings().flatMap { id -> [Finding] in
      guard let facts = try tables.facts(of: id) else { return [] }
      return facts.contradictions().map { pass, sentence in
        Finding(
          violation: RuleViolation(
            .recordingFacts, value: sentence, subject: "pass \(pass) of recording \(id)"), table: RecordedPass.table,
          id: pass.rawValue)
      }
    }
    return try accounts + strayPaths()
  }

  /// Recordings whose folders are none in `Audio/Recordings`, and passes with a segment that is not in the folder of
  /// its recording; the first such segment of each. What was written into a spill folder has an absolute path: whether
  /// it is the recording's, only the file can tell.
  private func strayPaths() throws -> [Finding] {
    let recordings = try Recording.fetch("ORDER BY id", in: database).filter { $0.folderName == nil }
    var findings = recordings.map { recording in
      Finding(
        violation: RuleViolation(pathOfRecording: "the folder '\(recording.folder)'"), table: Recording.table,
        id: recording.id.rawValue)
    }
    let told = Set(recordings.map(\.id.rawValue))
    var lastPass: Int64?
    try StatementRow.forEach(
      """
      SELECT pass.id, recording.id, recording.folder, segment.path FROM recording
        JOIN pass ON pass.recording = recording.id JOIN segment ON segment.pass = pass.id
        ORDER BY pass.id, segment.segmentIndex
      """, in: database
    ) { row in
      let (pass, folder, path): (Int64, String, String) = (row.integer(0), try row.value(2), try row.value(3))
      guard pass != lastPass, !told.contains(row.integer(1)), !Self.isPlace(path, in: folder) else { return }
      lastPass = pass
      findings.append(
        Finding(
          violation: RuleViolation(pathOfRecording: "the file '\(path)'"), table: RecordedPass.table, id: pass))
    }
    return findings
  }

  /// Whether a segment's path is that of a file in the folder of its recording, or an absolute one of a file.
  private static func isPlace(_ path: String, in folder: String) -> Bool {
    var name = path[...]
    if path.hasPrefix("/") {
      name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    } else {
      guard path.hasPrefix(folder + "/") else { return false }
      name = path.dropFirst(folder.count + 1)
    }
    return !name.isEmpty && !name.hasPrefix(".") && !name.contains("/")
  }

  private func broken<Fact: RecordedFact>(_ fact: Fact.Type) throws -> [Finding] {
    var findings: [Finding] = []
    try StatementRow.forEach(
      "SELECT id, \(Fact.sql.columns) FROM \(Fact.table)", in: database
    ) { row in
      do throws(RuleViolation) {
        _ = try Fact(row, from: 1)
      } catch {
        findings.append(Finding(violation: error, table: Fact.table, id: row.integer(0)))
      }
    }
    return findings
  }
}

extension RuleViolation {
  /// - Parameter value: the path, in words: "the folder '../x'".
  package init(pathOfRecording value: String) {
    self.init(
      .recordingFacts, value: value,
      accepted: "A recording's folder is one in Audio/Recordings, and has its files, but for those that 'daw record "
        + "--spill' wrote elsewhere. Another program changed that: take the project file from Backups/, or let 'daw "
        + "recover' make a project that finds its recordings again by their files.")
  }
}
