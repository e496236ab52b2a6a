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
        let watch = ConnectionGuard(path: path, migrator: .released)
        let queue = try DatabaseQueue(path: path, configuration: configuration(watch: watch))
        try queue.writeWithoutTransaction { database in
          // Before there is a log, so that the file itself says what it is.
          try database.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
          try database.execute(sql: "PRAGMA journal_mode = \(FileSystem.isNetwork(path) ? "DELETE" : "WAL")")
        }
        let store = ProjectStore(queue: queue, watch: watch, path: path, access: .readWrite, clock: clock)
        try store.initialize(id: id, master: master, createdDate: createdDate, settings: settings, origin: origin)
        return store
      }
    } catch {
      for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
      throw error
    }
  }

  /// Makes the file, empty, so that of two who make the same project one is refused. Its descriptor may be closed here: no
  /// connection of this process can have locks on a file that is new.
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
      let watch = ConnectionGuard(path: ":memory:", migrator: .released)
      let store = ProjectStore(
        queue: try DatabaseQueue(configuration: configuration(watch: watch)), watch: watch, path: ":memory:",
        access: .readWrite, clock: clock)
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
      let version = try store.reading(Migrator.version)
      return version < migrator.currentVersion ? try store.migratedForReading(from: version) : store
    }
  }

  /// Opens a project file to edit it: an older one is migrated first, after a backup.
  /// - Parameter backupFolder: made where it is missing; asked for only where a backup is due.
  /// - Throws: `StoreError`, `.readOnly` where the file is older and cannot be written.
  public static func openForEditing(
    at path: String, backupFolder: @autoclosure () throws -> String, busyTimeout: Double = busyTimeout,
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now
  ) throws -> ProjectStore {
    try openForEditing(
      at: path, backupFolder: try backupFolder(), busyTimeout: busyTimeout, clock: clock, migrator: .released)
  }

  static func openForEditing(
    at path: String, backupFolder: @autoclosure () throws -> String, busyTimeout: Double = busyTimeout,
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now, migrator: Migrator
  ) throws -> ProjectStore {
    let store = try openFile(at: path, busyTimeout: busyTimeout, clock: clock, migrator: migrator)
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

  /// Opens the file itself, whatever version it has that is not newer.
  static func openFile(
    at path: String, busyTimeout: Double, clock: @escaping @Sendable () -> Timestamp, migrator: Migrator
  ) throws -> ProjectStore {
    try ProjectFiles.check(path)
    try Header.check(path)
    return try translatingErrors(path) {
      let watch = ConnectionGuard(path: path, migrator: migrator)
      if let reason = FileSystem.reasonNotToWrite(path) {
        let queue = try openReadOnly(path, watch)
        try requireProject(queue, watch, path, migrator)
        return ProjectStore(
          queue: queue, watch: watch, path: path, access: .readOnly(reason: reason), clock: clock, migrator: migrator)
      }
      let hasLog = FileManager.default.fileExists(atPath: path + "-wal")
      let queue = try DatabaseQueue(
        path: path, configuration: configuration(busyTimeout: busyTimeout, watch: watch, keepsLog: hasLog))
      try queue.inDatabase { try ProjectFiles.requireUnmoved($0, path) }
      try requireProject(queue, watch, path, migrator)
      if FileSystem.isNetwork(path) {
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
      }
      return ProjectStore(
        queue: queue, watch: watch, path: path, access: .readWrite, clock: clock, migrator: migrator)
    }
  }

  /// Refuses at once what is no project, is newer, or has another schema than its version.
  private static func requireProject(
    _ queue: DatabaseQueue, _ watch: ConnectionGuard, _ path: String, _ migrator: Migrator
  ) throws {
    try queue.read { database in
      try requireVersion(of: database, path, migrator)
      try watch.begin(database)
      _ = try required(Row.fetchOne(database, sql: "SELECT uuid, createdDate FROM project"), "the project")
      _ = try Journal(database: database).state()
    }
  }

  /// Reads what marks a file as ours, of a version that is known.
  static func requireVersion(of database: Database, _ path: String, _ migrator: Migrator) throws {
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
  }

  /// `immutable` where there is no log. SQLite reads a log in a folder that it cannot write only where another process has
  /// it open and shares its memory; else a copy is read.
  static func openReadOnly(_ path: String, _ watch: ConnectionGuard? = nil) throws -> DatabaseQueue {
    let readOnly = configuration(isReadOnly: true, watch: watch)
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
      // The copy of a file that may not be written may not be, either.
      chmod(copyPath + "-wal", 0o600)
      let copy = try DatabaseQueue(path: copyPath, configuration: configuration(watch: watch))
      let memory = try DatabaseQueue(configuration: configuration(watch: watch))
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
  ///   - watch: looks after a connection that may meet a file of another's making.
  ///   - keepsLog: see `ConnectionGuard.prepare`.
  static func configuration(
    isReadOnly: Bool = false, busyTimeout: Double = busyTimeout, watch: ConnectionGuard? = nil, keepsLog: Bool = false
  ) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = isReadOnly
    configuration.busyMode = .timeout(busyTimeout)
    configuration.prepareDatabase { database in
      if let watch { watch.prepare(database, keepsLog: keepsLog) } else { ConnectionLimits.set(on: database) }
      // A damaged page is noticed before it is used.
      try database.execute(sql: "PRAGMA cell_size_check = ON")
      guard !isReadOnly else { return }
      // With a write-ahead log the same as FULL. Without one, the folder is synced too when the rollback journal is
      // removed: that is the commit.
      try database.execute(sql: "PRAGMA synchronous = EXTRA")
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
