import DAWModel
import GRDB

/// An edit in progress: reads and changes the project. Valid only within the closure that it is passed to.
public struct ProjectTransaction {
  let database: Database
  let identifiers: IdentifierSource
  let recordingIDs: KeptRecordingIDs
  private let recorder: ChangeRecorder
  private let budget: StepBudget
  private let memory = ViewMemory()
  /// One line for the journal that describes the edit.
  public var summary = ""

  init(
    database: Database, identifiers: IdentifierSource, recordingIDs: KeptRecordingIDs, recorder: ChangeRecorder,
    budget: StepBudget
  ) {
    self.recordingIDs = recordingIDs
    self.recorder = recorder
    self.budget = budget
    self.database = database
    self.identifiers = identifiers
  }

  /// The current state, including this edit's changes.
  public var view: ProjectView { ProjectView(database: database, memory: memory) }

  /// Applies one change.
  /// - Throws: `EditError`, `StoreError`. The whole transaction must then be abandoned by throwing.
  public mutating func apply(_ edit: Edit) throws {
    var tables = StoredTables(database: database, recorder: recorder, memory: memory)
    try tables.apply(edit)
    memory.update(after: edit)
  }

  /// Checks before the commit the rules over many rows that no constraint of the schema can enforce.
  func requireRulesOfCommit() throws {
    if let finding = try Audit(database: database).effectLatency().first {
      throw EditError.rule(finding.violation)
    }
    let masters = try Int.fetchOne(
      database.cachedStatement(sql: "SELECT count(*) FROM track WHERE orderKey = '\(OrderKey.master.digits)'"))
    if masters != 1 { throw EditError.rule(RuleViolation(.masterIsOne, value: "\(masters ?? 0) master tracks")) }
  }

  /// Another of several commands that are one edit begins.
  public func beginCommand() { budget.beginCommand() }

  /// A new id. The rows of a batch count up from it.
  public func newID<E: Entity>(of entity: E.Type = E.self) throws -> Identifier<E> {
    let highest = try Int64.fetchOne(database.cachedStatement(sql: "SELECT max(id) FROM \(E.table)"))
    return identifiers.first(above: highest.map(Identifier.init(rawValue:)))
  }
}
