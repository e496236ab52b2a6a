import CSQLiteSession
import DAWModel
import Foundation
import GRDB

extension ProjectStore {
  /// Seconds that a busy writer is waited for.
  public static let busyTimeout = 5.0

  /// Makes a project file with its master track.
  /// - Parameter path: of a file that is not there; its folder is.
  /// - Throws: `StoreError`; no file is left.
  public static func create(
    at path: String, id: ProjectID = .random(), master: TrackID? = nil, createdDate: Timestamp? = nil,
    settings: ProjectSettings, origin: EditOrigin,
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now
  ) throws -> ProjectStore {
    try claim(path)
    do {
      return try translatingErrors(path) {
        let queue = try DatabaseQueue(path: path, configuration: configuration())
        try queue.writeWithoutTransaction { database in
          // Before there is a log, so that the file itself says what it is.
          try database.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
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

  /// Makes the file, empty, so that of two who make the same project one is refused.
  private static func claim(_ path: String) throws {
    let descriptor = Glibc.open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      let code = errno
      throw code == EEXIST
        ? StoreError.exists(path: path) : StoreError.io(path: path, detail: String(cString: strerror(code)))
    }
    Glibc.close(descriptor)
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
  /// Of an older file a copy in memory is migrated, for reading; see `openForEditing(at:backupFolder:)`.
  /// - Parameter busyTimeout: seconds that a busy writer is waited for.
  /// - Throws: `StoreError`; nothing is written.
  public static func open(
    at path: String, busyTimeout: Double = busyTimeout, clock: @escaping @Sendable () -> Timestamp = Timestamp.now
  ) throws -> ProjectStore {
    try open(at: path, busyTimeout: busyTimeout, clock: clock, migrator: .released)
  }

  static func open(
    at path: String, busyTimeout: Double = busyTimeout, clock: @escaping @Sendable () -> Timestamp = Timestamp.now,
    migrator: Migrator
  ) throws -> ProjectStore {
    let store = try openFile(at: path, busyTimeout: busyTimeout, clock: clock, migrator: migrator)
    return try translatingErrors(path) {
      let version = try store.queue.read(Migrator.version)
      return version < migrator.currentVersion ? try store.migratedForReading(from: version) : store
    }
  }

  /// Opens a project file to edit it: an older one is migrated first, after a backup.
  /// - Parameter backupFolder: made where it is missing.
  /// - Throws: `StoreError`, `.readOnly` where the file is older and cannot be written.
  public static func openForEditing(
    at path: String, backupFolder: String, busyTimeout: Double = busyTimeout,
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now
  ) throws -> ProjectStore {
    try openForEditing(
      at: path, backupFolder: backupFolder, busyTimeout: busyTimeout, clock: clock, migrator: .released)
  }

  static func openForEditing(
    at path: String, backupFolder: String, busyTimeout: Double = busyTimeout,
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now, migrator: Migrator
  ) throws -> ProjectStore {
    let store = try openFile(at: path, busyTimeout: busyTimeout, clock: clock, migrator: migrator)
    let version = try translatingErrors(path) { try store.queue.read(Migrator.version) }
    guard version < migrator.currentVersion else { return store }
    do {
      try FileManager.default.createDirectory(atPath: backupFolder, withIntermediateDirectories: true)
    } catch {
      throw StoreError.io(path: backupFolder, detail: (error as NSError).localizedDescription)
    }
    let unique = UUID().uuidString.prefix(8).lowercased()
    try store.migrate(backup: "\(backupFolder)/before-version-\(migrator.currentVersion)-\(unique).sqlite")
    return store
  }

  /// Opens the file itself, whatever version it has that is not newer.
  static func openFile(
    at path: String, busyTimeout: Double, clock: @escaping @Sendable () -> Timestamp, migrator: Migrator
  ) throws -> ProjectStore {
    try Header.check(path)
    return try translatingErrors(path) {
      if let reason = FileSystem.reasonNotToWrite(path) {
        let queue = try openReadOnly(path)
        try verify(queue, path, migrator)
        return ProjectStore(
          queue: queue, path: path, access: .readOnly(reason: reason), clock: clock, migrator: migrator)
      }
      let hasLog = FileManager.default.fileExists(atPath: path + "-wal")
      let queue = try DatabaseQueue(path: path, configuration: configuration(busyTimeout: busyTimeout))
      do {
        try verify(queue, path, migrator)
      } catch {
        // What cannot be used is left as it is, its log included.
        if hasLog { queue.inDatabase { _ = daw_keep_log($0.sqliteConnection) } }
        throw error
      }
      if FileSystem.isNetwork(path) {
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
      }
      return ProjectStore(queue: queue, path: path, access: .readWrite, clock: clock, migrator: migrator)
    }
  }

  /// Reads what every project has, so that a file that is none, or newer, is refused at once.
  private static func verify(_ queue: DatabaseQueue, _ path: String, _ migrator: Migrator) throws {
    try queue.read { database in
      guard try Int32.fetchOne(database, sql: "PRAGMA application_id") == Schema.applicationID else {
        throw StoreError.notAProject(path: path)
      }
      let version = try Migrator.version(of: database)
      guard version > 0 else {
        throw StoreError.damaged(path: path, detail: "its version is \(version), and there is none below 1")
      }
      guard version <= migrator.currentVersion else {
        throw StoreError.newer(path: path, found: version, supported: migrator.currentVersion)
      }
      _ = try required(Row.fetchOne(database, sql: "SELECT uuid, createdDate FROM project"), "the project")
      _ = try Journal(database: database).state()
    }
  }

  /// `immutable` where there is no log. SQLite reads a log in a folder that it cannot write only where another process has
  /// it open and shares its memory; else a copy is read.
  static func openReadOnly(_ path: String) throws -> DatabaseQueue {
    let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
    guard FileManager.default.fileExists(atPath: path + "-wal") else {
      return try DatabaseQueue(path: "file:\(escaped)?immutable=1", configuration: configuration(isReadOnly: true))
    }
    if FileManager.default.fileExists(atPath: path + "-shm"),
      let queue = try? DatabaseQueue(path: path, configuration: configuration(isReadOnly: true)),
      (try? queue.read(Migrator.version)) != nil
    {
      return queue
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("daw-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      defer { try? FileManager.default.removeItem(at: folder) }
      let copyPath = folder.appendingPathComponent("project.sqlite").path
      for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: copyPath + suffix) }
      // The copy of a file that may not be written may not be, either.
      for suffix in ["", "-wal"] { chmod(copyPath + suffix, 0o600) }
      let copy = try DatabaseQueue(path: copyPath, configuration: configuration())
      let memory = try DatabaseQueue(configuration: configuration())
      try copy.backup(to: memory)
      try copy.close()
      return memory
    } catch let error as CocoaError {
      throw StoreError.io(path: path, detail: error.localizedDescription)
    }
  }

  static func configuration(isReadOnly: Bool = false, busyTimeout: Double = busyTimeout) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = isReadOnly
    configuration.busyMode = .timeout(busyTimeout)
    configuration.prepareDatabase { database in
      // A damaged page is noticed before it is used.
      try database.execute(sql: "PRAGMA cell_size_check = ON")
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
      try database.execute(
        sql: Schema.version1 + "PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = 1")
      try migrator.migrate(database)
      let journal = Journal(database: database)
      try database.execute(
        sql: """
          INSERT INTO journalState (id, revision, modifiedDate, node, isWriting, outsideChanges, maximumCount, maximumBytes,
            entryCount, byteCount)
          VALUES (1, -1, \(now.milliseconds), 0, 1, 0, \(JournalLimits.standard.count ?? 0),
            \(JournalLimits.standard.bytes ?? 0), 0, 0)
          """)
      let master = master ?? identifiers.first(above: nil)
      let (_, changeset) = try Changeset.recording(of: migrator.modelTables, in: database) {
        try database.execute(
          sql:
            "INSERT INTO project (id, uuid, createdDate, \(ProjectSettings.columns)) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
          arguments: [id.uuidString, (createdDate ?? now).milliseconds] + settings.arguments)
        try StoredTables(database: database).insert(
          Track(id: master, name: Name(literal: "Master"), orderKey: .master, trackType: .master))
      }
      try journal.setWriting(false)
      try journal.append(
        makeEntry(.create, after: try journal.state(), origin: origin, summary: "Made project '\(settings.name)'"),
        changeset)
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
