import CSQLiteSession
import DAWTestSupport
import GRDB
import Testing

@testable import DAWStore

/// Values that strict tables refuse, which another program has brought in while they were not strict.
@Suite("Text in the place of ids of the routing")
struct MistypedRoutingTests {
  @Test(
    "is a finding or an error, and no crash",
    arguments: [("send", "track"), ("send", "bus"), ("track", "outputBus"), ("effect", "track"), ("effect", "key")])
  func found(table: String, column: String) throws {
    let folder = try TemporaryFolder()
    try SampleProject.create(at: folder.project).close()
    try mistype(table, column, in: folder.project)
    let store = try ProjectStore.open(at: folder.project)
    defer { try? store.close() }
    do {
      let findings = try store.read { try $0.brokenRules() }
      #expect(!findings.isEmpty)
    } catch {
      #expect(error is StoreError, "\(error)")
    }
  }

  private func mistype(_ table: String, _ column: String, in path: String) throws {
    // A new connection for each step, since it reads the schema when it is opened.
    func change(_ sql: String, _ arguments: StatementArguments = []) throws {
      let other = try lawlessConnection(to: path)
      try other.writeWithoutTransaction { database in
        daw_set_switch(database.sqliteConnection, SQLITE_DBCONFIG_DEFENSIVE, 0)
        try database.execute(sql: "PRAGMA writable_schema = ON")
        try database.execute(sql: sql, arguments: arguments)
        #expect(database.changesCount == 1)
      }
      try other.close()
    }
    let reader = try lawlessConnection(to: path)
    let strict = try reader.read { database in
      try String.fetchOne(
        database, sql: "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", arguments: [table])
    }
    try reader.close()
    let statement = try #require(strict)
    #expect(statement.hasSuffix("STRICT"))
    let schema = "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?"
    try change(schema, [String(statement.dropLast("STRICT".count)), table])
    try change("UPDATE \(table) SET \(column) = 'x' WHERE id = (SELECT min(id) FROM \(table))")
    try change(schema, [statement, table])
  }
}
