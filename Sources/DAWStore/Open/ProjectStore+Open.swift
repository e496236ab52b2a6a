import DAWModel
import Foundation
import GRDB

extension ProjectStore {
  /// How long to wait for another process that is writing, in seconds.
  public static let busyTimeout = 5.0

  /// Creates a project file with a master track.
  /// - Parameter path: must not exist; its folder must.
  /// - Throws: `StoreError`; no file is left.
  public static func create(
    at path: String, id: ProjectID = .random(), master: TrackID? = nil, createdDate: Timestamp? = nil,
    settings: ProjectSettings, origin: EditOrigin,
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now
  ) throws -> ProjectStore {
    try claim(path)
    do {
      return try translatingErrors(path) {
        let connectionGuard = ConnectionGuard(path: path, migrator: .released)
        let queue = try DatabaseQueue(path: path, configuration: configuration(connectionGuard: connectionGuard))
        try queue.writeWithoutTransaction { database in
          // Before there is a log, so that the file itself has its application id.
          try database.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
          try database.execute(sql: "PRAGMA journal_mode = \(FileSystem.isNetwork(path) ? "DELETE" : "WAL")")
        }
        let store = ProjectStore(
          queue: queue, connectionGuard: connectionGuard, path: path, access: .readWrite, clock: clock)
        try store.initialize(id: id, master: master, createdDate: createdDate, settings: settings, origin: origin)
        return store
      }
    } catch {
      ProjectFiles.remove(path)
      throw error
    }
  }

  /// Creates an empty file, so that of two processes that create the same project one is refused. Closing its
  /// descriptor drops no locks, since no connection can have locks on a new file.
  static func claim(_ path: String, mode: mode_t = 0o666) throws {
    let descriptor = Glibc.open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode)
    guard descriptor >= 0 else {
      let code = errno
      throw code == EEXIST
        ? StoreError.exists(path: path) : StoreError.io(path: path, detail: String(cString: strerror(code)))
    }
    Glibc.close(descriptor)
  }

  /// A project in memory, discarded with the store. For tests.
  static func inMemory(
    id: ProjectID = .random(), settings: ProjectSettings = ProjectSettings(),
    origin: EditOrigin = EditOrigin(author: "memory", commandLine: "new"),
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now
  ) throws -> ProjectStore {
    try translatingErrors(":memory:") {
      let connectionGuard = ConnectionGuard(path: ":memory:", migrator: .released)
      let store = ProjectStore(
        queue: try DatabaseQueue(configuration: configuration(connectionGuard: connectionGuard)),
        connectionGuard: connectionGuard, path: ":memory:",
        access: .readWrite, clock: clock)
      try store.initialize(id: id, settings: settings, origin: origin)
      return store
    }
  }

  /// Opens a project file. If it cannot be written, it is opened for reading, and edits are refused with the reason.
  ///
  /// An older file is migrated in memory, for reading; see `openForEditing(at:backupFolder:)`.
  /// - Parameter busyTimeout: how long to wait for another process that is writing, in seconds.
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
      let version = try store.reading(Migrator.version)
      return version < migrator.currentVersion ? try store.migratedForReading(from: version) : store
    }
  }

  /// Opens a project file for editing. An older one is backed up and migrated first.
  /// - Parameter backupFolder: evaluated, and created if missing, only when a backup is needed.
  /// - Throws: `StoreError`, `.readOnly` if the file is older and cannot be written.
  public static func openForEditing(
    at path: String, backupFolder: @autoclosure () throws -> String
  ) throws -> ProjectStore {
    try openForEditing(at: path, backupFolder: try backupFolder(), migrator: .released)
  }

  static func openForEditing(
    at path: String, backupFolder: @autoclosure () throws -> String, migrator: Migrator
  ) throws -> ProjectStore {
    let store = try openFile(at: path, busyTimeout: busyTimeout, clock: Timestamp.now, migrator: migrator)
    let version = try store.reading(Migrator.version)
    guard version < migrator.currentVersion else { return store }
    let backupFolder = try backupFolder()
    do {
      try FileManager.default.createDirectory(atPath: backupFolder, withIntermediateDirectories: true)
    } catch {
      throw StoreError.io(path: backupFolder, detail: (error as NSError).localizedDescription)
    }
    guard FileSystem.sync((backupFolder as NSString).deletingLastPathComponent) else {
      throw StoreError.io(path: backupFolder, detail: String(cString: strerror(errno)))
    }
    let unique = UUID().uuidString.prefix(8).lowercased()
    try store.migrate(backup: "\(backupFolder)/before-version-\(migrator.currentVersion)-\(unique).sqlite")
    return store
  }

  /// Opens the file itself, of the current or an older version.
  static func openFile(
    at path: String, busyTimeout: Double, clock: @escaping @Sendable () -> Timestamp, migrator: Migrator
  ) throws -> ProjectStore {
    try ProjectFiles.check(path)
    try Header.check(path)
    return try translatingErrors(path) {
      let connectionGuard = ConnectionGuard(path: path, migrator: migrator)
      if let reason = FileSystem.reasonNotToWrite(path) {
        let queue = try openReadOnly(path, connectionGuard)
        try requireProject(queue, connectionGuard, path, migrator)
        return ProjectStore(
          queue: queue, connectionGuard: connectionGuard, path: path, access: .readOnly(reason: reason), clock: clock,
          migrator: migrator)
      }
      let hasLog = FileManager.default.fileExists(atPath: path + "-wal")
      let queue = try DatabaseQueue(
        path: path,
        configuration: configuration(busyTimeout: busyTimeout, connectionGuard: connectionGuard, keepsLog: hasLog))
      try queue.inDatabase { try ProjectFiles.requireUnmoved($0, path) }
      try requireProject(queue, connectionGuard, path, migrator)
      if FileSystem.isNetwork(path) {
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
      }
      return ProjectStore(
        queue: queue, connectionGuard: connectionGuard, path: path, access: .readWrite, clock: clock,
        migrator: migrator)
    }
  }

  /// Refuses files that are not projects, are newer, or differ from the schema of their version.
  private static func requireProject(
    _ queue: DatabaseQueue, _ connectionGuard: ConnectionGuard, _ path: String, _ migrator: Migrator
  ) throws {
    try queue.read { database in
      try database.distinguishingReadErrors {
        try requireVersion(of: database, path, migrator)
        try connectionGuard.begin(database)
        _ = try required(Row.fetchOne(database, sql: "SELECT uuid, createdDate FROM project"), "the project")
        _ = try Journal(database: database).state()
      }
    }
  }

  /// Reads the application id and the version, which must be known.
  static func requireVersion(of database: Database, _ path: String, _ migrator: Migrator) throws {
    guard try Int32.fetchOne(database, sql: "PRAGMA application_id") == Schema.applicationID else {
      throw StoreError.notAProject(path: path)
    }
    let version = try Migrator.version(of: database)
    guard version > 0 else {
      throw StoreError.damaged(path: path, detail: "its version is \(version); versions begin at 1")
    }
    guard version <= migrator.currentVersion else {
      throw StoreError.newer(path: path, found: version, supported: migrator.currentVersion)
    }
  }

  /// Opens a file for reading: as `immutable` if it has no log. In a folder that cannot be written, SQLite reads a log
  /// only while another process has it open with its shared memory; otherwise a copy is read.
  static func openReadOnly(_ path: String, _ connectionGuard: ConnectionGuard? = nil) throws -> DatabaseQueue {
    let readOnly = configuration(isReadOnly: true, connectionGuard: connectionGuard)
    guard FileManager.default.fileExists(atPath: path + "-wal") else {
      return try DatabaseQueue(path: DatabaseBytes.unchangingFile(path), configuration: readOnly)
    }
    if FileManager.default.fileExists(atPath: path + "-shm"),
      let queue = try? DatabaseQueue(path: path, configuration: readOnly),
      (try? queue.read(Migrator.version)) != nil
    {
      return queue
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("daw-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      defer { try? FileManager.default.removeItem(at: folder) }
      let copyPath = folder.appendingPathComponent("project.sqlite").path
      try copyFile(path, to: copyPath)
      try FileManager.default.copyItem(atPath: path + "-wal", toPath: copyPath + "-wal")
      // Copies of read-only files are read-only as well.
      chmod(copyPath + "-wal", 0o600)
      let copy = try DatabaseQueue(path: copyPath, configuration: configuration(connectionGuard: connectionGuard))
      let memory = try DatabaseQueue(configuration: configuration(connectionGuard: connectionGuard))
      try copy.backup(to: memory)
      try copy.close()
      return memory
    } catch let error as CocoaError {
      throw StoreError.io(path: path, detail: error.localizedDescription)
    }
  }

  static func copyFile(_ path: String, to copy: String) throws {
    let bytes = try DatabaseBytes(of: path)
    guard FileManager.default.createFile(atPath: copy, contents: nil, attributes: [.posixPermissions: 0o600]),
      let file = FileHandle(forWritingAtPath: copy)
    else { throw StoreError.io(path: copy, detail: String(cString: strerror(errno))) }
    defer { try? file.close() }
    var offset = 0
    while case let piece = try bytes.read(at: offset, count: 1 << 20), !piece.isEmpty {
      try file.write(contentsOf: piece)
      offset += piece.count
    }
  }

  /// - Parameters:
  ///   - connectionGuard: protects the connection from hostile files.
  ///   - keepsLog: see `ConnectionGuard.prepare`.
  static func configuration(
    isReadOnly: Bool = false, busyTimeout: Double = busyTimeout, connectionGuard: ConnectionGuard? = nil,
    keepsLog: Bool = false
  ) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = isReadOnly
    let lockWait = connectionGuard?.lockWait ?? LockWait()
    configuration.busyMode = .callback { lockWait.goesOn(afterTries: $0, timeout: busyTimeout) }
    configuration.prepareDatabase { database in
      if let connectionGuard {
        connectionGuard.prepare(database, keepsLog: keepsLog)
      } else {
        ConnectionLimits.set(on: database)
      }
      try database.distinguishingReadErrors {
        // Detects damaged pages before they are used.
        try database.execute(sql: "PRAGMA cell_size_check = ON")
        // With a write-ahead log the same as FULL. Without one, the folder is synced too when the rollback journal is
        // removed, which is the commit.
        if !isReadOnly { try database.execute(sql: "PRAGMA synchronous = EXTRA") }
        // Reads the schema, as GRDB does next.
        _ = try Row.fetchOne(database, sql: "SELECT 1 FROM sqlite_master LIMIT 1")
      }
    }
    return configuration
  }

  private func initialize(
    id: ProjectID, master: TrackID? = nil, createdDate: Timestamp? = nil, settings: ProjectSettings, origin: EditOrigin
  ) throws {
    do { try settings.validate() } catch { throw EditError.rule(error) }
    let now = clock()
    try write { database in
      try database.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
      try migrator.makeSchema(database)
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
            "INSERT INTO project (id, uuid, createdDate, \(ProjectSettings.columns)) VALUES (1, ?, ?\(ProjectSettings.fields.map { _ in ", ?" }.joined()))",
          arguments: [id.uuidString, (createdDate ?? now).milliseconds] + settings.arguments)
        try StoredTables(database: database).insert([
          Track(id: master, name: Name(literal: "Master"), orderKey: .master, trackType: .master)
        ])
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
