import CSQLiteSession
import DAWModel
import Foundation
import GRDB
import Synchronization
import Testing

@testable import DAWStore

/// The inode of a file of which SQLite can read nothing; 0: of none.
private let unreadableFile = Atomic<UInt64>(0)
/// Where in that file it can read nothing.
private let unreadableOffset = Atomic<Int>(0)

/// As `pread`, but for that file.
private func readUnlessUnreadable(
  _ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int, _ offset: off_t
) -> Int {
  var status = stat()
  if fstat(descriptor, &status) == 0, UInt64(status.st_ino) == unreadableFile.load(ordering: .relaxed),
    offset >= unreadableOffset.load(ordering: .relaxed)
  {
    errno = EIO
    return -1
  }
  return pread(descriptor, bytes, count, offset)
}

@Suite("Disks that cannot be read")
struct ReadErrorTests {
  @Test("A disk that cannot be read for once is an error of the disk, and no damage")
  func passing() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/large.sqlite"
    let made = try DatabaseQueue(path: path)
    try made.write { try $0.execute(sql: "CREATE TABLE large (x); INSERT INTO large VALUES (zeroblob(100000))") }
    try made.close()
    let queue = try DatabaseQueue(path: path)
    func length() throws -> Int? {
      try translatingErrors(path) {
        try queue.read { database in
          try database.distinguishingReadErrors {
            try Int.fetchOne(database, sql: "SELECT sum(length(hex(x))) FROM large")
          }
        }
      }
    }
    // Reads the schema, and not the table.
    #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") } == 1)
    let system = try #require(sqlite3_vfs_find(nil))
    let function: @convention(c) (Int32, UnsafeMutableRawPointer?, Int, off_t) -> Int = readUnlessUnreadable
    let read = unsafeBitCast(function, to: sqlite3_syscall_ptr.self)
    let names: [String] = ["pread", "pread64"].filter { name in system.pointee.xGetSystemCall(system, name) != nil }
    let results = names.map { name in system.pointee.xSetSystemCall(system, name, read) }
    #expect(!results.isEmpty && results.allSatisfy { $0 == SQLITE_OK })
    defer { for name in names { _ = system.pointee.xSetSystemCall(system, name, nil) } }
    var status = stat()
    let hasStatus = stat(path, &status) == 0
    try #require(hasStatus)
    unreadableFile.store(UInt64(status.st_ino), ordering: .relaxed)
    do {
      defer { unreadableFile.store(0, ordering: .relaxed) }
      #expect {
        _ = try length()
      } throws: { error in
        guard case StoreError.io(_, let detail) = error else { return false }
        return detail.contains("the disk could not be read")
      }
    }
    #expect(try length() == 200_000)
    // Also while a project is opened: its first page can be read, and what else the schema is in cannot.
    let project = folder.path + "/project.sqlite"
    try ProjectStore.create(
      at: project, settings: ProjectSettings(), origin: EditOrigin(author: "a", commandLine: "new")
    ).close()
    let hasProject = stat(project, &status) == 0
    try #require(hasProject)
    unreadableOffset.store(4_096, ordering: .relaxed)
    unreadableFile.store(UInt64(status.st_ino), ordering: .relaxed)
    do {
      defer { unreadableFile.store(0, ordering: .relaxed) }
      #expect {
        _ = try ProjectStore.open(at: project)
      } throws: { error in
        guard case StoreError.io(_, let detail) = error else { return false }
        return detail.contains("the disk could not be read")
      }
    }
    try ProjectStore.open(at: project).close()
  }
}
