import CSQLiteSession
import DAWModel
import DAWTestSupport
import Foundation
import GRDB
import Testing

@testable import DAWStore

/// Projects that another program has changed in random ways, `writable_schema` included.
///
/// `DAW_AUDIT_COUNT` sets their number, `DAW_SEED` the seed.
@Suite("Random hostility", .serialized)
struct RandomHostilityTests {
  private typealias Change = @Sendable (Database, inout SeededGenerator) throws -> Void

  @Test("After any change of a project, each use ends with a result or an expected error")
  func changedAtRandom() throws {
    let folder = try TemporaryFolder()
    try SampleProject.create(at: folder.project).close()
    let whole = try Data(contentsOf: URL(fileURLWithPath: folder.project))
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    let count = ProcessInfo.processInfo.environment["DAW_AUDIT_COUNT"].flatMap { Int($0) } ?? 60
    var outcomes: [String: Int] = [:]
    let memoryBefore = try greatestMemory()
    for number in 0..<count {
      let path = folder.path + "/\(number).sqlite"
      try whole.write(to: URL(fileURLWithPath: path))
      try change(path, &generator)
      let isBytes = Int.random(in: 0..<4, using: &generator) == 0
      if isBytes { try changeBytes(of: path, &generator) }
      try use(path, "seed \(seed), project \(number)", &outcomes)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasPrefix("\(number).") {
        try FileManager.default.removeItem(atPath: folder.path + "/" + name)
      }
    }
    let summary = outcomes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    print("\(count) hostile projects, seed \(seed): \(summary)")
    // Four times the size of a table with as many rows as the steps allow: tests that run at the same time count too.
    #expect(try greatestMemory() - memoryBefore < 2 << 20, "KiB of memory, seed \(seed)")
  }

  /// The peak memory of this process, in KiB.
  private func greatestMemory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(Int(line.filter(\.isNumber)))
  }

  // MARK: - Changing

  private func change(_ path: String, _ generator: inout SeededGenerator) throws {
    // Half of them change rows only, so that not all are refused when they are opened.
    let kinds = Bool.random(using: &generator) ? Self.changes : Self.changesOfRows
    let changes = (0..<Int.random(in: 1...2, using: &generator)).map { _ in
      kinds[Int.random(in: 0..<kinds.count, using: &generator)]
    }
    for change in changes {
      // A new connection for each: after some changes, SQLite cannot parse the schema any more.
      guard let other = try? lawlessConnection(to: path) else { continue }
      try? other.writeWithoutTransaction { database in
        daw_set_switch(database.sqliteConnection, SQLITE_DBCONFIG_DEFENSIVE, 0)
        try database.execute(sql: "PRAGMA writable_schema = ON; PRAGMA foreign_keys = OFF")
        try change(database, &generator)
      }
      try? other.close()
    }
  }

  private func changeBytes(of path: String, _ generator: inout SeededGenerator) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      // The first page contains the schema.
      let end = Bool.random(using: &generator) ? min(4096, bytes.count) : bytes.count
      bytes[Int.random(in: 100..<end, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
    }
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  private static let tables = Migrator.released.tables(ofVersion: 2).sorted()

  private static func table(_ generator: inout SeededGenerator) -> String {
    tables[Int.random(in: 0..<tables.count, using: &generator)]
  }

  /// A random row of the schema.
  private static func object(
    _ database: Database, _ generator: inout SeededGenerator
  ) throws -> (id: Int64, sql: String) {
    let rows = try Row.fetchAll(database, sql: "SELECT rowid, coalesce(sql, '') FROM sqlite_schema ORDER BY rowid")
    let row = rows[Int.random(in: 0..<max(1, rows.count), using: &generator)]
    return (try row.decode(atIndex: 0), try row.decode(atIndex: 1))
  }

  private static func set(
    _ column: String, _ value: (any DatabaseValueConvertible)?, _ database: Database, _ generator: inout SeededGenerator
  ) throws {
    let id = try object(database, &generator).id
    try database.execute(sql: "UPDATE sqlite_schema SET \(column) = ? WHERE rowid = ?", arguments: [value, id])
  }

  private static let texts = [
    "", "x", "CREATE", "CREATE TABLE track", "CREATE TABLE t (a)", "CREATE VIEW track AS SELECT 1",
    "CREATE TRIGGER t AFTER INSERT ON track BEGIN SELECT 1; END", "CREATE VIRTUAL TABLE track USING fts5 (a)",
    "CREATE INDEX trackByOrder ON track (abs(id))", "CREATE TABLE track (id, name AS (zeroblob(1000000000)))",
    "CREATE TABLE project (id CHECK ((SELECT 1)))",
    "CREATE TABLE a (b DEFAULT (\(String(repeating: "(", count: 2000))",
    "CREATE TABLE midiNote (id INTEGER PRIMARY KEY) WITHOUT ROWID", "\u{1}\u{2}\u{1b}[2J",
    "CREATE TABLE journalState AS SELECT 1", "DROP TABLE track",
  ]

  private static let changes: [Change] =
    [
      { database, generator in
        let event = ["INSERT", "UPDATE", "DELETE"][Int.random(in: 0..<3, using: &generator)]
        let body = [
          "UPDATE journalState SET revision = revision + 1", "DELETE FROM \(table(&generator))",
          "SELECT zeroblob(900000000)",
          "INSERT INTO marker SELECT id + 1, name, nameKey, kind, timeBase, startTime, duration, color FROM marker",
          "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n",
        ][Int.random(in: 0..<5, using: &generator)]
        try database.execute(sql: "CREATE TRIGGER evil AFTER \(event) ON \(table(&generator)) BEGIN \(body); END")
      },
      { database, generator in
        let table = table(&generator)
        let columns = try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
        try database.execute(sql: "DROP TABLE \(table)")
        try database.execute(
          sql: """
            CREATE VIEW \(table) AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
            SELECT \(columns.map { "i AS \($0)" }.joined(separator: ", ")) FROM n
            """)
      },
      { database, generator in
        let id = try object(database, &generator).id
        try database.execute(sql: "DELETE FROM sqlite_schema WHERE rowid = ?", arguments: [id])
      },
      { database, generator in
        try set("sql", texts[Int.random(in: 0..<texts.count, using: &generator)], database, &generator)
      },
      { database, generator in
        let (id, sql) = try object(database, &generator)
        var bytes = Array(sql.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
          bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 32...126, using: &generator)
        }
        try database.execute(
          sql: "UPDATE sqlite_schema SET sql = ? WHERE rowid = ?",
          arguments: [String(decoding: bytes, as: UTF8.self), id])
      },
      { database, generator in
        let (id, sql) = try object(database, &generator)
        let length = Int.random(in: 0...sql.count, using: &generator)
        try database.execute(
          sql: "UPDATE sqlite_schema SET sql = ? WHERE rowid = ?", arguments: [String(sql.prefix(length)), id])
      },
      { database, generator in
        let values: [(any DatabaseValueConvertible)?] = [
          "table", "view", "trigger", "index", "other", nil, 7, Data([0]),
        ]
        try set("type", values[Int.random(in: 0..<values.count, using: &generator)], database, &generator)
      },
      { database, generator in
        let values: [(any DatabaseValueConvertible)?] = ["track", "TRACK", "sqlite_stat1", "", nil, 7, "a\u{0}b"]
        let column = Bool.random(using: &generator) ? "name" : "tbl_name"
        try set(column, values[Int.random(in: 0..<values.count, using: &generator)], database, &generator)
      },
      { database, generator in
        let values: [(any DatabaseValueConvertible)?] = [
          0, 1, 2, Int.random(in: 1...60, using: &generator), -1, 1 << 31, Int64.max, "x", nil,
        ]
        try set("rootpage", values[Int.random(in: 0..<values.count, using: &generator)], database, &generator)
      },
      { database, generator in
        let sql = [
          "CREATE TABLE t (a, b AS (a LIKE '%a%b%c%d%e%f%g%'))", "CREATE VIRTUAL TABLE t USING fts5 (a)",
          "CREATE VIRTUAL TABLE t USING rtree (a, b, c)", "CREATE VIEW v AS SELECT * FROM v",
          "CREATE TABLE t (a REFERENCES track (id) ON DELETE CASCADE, b REFERENCES region ON DELETE SET NULL)",
          "CREATE INDEX i ON track (printf('%.*c', 90000000, name))", "CREATE UNIQUE INDEX i ON midiNote (pitch)",
          "CREATE TABLE t (\((0..<1900).map { "c\($0)" }.joined(separator: ", ")))", "ALTER TABLE track ADD COLUMN x",
          "CREATE TABLE t (a); ANALYZE; INSERT INTO sqlite_stat1 SELECT 'track', 'trackByOrder', zeroblob(1000) FROM track",
          "CREATE TABLE t (a PRIMARY KEY CHECK (a NOT GLOB '*a*b*c*')) WITHOUT ROWID",
          "ALTER TABLE region RENAME COLUMN gain TO x", "ALTER TABLE marker RENAME TO x",
        ]
        try database.execute(sql: sql[Int.random(in: 0..<sql.count, using: &generator)])
      },
      { database, generator in
        let count = Int.random(in: 1...3000, using: &generator)
        try database.inTransaction {
          for number in 0..<count { try database.execute(sql: "CREATE TABLE f\(number) (a)") }
          return .commit
        }
      },
    ] + changesOfRows

  private static let changesOfRows: [Change] = [
    { database, generator in
      let table = table(&generator)
      let columns = try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
      // Without one where the change before has removed the table.
      guard let column = columns.randomElement(using: &generator) else { return }
      let values = [
        "zeroblob(9000000)", "printf('%.*c', 9000000, 'x')", "printf('%.*c', 70000, 'x')", "randomblob(20000)", "NULL",
        "9223372036854775807", "-9223372036854775808", "1e308", "9e999", "''", "x'00'", "char(0)", "char(27) || '[2J'",
        "-1",
      ]
      try database.execute(
        sql: "UPDATE \(table) SET \(column) = \(values[Int.random(in: 0..<values.count, using: &generator)])")
    },
    { database, generator in
      try database.execute(sql: "UPDATE journalEntry SET parent = entryID, isCompressed = 1 - isCompressed")
      if Bool.random(using: &generator) {
        let share = Int.random(in: 0...100, using: &generator)
        try database.execute(
          sql: "UPDATE journalEntry SET changeset = substr(changeset, 1, length(changeset) * \(share) / 100)")
      }
    },
    { database, generator in
      let number = [0, -1, 1, 3, Int(Int32.max)][Int.random(in: 0..<5, using: &generator)]
      let name = Bool.random(using: &generator) ? "user_version" : "application_id"
      try database.execute(sql: "PRAGMA \(name) = \(number)")
    },
  ]

  // MARK: - Using

  private func use(_ path: String, _ comment: Testing.Comment, _ outcomes: inout [String: Int]) throws {
    func attempt(_ what: String, _ body: () throws -> Void) {
      do {
        try body()
        outcomes["\(what) worked", default: 0] += 1
      } catch {
        // I/O and internal errors are not expected: these files are complete and writable.
        let isKnown =
          switch error {
          case StoreError.io, StoreError.diskFull, StoreError.missing, StoreError.exists: false
          default: error is StoreError || error is EditError
          }
        #expect(isKnown, "\(comment), \(what): \(error)")
        outcomes["\(what) refused", default: 0] += 1
      }
    }
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    attempt("show") {
      let store = try ProjectStore.open(at: path)
      defer { try? store.close() }
      _ = try store.read { try $0.project() }
    }
    attempt("check") {
      let store = try ProjectStore.open(at: path)
      defer { try? store.close() }
      _ = (try store.damages(), try store.read { try $0.brokenRules() }, try store.verifyJournal())
      _ = (try store.history(includesAll: true), try store.foreignTables(), try store.mediaPathsInHistory())
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == whole, comment)
    attempt("backup") {
      let store = try ProjectStore.open(at: path)
      defer { try? store.close() }
      try store.vacuum(into: path + ".copy")
    }
    attempt("edit") {
      let store = try ProjectStore.openForEditing(at: path, backupFolder: path + ".backups")
      defer { try? store.close() }
      _ = try store.edit(origin) { try $0.apply(.remove(TrackID(rawValue: 10))) }
      _ = try store.undo(origin: origin)
    }
    attempt("repair") {
      _ = try ProjectStore.repairSchema(at: path) { path + ".repair" }
      let store = try ProjectStore.open(at: path)
      defer { try? store.close() }
      _ = try store.read { try $0.brokenRules() }
    }
  }
}
