import DAWModel
import GRDB

extension Audit {
  /// Facts that cannot be read, and passes whose frames are not accounted for.
  func recordings() throws -> [Finding] {
    let tables = RecordedRows(database: database)
    let facts = try (broken(Recording.self), broken(RecordedPass.self))
    let parts = try (broken(RecordedSegment.self), broken(RecordedGap.self))
    let unreadable =
      try facts.0 + facts.1 + parts.0 + parts.1 + broken(Transcript.self) + broken(Summary.self)
      + broken(Job.self)
    // What cannot be read is missing in the account.
    guard unreadable.isEmpty else { return unreadable }
    return try tables.completedRecordings().flatMap { id -> [Finding] in
      guard let facts = try tables.facts(of: id) else { return [] }
      return facts.contradictions().map { pass, sentence in
        Finding(
          violation: RuleViolation(
            .recordingFacts, value: sentence, subject: "pass \(pass) of recording \(id)"), table: RecordedPass.table,
          id: pass.rawValue)
      }
    }
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
