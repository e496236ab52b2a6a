import CSQLiteSession
import DAWModel
import DAWTestSupport
import DAWTime
import Foundation
import GRDB
import Testing

@testable import DAWStore

@Suite("Recovery of damaged project files")
struct RecoveryTests {
  let folder: TemporaryFolder
  let migrator = Migrator.released

  init() throws { folder = try TemporaryFolder() }

  /// A project whose tables have many pages, and a history of edits of all kinds.
  func makeProject() throws -> ProjectStore {
    let store = try SampleProject.create(at: folder.project)
    try addNotes(to: store, from: 1_000, count: 4_000)
    for place in 0..<100 {
      _ = try store.edit(origin) { transaction in
        try transaction.apply(
          .add(
            Marker(
              id: MarkerID(rawValue: Int64(2_000 + place)), name: Name("Marker \(place)"),
              start: .musical(TickPosition(ticks: Int64(100_000 + place * 960))))))
      }
    }
    return store
  }

  func addNotes(to store: ProjectStore, from first: Int64, count: Int64) throws {
    _ = try store.edit(origin) { transaction in
      try transaction.apply(
        .add(
          (0..<count).map { number in
            MIDINote(
              id: NoteID(rawValue: first + number), region: RegionID(rawValue: 21), pitch: Int(number % 128),
              start: TickCount(ticks: number % 60_000), duration: TickCount(ticks: 100))
          }))
    }
  }

  /// The rows of all tables, as text.
  func rows(_ path: String, _ tables: [String]? = nil) throws -> [String: Set<String>] {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { database in
      var rows: [String: Set<String>] = [:]
      for table in tables ?? migrator.tablesInOrder(ofVersion: migrator.currentVersion) {
        rows[table] = Set(
          try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map { "\($0.databaseValues)" })
      }
      return rows
    }
  }

  func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

  func write(_ bytes: [UInt8], to path: String) throws {
    for ending in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + ending) }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  func recover(_ path: String, backups: [String] = []) throws -> RecoveryReport {
    for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: recovered + ending) }
    return try ProjectStore.recover(path, backups: backups, to: recovered, named: Name(literal: "New"), origin: origin)
  }

  var recovered: String { folder.path + "/recovered.sqlite" }
  var damaged: String { folder.path + "/damaged.sqlite" }

  /// The recovered project is in order, and can be edited.
  /// - Parameter isChanged: whether the file may hold what its history does not know of.
  func expectSound(_ comment: Testing.Comment, isChanged: Bool = false) throws {
    let store = try ProjectStore.open(at: recovered)
    #expect(try store.damages() == [], comment)
    #expect(try store.read { try $0.brokenRules() } == [], comment)
    let findings = try store.verifyJournal().filter { finding in
      if isChanged, case .unrecordedChanges = finding { false } else { true }
    }
    #expect(findings == [], comment)
    _ = try store.edit(origin) { transaction in
      try transaction.apply(
        .add(
          Track(
            id: TrackID(rawValue: 1 << 60), name: Name(literal: "After"), orderKey: OrderKey(unchecked: "zz"))))
    }
    _ = try store.undo(1, origin: origin)
    try store.close()
  }

  func salvaged(_ path: String) throws -> SalvagedFile {
    try SalvagedFile(path, shapes: { try TableShapes(version: $0) }, usualVersion: migrator.currentVersion)
  }

  /// The rows of a file by table, each with the pages that it lies in.
  func places(_ path: String) throws -> [String: [SalvagedRow]] {
    var places: [String: [SalvagedRow]] = [:]
    _ = try SalvagedFile(
      path, shapes: { try TableShapes(version: $0) }, usualVersion: migrator.currentVersion
    ) { places[$0, default: []].append($1) }
    return places
  }

  @Test("A whole file comes back as it was, with its history")
  func whole() throws {
    try makeProject().close()
    let (before, contents) = (try bytes(folder.project), try rows(folder.project))
    let report = try recover(folder.project)
    #expect(report.hasHistory && report.unassignedCount == 0 && report.tables.allSatisfy { $0.unreadableCount == 0 })
    #expect(try rows(recovered) == contents && bytes(folder.project) == before)
    #expect(report.tables.first { $0.name == "midiNote" }?.readCount == contents["midiNote"]?.count)
    try expectSound("whole")
  }

  private struct KnownRow {
    var key: [StoredValue]
    var values: [StoredValue]
    var pages: [Int]
  }

  /// What a table of the whole file has, found out once for all damages.
  private struct KnownTable {
    let name: String
    let rows: [KnownRow]
    let known: Set<[StoredValue]>

    init(name: String, rows: [KnownRow]) {
      (self.name, self.rows) = (name, rows)
      known = Set(rows.map(\.values))
    }
  }

  @Test("Of a file with a page of noise or zeros, each row is read that is not on that page")
  func pages() throws {
    try makeProject().close()
    let whole = try bytes(folder.project)
    let contents = try rows(folder.project)
    let before = try salvaged(folder.project)
    // The reader's own account of the whole file is that of SQLite.
    for (table, rows) in before.tables { #expect(rows.rows.count == contents[table]?.count, "\(table)") }
    let schemaPages = Set(try DamagedTreeReader.pages(of: 1, in: DamagedPages(of: folder.project)))
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    let shapes = try TableShapes(version: migrator.currentVersion).tables
    let tables = try places(folder.project).map { name, rows in
      let shape = try #require(shapes.first { $0.name == name })
      return KnownTable(
        name: name,
        rows: try rows.map { row in
          let values = try #require(shape.fitted(row))
          return KnownRow(key: shape.key(of: values), values: values, pages: row.pages)
        })
    }
    var lost = 0
    // The heads of the file and of the tables' trees, behind which rows would hide, and others.
    let heads = [1] + (2...whole.count / 4096).filter { whole[($0 - 1) * 4096] == 0x05 && !schemaPages.contains($0) }
    #expect(heads.count > 1)
    let others = (0..<12).map { _ in Int.random(in: 1...whole.count / 4096, using: &random) }
    for (turn, page) in (heads + others).enumerated() {
      var bytes = whole
      let isNoise = Bool.random(using: &random)
      for place in (page - 1) * 4096..<page * 4096 {
        bytes[place] = isNoise ? UInt8.random(in: 0...255, using: &random) : 0
      }
      let comment: Testing.Comment = "seed \(seed), turn \(turn), page \(page), noise \(isNoise)"
      try write(bytes, to: damaged)
      let after = try salvaged(damaged)
      for table in tables {
        // Without its row of the schema, a table may be one of several.
        if schemaPages.contains(page), page > 1 { continue }
        let found = after.tables[table.name]?.rows ?? [:]
        var missing: [StoredValue]?
        for row in table.rows {
          if row.pages.contains(page) {
            lost += 1
          } else if found[row.key] != row.values {
            missing = row.values
          }
        }
        #expect(missing == nil, comment)
        #expect(found.values.allSatisfy(table.known.contains), comment)
      }
      let report = try recover(damaged)
      #expect(try self.bytes(damaged) == bytes, comment)
      try expectSound(comment)
      // What the tables have lost, the history has, unless that is what was hit.
      if report.tables.first(where: { $0.name == "journalEntry" })?.unreadableCount == 0 {
        #expect(
          try rows(recovered, migrator.modelTables) == contents.filter { migrator.modelTables.contains($0.key) },
          comment)
      }
    }
    #expect(lost > 0, "seed \(seed)")
  }

  @Test("What a table lacks comes from the newest backup, and from the changes since")
  func backups() throws {
    let store = try makeProject()
    let backups = ["old", "new"].map { folder.path + "/\($0).sqlite" }
    try store.vacuum(into: backups[0])
    try addNotes(to: store, from: 10_000, count: 2_000)
    try store.vacuum(into: backups[1])
    try addNotes(to: store, from: 20_000, count: 2_000)
    _ = try store.edit(origin) { try $0.apply(.remove((1_000..<1_500).map { NoteID(rawValue: $0) })) }
    _ = try store.edit(origin) { try $0.apply(.remove([NoteID(rawValue: 20_000)])) }
    try store.close()
    let contents = try rows(folder.project, migrator.modelTables)
    let places = try self.places(folder.project)["midiNote"] ?? []
    var bytes = try self.bytes(folder.project)
    let pages = Set(places.flatMap(\.pages)).sorted()
    #expect(pages.count > 30)
    for page in stride(from: 0, to: pages.count - 1, by: 2).map({ pages[$0] }) {
      for place in (page - 1) * 4096..<page * 4096 { bytes[place] = 0 }
    }
    try write(bytes, to: damaged)
    let report = try recover(damaged, backups: backups)
    try expectSound("backups")
    #expect(report.backups == [backups[1]] && !report.hasHistory)
    let notes = try #require(report.tables.first { $0.name == "midiNote" })
    #expect(
      notes.backupCount > 0 && notes.readCount > 0 && notes.journalCount > 0 && notes.unreadableCount == pages.count / 2
    )
    #expect(
      try rows(recovered, migrator.modelTables).filter { $0.key != "midiNote" }
        == contents.filter { $0.key != "midiNote" })
    #expect(try rows(recovered)["midiNote"] == contents["midiNote"])
    // Without a history, the backup alone has what is lost; what was removed since is there again.
    for page in Set((try self.places(folder.project)["journalEntry"] ?? []).flatMap(\.pages)) {
      for place in (page - 1) * 4096..<page * 4096 { bytes[place] = 0 }
    }
    try write(bytes, to: damaged)
    _ = try recover(damaged, backups: backups)
    try expectSound("a backup alone")
    let (found, saved) = (try rows(recovered)["midiNote"] ?? [], try rows(backups[1])["midiNote"] ?? [])
    #expect(saved.subtracting(found).isEmpty && found.subtracting(saved).count > 500)
  }

  @Test("What is in the write-ahead log only is read, as far as its checksums hold")
  func log() throws {
    try makeProject().close()
    let store = try ProjectStore.open(at: folder.project)
    // While it is open, the log is kept.
    try addNotes(to: store, from: 30_000, count: 500)
    let (file, log) = (try bytes(folder.project), try bytes(folder.project + "-wal"))
    let contents = try rows(folder.project)
    try store.close()
    #expect(log.count > 8 * 4096)
    try write(file, to: damaged)
    try Data(log).write(to: URL(fileURLWithPath: damaged + "-wal"))
    #expect(try recover(damaged).hasHistory)
    #expect(try rows(recovered) == contents)
    try expectSound("log")
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<6 {
      var torn = log
      torn[Int.random(in: 0..<torn.count, using: &random)] ^= 0x55
      try write(file, to: damaged)
      try Data(torn).write(to: URL(fileURLWithPath: damaged + "-wal"))
      _ = try recover(damaged)
      try expectSound("seed \(seed)")
    }
  }

  @Test("Cut off, without its head, or torn in many places, it gives a sound project or a reason")
  func torn() throws {
    try makeProject().close()
    let whole = try bytes(folder.project)
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    var made = 0
    for turn in 0..<16 {
      var bytes = whole
      switch turn % 4 {
      case 0: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
      case 1: for place in 0..<100 { bytes[place] = turn % 8 == 1 ? 0 : UInt8.random(in: 0...255, using: &random) }
      case 2:
        for page in 0..<bytes.count / 4096 where Int.random(in: 0..<10, using: &random) == 0 {
          for place in page * 4096..<(page + 1) * 4096 { bytes[place] = UInt8.random(in: 0...255, using: &random) }
        }
      default:
        for _ in 0..<2_000 {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
      }
      try write(bytes, to: damaged)
      do {
        let report = try recover(damaged)
        made += 1
        try expectSound("seed \(seed), turn \(turn)")
        if turn % 4 == 1 {
          #expect(try rows(recovered, migrator.modelTables) == rows(folder.project, migrator.modelTables), "\(report)")
        }
      } catch is StoreError {
        #expect(!FileManager.default.fileExists(atPath: recovered), "seed \(seed), turn \(turn)")
      }
    }
    #expect(made >= 8, "seed \(seed)")
    for contents in [[], [0], Array("SQLite format 3\0".utf8), [UInt8](repeating: 0, count: 8192)] as [[UInt8]] {
      try write(contents, to: damaged)
      #expect(throws: StoreError.self) { try recover(damaged) }
    }
  }

  @Test("Trees that contain themselves end, sizes that cannot be true are not believed, and no code of the file runs")
  func hostile() throws {
    try makeProject().close()
    let lawless = try lawlessConnection(to: folder.project)
    try lawless.writeWithoutTransaction { database in
      try database.execute(
        sql: """
          CREATE TRIGGER evil AFTER INSERT ON track BEGIN DELETE FROM marker; END;
          CREATE VIEW worse AS SELECT * FROM track;
          PRAGMA wal_checkpoint(TRUNCATE);
          """)
    }
    try lawless.close()
    let whole = try bytes(folder.project)
    let contents = try rows(folder.project, migrator.modelTables)
    let interiors = (1..<whole.count / 4096).filter { whole[$0 * 4096] == 0x05 }
    #expect(!interiors.isEmpty)
    for page in interiors {
      var bytes = whole
      // Its last child is the page itself, or the page before.
      let target = UInt32(page + (page % 2)).bigEndian
      withUnsafeBytes(of: target) { for (index, byte) in $0.enumerated() { bytes[page * 4096 + 8 + index] = byte } }
      try write(bytes, to: damaged)
      _ = try recover(damaged)
      try expectSound("page \(page + 1)")
      #expect(try rows(recovered, migrator.modelTables) == contents)
    }
    for size in [[0, 0], [0, 1], [255, 255], [2, 0], [128, 0]] as [[UInt8]] {
      var bytes = whole
      bytes.replaceSubrange(16..<18, with: size)
      bytes.replaceSubrange(28..<32, with: [255, 255, 255, 255])
      try write(bytes, to: damaged)
      if (try? recover(damaged)) != nil { try expectSound("\(size)") }
    }
    _ = try recover(folder.project)
    try expectSound("with a trigger")
    let objects = try DatabaseQueue(path: recovered).read { database in
      try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE name IN ('evil', 'worse')")
    }
    #expect(objects.isEmpty)
    #expect(try rows(recovered, ["marker"]) == contents.filter { $0.key == "marker" })
  }

  @Test("A file that is no project, a link, a folder, and a newer version are refused")
  func refusals() throws {
    try makeProject().close()
    #expect(throws: StoreError.self) { try recover(folder.path + "/none.sqlite") }
    #expect(throws: StoreError.self) { try recover(folder.path) }
    try FileManager.default.createSymbolicLink(atPath: damaged, withDestinationPath: folder.project)
    #expect(throws: StoreError.self) { try recover(damaged) }
    try FileManager.default.removeItem(atPath: damaged)
    var bytes = try self.bytes(folder.project)
    bytes[63] = 99
    try write(bytes, to: damaged)
    #expect(throws: StoreError.newer(path: damaged, found: 99, supported: migrator.currentVersion)) {
      try recover(damaged)
    }
    try write(self.bytes(folder.project), to: recovered)
    #expect(throws: StoreError.exists(path: recovered)) {
      try ProjectStore.recover(
        folder.project, backups: [], to: recovered, named: Name(literal: "New"), origin: origin)
    }
    #expect(try self.bytes(recovered) == self.bytes(folder.project))
  }
}

extension DamagedTreeReader {
  /// The pages that the tree of a table consists of.
  fileprivate static func pages(of root: Int, in pages: DamagedPages) throws -> [Int] {
    var reader = DamagedTreeReader(pages)
    _ = reader.tree(from: root)
    return Array(reader.visited)
  }
}
