import DAWModel
import DAWTime
import GRDB

extension ProjectStore {
  /// What was recorded. A change waits for other writers of the file, as an edit does.
  public var recordings: StoredRecordings { StoredRecordings(store: self) }
}

/// Facts about recordings, in the project's file.
public struct StoredRecordings: RecordingRepository {
  fileprivate let store: ProjectStore

  public func save(_ facts: RecordingFacts) throws {
    try write { try $0.save(facts) }
    store.recordingIDs.add(facts.recording.id)
  }

  /// Saves as `save` does, without waiting for another process that writes.
  /// - Throws: `StoreError` where there is one.
  public func saveNow(_ facts: RecordingFacts) throws {
    try write(waits: false) { try $0.save(facts) }
    store.recordingIDs.add(facts.recording.id)
  }

  public func replace(_ facts: RecordingFacts) throws {
    try write { try $0.replace(facts) }
    store.recordingIDs.add(facts.recording.id)
  }

  /// Saves facts that follow from the project as it is while no other process can write.
  /// - Parameter body: returns the facts, or `nil` to save nothing. What it does besides, such as moving files, is done
  ///   before they are saved. If it throws, nothing is saved.
  public func save<T>(_ body: (ProjectView) throws -> (facts: RecordingFacts?, value: T)) throws -> T {
    try store.write { database in
      try store.requireSchema(database)
      let memory = ViewMemory(recordingIDs: store.recordingIDs)
      let (facts, value) = try body(ProjectView(database: database, memory: memory))
      guard let facts else { return (.rollback, value) }
      let tables = FactTables(database: database)
      try tables.save(facts)
      try tables.countWrite()
      store.recordingIDs.add(facts.recording.id)
      return (.commit, value)
    }
  }

  public func set(_ state: RecordedSegment.State, ofSegments segments: [Int], of pass: PassID) throws {
    try write { tables in
      for segment in segments {
        try tables.run(
          "UPDATE segment SET state = ? WHERE pass = ? AND segmentIndex = ?", [state.rawValue, pass.rawValue, segment])
      }
    }
  }

  public func remove(_ recording: RecordingID) throws {
    try write { try $0.run("DELETE FROM recording WHERE id = ?", [recording.rawValue]) }
  }

  public func recordingIDs() throws -> [RecordingID] { try read { try $0.recordingIDs() } }
  public func recording(_ id: RecordingID) throws -> Recording? { try read { try $0.recording(id) } }
  public func recordings(_ filter: RecordingFilter) throws -> RecordingPage { try read { try $0.recordings(filter) } }
  public func passes(of recordings: [RecordingID]) throws -> [RecordedPass] {
    try read { try $0.passes(of: recordings) }
  }
  public func passes(_ ids: [PassID]) throws -> [RecordedPass] { try read { try $0.passes(ids) } }
  public func segments(of recording: RecordingID) throws -> [RecordedSegment] {
    try read { try $0.segments(of: recording) }
  }
  public func gaps(of recording: RecordingID?, cause: GapCause?) throws -> [RecordedGap] {
    try read { try $0.gaps(of: recording, cause: cause) }
  }
  public func gapPatterns(of recording: RecordingID?, cause: GapCause?) throws -> [GapPattern] {
    try read { try $0.gapPatterns(of: recording, cause: cause) }
  }

  private func read<T>(_ body: (RecordedRows) throws -> T) throws -> T {
    try store.reading { try body(RecordedRows(database: $0)) }
  }

  private func write(waits: Bool = true, _ body: (FactTables) throws -> Void) throws {
    try store.write(waits: waits) { database in
      try store.requireSchema(database)
      let tables = FactTables(database: database)
      try body(tables)
      try tables.countWrite()
      return (.commit, ())
    }
  }
}

extension ProjectTransaction {
  /// Saves facts about a recording if the edit is made. They are no part of it: undo leaves them there.
  /// - SeeAlso: `RecordingRepository.replace`
  public func replace(_ facts: RecordingFacts) throws {
    // There may be as many rows of these as the edit has.
    beginCommand()
    let tables = FactTables(database: database)
    try tables.replace(facts)
    try tables.countWrite()
    recordingIDs.add(facts.recording.id)
  }
}
