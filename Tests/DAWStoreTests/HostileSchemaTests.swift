import DAWModel
import DAWTime
import Foundation
import GRDB
import Testing

@testable import DAWStore

@Suite("Foreign schemas")
struct HostileSchemaTests {
  let folder: TemporaryFolder
  var path: String { folder.project }

  init() throws {
    folder = try TemporaryFolder()
    try SampleProject.create(at: folder.project).close()
  }

  private func repair() throws -> [String] {
    try ProjectStore.repairSchema(at: path) { folder.path + "/backup-\(UUID().uuidString).sqlite" }
  }

  private func differences(at path: String) -> [String]? {
    do {
      _ = try ProjectStore.open(at: path)
      return []
    } catch StoreError.schemaDiffers(path, let differences) {
      return differences
    } catch {
      return nil
    }
  }

  /// A change of a project's schema, the difference that opening reports, and the repair.
  private static let cases: [(sql: String, difference: String, repaired: String)] = [
    (
      "CREATE TRIGGER evil AFTER INSERT ON track BEGIN UPDATE project SET name = 'Evil'; END",
      "the trigger 'evil' is not daw's", "removed the trigger 'evil'"
    ),
    (
      "CREATE TABLE t (a); CREATE TRIGGER evil AFTER INSERT ON t BEGIN DELETE FROM track; END",
      "the trigger 'evil' is not daw's", "removed the trigger 'evil'"
    ),
    ("CREATE VIEW v AS SELECT 1", "the view 'v' is not daw's", "removed the view 'v'"),
    (
      "CREATE VIEW a AS SELECT 1 AS x; CREATE VIEW b AS SELECT * FROM a; DROP VIEW a; CREATE VIEW a AS SELECT * FROM b",
      "the view 'a' is not daw's", "removed the view 'b'"
    ),
    (
      "DROP TRIGGER trackNameIsUnique_track_insert", "the trigger 'trackNameIsUnique_track_insert' is missing",
      "put back the trigger 'trackNameIsUnique_track_insert'"
    ),
    (
      """
      DROP TRIGGER change_masterStays_track_delete;
      CREATE TRIGGER change_masterStays_track_delete BEFORE DELETE ON track BEGIN SELECT 1; END
      """, "the trigger 'change_masterStays_track_delete' was changed",
      "put back the trigger 'change_masterStays_track_delete'"
    ),
    ("DROP INDEX trackByOrder", "the index 'trackByOrder' is missing", "put back the index 'trackByOrder'"),
    (
      "DROP INDEX trackByOrder; CREATE INDEX trackByOrder ON track (id)", "the index 'trackByOrder' was changed",
      "put back the index 'trackByOrder'"
    ),
    (
      "CREATE UNIQUE INDEX mine ON track (color, id)", "the index 'mine' is not daw's", "removed the index 'mine'"
    ),
    (
      "CREATE TABLE t (a); CREATE INDEX mine ON t (a LIKE '%a%b%c%')", "the index 'mine' is not daw's",
      "removed the index 'mine'"
    ),
    (
      "CREATE TABLE t (a); CREATE INDEX mine ON t (a) WHERE a GLOB '*a*b*c*'", "the index 'mine' is not daw's",
      "removed the index 'mine'"
    ),
    (
      "ALTER TABLE track ADD COLUMN mood TEXT", "the table 'track' was changed",
      "made the table 'track' anew, without its columns mood"
    ),
    (
      "ALTER TABLE track ADD COLUMN mood TEXT AS (printf('%.*c', 1000000, 'x'))", "the table 'track' was changed",
      "made the table 'track' anew"
    ),
    (
      "DROP TRIGGER color_marker_insert; DROP TRIGGER color_marker_update; ALTER TABLE marker DROP COLUMN color",
      "the table 'marker' was changed", "made the table 'marker' anew"
    ),
    (
      """
      CREATE TABLE copy AS SELECT * FROM keySignature; DROP TABLE keySignature;
      CREATE TABLE keySignature (id INTEGER PRIMARY KEY, startTime, fifths CHECK (abs(random()) >= 0), isMinor);
      INSERT INTO keySignature SELECT * FROM copy; DROP TABLE copy
      """, "the table 'keySignature' was changed", "made the table 'keySignature' anew"
    ),
  ]

  @Test("Foreign objects are refused by name; a repair removes them and keeps every row", arguments: 0..<15)
  func repaired(number: Int) throws {
    let (sql, difference, repaired) = Self.cases[number]
    let dump = try ProjectStore.open(at: path).dump()
    let other = try plainConnection(to: path)
    try other.writeWithoutTransaction { try $0.execute(sql: "PRAGMA foreign_keys = OFF; \(sql)") }
    try other.close()
    let found = try #require(differences(at: path))
    #expect(found.contains(difference), "\(found)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(throws: StoreError.self) {
      try ProjectStore.openForEditing(at: path, backupFolder: folder.path + "/Backups")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)

    let done = try repair()
    #expect(done.contains(repaired), "\(done)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.filter { $0.hasPrefix("backup") }.count == 1)
    let store = try ProjectStore.open(at: path)
    // A nullable column that was dropped is restored empty.
    let losesColor = sql.contains("DROP COLUMN color")
    #expect((try store.dump() == dump) != losesColor)
    #expect(try store.damages() == [] && store.read { try $0.brokenRules() } == [])
    #expect(try store.verifyJournal().isEmpty != losesColor)
    #expect(try repair() == [])
    // The rules hold again.
    #expect(throws: DatabaseError.self) {
      try plainConnection(to: path).write { try $0.execute(sql: "DELETE FROM track WHERE trackType = 'master'") }
    }
  }

  @Test("A recursive view in place of a table is an error; its rows are lost")
  func viewForTable() throws {
    let other = try plainConnection(to: path)
    try other.writeWithoutTransaction { database in
      try database.execute(
        sql: """
          PRAGMA foreign_keys = OFF; DROP TABLE marker;
          CREATE VIEW marker AS WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)
            SELECT id, 'm' AS name, 'm' AS nameKey, 'marker' AS kind, 'musical' AS timeBase, 0 AS startTime, 1 AS duration,
              NULL AS color FROM n
          """)
    }
    try other.close()
    #expect(try #require(differences(at: path)).contains("the table 'marker' is missing"))
    #expect {
      try repair()
    } throws: { error in
      guard case StoreError.schemaNotRepairable(path, let detail) = error else { return false }
      return detail.contains("'marker' is missing")
    }
    #expect(try #require(differences(at: path)).contains("the view 'marker' is not daw's"))
  }

  @Test(
    "Repair refuses to lose rows, and changes nothing",
    arguments: [
      ("CREATE TABLE t (a, b AS (a LIKE '%a%b%'))", "'t'"),
      ("CREATE TABLE t (a INTEGER PRIMARY KEY, b REFERENCES track (id) ON DELETE CASCADE)", "'t'"),
      ("CREATE VIRTUAL TABLE t USING fts5 (a)", "'t'"),
      ("DROP TABLE midiNote", "'midiNote' is missing"),
      ("ALTER TABLE track RENAME COLUMN orderKey TO evil", "lost its column 'orderKey'"),
      (
        """
        CREATE TABLE copy AS SELECT * FROM keySignature; DROP TABLE keySignature;
        CREATE TABLE keySignature (id INTEGER PRIMARY KEY, startTime, fifths, isMinor);
        INSERT INTO keySignature SELECT id, startTime, 99, isMinor FROM copy; DROP TABLE copy
        """, "keySignature"
      ),
    ])
  func notRepaired(sql: String, named: String) throws {
    let other = try plainConnection(to: path)
    try other.writeWithoutTransaction { try $0.execute(sql: "PRAGMA foreign_keys = OFF; \(sql)") }
    try other.close()
    #expect(differences(at: path)?.isEmpty == false)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let error = #expect(throws: (any Error).self) { try repair() }
    if case EditError.rule(let violation)? = error {
      #expect(violation.rule.rawValue == named)
    } else {
      #expect("\(String(describing: error))".contains(named), "\(String(describing: error))")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }

  @Test("Plain tables of other programs, and the statistics of ANALYZE, are kept through edits and backups")
  func foreignTables() throws {
    let other = try plainConnection(to: path)
    try other.writeWithoutTransaction { database in
      try database.execute(
        sql: """
          CREATE TABLE mine (a INTEGER PRIMARY KEY AUTOINCREMENT, b CHECK (b <> 'x'), UNIQUE (b));
          INSERT INTO mine (b) VALUES ('y'); CREATE INDEX byA ON mine (a, b); ANALYZE
          """)
    }
    try other.close()
    let store = try ProjectStore.openForEditing(at: path, backupFolder: folder.path + "/Backups")
    #expect(try store.foreignTables() == ["mine"])
    #expect(try store.damages() == [] && store.read { try $0.brokenRules() } == [])
    _ = try store.edit(origin) { try $0.apply(.remove(TrackID(rawValue: 12))) }
    _ = try store.undo(origin: origin)
    #expect(try store.verifyJournal() == [])
    try store.vacuum(into: folder.path + "/backup.sqlite")
    #expect(try ProjectStore.open(at: folder.path + "/backup.sqlite").foreignTables() == ["mine"])
    #expect(try repair() == [])
  }

  @Test(
    "Foreign objects that the documentation of the format allows are kept through edits and a backup",
    arguments: [
      "CREATE TABLE mine (a PRIMARY KEY) WITHOUT ROWID; CREATE TABLE theirs (a INTEGER) STRICT",
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY AUTOINCREMENT);
      CREATE TABLE c (a CHECK (a > 0), b DEFAULT (random()), c REFERENCES p (id) ON DELETE CASCADE);
      CREATE UNIQUE INDEX byAB ON c (a DESC, b COLLATE NOCASE)
      """,
      "CREATE TABLE mine (a); INSERT INTO mine VALUES (zeroblob(9000000))",
      (0..<1000).map { "CREATE TABLE t\($0) (a);" }.joined(),
      "CREATE TABLE t (a);" + (0..<100).map { "CREATE INDEX i\($0) ON t (a);" }.joined(),
      "CREATE TABLE t (a /* \(String(repeating: "x", count: 99_900)) */)",
    ])
  func tolerated(sql: String) throws {
    let other = try plainConnection(to: path)
    try other.write { try $0.execute(sql: sql) }
    let listing = "SELECT group_concat(name || sql) FROM sqlite_schema WHERE type = 'table'"
    let before = try other.read { try String.fetchOne($0, sql: listing) }
    try other.close()
    let store = try ProjectStore.openForEditing(at: path, backupFolder: folder.path + "/Backups")
    _ = try store.edit(origin) { try $0.apply(.remove(TrackID(rawValue: 12))) }
    _ = try store.undo(origin: origin)
    #expect(try store.damages() == [] && store.verifyJournal() == [])
    try store.vacuum(into: folder.path + "/backup.sqlite")
    let backup = try ProjectStore.open(at: folder.path + "/backup.sqlite")
    #expect(try backup.foreignTables() == store.foreignTables() && !store.foreignTables().isEmpty)
    #expect(try backup.queue.read { try String.fetchOne($0, sql: listing) } == before)
  }

  @Test("A trigger added while the project is open stops the next edit and the next read")
  func meanwhile() throws {
    let store = try ProjectStore.open(at: path)
    #expect(try store.read { try $0.tracks().count } == 6)
    let other = try plainConnection(to: path)
    try other.write { try $0.execute(sql: "CREATE TRIGGER evil AFTER DELETE ON track BEGIN DELETE FROM midiNote; END") }
    let isRefused: (any Error) -> Bool = { if case StoreError.schemaDiffers = $0 { true } else { false } }
    #expect { try store.edit(origin) { try $0.apply(.remove(TrackID(rawValue: 12))) } } throws: { isRefused($0) }
    #expect { try store.undo(origin: origin) } throws: { isRefused($0) }
    #expect { try store.read { try $0.tracks() } } throws: { isRefused($0) }
    try other.write { try $0.execute(sql: "DROP TRIGGER evil") }
    #expect(try store.edit(origin) { try $0.apply(.remove(TrackID(rawValue: 12))) }.entry != nil)
  }

  @Test("Thousands of tables, and megabytes of text in the schema, are refused early")
  func immense() throws {
    let text = String(repeating: "x", count: 2_000_000)
    for sql in [
      (0..<20_000).map { "CREATE TABLE t\($0) (a);" }.joined(), "CREATE TABLE t (a DEFAULT '\(text)')",
      "CREATE TABLE t (a DEFAULT '\(text.prefix(100_100))')",
      "CREATE TABLE t (a);" + (0..<1000).map { "CREATE INDEX i\($0) ON t (a);" }.joined(),
      "CREATE TABLE t (\((0..<1990).map { "c\($0) DEFAULT \($0)" }.joined(separator: ", "))); CREATE VIEW v AS SELECT 1",
    ] {
      let copy = folder.path + "/\(UUID().uuidString).sqlite"
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      let other = try plainConnection(to: copy)
      try other.write { try $0.execute(sql: sql) }
      try other.close()
      #expect {
        try ProjectStore.open(at: copy)
      } throws: { error in
        switch error {
        case StoreError.damaged, StoreError.schemaDiffers: true
        default: false
        }
      }
    }
  }
}
