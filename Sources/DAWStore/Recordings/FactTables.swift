import DAWModel
import GRDB

/// Changes the tables of facts. Valid only inside a transaction.
struct FactTables {
  let database: Database
  private var rows: RecordedRows { RecordedRows(database: database) }

  /// How often facts were written: it tells a write of facts from one of the model.
  func number() throws -> Int64 {
    try Int64.fetchOne(database.cachedStatement(sql: "SELECT number FROM factState")) ?? 0
  }

  func countWrite() throws { try run("UPDATE factState SET number = number + 1") }

  func save<Fact: RecordedFact>(_ facts: [Fact]) throws {
    let sql = Fact.sql.save
    for fact in facts {
      do throws(RuleViolation) { try fact.validate() } catch { throw EditError.rule(error) }
      try run(sql, StatementArguments(fact.storedValues.map(\.databaseValue)))
    }
  }

  func save(_ facts: RecordingFacts) throws {
    try requireOwn(facts)
    try save([facts.recording])
    try save(facts.passes)
    try save(facts.segments)
    try save(facts.gaps)
  }

  /// As `RecordingRepository.replace`.
  func replace(_ facts: RecordingFacts) throws {
    try save(facts)
    try removeOthers(than: facts)
  }

  /// Removes the recording's passes, segments and gaps that are not in `facts`.
  private func removeOthers(than facts: RecordingFacts) throws {
    let id = facts.recording.id.rawValue
    let passes = Set(facts.passes.map(\.id.rawValue))
    for pass in try Int64.fetchAll(database, sql: "SELECT id FROM pass WHERE recording = ?", arguments: [id])
    where !passes.contains(pass) {
      try run("DELETE FROM pass WHERE id = ?", [pass])
    }
    try removeOthers(than: facts.segments.map { [$0.pass.rawValue, Int64($0.index)] }, RecordedSegment.self, of: id)
    try removeOthers(than: facts.gaps.map { [$0.pass.rawValue, $0.start.frames] }, RecordedGap.self, of: id)
  }

  private func removeOthers<Fact: RecordedFact>(than keys: [[Int64]], _ fact: Fact.Type, of recording: Int64) throws {
    let kept = Set(keys)
    let columns = Fact.key.map { "\(Fact.table).\($0)" }.joined(separator: ", ")
    let present = try Row.fetchAll(
      database,
      sql: "SELECT \(columns) FROM \(Fact.table) JOIN pass ON pass.id = \(Fact.table).pass WHERE pass.recording = ?",
      arguments: [recording])
    let condition = Fact.key.map { "\($0) = ?" }.joined(separator: " AND ")
    for row in present {
      let key = [try row.decode(Int64.self, atIndex: 0), try row.decode(Int64.self, atIndex: 1)]
      if !kept.contains(key) { try run("DELETE FROM \(Fact.table) WHERE \(condition)", StatementArguments(key)) }
    }
  }

  /// Passes stay with their recording, segments and gaps belong to its passes.
  private func requireOwn(_ facts: RecordingFacts) throws {
    let id = facts.recording.id
    let ids = facts.passes.map(\.id)
    let others = try rows.recordings(ofPasses: ids).subtracting([id])
    // What is being recorded is saved many times a minute, and may have thousands of passes.
    let earlier = Set(facts.segments.map(\.pass) + facts.gaps.map(\.pass)).subtracting(ids)
    guard others.isEmpty, facts.passes.allSatisfy({ $0.recording == id }),
      try earlier.isEmpty || rows.passIDs(of: id, among: earlier) == earlier
    else {
      throw EditError.rule(RuleViolation(.recordingFacts, value: "a row of another recording"))
    }
  }

  func run(_ sql: String, _ arguments: StatementArguments = []) throws {
    try database.cachedStatement(sql: sql).execute(arguments: arguments)
  }
}
