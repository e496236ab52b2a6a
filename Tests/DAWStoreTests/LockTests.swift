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
}
