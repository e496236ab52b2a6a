import DAWModel
import DAWTime
import GRDB

extension Project {
  /// A project without rows.
  fileprivate init(_ header: ProjectView.Header) {
    self.init(id: header.id, createdDate: header.createdDate, settings: header.settings)
    modifiedDate = header.modifiedDate
    revision = header.revision
  }
}

/// A consistent snapshot of a project, for reading. Valid only within the closure that it is passed to.
///
/// Each query uses an index, and reads only the rows that it returns.
public struct ProjectView {
  let database: Database
  let memory: ViewMemory
  var tables: StoredTables { StoredTables(database: database, memory: memory) }

  init(database: Database, memory: ViewMemory = ViewMemory()) {
    self.database = database
    self.memory = memory
  }

  /// The values that a project has once.
  public struct Header: Equatable, Sendable {
    public var id: ProjectID
    public var createdDate: Timestamp
    public var modifiedDate: Timestamp
    public var revision: Int64
    public var settings: ProjectSettings

    package init(
      id: ProjectID, createdDate: Timestamp, modifiedDate: Timestamp, revision: Int64, settings: ProjectSettings
    ) {
      self.id = id
      self.createdDate = createdDate
      self.modifiedDate = modifiedDate
      self.revision = revision
      self.settings = settings
    }
  }

  public func header() throws -> Header {
    if let header = memory.header { return header }
    var header: Header?
    try StatementRow.forEach("SELECT uuid, createdDate, \(ProjectSettings.columns) FROM project", in: database) { row in
      let date: Int64 = try row.value(1)
      guard Timestamp.accepted.contains(Timestamp(milliseconds: date)) else {
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the project's date is \(date)")
      }
      let state = try Journal(database: database).state()
      header = Header(
        id: try required(ProjectID(uuidString: row.value(0)), "the project's id"),
        createdDate: Timestamp(milliseconds: date), modifiedDate: state.modifiedDate, revision: state.revision,
        settings: try ProjectSettings(row, from: 2))
    }
    memory.header = header
    return try required(header, "the project")
  }

  public func revision() throws -> Int64 { try Journal(database: database).state().revision }

  /// The whole project, notes included.
  public func project() throws -> Project {
    var project = try projectWithoutContents()
    project.notes = Self.grouped(try MIDINote.fetchByPlace(in: database))
    project.events = Self.grouped(try RegionEvent.fetch("ORDER BY region, startTime, id", in: database))
    project.lanePoints = Self.grouped(try LanePoint.fetch("ORDER BY lane, position, id", in: database))
    return project
  }

  /// The whole project but its `Content`: notes, events and points of lanes.
  public func projectWithoutContents() throws -> Project {
    var project = Project(try header())
    for kind in EntityKind.allCases { try Self.read(kind.entity, into: &project, in: database) }
    return project
  }

  /// All rows of an entity, in order of id.
  public func all<E: Entity>(_ entity: E.Type = E.self) throws -> [E] { try E.fetch("ORDER BY id", in: database) }

  /// Those of the rows with these ids that are there, in order of id.
  public func rows<E: Entity>(_ ids: [Identifier<E>]) throws -> [E] {
    let list = "[\(ids.map { String($0.rawValue) }.joined(separator: ","))]"
    return try E.fetch("WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id", [list], in: database)
  }

  /// The rows of an entity whose UUIDs end in these hexadecimal digits, in order of id.
  /// - Parameter ending: 1 … 15 digits; for others, there are none.
  public func rows<E: Entity>(_ entity: E.Type = E.self, withIDEnding ending: String) throws -> [E] {
    guard (1...15).contains(ending.count), let value = Int64(ending, radix: 16), value >= 0 else { return [] }
    return try E.fetch("WHERE (id & ?) = ? ORDER BY id", [Int64(1) << (4 * ending.count) - 1, value], in: database)
  }

  /// The rows of an entity with a value in a column, such as those that refer to a row, in order of id.
  public func rows<E: Entity>(
    _ entity: E.Type = E.self, where column: String, is value: some StorableValue
  ) throws -> [E] {
    try tables.rows(entity, where: column, is: value)
  }

  /// Reads every row of an entity; does nothing for `Content`.
  static func read<E: Entity>(_ entity: E.Type, into project: inout Project, in database: Database) throws {
    guard E.collection != nil else { return }
    project.replace(with: try E.fetch("ORDER BY id", in: database))
  }

  /// Groups rows by owner. The rows of an owner must be consecutive.
  private static func grouped<C: Content>(_ rows: [C]) -> [Identifier<C.Owner>: [C]] {
    var groups: [Identifier<C.Owner>: [C]] = [:]
    var start = 0
    while start < rows.count {
      let owner = rows[start].owner
      var end = start
      while end < rows.count, rows[end].owner == owner { end += 1 }
      groups[owner] = Array(rows[start..<end])
      start = end
    }
    return groups
  }

  /// A row by its id; `nil` if there is none.
  public func row<E: Entity>(_ id: Identifier<E>) throws -> E? { try tables.row(id) }
  public func audioFiles() throws -> [AudioFile] { try AudioFile.fetch("ORDER BY id", in: database) }
  public func soundFonts() throws -> [SoundFont] { try SoundFont.fetch("ORDER BY id", in: database) }
  public func audioFile(_ id: AudioFileID) throws -> AudioFile? { try tables.row(id) }
  public func audioFile(withHash sha256: String) throws -> AudioFile? {
    try AudioFile.fetch("WHERE sha256 = ?", [sha256], in: database).first
  }
  public func soundFont(_ id: SoundFontID) throws -> SoundFont? { try tables.row(id) }
  public func soundFont(withHash sha256: String) throws -> SoundFont? {
    try SoundFont.fetch("WHERE sha256 = ?", [sha256], in: database).first
  }

  /// The journal's entries after a revision, oldest first.
  public func entries(after revision: Int64) throws -> [JournalEntry] {
    try Journal(database: database).entries(after: revision)
  }

  /// Broken rules, whichever program wrote the file.
  public func brokenRules() throws -> [Finding] { try Audit(database: database).findings() }
}
