import DAWModel
import Foundation
import GRDB
import Testing

@testable import DAWStore

/// A process that closes any descriptor of a file loses its locks on it, so only SQLite may open a project file.
@Suite("Locks")
struct LockTests {
  let folder: TemporaryFolder
  var path: String { folder.project }

  init() throws {
    folder = try TemporaryFolder()
    try SampleProject.create(at: folder.project).close()
  }

  /// The ways to read a project file's bytes while a store is open.
  enum Reading: CaseIterable, Sendable {
    case header, copy, secondStore

    func run(_ folder: TemporaryFolder) throws {
      switch self {
      case .header: try Header.check(folder.project)
      case .copy: try ProjectStore.copyFile(folder.project, to: folder.path + "/copy.sqlite")
      case .secondStore: try ProjectStore.open(at: folder.project).close()
      }
    }
  }

  @Test("Facts can be saved without waiting for another process that writes; an edit waits again")
  func savedNow() throws {
    // Seconds: longer than a machine stands still.
    let busyTimeout = 600.0
    let store = try ProjectStore.open(at: path, busyTimeout: busyTimeout)
    defer { try? store.close() }
    let other = try plainConnection(to: path)
    try other.writeWithoutTransaction { database in
      try database.execute(sql: "BEGIN IMMEDIATE")
      let began = ContinuousClock.now
      #expect(throws: StoreError.self) { try store.recordings.saveNow(RecordingRepositoryTests.facts()) }
      #expect(ContinuousClock.now - began < .seconds(busyTimeout / 2))
      try database.execute(sql: "COMMIT")
    }
    let isHeld = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      try? other.writeWithoutTransaction { database in
        try database.execute(sql: "BEGIN IMMEDIATE")
        isHeld.signal()
        usleep(50_000)
        try database.execute(sql: "COMMIT")
      }
    }
    #expect(isHeld.wait(timeout: .now() + busyTimeout) == .success)
    try store.recordings.save(RecordingRepositoryTests.facts())
    #expect(try store.recordings.recordings(RecordingFilter()).summaries.count == 1)
  }

  @Test("A connection that has waited long for the lock asks as often as at first, and gives up at the time-out")
  func asksAsOften() {
    let timeout = 0.6
    let began = ContinuousClock.now
    var pauses: [Double] = []
    let wait = LockWait { seconds in
      pauses.append(seconds)
      usleep(useconds_t(seconds * 1_000_000))
    }
    var count = 0
    while wait.goesOn(afterTries: count, timeout: timeout) { count += 1 }
    #expect(ContinuousClock.now - began >= .seconds(timeout))
    // SQLite's own are 50 ms and more after a while. What was asked for, not what passed: a busy machine takes longer.
    #expect(!pauses.isEmpty && pauses.allSatisfy { $0 <= 0.01 }, "\(pauses)")
    // What SQLite has counted before, long ago, is not a wait for this lock.
    usleep(1_100_000)
    #expect(wait.goesOn(afterTries: count, timeout: timeout))
    #expect(!wait.goesOn(afterTries: 0, timeout: 0))
    #expect(!wait.turnedOff { wait.goesOn(afterTries: 0, timeout: timeout) })
  }

  @Test("Reading the file's bytes leaves another process locked out of a write", arguments: Reading.allCases)
  func whileWriting(reading: Reading) throws {
    // Without a write-ahead log, a writer's lock is on the file itself.
    let rollback = try plainConnection(to: path)
    try rollback.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
    try rollback.close()
    let store = try ProjectStore.open(at: path)
    try store.holdingWriteLock { _ in
      try reading.run(folder)
      let (status, error) = try run("sqlite3", [path, "BEGIN IMMEDIATE"])
      #expect(status != 0 && error.contains("locked"), "\(error)")
    }
    let (status, error) = try run("sqlite3", [path, "BEGIN IMMEDIATE"])
    #expect(status == 0, "\(error)")
  }

  @Test("Reading the file's bytes leaves another process unable to take the log away", arguments: Reading.allCases)
  func whileOpen(reading: Reading) throws {
    let store = try ProjectStore.open(at: path)
    _ = try store.edit(origin) { try $0.apply(.remove(TrackID(rawValue: 12))) }
    try reading.run(folder)
    let (status, error) = try run("sqlite3", [path, "PRAGMA journal_mode = DELETE"])
    #expect(status != 0 && error.contains("locked"), "\(error)")
    #expect(try store.read { try $0.tracks().count } == 5)
  }

  @Test("A project whose log SQLite cannot get hold of among many processes is busy, and not broken")
  func lockingProtocol() {
    #expect(throws: StoreError.busy(path: path)) {
      try translatingErrors(path) { () -> Void in throw DatabaseError(resultCode: .SQLITE_PROTOCOL) }
    }
  }
}
