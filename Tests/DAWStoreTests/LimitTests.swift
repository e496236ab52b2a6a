import DAWModel
import DAWTime
import Foundation
import GRDB
import Testing

@testable import DAWStore

@Suite("Limits of what is read and written")
struct LimitTests {
  let folder: TemporaryFolder
  var path: String { folder.project }

  init() throws { folder = try TemporaryFolder() }

  private static func isDamaged(_ error: any Error) -> Bool {
    if case StoreError.damaged = error { true } else { false }
  }

  @Test(
    "A text or blob longer than daw writes is reported as damage in every column",
    arguments: [
      "track SET name = CAST(zeroblob(9000000) AS TEXT)", "audioFile SET format = printf('%.*c', 9000000, 'x')",
      "midiEvent SET kind = 240, number = NULL, value = NULL, bytes = zeroblob(9000000)",
      "journalEntry SET summary = printf('%.*c', 9000000, 'x')", "project SET uuid = printf('%.*c', 9000000, 'x')",
    ])
  func longValue(update: String) throws {
    try SampleProject.create(at: path).close()
    let other = try lawlessConnection(to: path)
    try other.write { try $0.execute(sql: "UPDATE \(update)") }
    try other.close()
    #expect {
      let store = try ProjectStore.open(at: path)
      _ = try store.damages()
    } throws: { Self.isDamaged($0) && "\($0)".contains("8 MiB") }
    #expect {
      let store = try ProjectStore.open(at: path)
      _ = try store.history()
      _ = try store.read { try $0.project() }
    } throws: { Self.isDamaged($0) }
  }

  @Test("Texts that daw writes are truncated to the limits; a longer path is refused")
  func writing() throws {
    let long = String(repeating: "é", count: 100_000)
    let store = try ProjectStore.create(
      at: path, settings: ProjectSettings(), origin: EditOrigin(author: long, commandLine: long))
    let made = try store.edit(EditOrigin(author: long, commandLine: long)) { transaction in
      transaction.summary = long
      try transaction.apply(.add(SampleProject.track(12, "Sum", .bus)))
    }
    let entry = try #require(made.entry)
    #expect(entry.author.count == 255 && entry.summary.count == 1000 && entry.commandLine.count == 65_536)
    #expect([entry.author, entry.summary, entry.commandLine].allSatisfy { $0.hasSuffix("…") })
    #expect(try store.history().first?.entry == entry)
    #expect(try store.undoNewest(of: entry.author, origin: origin).value.count == 1)

    var file = SampleProject.audioFile(1, channels: 2)
    file.location.path = "Audio/" + String(repeating: "x", count: 4091)
    let isRefused: (Rule) -> (any Error) -> Bool = { rule in
      { if case EditError.rule(let violation) = $0 { violation.rule == rule } else { false } }
    }
    #expect { try store.edit(origin) { try $0.apply(.add(file)) } } throws: { isRefused(.mediaLocation)($0) }
    file.location.path.removeLast()
    file.format = String(repeating: "x", count: 256)
    #expect { try store.edit(origin) { try $0.apply(.add(file)) } } throws: { isRefused(.audioFileFacts)($0) }
    file.format.removeLast()
    #expect(try store.edit(origin) { try $0.apply(.add(file)) }.entry != nil)
  }

  @Test("Texts of entries that another program has made longer are read up to the limits, and found")
  func longEntryTexts() throws {
    try SampleProject.create(at: path).close()
    let other = try lawlessConnection(to: path)
    try other.write {
      try $0.execute(
        sql: """
          UPDATE journalEntry SET author = 'ada' || printf('%.*c', 2000000, 'x'),
            summary = printf('%.*c', 2000000, 'y'), commandLine = printf('%.*c', 2000000, 'z')
          """)
    }
    try other.close()
    let store = try ProjectStore.open(at: path)
    for entry in try store.history().map(\.entry) {
      #expect(entry.author.count == 255 && entry.author.hasPrefix("adax") && entry.author.hasSuffix("x…"))
      #expect(entry.summary.count == 1_000 && entry.commandLine.count == 65_536)
    }
    let findings = try store.verifyJournal()
    #expect(findings.contains { if case .textsAreTooLong(_, 1...) = $0 { true } else { false } }, "\(findings)")
    #expect(findings.count == 1)
    _ = try store.edit(origin) { try $0.apply(.add(SampleProject.track(98, "Late", .bus))) }
    _ = try store.undo(origin: origin)
  }

  @Test("A changeset longer than any other value is written, read, checked and copied")
  func longChangeset() throws {
    let store = try SampleProject.create(at: path)
    var generator = SystemRandomNumberGenerator()
    // Incompressible: ten messages of a megabyte.
    let events = (0..<10).map { number in
      let noise = (0..<(1 << 17)).flatMap { _ in withUnsafeBytes(of: generator.next(), Array.init) }
      return SampleProject.event(100 + Int64(number), .meta(type: 1, Array(noise.prefix(RegionEvent.maximumByteCount))))
    }
    _ = try store.edit(origin) { try $0.apply(.add(events)) }
    let dump = try store.dump()
    _ = try store.undo(origin: origin)
    _ = try store.redo(origin: origin)
    #expect(try store.dump() == dump)
    #expect(try store.damages() == [] && store.verifyJournal() == [])
    try store.vacuum(into: folder.path + "/copy.sqlite")
    #expect(try ProjectStore.open(at: folder.path + "/copy.sqlite").verifyJournal() == [])
  }

  @Test(
    "A file system is full that has no room for an edit, not one of any size, nor one that does not say its size",
    arguments: [
      (1, 100, true), (0, 100, true), (100, 100, false), (.max, .max, false), (0, 0, false),
    ] as [(UInt, UInt, Bool)])
  func fullFileSystem(free: UInt, all: UInt, isFull: Bool) {
    #expect(FileSystem.isFull(freeBlocks: free, of: all, byteCount: 4096) == isFull)
  }

  @Test("A changeset that zlib would compress too much is stored uncompressed, and undone")
  func denseChangeset() throws {
    let store = try SampleProject.create(at: path)
    let zeros = [UInt8](repeating: 0, count: RegionEvent.maximumByteCount)
    let events = (0..<17).map { SampleProject.event(100 + Int64($0), .meta(type: 1, zeros)) }
    let before = try store.dump()
    let added = try store.edit(origin) { try $0.apply(.add(events)) }
    let dump = try store.dump()
    _ = try store.undo(origin: origin)
    #expect(try store.dump() == before)
    _ = try store.redo(origin: origin)
    #expect(try store.dump() == dump)
    #expect(try store.damages() == [] && store.verifyJournal() == [])
    let revision = try #require(added.entry).revision
    let isCompressed = try store.queue.read {
      try Bool.fetchOne($0, sql: "SELECT isCompressed FROM journalEntry WHERE revision = ?", arguments: [revision])
    }
    #expect(isCompressed == false)
  }

  @Test("Too dense changesets stay uncompressed, as a whole and in pieces")
  func densePieces() throws {
    let zeros = [UInt8](repeating: 0, count: DeflatedPiece.standardByteCount)
    let sixteen = [DeflatedPiece?](repeating: DeflatedPiece(zeros[...]), count: 16)
    #expect(try DeflatedPiece.stored(sixteen).isCompressed)
    let more = try DeflatedPiece.stored(sixteen + [DeflatedPiece([7])])
    #expect(!more.isCompressed && more.bytes.count == (16 << 20) + 1 && more.bytes.last == 7)
    #expect(try Changeset(bytes: more.bytes).stored() == more)
  }

  @Test("A decompression bomb is refused before it expands, and the entry is named")
  func expandingChangeset() throws {
    let store = try SampleProject.create(at: path)
    let zeros = [UInt8](repeating: 0, count: DeflatedPiece.standardByteCount)
    // As small as zlib can make it: 17 MiB in some 80 KB.
    let bytes = try DeflatedPiece.joined([DeflatedPiece?](repeating: DeflatedPiece(zeros[...]), count: 17))
    #expect(bytes.count < 100_000 && Changeset(compressed: bytes) == nil)
    let revision = try #require(store.history().first?.entry).revision
    try store.close()
    let other = try lawlessConnection(to: path)
    try other.write {
      try $0.execute(
        sql: "UPDATE journalEntry SET changeset = ?, isCompressed = 1 WHERE revision = ?",
        arguments: [Data(bytes), revision])
    }
    try other.close()
    let opened = try ProjectStore.open(at: path)
    #expect {
      _ = try opened.undo(origin: origin)
    } throws: {
      Self.isDamaged($0) && "\($0)".contains("entry \(revision)") && "\($0)".contains("17825792")
    }
  }

  @Test("Malformed changesets are errors when they are used; the project can still be read")
  func noChangesets() throws {
    try SampleProject.create(at: path).close()
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    for (changeset, isCompressed) in [
      ("x''", 1), ("x'00'", 0), ("x'54FFFFFFFF7F'", 0), ("x'540301'", 0), ("randomblob(5000)", 0),
      ("randomblob(5000)", 1), ("x'7FFFFFFFFFFFFFFF789C'", 1), ("x'0000000000000000780103'", 1),
      ("x'5408010000000000000074726163' || x'6B00'", 0), ("zeroblob(100000)", 0),
    ] {
      try whole.write(to: URL(fileURLWithPath: path))
      let other = try lawlessConnection(to: path)
      try other.write {
        try $0.execute(
          sql: "UPDATE journalEntry SET changeset = CAST(\(changeset) AS BLOB), isCompressed = \(isCompressed)")
      }
      try other.close()
      let store = try ProjectStore.open(at: path)
      #expect(try store.read { try $0.tracks().count } == 6)
      for use in [
        { _ = try store.undo(origin: origin) }, { _ = try store.verifyJournal() },
        { _ = try store.mediaPathsInHistory() },
      ] as [() throws -> Void] {
        do { try use() } catch { #expect(error is StoreError, "\(changeset): \(error)") }
      }
      #expect(try store.read { try $0.tracks().count } == 6)
      try store.close()
    }
  }

  /// A b-tree in which each page refers to the next one hundreds of times has more rows than can be read.
  @Test("A b-tree that contains itself ends in an error")
  func endlessTree() throws {
    let store = try SampleProject.create(at: path)
    try addNotes(3000, to: store)
    try store.close()
    let (root, pageSize) = try DatabaseQueue(path: path).read { database in
      (
        try #require(try Int.fetchOne(database, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'midiNote'")),
        try #require(try Int.fetchOne(database, sql: "PRAGMA page_size"))
      )
    }
    var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    let start = (root - 1) * pageSize
    #expect(bytes[start] == 5, "an inner page")
    let count = Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])
    let children = (0..<count).map { cell in
      let pointer = start + 12 + 2 * cell
      let place = start + Int(bytes[pointer]) << 8 + Int(bytes[pointer + 1])
      return bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    let pages = [root] + children.prefix(15)
    #expect(pages.count > 10)
    for (page, next) in zip(pages, pages.dropFirst()) {
      bytes.replaceSubrange((page - 1) * pageSize..<page * pageSize, with: innerPage(pageSize, leadingTo: next))
    }
    try Data(bytes).write(to: URL(fileURLWithPath: path))

    let bomb = try ProjectStore.open(at: path)
    #expect { try bomb.read { try $0.project() } } throws: { Self.isDamaged($0) }
    // Reads all rows in the order of the b-tree.
    #expect { try bomb.read { try $0.brokenRules() } } throws: { Self.isDamaged($0) && "\($0)".contains("steps") }
    do { #expect(try bomb.damages() != []) } catch { #expect(Self.isDamaged(error)) }
  }

  /// An inner page of a table's b-tree whose cells all refer to one page.
  private func innerPage(_ size: Int, leadingTo child: Int) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }
    let cells = 100
    var page = [UInt8](repeating: 0, count: size)
    page[0] = 5
    page.replaceSubrange(3..<5, with: number(cells, 2))
    page.replaceSubrange(5..<7, with: number(size - 5 * cells, 2))
    page.replaceSubrange(8..<12, with: number(child, 4))
    for cell in 0..<cells {
      let place = size - 5 * (cell + 1)
      page.replaceSubrange(12 + 2 * cell..<14 + 2 * cell, with: number(place, 2))
      page.replaceSubrange(place..<place + 4, with: number(child, 4))
      page[place + 4] = UInt8(cell + 1)
    }
    return page
  }

  private func addNotes(_ count: Int64, to store: ProjectStore) throws {
    let notes = (0..<count).map {
      MIDINote(
        id: NoteID(rawValue: 1000 + $0), region: RegionID(rawValue: 21), start: TickCount(ticks: $0),
        duration: TickCount(ticks: 10))
    }
    _ = try store.edit(origin) { try $0.apply(.add(notes)) }
  }

  @Test("A project of many notes needs a small part of its step budget")
  func stepsNeeded() throws {
    let store = try SampleProject.create(at: path)
    func share(_ what: Testing.Comment, _ body: () throws -> Void) rethrows {
      try body()
      // Ignores the fixed part of the budget: the rest grows with the file.
      let budget = store.connectionGuard.budget
      let allowed = budget.allowed - StepBudget.ofTransaction
      #expect(budget.taken * 4 < allowed, "\(what): \(budget.taken) of \(allowed)")
    }
    try addNotes(30_000, to: store)
    try share("a read") { _ = try store.read { try $0.project() } }
    try share("the rules") { _ = try store.read { try $0.brokenRules() } }
    try share("the file") { _ = try store.damages() }
    try share("the journal") { _ = try store.verifyJournal() }
    try share("an undo") { _ = try store.undo(origin: origin) }
    try share("a redo") { _ = try store.redo(origin: origin) }
    try share("a deletion") { _ = try store.edit(origin) { try $0.apply(.remove(TrackID(rawValue: 11))) } }
  }

  @Test("Each command of a transaction has steps of its own, and a command no more than these")
  func stepsOfCommands() throws {
    let store = try SampleProject.create(at: path)
    // Some ten million steps.
    let sql = """
      WITH RECURSIVE list (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM list WHERE n < 900000) SELECT count(*) FROM list
      """
    func edit(_ begin: (ProjectTransaction) -> Void) throws {
      _ = try store.edit(origin) { transaction in
        for _ in 0..<6 {
          begin(transaction)
          let count = try Int.fetchOne(transaction.database, sql: sql)
          #expect(count == 900_000)
        }
      }
    }
    try edit { $0.beginCommand() }
    let error = #expect(throws: StoreError.self) { try edit { _ in } }
    #expect(error?.description.contains("'daw check' says whether the file is damaged") == true)
    #expect(error?.description.contains("daw recover") == false)
  }
}
