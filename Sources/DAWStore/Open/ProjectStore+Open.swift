import DAWModel
import Foundation
import GRDB

extension ProjectStore {
  /// Milliseconds that a busy writer is waited for.
  public static let busyTimeout = 5.0

  /// Makes a project file with its master track.
  /// - Parameter path: of a file that is not there; its folder is.
  /// - Throws: `StoreError`; no file is left.
  public static func create(
    at path: String, id: ProjectID = .random(), master: TrackID? = nil, createdDate: Timestamp? = nil,
    settings: ProjectSettings, origin: EditOrigin,
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now
  ) throws -> ProjectStore {
    guard !FileManager.default.fileExists(atPath: path) else { throw StoreError.exists(path: path) }
    do {
      return try translatingErrors(path) {
        let queue = try DatabaseQueue(path: path, configuration: configuration())
        try queue.writeWithoutTransaction { database in
          try database.execute(sql: "PRAGMA journal_mode = \(FileSystem.isNetwork(path) ? "DELETE" : "WAL")")
        }
        let store = ProjectStore(queue: queue, path: path, access: .readWrite, clock: clock)
        try store.initialize(id: id, master: master, createdDate: createdDate, settings: settings, origin: origin)
        return store
      }
    } catch {
      for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
      throw error
    }
  }

  /// A project that is gone with the store: for tests and trials.
  public static func inMemory(
    id: ProjectID = .random(), settings: ProjectSettings = ProjectSettings(),
    origin: EditOrigin = EditOrigin(author: "nobody", commandLine: "new"),
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now
  ) throws -> ProjectStore {
    try translatingErrors(":memory:") {
      let store = ProjectStore(
        queue: try DatabaseQueue(configuration: configuration()), path: ":memory:", access: .readWrite, clock: clock)
      try store.initialize(id: id, settings: settings, origin: origin)
      return store
    }
  }

  /// Opens a project file. Where it cannot be written it is opened for reading, and an edit says why.
  ///
  /// An older file is migrated by the first edit, after a backup; for reading, a copy in memory is.
  /// - Throws: `StoreError`; nothing is written.
  public static func open(
    at path: String, clock: @escaping @Sendable () -> Timestamp = Timestamp.now
  ) throws -> ProjectStore {
    try Header.check(path)
    return try translatingErrors(path) {
      let store: ProjectStore
      if let reason = FileSystem.reasonNotToWrite(path) {
        store = try openReadOnly(path, reason: reason, clock: clock)
      } else {
        let queue = try DatabaseQueue(path: path, configuration: configuration())
        store = ProjectStore(queue: queue, path: path, access: .readWrite, clock: clock)
        if FileSystem.isNetwork(path) {
          try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        }
      }
      let version = try store.queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
      guard version <= Migrator.currentVersion else {
        throw StoreError.newer(path: path, found: version, supported: Migrator.currentVersion)
      }
      return version < Migrator.currentVersion ? try store.migratedForReading() : store
    }
  }

  /// `immutable` where there is no log, else a copy in memory: SQLite cannot read a log in a folder that it cannot write.
  private static func openReadOnly(
    _ path: String, reason: String, clock: @escaping @Sendable () -> Timestamp
  ) throws -> ProjectStore {
    let hasLog = FileManager.default.fileExists(atPath: path + "-wal")
    guard hasLog else {
      let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
      let queue = try DatabaseQueue(path: "file:\(escaped)?immutable=1", configuration: configuration(isReadOnly: true))
      return ProjectStore(queue: queue, path: path, access: .readOnly(reason: reason), clock: clock)
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("daw-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: path + suffix, toPath: folder.appendingPathComponent("project.sqlite").path + suffix)
    }
    let copy = try DatabaseQueue(
      path: folder.appendingPathComponent("project.sqlite").path, configuration: configuration())
    let memory = try DatabaseQueue(configuration: configuration())
    try copy.backup(to: memory)
    try copy.close()
    return ProjectStore(queue: memory, path: path, access: .readOnly(reason: reason), clock: clock)
  }

  static func configuration(isReadOnly: Bool = false) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = isReadOnly
    configuration.busyMode = .timeout(busyTimeout)
    configuration.prepareDatabase { database in
      guard !isReadOnly else { return }
      try database.execute(sql: "PRAGMA synchronous = FULL")
    }
    return configuration
  }

  private func initialize(
    id: ProjectID, master: TrackID? = nil, createdDate: Timestamp? = nil, settings: ProjectSettings, origin: EditOrigin
  ) throws {
    do { try settings.validate() } catch { throw EditError.rule(error) }
    let now = clock()
    try write { database in
      try database.execute(sql: Schema.version1)
      let journal = Journal(database: database)
      try database.execute(
        sql: """
          INSERT INTO journalState (id, revision, modifiedDate, node, isWriting, outsideChanges)
          VALUES (1, -1, \(now.milliseconds), 0, 1, 0)
          """)
      let master = master ?? identifiers.first(above: nil)
      let (_, changeset) = try Changeset.recording(in: database) {
        try database.execute(
          sql:
            "INSERT INTO project (id, uuid, createdDate, \(ProjectSettings.columns)) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)",
          arguments: [id.uuidString, (createdDate ?? now).milliseconds] + settings.arguments)
        try StoredTables(database: database).insert(
          Track(id: master, name: Name(literal: "Master"), orderKey: .master, trackType: .master))
      }
      try journal.setWriting(false)
      try journal.append(
        makeEntry(.create, after: try journal.state(), origin: origin, summary: "Made project '\(settings.name)'"),
        changeset)
      try database.execute(
        sql: "PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(Migrator.currentVersion)")
      return (.commit, ())
    }
  }
}

extension Timestamp {
  /// The system's clock.
  public static let now: @Sendable () -> Timestamp = {
    Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded()))
  }
}
