import CSQLiteSession
import DAWModel
import Foundation
import GRDB

/// An index of the words of projects: a file that can be made again at any time, or memory. It tells where to look, and
/// no more: what is shown is read from the projects.
///
/// Its caller makes sure that no other process uses the file.
package final class SearchIndex: Sendable {
  private let queue: DatabaseQueue
  private let path: String?

  /// What is wrong with an index; never with a project.
  package struct Fault: Error {
    package var detail: String
  }

  /// A text of a project that has what was looked for.
  package struct Hit: Equatable, Sendable {
    /// The key of the project.
    package var project: String
    package var kind: SearchKind
    package var row: Int64
  }

  /// A text that is added.
  private struct Text {
    var kind: SearchKind
    var row: Int64
    /// Changes with the text of a fact; 0 for rows of the model, whose changes the journal tells.
    var stamp: Int64
    var text: String
  }

  /// An index in memory.
  package init() throws {
    path = nil
    queue = try Self.translating { try DatabaseQueue(configuration: Self.configuration) }
    try Self.translating { try queue.write(Self.makeSchema) }
  }

  /// Opens the index at a path. What is there and was not made by this version of daw at this very place is removed
  /// first: a copied file, one that came with a project from elsewhere, a link.
  /// - Throws: `Fault`.
  package init(at path: String) throws {
    self.path = path
    queue = try Self.translating {
      if Self.isOurs(path) {
        Self.restrict(path)
        let queue = try DatabaseQueue(path: path, configuration: Self.configuration)
        try queue.inDatabase { try ProjectFiles.requireUnmoved($0, path) }
        return queue
      }
      Self.remove(path)
      // Where it cannot be made, SQLite says why.
      let made = Glibc.open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
      if made >= 0 { Glibc.close(made) }
      let queue = try DatabaseQueue(path: path, configuration: Self.configuration)
      try queue.inDatabase { try ProjectFiles.requireUnmoved($0, path) }
      guard let seal = Self.seal(of: path) else { throw Fault(detail: "it was removed while it was made") }
      try queue.write { database in
        try Self.makeSchema(database)
        try database.execute(sql: "PRAGMA application_id = \(Self.applicationID)")
        try database.execute(sql: "PRAGMA user_version = \(seal)")
      }
      return queue
    }
  }

  package func close() { try? queue.close() }

  /// Removes an index and what SQLite keeps beside it.
  package static func remove(_ path: String) { ProjectFiles.remove(path) }

  // MARK: The file

  /// "dawS".
  private static let applicationID: Int32 = 0x6461_7753
  /// To be raised with each change of the schema, of the sources or of how texts are decoded or folded.
  private static let formatVersion = 5

  static func isOurs(_ path: String) -> Bool {
    guard (try? ProjectFiles.check(path)) != nil, let seal = seal(of: path),
      let header = try? DatabaseBytes(of: path).read(at: 0, count: 100), header.count == 100
    else { return false }
    func number(at offset: Int) -> Int32 {
      Int32(bitPattern: header[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }
    return number(at: 68) == applicationID && number(at: 60) == seal
  }

  /// Closes an index to other users that an earlier version has made for all to read: it has the words of transcripts.
  /// What SQLite makes beside it has its mode. No connection of this process has locks on it yet.
  private static func restrict(_ path: String) {
    for ending in ProjectFiles.endings {
      let file = Glibc.open(path + ending, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard file >= 0 else { continue }
      var status = stat()
      if fstat(file, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 != 0 { fchmod(file, 0o600) }
      Glibc.close(file)
    }
  }

  /// A number by which an index is recognised that was made at this very place: it depends on the device and the inode,
  /// which cannot be known elsewhere beforehand. An index that came with a project lacks it, and SQLite does not open it.
  private static func seal(of path: String) -> Int32? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1,
      status.st_uid == geteuid()
    else { return nil }
    let text = "daw search \(formatVersion) \(SQLiteVersion.current) \(status.st_dev) \(status.st_ino) \(status.st_uid)"
    // FNV-1a, 64 bits, folded.
    let hash = text.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return Int32(truncatingIfNeeded: hash ^ hash >> 32)
  }

  static var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(1)
    configuration.prepareDatabase { database in
      ConnectionLimits.set(on: database)
      daw_enable_triggers(database.sqliteConnection, 0)
      try database.execute(sql: "PRAGMA cell_size_check = ON")
      // A write-ahead log: nothing is flushed to disk at a commit, and after a power cut the file is one of its states.
      for setting in ["locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = NORMAL"] {
        try database.execute(sql: "PRAGMA \(setting)")
      }
    }
    return configuration
  }

  private static func makeSchema(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE project (
          id INTEGER PRIMARY KEY NOT NULL, path TEXT NOT NULL UNIQUE, stamp TEXT NOT NULL, project TEXT NOT NULL,
          revision INTEGER NOT NULL, entryID INTEGER NOT NULL, schemaVersion INTEGER NOT NULL,
          factNumber INTEGER NOT NULL, isJournaled INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE entry (
          id INTEGER PRIMARY KEY NOT NULL, project INTEGER NOT NULL, kind TEXT NOT NULL, row INTEGER NOT NULL,
          stamp INTEGER NOT NULL, UNIQUE (project, kind, row)
        ) STRICT;
        CREATE VIRTUAL TABLE entryText USING fts5 (text, tokenize = 'ascii');
        """)
  }

  private static func translating<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch let fault as Fault { throw fault } catch { throw Fault(detail: "\(error)") }
  }

  // MARK: Updating

  /// The keys of all projects in the index, with the stamps that they had at their last update.
  package func stamps() throws -> [String: String] {
    try Self.translating {
      try queue.read { database in
        let rows = try Row.fetchAll(database, sql: "SELECT path, stamp FROM project")
        return Dictionary(try rows.map { (try $0.decode(atIndex: 0), try $0.decode(atIndex: 1)) }) { $1 }
      }
    }
  }

  /// Forgets projects.
  package func forget(_ keys: [String]) throws {
    guard !keys.isEmpty else { return }
    try Self.translating {
      try queue.write { database in
        for key in keys {
          guard let id = try Self.id(of: key, in: database) else { continue }
          try Self.removeAll(of: id, in: database)
          try database.execute(sql: "DELETE FROM project WHERE id = ?", arguments: [id])
        }
      }
    }
  }

  /// Reads the texts of a project that have changed since it was indexed last; all of them if the journal does not
  /// contain the changes.
  /// - Parameters:
  ///   - key: identifies the project in this index.
  ///   - stamp: kept for the caller.
  /// - Throws: `Fault`, and what reading the project throws; the index is as it was.
  @discardableResult
  package func update(_ key: String, stamp: String = "", from view: ProjectView) throws -> SearchUpdate {
    let now = try view.searchState()
    let before = try Self.translating { try queue.inDatabase { try Self.state(of: key, in: $0) } }
    if let before, before.state == now, before.state.isJournaled, before.stamp == stamp { return SearchUpdate() }
    let changed = try before.flatMap { try view.changedTexts(from: $0.state, to: now) }
    var texts: [Text] = []
    var gone: [(SearchKind, Int64)] = []
    for source in SearchSource.all {
      var ids: Set<Int64>?
      var stamps: [Int64: Int64]?
      if let before, let changed {
        ids = changed[source.kind] ?? []
        if before.state.factNumber != now.factNumber { stamps = try source.stamps(in: view.database) }
        if let stamps {
          let known = try Self.translating { try queue.read { try Self.stamps(of: source.kind, key, in: $0) } }
          ids?.formUnion(known.keys.filter { stamps[$0] != known[$0] })
          ids?.formUnion(stamps.keys.filter { stamps[$0] != known[$0] })
        }
      }
      if let ids {
        guard !ids.isEmpty else { continue }
        gone += ids.map { (source.kind, $0) }
      }
      stamps = try stamps ?? source.stamps(in: view.database)
      try source.forEachText(of: ids?.sorted(), in: view.database) { row, text in
        texts.append(Text(kind: source.kind, row: row, stamp: stamps?[row] ?? 0, text: text))
      }
    }
    try Self.translating {
      try queue.write { database in
        let id = try Self.save(now, key, stamp, in: database)
        if changed == nil { try Self.removeAll(of: id, in: database) }
        for (kind, row) in gone { try Self.remove(kind, row, of: id, in: database) }
        for text in texts { try Self.add(text, to: id, in: database) }
      }
    }
    return SearchUpdate(isWhole: changed == nil, textCount: texts.count)
  }

  private static func id(of key: String, in database: Database) throws -> Int64? {
    try Int64.fetchOne(database, sql: "SELECT id FROM project WHERE path = ?", arguments: [key])
  }

  private static func state(
    of key: String, in database: Database
  ) throws -> (state: SearchState, stamp: String)? {
    try Row.fetchOne(
      database,
      sql: """
        SELECT project, revision, entryID, schemaVersion, factNumber, isJournaled, stamp FROM project WHERE path = ?
        """, arguments: [key]
    ).map { row in
      (
        SearchState(
          project: try row.decode(atIndex: 0), revision: try row.decode(atIndex: 1),
          entryID: try row.decode(atIndex: 2),
          schemaVersion: try row.decode(atIndex: 3), factNumber: try row.decode(atIndex: 4),
          isJournaled: try row.decode(atIndex: 5)), try row.decode(atIndex: 6)
      )
    }
  }

  /// The rows of a kind, with their stamps.
  private static func stamps(of kind: SearchKind, _ key: String, in database: Database) throws -> [Int64: Int64] {
    let rows = try Row.fetchAll(
      database,
      sql: "SELECT row, stamp FROM entry WHERE kind = ? AND project = (SELECT id FROM project WHERE path = ?)",
      arguments: [kind.rawValue, key])
    return Dictionary(try rows.map { (try $0.decode(atIndex: 0), try $0.decode(atIndex: 1)) }) { $1 }
  }

  /// - Returns: the project's id.
  private static func save(
    _ state: SearchState, _ key: String, _ stamp: String, in database: Database
  ) throws -> Int64 {
    try database.execute(
      sql: """
        INSERT INTO project (path, stamp, project, revision, entryID, schemaVersion, factNumber, isJournaled)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (path) DO UPDATE SET stamp = excluded.stamp, project = excluded.project,
            revision = excluded.revision, entryID = excluded.entryID, schemaVersion = excluded.schemaVersion,
            factNumber = excluded.factNumber, isJournaled = excluded.isJournaled
        """,
      arguments: [
        key, stamp, state.project, state.revision, state.entryID, state.schemaVersion, state.factNumber,
        state.isJournaled,
      ])
    guard let id = try id(of: key, in: database) else { throw Fault(detail: "a row that was written is not there") }
    return id
  }

  private static func removeAll(of project: Int64, in database: Database) throws {
    try database.execute(
      sql: "DELETE FROM entryText WHERE rowid IN (SELECT id FROM entry WHERE project = ?)", arguments: [project])
    try database.execute(sql: "DELETE FROM entry WHERE project = ?", arguments: [project])
  }

  private static func remove(_ kind: SearchKind, _ row: Int64, of project: Int64, in database: Database) throws {
    let found = try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT id FROM entry WHERE project = ? AND kind = ? AND row = ?"),
      arguments: [project, kind.rawValue, row])
    guard let found else { return }
    try database.cachedStatement(sql: "DELETE FROM entryText WHERE rowid = ?").execute(arguments: [found])
    try database.cachedStatement(sql: "DELETE FROM entry WHERE id = ?").execute(arguments: [found])
  }

  private static func add(_ text: Text, to project: Int64, in database: Database) throws {
    try database.cachedStatement(sql: "INSERT INTO entry (project, kind, row, stamp) VALUES (?, ?, ?, ?)")
      .execute(arguments: [project, text.kind.rawValue, text.row, text.stamp])
    try database.cachedStatement(sql: "INSERT INTO entryText (rowid, text) VALUES (?, ?)")
      .execute(arguments: [database.lastInsertedRowID, FoldedText.folded(text.text)])
  }

  // MARK: Searching

  /// Calls `body` with the texts that have what is looked for, the best first, for as long as it returns true.
  /// - Throws: `Fault`, and what `body` throws.
  package func forEachHit(_ query: SearchQuery, _ body: (Hit) throws -> Bool) throws {
    let numbers = try numbers(query)
    // A page's at once.
    for first in stride(from: 0, to: numbers.count, by: 64) {
      for hit in try hits(numbers[first..<min(first + 64, numbers.count)]) where try !body(hit) { return }
    }
  }

  /// The numbers of the texts that have what is looked for, the best first.
  private func numbers(_ query: SearchQuery) throws -> [Int64] {
    let (condition, argument, order) =
      switch query.content {
      case .phrases(let phrases): ("entryText MATCH ?", Self.match(phrases), "rank")
      case .part(let text): ("instr(text, ?) > 0", text, "length(text)")
      }
    return try Self.translating {
      try queue.inDatabase { database in
        try Int64.fetchAll(
          database, sql: "SELECT rowid FROM entryText WHERE \(condition) ORDER BY \(order), rowid",
          arguments: [argument])
      }
    }
  }

  /// The texts with these numbers, in their order; without those that are not there.
  private func hits(_ numbers: ArraySlice<Int64>) throws -> [Hit] {
    try Self.translating {
      // Without a transaction of its own.
      try queue.inDatabase { database in
        var hits: [Hit] = []
        for number in numbers {
          try StatementRow.forEach(
            """
            SELECT project.path, entry.kind, entry.row FROM entry JOIN project ON project.id = entry.project
              WHERE entry.id = ?
            """, [number], in: database
          ) { row in
            guard let kind = SearchKind(rawValue: try row.value(1)) else { return }
            hits.append(Hit(project: try row.value(0), kind: kind, row: row.integer(2)))
          }
        }
        return hits
      }
    }
  }

  /// All texts that have what is looked for, the best first.
  /// - Throws: `Fault`.
  func hits(_ query: SearchQuery) throws -> [Hit] {
    var hits: [Hit] = []
    try forEachHit(query) { hit in
      hits.append(hit)
      return true
    }
    return hits
  }

  /// A query in FTS5's language. Words consist of letters and digits.
  private static func match(_ phrases: [SearchQuery.Phrase]) -> String {
    phrases.map { "\"\($0.words.joined(separator: " "))\"\($0.isPrefix ? " *" : "")" }.joined(separator: " AND ")
  }
}
