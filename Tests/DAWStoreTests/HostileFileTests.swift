import DAWModel
import Foundation
import GRDB
import Testing

@testable import DAWStore

@Suite("Links and special files")
struct HostileFileTests {
  let folder: TemporaryFolder
  var path: String { folder.project }
  /// A file that must not be touched.
  var letter: String { folder.path + "/letter.txt" }
  private let content = Data("Dear Ada".utf8)

  init() throws {
    folder = try TemporaryFolder()
    try SampleProject.create(at: folder.project).close()
    try content.write(to: URL(fileURLWithPath: letter))
  }

  private func expectUnsafe(_ file: String) throws {
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    for open in [
      { _ = try ProjectStore.open(at: path) },
      { _ = try ProjectStore.openForEditing(at: path, backupFolder: folder.path + "/Backups") },
      { _ = try ProjectStore.repairSchema(at: path) { folder.path + "/backup.sqlite" } },
    ] as [() throws -> Void] {
      #expect {
        try open()
      } throws: { error in
        if case StoreError.unsafeFile(file, _) = error { true } else { false }
      }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: letter)) == content)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == before)
  }

  @Test(
    "A link, a hard link, a pipe or a folder in place of a file that SQLite writes is refused",
    arguments: ["-wal", "-shm", "-journal"])
  func beside(ending: String) throws {
    let makers: [(String) throws -> Void] = [
      { try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: letter) },
      { try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: folder.path + "/nowhere") },
      { try FileManager.default.linkItem(atPath: letter, toPath: $0) },
      { #expect(mkfifo($0, 0o600) == 0) },
      { try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false) },
    ]
    for make in makers {
      try make(path + ending)
      try expectUnsafe(path + ending)
      try FileManager.default.removeItem(atPath: path + ending)
    }
    #expect(try ProjectStore.open(at: path).read { try $0.tracks().count } == 6)
  }

  @Test("A backup that was copied over a project whose log is still there is refused, and not a byte changes")
  func logOfAnother() throws {
    let (log, copy) = (URL(fileURLWithPath: path + "-wal"), folder.path + "/backup.sqlite")
    let store = try ProjectStore.open(at: path)
    try store.vacuum(into: copy)
    _ = try store.edit(origin) { try $0.apply(.remove(TrackID(rawValue: 12))) }
    // As a process leaves it that is killed, or has the project open still.
    let left = try Data(contentsOf: log)
    try store.close()
    let backup = try Data(contentsOf: URL(fileURLWithPath: copy))
    try backup.write(to: URL(fileURLWithPath: path))
    try left.write(to: log)
    try expectUnsafe(path + "-wal")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == backup && Data(contentsOf: log) == left)
    try FileManager.default.removeItem(at: log)
    #expect(try ProjectStore.open(at: path).read { try $0.tracks().count } == 6)
  }

  @Test("A link in place of the project file is refused; one to its folder is not")
  func link() throws {
    let link = folder.path + "/link.sqlite"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect {
      try ProjectStore.open(at: link)
    } throws: { if case StoreError.unsafeFile(link, _) = $0 { true } else { false } }
    let around = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: around.path + "/Song.daw", withDestinationPath: folder.path)
    let store = try ProjectStore.open(at: around.path + "/Song.daw/project.sqlite")
    #expect(store.access == .readWrite)
    _ = try store.edit(origin) { try $0.apply(.remove(TrackID(rawValue: 12))) }
  }

  @Test("A pipe or a folder in place of the project file is refused without waiting")
  func noFile() throws {
    #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
    for file in [folder.path + "/pipe", folder.path] {
      #expect(throws: StoreError.notAProject(path: file)) { try ProjectStore.open(at: file) }
    }
  }

  @Test("A file with a hard link is read, but not edited: each name would have its own log")
  func hardLink() throws {
    try FileManager.default.linkItem(atPath: path, toPath: folder.path + "/snapshot.sqlite")
    let store = try ProjectStore.open(at: path)
    #expect(try store.read { try $0.tracks().count } == 6)
    #expect {
      try store.edit(origin) { try $0.apply(.remove(TrackID(rawValue: 12))) }
    } throws: { if case StoreError.readOnly = $0 { true } else { false } }
    try FileManager.default.removeItem(atPath: folder.path + "/snapshot.sqlite")
    #expect(try ProjectStore.open(at: path).access == .readWrite)
  }

  /// SQLite rolls such a journal back, and then deletes the file that it names if that is not a valid super-journal.
  @Test("A journal that names another file is refused, and the file stays")
  func journalOfSeveral() throws {
    try Data(journal(naming: letter)).write(to: URL(fileURLWithPath: path + "-journal"))
    try expectUnsafe(path + "-journal")
    try FileManager.default.copyItem(atPath: path, toPath: folder.path + "/other.sqlite")
    try FileManager.default.copyItem(atPath: path + "-journal", toPath: folder.path + "/other.sqlite-journal")
    _ = try run("sqlite3", [folder.path + "/other.sqlite", "SELECT * FROM project"])
    // If a later SQLite does not delete it, the refusal can be removed.
    #expect(!FileManager.default.fileExists(atPath: letter))
  }

  /// - SeeAlso: https://www.sqlite.org/fileformat.html, section 3
  private func journal(naming file: String) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    var header = magic + [0, 1, 2, 512, 4096].flatMap(number)
    header += [UInt8](repeating: 0, count: 512 - header.count)
    let name = Array(file.utf8)
    return header + number((1 << 30) / 4096 + 1) + name + number(name.count) + number(name.reduce(0) { $0 + Int($1) })
      + magic
  }

  @Test("A journal of a single file is rolled back as usual")
  func ownJournal() throws {
    let other = try plainConnection(to: path)
    try other.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
    try other.inDatabase { database in
      try database.execute(sql: "PRAGMA cache_size = 1; BEGIN; UPDATE track SET pan = 1; PRAGMA cache_spill = 1")
      try database.execute(
        sql: """
          INSERT INTO journalEntry SELECT revision + 100000, entryID + 100000, parent, target, kind, schemaVersion, date,
            author, summary, commandLine, isCompressed, zeroblob(1000000) FROM journalEntry LIMIT 3
          """)
      let copy = folder.path + "/killed.sqlite"
      for ending in ["", "-journal"] {
        try FileManager.default.copyItem(atPath: path + ending, toPath: copy + ending)
      }
      try database.execute(sql: "ROLLBACK")
    }
    let store = try ProjectStore.open(at: folder.path + "/killed.sqlite")
    #expect(try store.read { try $0.tracks().allSatisfy { $0.pan.position == 0 } })
    #expect(try store.damages() == [])
  }
}
