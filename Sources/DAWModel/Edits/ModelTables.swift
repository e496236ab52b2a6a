import DAWTime

/// Access to a project's rows for edits and their rules. The store implements it with SQLite, the tests also in memory.
///
/// `apply(_:)` checks rows before it writes them; a store's own constraints are a second check.
public protocol ModelTables {
  /// `nil` if there is no such row.
  func row<E: Entity>(_ id: Identifier<E>) throws -> E?
  /// The rows with a value in a column, in order of id.
  func rows<E: Entity>(_ entity: E.Type, where column: String, is value: some StorableValue) throws -> [E]
  /// The lowest id of the rows with a value in a column.
  /// - Parameter excluded: a row to ignore.
  func firstID<E: Entity>(
    of entity: E.Type, where column: String, is value: some StorableValue, besides excluded: Identifier<E>?
  ) throws -> Identifier<E>?
  /// The first of these ids that exists.
  func firstPresent<E: Entity>(of ids: [Identifier<E>]) throws -> Identifier<E>?
  /// The first of these ids that does not exist.
  func firstAbsent<E: Entity>(of ids: [Identifier<E>]) throws -> Identifier<E>?
  /// The first region of a track that needs two channels; `nil` if there is none.
  func stereoRegion(of track: TrackID) throws -> Region?
  /// The points of a lane within a range, in order of position.
  func points(of lane: LaneID, within positions: ClosedRange<Int64>) throws -> [LanePoint]
  /// The number of a region's notes that end after `end`, counted from the region's start.
  func noteCount(in region: RegionID, endingAfter end: TickCount) throws -> Int
  /// The number of a region's events after `end`, counted from the region's start.
  func eventCount(in region: RegionID, after end: TickCount) throws -> Int

  mutating func write(_ settings: ProjectSettings) throws
  mutating func insert<E: Entity>(_ rows: [E]) throws
  mutating func update<E: Entity>(_ rows: [E]) throws
  /// Deletes rows and everything that belongs to them.
  mutating func delete<E: Entity>(_ ids: [Identifier<E>]) throws
}

extension ModelTables {
  /// - Throws: `EditError.missing` if there is no such row.
  func require<E: Entity>(_ id: Identifier<E>) throws -> E {
    guard let row = try row(id) else { throw EditError.missing(noun: E.noun, id: id.uuidString) }
    return row
  }

  func firstID<E: Entity>(of entity: E.Type, where column: String, is value: some StorableValue) throws
    -> Identifier<E>?
  {
    try firstID(of: entity, where: column, is: value, besides: nil)
  }

  /// Applies one edit, completely or not at all.
  /// - Throws: `EditError`, and errors of the tables; nothing has changed then.
  public mutating func apply(_ edit: Edit) throws {
    do {
      switch edit {
      case .setProject(let settings):
        try settings.validate()
        try write(settings)
      case .add(let rows): try add(rows.array)
      case .set(let rows): try set(rows.array)
      case .remove(let kind, let ids): try remove(kind.entity, ids)
      }
    } catch let violation as RuleViolation {
      throw EditError.rule(violation)
    }
  }

  private mutating func add<Array: EntityArray>(_ array: Array) throws {
    let rows = array.rows
    try Array.Row.validate(rows, in: self, areNew: true)
    try requireDistinct(rows)
    if let present = try firstPresent(of: rows.map(\.id)) {
      throw RuleViolation(
        .identifier, value: "an id that is in use", subject: rows.first { $0.id == present }?.subject ?? "")
    }
    try insert(rows)
  }

  private mutating func set<Array: EntityArray>(_ array: Array) throws {
    let rows = array.rows
    try requireDistinct(rows)
    try Array.Row.validate(rows, in: self, areNew: false)
    try update(rows)
  }

  private mutating func remove<E: Entity>(_ entity: E.Type, _ numbers: [Int64]) throws {
    try requireDistinct(numbers)
    let ids = numbers.map(Identifier<E>.init(rawValue:))
    if let absent = try firstAbsent(of: ids) { throw EditError.missing(noun: E.noun, id: absent.uuidString) }
    if E.isRemovalRestricted { for id in ids { try require(id).validateRemoval(from: self) } }
    try delete(ids)
  }

  private func requireDistinct<E: Entity>(_ rows: [E]) throws { try requireDistinct(rows.map { $0.id.rawValue }) }

  /// - Parameter ids: raw values, which compare ten times faster than generic identifiers.
  private func requireDistinct(_ ids: [Int64]) throws {
    // Batches have ascending ids, which are cheap to check.
    guard !zip(ids, ids.dropFirst()).allSatisfy(<) else { return }
    try DAWModel.require(Set(ids).count == ids.count, .identifier, "an id that is given twice")
  }
}
