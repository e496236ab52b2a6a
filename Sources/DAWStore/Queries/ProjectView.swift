import DAWModel
import DAWTime
import GRDB

/// One unchanging state of a project, to read from. Valid only within the closure that it is given to.
///
/// Each query is answered by an index, and reads only the rows that it returns.
public struct ProjectView {
  let database: Database
  var tables: StoredTables { StoredTables(database: database) }

  /// What a project has one of.
  public struct Header: Equatable, Sendable {
    public var id: ProjectID
    public var createdDate: Timestamp
    public var modifiedDate: Timestamp
    public var revision: Int64
    public var settings: ProjectSettings
  }

  public func header() throws -> Header {
    let row = try required(
      Row.fetchOne(database.cachedStatement(sql: "SELECT \(ProjectSettings.columns), uuid, createdDate FROM project")),
      "the project")
    let state = try Journal(database: database).state()
    return Header(
      id: try required(ProjectID(uuidString: row.decode(atIndex: 7)), "the project's id"),
      createdDate: try row.timestamp(atIndex: 8, "the project's date"),
      modifiedDate: state.modifiedDate, revision: state.revision, settings: try ProjectSettings(row: row))
  }

  public func revision() throws -> Int64 { try Journal(database: database).state().revision }

  /// The whole project, notes included.
  public func project() throws -> Project {
    let header = try header()
    let notes = try MIDINote.fetchByPlace(in: database)
    let events = try RegionEvent.fetch(
      "SELECT \(RegionEvent.columns) FROM midiEvent ORDER BY region, startTime, id", in: database)
    return Project(
      id: header.id, createdDate: header.createdDate, modifiedDate: header.modifiedDate, revision: header.revision,
      settings: header.settings, tracks: try tracks(), regions: try allRegions(),
      notes: Self.grouped(notes, by: \.region), events: Self.grouped(events, by: \.region),
      audioFiles: try audioFiles(), soundFonts: try soundFonts(), marks: try marks())
  }

  /// Rows that are in order of their region, each region's together.
  private static func grouped<Row>(_ rows: [Row], by region: (Row) -> RegionID) -> [RegionID: [Row]] {
    var groups: [RegionID: [Row]] = [:]
    var start = 0
    while start < rows.count {
      let owner = region(rows[start])
      var end = start
      while end < rows.count, region(rows[end]) == owner { end += 1 }
      groups[owner] = Array(rows[start..<end])
      start = end
    }
    return groups
  }

  private func allRegions() throws -> [Region] {
    var regions: [Region] = []
    try StatementRow.forEach("SELECT \(Region.columns) FROM region ORDER BY id", in: database) {
      regions.append(try Region(row: $0))
    }
    return regions
  }

  public func audioFiles() throws -> [AudioFile] {
    try Row.fetchAll(database, sql: "SELECT \(AudioFile.columns) FROM audioFile ORDER BY id").map(AudioFile.init(row:))
  }

  public func soundFonts() throws -> [SoundFont] {
    try Row.fetchAll(database, sql: "SELECT \(SoundFont.columns) FROM soundFont ORDER BY id").map(SoundFont.init(row:))
  }

  public func audioFile(_ id: AudioFileID) throws -> AudioFile? { try tables.audioFile(id) }
  public func audioFile(withHash sha256: String) throws -> AudioFile? {
    try tables.audioFile(withHash: sha256).flatMap(tables.audioFile)
  }
  public func soundFont(_ id: SoundFontID) throws -> SoundFont? { try tables.soundFont(id) }
  public func soundFont(withHash sha256: String) throws -> SoundFont? {
    try tables.soundFont(withHash: sha256).flatMap(tables.soundFont)
  }

  /// The journal's entries after a revision, oldest first.
  public func entries(after revision: Int64) throws -> [JournalEntry] {
    try Journal(database: database).entries(after: revision)
  }

  /// Rules that are broken, by whoever wrote the file.
  public func brokenRules() throws -> [Finding] { try Audit(database: database).findings() }
}
