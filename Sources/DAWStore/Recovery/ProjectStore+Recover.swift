import CSQLiteSession
import DAWModel
import Foundation
import GRDB

/// What was brought back of a damaged project file.
public struct RecoveryReport: Equatable, Sendable {
  public struct Table: Equatable, Sendable {
    public var name: String
    /// Rows read from the file itself.
    public var readCount = 0
    /// Rows that it lacks, from a backup, and as the journal says that they were.
    public var backupCount = 0
    public var journalCount = 0
    /// Rows that were read, and left out because they break rules or refer to what is lost.
    public var droppedCount = 0
    /// Pages of the file, or rows of a page, that could not be read.
    public var unreadableCount = 0
  }

  /// Tables with rows, or with pages that could not be read; parents first.
  public var tables: [Table] = []
  /// Rows that no table could be found for.
  public var unassignedCount = 0
  /// The backups that rows were taken from.
  public var backups: [String] = []
  /// Whether the history was brought back; else it begins anew.
  public var hasHistory = false
}

extension ProjectStore {
  /// Makes a project file of what can be read of a damaged one. What a table lacks is taken from the newest backup in
  /// which the table is whole, and from the changes that the journal has since; without one, from the journal alone.
  /// Rows that break rules, or refer to what is lost, are left out. The damaged file and the backups are only read; no
  /// SQL of theirs is run.
  /// - Parameters:
  ///   - backups: paths of project files.
  ///   - path: of the new file, which must not exist.
  ///   - name: the project's, where that is lost.
  /// - Throws: `StoreError`; no file is left.
  public static func recover(
    _ damaged: String, backups: [String], to path: String, named name: Name, origin: EditOrigin
  ) throws -> RecoveryReport {
    try recover(damaged, backups: backups, to: path, named: name, origin: origin, room: SalvagedFile.usualRoom)
  }

  /// - Parameter room: bytes of rows that are held in memory at most, of one file.
  static func recover(
    _ damaged: String, backups: [String], to path: String, named name: Name, origin: EditOrigin, room: Int
  ) throws -> RecoveryReport {
    try translatingErrors(damaged) {
      var recovery = try Recovery(damaged, backups: backups, room: room)
      recovery.complete()
      guard recovery.hasRows else { throw StoreError.notAProject(path: damaged) }
      try claim(path, mode: modeOfCopy(of: damaged))
      do {
        try recovery.write(to: path, named: name, Timestamp.now())
        let store = try openFile(at: path, busyTimeout: busyTimeout, clock: Timestamp.now, migrator: .released)
        if !recovery.report.hasHistory { try store.beginHistory(origin) }
        try store.close()
      } catch {
        ProjectFiles.remove(path)
        throw error
      }
      return recovery.report
    }
  }

  /// Records all rows as the history's first entry.
  private func beginHistory(_ origin: EditOrigin) throws {
    try write { database in
      let journal = Journal(database: database)
      let changeset = try differenceFromJournal(database)
      try journal.append(
        makeEntry(.create, after: try journal.state(), origin: origin, summary: "Recovered the project"), changeset)
      return (.commit, ())
    }
  }
}

/// The tables of each version, made once.
private final class KnownShapes {
  private var known: [Int: TableShapes] = [:]

  func shapes(_ version: Int) throws -> TableShapes {
    if let shapes = known[version] { return shapes }
    let made = try TableShapes(version: version)
    known[version] = made
    return made
  }
}

/// A recovery under way.
private struct Recovery {
  private(set) var report = RecoveryReport()
  /// The newest revision that the file or a backup has.
  private(set) var lastRevision: Int64 = 0

  private let shapes: TableShapes
  private let version: Int
  private var tables: [String: Table]
  /// The newest first.
  private let backups: [Backup]
  private let maximumRoom: Int
  private let isTorn: Bool

  /// A backup, of which the rows are read only where they are needed: they take as much memory as the project.
  private struct Backup {
    var path: String
    var version: Int
    var revision: Int64
    var projectID: StoredValue?
  }

  /// Rows with where each was found.
  private struct Table {
    var rows: [[StoredValue]: [StoredValue]]
    var sources: [[StoredValue]: Source] = [:]
    var unreadableCount: Int
  }

  private enum Source { case backup, journal }

  init(_ damaged: String, backups paths: [String], room: Int) throws {
    let versions = KnownShapes()
    let newest = Migrator.released.currentVersion
    var backups = paths.compactMap { path -> Backup? in
      guard
        let head = try? SalvagedFile(
          path, shapes: versions.shapes, usualVersion: newest, tables: ["project", "journalState"], room: room)
      else { return nil }
      return Backup(path: path, version: head.version, revision: head.revision, projectID: head.projectID)
    }
    backups.sort { $0.revision > $1.revision }
    let file = try SalvagedFile(
      damaged, shapes: versions.shapes, usualVersion: backups.first?.version ?? newest, room: room)
    // One of another project, put there by hand, is of no use.
    self.backups = backups.filter { backup in
      backup.version == file.version
        && (file.projectID == nil || backup.projectID == nil || file.projectID == backup.projectID)
    }
    version = file.version
    maximumRoom = room
    isTorn = file.isTorn
    shapes = try versions.shapes(file.version)
    tables = file.tables.mapValues { Table(rows: $0.rows, unreadableCount: $0.lostCount) }
    report.unassignedCount = file.unassignedCount
    lastRevision = max(file.revision, self.backups.map(\.revision).max() ?? 0)
  }

  var hasRows: Bool { tables.contains { !Schema.journalTables.contains($0.key) && !$0.value.rows.isEmpty } }

  // MARK: What is lacking

  /// Adds what the backups and the journal have of the tables that are not whole.
  mutating func complete() {
    let lacking = shapes.tables.filter { shape in
      !Schema.journalTables.contains(shape.name) && tables[shape.name].map { $0.unreadableCount > 0 } ?? false
    }
    guard !lacking.isEmpty else { return }
    let (saved, journals) = readBackups(of: lacking)
    let entries = journal(journals)
    for shape in lacking {
      guard let table = tables[shape.name] else { continue }
      let backup = saved[shape.name]
      var found = (backup?.table.rows ?? [:]).mapValues { (values: $0, source: Source.backup) }
      for entry in entries where entry.revision > (backup?.revision ?? -1) {
        Self.apply(entry.changes[shape.name] ?? [], shape, to: &found)
      }
      for (key, row) in found where table.rows[key] == nil {
        tables[shape.name]?.rows[key] = row.values
        tables[shape.name]?.sources[key] = row.source
        if row.source == .backup, let backup, !report.backups.contains(backup.path) {
          report.backups.append(backup.path)
        }
      }
    }
  }

  private typealias SavedTable = (path: String, revision: Int64, table: SalvagedFile.Table)

  /// Each table from the newest backup in which it is whole, else from the newest one; and the journals of the backups
  /// that were read for that.
  private func readBackups(
    of lacking: [TableShapes.Shape]
  ) -> (tables: [String: SavedTable], journals: [[[StoredValue]: [StoredValue]]]) {
    var saved: [String: SavedTable] = [:]
    var journals: [[[StoredValue]: [StoredValue]]] = []
    for backup in backups {
      if lacking.allSatisfy({ saved[$0.name]?.table.lostCount == 0 }) { break }
      guard
        let file = try? SalvagedFile(
          backup.path, shapes: { _ in shapes }, usualVersion: version, room: maximumRoom)
      else { continue }
      for shape in lacking where saved[shape.name]?.table.lostCount != 0 {
        guard let table = file.tables[shape.name], saved[shape.name] == nil || table.lostCount == 0 else { continue }
        saved[shape.name] = (backup.path, backup.revision, table)
      }
      journals.append(file.tables["journalEntry"]?.rows ?? [:])
    }
    return (saved, journals)
  }

  private static func apply(
    _ changes: [ChangedValues], _ shape: TableShapes.Shape,
    to rows: inout [[StoredValue]: (values: [StoredValue], source: Source)]
  ) {
    for change in changes {
      switch change.operation {
      case .insertion:
        let values = change.new.map { $0 ?? .null }
        rows[shape.key(of: values)] = (values, .journal)
      case .deletion: rows[shape.key(of: change.old.map { $0 ?? .null })] = nil
      case .update:
        let key = shape.key(of: change.old.map { $0 ?? .null })
        guard var row = rows[key], row.values.count == change.new.count else { continue }
        for (column, value) in change.new.enumerated() { if let value { row.values[column] = value } }
        rows[key] = (row.values, .journal)
      }
    }
  }

  /// The changes of the journal's entries that can be read, the oldest first, by table.
  /// - Parameter journals: those of backups.
  private func journal(
    _ journals: [[[StoredValue]: [StoredValue]]]
  ) -> [(revision: Int64, changes: [String: [ChangedValues]])] {
    let known = journals + [tables["journalEntry"]?.rows ?? [:]]
    let rows = known.reduce(into: [:]) { all, rows in all.merge(rows) { $1 } }
    let names = (shapes.tables.first { $0.name == "journalEntry" }?.columns ?? []).map(\.name)
    let entries = rows.values.compactMap { values -> (Int64, Bool, [String: [ChangedValues]])? in
      let fields = Dictionary(zip(names, values)) { first, _ in first }
      guard case .integer(let revision) = fields["revision"], case .bytes(let bytes) = fields["changeset"],
        case .text(let kind) = fields["kind"],
        fields["schemaVersion"] == nil || fields["schemaVersion"] == .integer(Int64(version)),
        let changeset = Changeset(StoredChangeset(bytes: bytes, isCompressed: fields["isCompressed"] == .integer(1)))
      else { return nil }
      return (revision, ["create", "base"].contains(kind), Self.changes(of: changeset))
    }
    // What was folded into the first entry is not applied again.
    let first = entries.filter(\.1).map(\.0).max() ?? 0
    return entries.filter { $0.0 >= first }.sorted { $0.0 < $1.0 }.map { ($0.0, $0.2) }
  }

  private static func changes(of changeset: Changeset) -> [String: [ChangedValues]] {
    var changes: [String: [ChangedValues]] = [:]
    changeset.bytes.withUnsafeBytes { bytes in
      var reader = ChangesetReader(bytes: bytes)
      while let row = try? reader.nextValues(ofTables: { _ in true }) { changes[row.table, default: []].append(row) }
    }
    return changes
  }

  // MARK: The new file

  mutating func write(to path: String, named name: Name, _ now: Timestamp) throws {
    var configuration = ProjectStore.configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
      try database.execute(sql: "PRAGMA journal_mode = \(FileSystem.isNetwork(path) ? "DELETE" : "WAL")")
      try database.inTransaction(.immediate) {
        try ConnectionLimits.allowingChangesets(database) { try fill(database, named: name, now) }
        return .commit
      }
    }
    try queue.close()
  }

  private mutating func fill(_ database: Database, named name: Name, _ now: Timestamp) throws {
    let migrator = Migrator.released
    try migrator.makeSchema(database, version: version)
    daw_enable_triggers(database.sqliteConnection, 0)
    defer { daw_enable_triggers(database.sqliteConnection, 1) }
    try writeRows(database)
    let isAsItWas =
      !isTorn && tables.values.allSatisfy { $0.unreadableCount == 0 }
      && report.tables.allSatisfy { $0.droppedCount == 0 }
    if version < migrator.currentVersion {
      if !isAsItWas { try database.execute(sql: "DELETE FROM journalEntry; DELETE FROM journalState") }
      try migrator.migrate(database)
      daw_enable_triggers(database.sqliteConnection, 0)
    }
    var cleaning = RecoveredRows(database: database)
    try cleaning.run(named: name, now)
    for (table, count) in cleaning.dropped {
      let place = report.tables.firstIndex { $0.name == table }
      if let place { report.tables[place].droppedCount += count }
    }
    report.hasHistory = isAsItWas && !cleaning.hasChanged
    guard !report.hasHistory else { return }
    try database.execute(
      sql: """
        DELETE FROM journalEntry;
        DELETE FROM journalState;
        INSERT INTO journalState (id, revision, modifiedDate, node, isWriting, outsideChanges, maximumCount, maximumBytes,
          entryCount, byteCount)
        VALUES (1, \(lastRevision), \(now.milliseconds), 0, 0, 0, \(JournalLimits.standard.count ?? 0),
          \(JournalLimits.standard.bytes ?? 0), 0, 0);
        """)
  }

  private mutating func writeRows(_ database: Database) throws {
    for shape in shapes.tables {
      guard let table = tables[shape.name] else { continue }
      var counts = RecoveryReport.Table(name: shape.name, unreadableCount: table.unreadableCount)
      // Some versions begin with a row.
      if !table.rows.isEmpty { try database.execute(sql: "DELETE FROM \(shape.name)") }
      let writer = RowWriter(database, shape)
      // What was read of the file comes first: it is newer.
      let keys = table.rows.keys.sorted { a, b in
        (table.sources[a] == nil ? 0 : 1, a.simpleOrder) < (table.sources[b] == nil ? 0 : 1, b.simpleOrder)
      }
      for key in keys {
        guard let values = table.rows[key], try writer.write(values) else {
          counts.droppedCount += 1
          continue
        }
        switch table.sources[key] {
        case nil: counts.readCount += 1
        case .backup: counts.backupCount += 1
        case .journal: counts.journalCount += 1
        }
      }
      if counts != RecoveryReport.Table(name: shape.name) { report.tables.append(counts) }
    }
  }
}

extension [StoredValue] {
  /// Rows of one key by their numbers.
  fileprivate var simpleOrder: Int64 { if case .integer(let number)? = first { number } else { 0 } }
}

extension SalvagedFile {
  fileprivate var projectID: StoredValue? {
    tables["project"]?.rows.values.first.flatMap { $0.count > 1 ? $0[1] : nil }
  }

  /// The newest one known.
  fileprivate var revision: Int64 {
    (["journalEntry": 0, "journalState": 1].flatMap { table, column in
      (tables[table]?.rows.values.map { $0.count > column ? $0[column] : .null } ?? [])
    }.compactMap { if case .integer(let revision) = $0 { revision } else { nil } }.max() ?? 0)
  }
}
