import DAWModel
import DAWTestSupport
import Foundation
import GRDB
import Testing

@testable import DAWStore

extension RecoveryTests {
  /// Changes many rows in a transaction that is not completed, and cuts the power.
  /// - Returns: the file, some pages of which are already written, and its rollback journal.
  private func cutOff(_ path: String) throws -> (file: [UInt8], journal: [UInt8]) {
    let lawless = try lawlessConnection(to: path)
    defer { try? lawless.close() }
    return try lawless.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA cache_size = 4; PRAGMA cache_spill = 1")
      try database.execute(sql: "BEGIN IMMEDIATE; UPDATE midiNote SET pitch = 1; DELETE FROM marker WHERE id > 2020")
      let cut = (file: try bytes(path), journal: try bytes(path + "-journal"))
      try database.execute(sql: "ROLLBACK")
      return cut
    }
  }

  @Test(
    "What a transaction has written that a power cut interrupted is taken back by its rollback journal, as by SQLite")
  func journal() throws {
    try makeProject().close()
    let contents = try rows(folder.project)
    let whole = try bytes(folder.project)
    let (file, journal) = try cutOff(folder.project)
    #expect(file != whole && journal.count > 20 * 4096)
    try write(file, to: damaged)
    try Data(journal).write(to: URL(fileURLWithPath: damaged + "-journal"))
    let report = try recover(damaged)
    #expect(report.hasHistory && report.tables.allSatisfy { $0.unreadableCount == 0 && $0.droppedCount == 0 })
    #expect(try rows(recovered) == contents)
    #expect(try bytes(damaged) == file && bytes(damaged + "-journal") == journal)
    try expectSound("journal")
    // Without it the file has rows that were not to be.
    try FileManager.default.removeItem(atPath: damaged + "-journal")
    _ = try recover(damaged)
    #expect(try rows(recovered) != contents)
    try write(file, to: damaged)
    try Data(journal).write(to: URL(fileURLWithPath: damaged + "-journal"))
    #expect(try rows(damaged) == contents)
  }

  @Test("A backup that was copied over a project is read without the log of that project")
  func logOfAnother() throws {
    try makeProject().close()
    let store = try ProjectStore.open(at: folder.project)
    let backup = folder.path + "/backup.sqlite"
    try store.vacuum(into: backup)
    // While it is open, the log is kept.
    try addNotes(to: store, from: 30_000, count: 500)
    let log = try bytes(folder.project + "-wal")
    try store.close()
    #expect(log.count > 8 * 4096)
    let contents = try rows(backup)
    try write(bytes(backup), to: damaged)
    try Data(log).write(to: URL(fileURLWithPath: damaged + "-wal"))
    let report = try recover(damaged)
    #expect(report.hasHistory && report.tables.allSatisfy { $0.unreadableCount == 0 && $0.droppedCount == 0 })
    #expect(try rows(recovered) == contents)
    try expectSound("the log of another file")
  }

  @Test("A torn, foreign or zeroed rollback journal gives a sound project")
  func tornJournal() throws {
    try makeProject().close()
    let whole = try bytes(folder.project)
    let (file, journal) = try cutOff(folder.project)
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    for turn in 0..<8 {
      var torn = journal
      switch turn {
      case 0: torn.removeLast(torn.count / 2)
      case 1: for place in 0..<28 { torn[place] = 0 }
      case 2: torn.replaceSubrange(8..<28, with: [UInt8](repeating: 255, count: 20))
      case 3: torn = Array(journal.prefix(28))
      default: torn[Int.random(in: 0..<torn.count, using: &random)] ^= 0x55
      }
      try write(file, to: damaged)
      try Data(torn).write(to: URL(fileURLWithPath: damaged + "-journal"))
      let report = try recover(damaged)
      try expectSound("seed \(seed), turn \(turn)", isChanged: true)
      // One that is shorter than it says: what was written is only in part taken back.
      if turn == 3 { #expect(!report.hasHistory, "turn \(turn)") }
    }
    // A completed transaction leaves a journal of zeros, or of no length, on some settings.
    try write(whole, to: damaged)
    try Data([UInt8](repeating: 0, count: 28) + journal.dropFirst(28)).write(
      to: URL(fileURLWithPath: damaged + "-journal"))
    #expect(try recover(damaged).hasHistory)
    #expect(try rows(recovered) == rows(folder.project))
  }

  @Test("Of a sparse file of a terabyte only what lies on disk is read")
  func sparse() throws {
    try makeProject().close()
    let contents = try rows(folder.project, migrator.modelTables)
    var bytes = try self.bytes(folder.project)
    let count = bytes.count / 4096
    // A table's rows are found only by looking at all pages.
    let interior = try #require((1..<count).first { bytes[$0 * 4096] == 0x05 })
    for place in interior * 4096..<(interior + 1) * 4096 { bytes[place] = 0 }
    try write(bytes, to: damaged)
    #expect(truncate(damaged, 1 << 40) == 0)
    let pages = try DamagedPages(of: damaged)
    #expect(pages.pageCount == 1 << 28 && pages.presentCount >= count - 1 && pages.presentCount < count + 64)
    _ = try recover(damaged)
    try expectSound("sparse")
    #expect(try rows(recovered, migrator.modelTables) == contents)
    try write([], to: damaged)
    #expect(truncate(damaged, 1 << 40) == 0)
    #expect(throws: StoreError.self) { try recover(damaged) }
  }

  @Test("Rows beyond what is held in memory: the history goes first, then it is refused with a sentence")
  func room() throws {
    try makeProject().close()
    let contents = try rows(folder.project, migrator.modelTables)
    func recover(room: Int) throws -> RecoveryReport {
      for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: recovered + ending) }
      return try ProjectStore.recover(
        folder.project, backups: [], to: recovered, named: Name(literal: "New"), origin: origin, room: room)
    }
    var (refused, taken) = (1 << 10, 1 << 26)
    #expect(try recover(room: taken).hasHistory)
    while taken - refused > 1 << 10 {
      let middle = (taken + refused) / 2
      do {
        _ = try recover(room: middle)
        taken = middle
      } catch let error as StoreError {
        #expect(error.description.contains("of rows beside its history") && error.code == "unsafeFile")
        #expect(!FileManager.default.fileExists(atPath: recovered))
        refused = middle
      }
    }
    #expect(try !recover(room: taken).hasHistory)
    try expectSound("without its history")
    #expect(try rows(recovered, migrator.modelTables) == contents)
  }

  @Test(
    "Rows that only a log or a rollback journal still has are found, where no tree leads to them",
    arguments: [true, false])
  func onlyAside(isLog: Bool) throws {
    try makeProject().close()
    let root = try pageNumber(ofTable: "midiNote")
    let noted = try places(folder.project)["midiNote"] ?? []
    let lawless = try lawlessConnection(to: folder.project)
    let (file, aside) = try lawless.writeWithoutTransaction { database in
      guard isLog else { return (try bytes(folder.project), [UInt8]()) }
      try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
      try database.execute(sql: "UPDATE midiNote SET pitch = pitch + 1; UPDATE midiNote SET pitch = pitch - 1")
      return (try bytes(folder.project), try bytes(folder.project + "-wal"))
    }
    try lawless.close()
    let interrupted = isLog ? (file: file, journal: aside) : try cutOff(folder.project)
    // The head of the table's tree is zeros, and its leaves are holes.
    try write([], to: damaged)
    #expect(truncate(damaged, off_t(interrupted.file.count)) == 0)
    let descriptor = open(damaged, O_WRONLY)
    defer { close(descriptor) }
    let leaves = Set(noted.flatMap(\.pages))
    #expect(leaves.count > 20 && !leaves.contains(root))
    for page in 1...interrupted.file.count / 4096 where page != root && !leaves.contains(page) {
      let bytes = Array(interrupted.file[(page - 1) * 4096..<page * 4096])
      #expect(pwrite(descriptor, bytes, 4096, off_t((page - 1) * 4096)) == 4096)
    }
    #expect(interrupted.journal.count > 20 * 4096)
    #expect(try salvaged(damaged).tables["midiNote"]?.rows.count == 0)
    try Data(interrupted.journal).write(to: URL(fileURLWithPath: damaged + (isLog ? "-wal" : "-journal")))
    let found = try salvaged(damaged).tables["midiNote"]
    #expect(found?.rows.count == noted.count)
    let isSame = found.map { Set($0.rows.values) } == Set(noted.map { [.integer($0.rowID)] + $0.values.dropFirst() })
    #expect(isSame)
  }

  @Test("Of a table that is larger than there is room for, no more is read than there is room")
  func roomInTree() throws {
    try makeProject().close()
    let root = try pageNumber(ofTable: "midiNote")
    var reader = DamagedTreeReader(try DamagedPages(of: folder.project), room: 1)
    let tree = reader.tree(from: root)
    #expect(!tree.rows.isEmpty && Set(tree.rows.flatMap(\.pages)).count == 1 && tree.lostCount == 1 && reader.room <= 0)
  }

  /// The head of a table's tree.
  private func pageNumber(ofTable table: String) throws -> Int {
    let queue = try DatabaseQueue(path: folder.project)
    defer { try? queue.close() }
    return try queue.read { database in
      try Int.fetchOne(database, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [table]) ?? 0
    }
  }
}
