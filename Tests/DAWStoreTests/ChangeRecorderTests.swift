import CSQLiteSession
import DAWModel
import DAWTestSupport
import DAWTime
import Foundation
import GRDB
import Testing

@testable import DAWStore

@Suite("Recording changes directly")
struct ChangeRecorderTests {
  @Test("Random edits give the rows that SQLite's session extension gives, byte for byte", arguments: [0, 1])
  func sameBytes(turn: UInt64) throws {
    let seed = Seed.current() &+ turn
    var random = RandomEdits(seed: seed)
    let store = try ProjectStore.inMemory()
    for edit in try SampleProject.edits() { _ = try store.edit(origin) { try $0.apply(edit) } }
    var (step, compared) = (0, 0)
    // How many edits are refused depends on the seed.
    while step < 60 || compared < 20, step < 3_000 {
      defer { step += 1 }
      let project = try store.read { try $0.project() }
      var edits = (0..<Int.random(in: 1...4, using: &random.generator)).map { _ in random.next(for: project) }
      if step.isMultiple(of: 15) { edits.insert(contentsOf: bulk(project, Int64(step) * 10_000, &random), at: 0) }
      edits.shuffle(using: &random.generator)
      guard let changeset = try recordTwice(edits, in: store) else { continue }
      compared += 1
      let comment: Testing.Comment = "seed \(seed), step \(step)"
      #expect(try changeset.direct.records() == changeset.bySQLite.records(), comment)
      #expect(try changeset.direct.operationCount() == changeset.bySQLite.sqliteOperationCount(), comment)
    }
    #expect(compared >= 20, "seed \(seed)")
    #expect(try store.verifyJournal() == [], "seed \(seed)")
  }

  @Test("Rows that are added, changed, removed and added again in one edit come out as their first and last state")
  func severalTimes() throws {
    let store = try ProjectStore.inMemory()
    for edit in try SampleProject.edits() { _ = try store.edit(origin) { try $0.apply(edit) } }
    let before = try store.dump()
    let notes = (0..<2000).map { note(5000 + $0, start: 0) }
    let moved = notes[..<1500].map { note($0.id.rawValue, start: 7) }
    let changes: [[Edit]] = [
      [.add(notes), .set(moved)],
      [.add(notes), .remove(notes[100..<400].map(\.id)), .add(Array(notes[200..<300]))],
      [.add(notes), .remove(RegionID(rawValue: 21))],
      [.add(notes), .set(moved), .set(Array(notes[..<1500])), .add([note(90_000, start: 1)])],
      [.remove([NoteID(rawValue: 30)]), .add([note(30, start: 9)]), .add(notes)],
    ]
    for (index, edits) in changes.enumerated() {
      let changeset = try #require(try recordTwice(edits, in: store))
      #expect(try changeset.direct.records() == changeset.bySQLite.records(), "case \(index)")
      let after = try store.dump()
      _ = try store.undo(origin: origin)
      #expect(try store.dump() == before, "case \(index)")
      _ = try store.redo(origin: origin)
      #expect(try store.dump() == after, "case \(index)")
      _ = try store.undo(origin: origin)
    }
  }

  @Test("More than a piece is compressed by pieces, changed and unchanged rows alike, and undone to the byte")
  func manyPieces() throws {
    let store = try ProjectStore.inMemory()
    for edit in try SampleProject.edits() { _ = try store.edit(origin) { try $0.apply(edit) } }
    let empty = try store.dump()
    let notes = (0..<29_000).map { note(5000 + $0, start: $0) }
    let added = try #require(try recordTwice([.add(notes)], in: store))
    #expect(added.direct.bytes.count > 2 * DeflatedPiece.standardByteCount)
    #expect(try added.direct.records() == added.bySQLite.records())
    let full = try store.dump()
    // Every third note is not changed, and must not be recorded.
    let changed = notes.enumerated().map { $0 % 3 == 0 ? $1 : note($1.id.rawValue, start: 3) }
    let updated = try #require(try recordTwice([.set(changed)], in: store))
    #expect(try updated.direct.records() == updated.bySQLite.records())
    _ = try store.undo(origin: origin)
    #expect(try store.dump() == full)
    _ = try store.undo(origin: origin)
    #expect(try store.dump() == empty)
    _ = try store.redo(2, origin: origin)
    #expect(try store.verifyJournal() == [])
  }

  @Test("Bytes that are no changeset are refused, wherever they end")
  func brokenBytes() throws {
    let store = try ProjectStore.inMemory()
    let changeset = try #require(try recordTwice(SampleProject.edits(), in: store)).direct
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    for end in stride(from: 1, to: changeset.bytes.count, by: 5) {
      var bytes = Array(changeset.bytes[..<end])
      _ = try? Changeset(bytes: bytes).operationCount()
      bytes[Int.random(in: 0..<end, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      _ = try? Changeset(bytes: bytes).operationCount()
    }
    #expect(throws: DatabaseError.self) { try Changeset(bytes: Array(changeset.bytes.dropLast())).operationCount() }
  }

  /// A million bytes and more, which zlib compresses as one piece and daw as several.
  @Test(
    "What is compressed by pieces is one stream for zlib", arguments: [0, 1, 5000, 1 << 20, (1 << 20) + 1, 2_500_000])
  func compression(count: Int) throws {
    var generator = SeededGenerator(seed: 7)
    let some = (0..<4999).map { UInt8.random(in: 0...($0.isMultiple(of: 5) ? 255 : 3), using: &generator) }
    let bytes = Array(repeatElement(some, count: count / some.count + 1).joined().prefix(count))
    let compressed = try Changeset(bytes: bytes).compressed()
    #expect(Changeset(compressed: compressed)?.bytes == bytes)
    #expect(DeflatedPiece(bytes[...])?.inflated() == bytes)
    var damaged = compressed
    damaged[damaged.count - 1] ^= 1
    #expect(Changeset(compressed: damaged) == nil)
  }

  private func note(_ id: Int64, start: Int64) -> MIDINote {
    MIDINote(
      id: NoteID(rawValue: id), region: RegionID(rawValue: 21), start: TickCount(ticks: start),
      duration: TickCount(ticks: 5))
  }
  private func note(_ id: Int, start: Int) -> MIDINote { note(Int64(id), start: Int64(start)) }

  /// Many new notes in an existing region, and changes of many notes.
  private func bulk(_ project: Project, _ base: Int64, _ random: inout RandomEdits) -> [Edit] {
    let regions = project.regions.values.filter { if case .midi = $0.content { true } else { false } }
    guard let region = regions.sorted(by: { $0.id < $1.id }).randomElement(using: &random.generator),
      case .midi(let length) = region.content
    else { return [] }
    let notes = (0..<1200).map { number in
      MIDINote(
        id: NoteID(rawValue: 1_000_000 + base + Int64(number)), region: region.id,
        start: TickCount(ticks: Int64.random(in: 0..<length.ticks, using: &random.generator)),
        duration: TickCount(ticks: 1))
    }
    let old = (project.notes[region.id] ?? []).map { note in
      var note = note
      note.velocity = Int.random(in: 0...127, using: &random.generator)
      return note
    }
    return [.add(notes)] + (old.isEmpty ? [] : [.set(old)])
  }

  /// Makes an edit while a session of SQLite records it as well.
  /// - Returns: `nil` if the edit was refused, or changed nothing.
  private func recordTwice(
    _ edits: [Edit], in store: ProjectStore
  ) throws -> (direct: Changeset, bySQLite: Changeset)? {
    var bySQLite = Changeset(bytes: [])
    let result = try? store.edit(origin) { transaction in
      let session = try ChangeSession(of: Migrator.released.modelTables, in: transaction.database)
      for edit in edits { try transaction.apply(edit) }
      bySQLite = try session.changeset()
    }
    guard let entry = result?.entry else { return nil }
    return (try store.queue.read { try Journal(database: $0).changeset(ofRevision: entry.revision) }, bySQLite)
  }
}

extension Changeset {
  /// The number of operations according to SQLite's iterator.
  fileprivate func sqliteOperationCount() throws -> Int {
    guard !isEmpty else { return 0 }
    var (copy, count) = (bytes, 0)
    try copy.withUnsafeMutableBytes { buffer in
      var iterator: OpaquePointer?
      let code = sqlite3changeset_start(&iterator, Int32(buffer.count), buffer.baseAddress)
      try #require(code == SQLITE_OK)
      while sqlite3changeset_next(iterator) == SQLITE_ROW { count += 1 }
      try #require(sqlite3changeset_finalize(iterator) == SQLITE_OK)
    }
    return count
  }

  /// The bytes of each table's header, and of its rows, sorted.
  fileprivate func records() throws -> [[UInt8]: [[UInt8]]] {
    var records: [[UInt8]: [[UInt8]]] = [:]
    var header: [UInt8] = []
    var offset = 0
    func pass(_ columnCount: Int) {
      for _ in 0..<columnCount {
        let type = bytes[offset]
        offset += 1
        switch type {
        case 1, 2: offset += 8
        case 3, 4: offset += length()
        default: break
        }
      }
    }
    func length() -> Int {
      var value = 0
      repeat {
        value = value << 7 | Int(bytes[offset] & 0x7f)
        offset += 1
      } while bytes[offset - 1] >= 0x80
      return value
    }
    while offset < bytes.count {
      let start = offset
      if bytes[offset] == UInt8(ascii: "T") {
        offset += 2 + Int(bytes[offset + 1])
        while bytes[offset] != 0 { offset += 1 }
        offset += 1
        header = Array(bytes[start..<offset])
        try #require(records[header] == nil, "a table twice")
        records[header] = []
      } else {
        offset += 2
        for _ in 0..<(bytes[start] == 23 ? 2 : 1) { pass(Int(header[1])) }
        records[header]?.append(Array(bytes[start..<offset]))
      }
    }
    return records.mapValues { $0.sorted { $0.lexicographicallyPrecedes($1) } }
  }
}
