import DAWModel
import DAWTestSupport
import DAWTime
import Dispatch
import Foundation
import GRDB
import Testing

@testable import DAWStore

@Suite("Many writers, trials and crashes")
struct ManyWritersTests {
  let folder: TemporaryFolder
  var path: String { folder.project }

  init() throws { folder = try TemporaryFolder() }

  @Test("Ten connections that edit at once: every edit is there, and no revision is missing or double")
  func tenWriters() throws {
    try SampleProject.create(at: path).close()
    let (writers, edits) = (10, 15)
    let revisions = Collected<Int64>()
    let errors = Collected<any Error>()
    DispatchQueue.concurrentPerform(iterations: writers) { writer in
      do {
        let store = try ProjectStore.open(at: path, busyTimeout: 60)
        for _ in 0..<edits {
          let result = try store.edit(EditOrigin(author: "writer \(writer)", commandLine: "")) { transaction in
            let note = MIDINote(
              id: try transaction.newID(of: MIDINote.self), region: RegionID(rawValue: 21), pitch: writer,
              duration: TickCount(ticks: 10))
            try transaction.apply(.add([note]))
          }
          revisions.append(result.revision)
        }
        try store.close()
      } catch { errors.append(error) }
    }
    #expect(errors.all.isEmpty, "\(errors.all)")
    let store = try ProjectStore.open(at: path)
    let notes = try store.read { try $0.notes(in: RegionID(rawValue: 21)) }
    for writer in 0..<writers { #expect(notes.count { $0.pitch == writer && $0.duration.ticks == 10 } == edits) }
    let newest = try store.read { try $0.revision() }
    #expect(revisions.all.sorted() == Array(newest - Int64(writers * edits) + 1...newest))
    #expect(Set(try store.history().map(\.entry.id)).count == Int(newest) + 1)
    #expect(try store.verifyJournal() == [])
  }

  @Test("A trial changes nothing and leaves no entry, but finds every error")
  func trial() throws {
    let store = try SampleProject.create(at: path)
    let (dump, history) = (try store.dump(), try store.history(includesAll: true).map(\.entry))
    let result = try store.edit(origin, isTrial: true) { try $0.apply(.remove(TrackID(rawValue: 10))) }
    #expect(result.entry == nil)
    #expect(throws: EditError.missing(noun: "track", id: TrackID(rawValue: 99).uuidString)) {
      try store.edit(origin, isTrial: true) { try $0.apply(.remove(TrackID(rawValue: 99))) }
    }
    #expect(try store.undo(origin: origin, isTrial: true).value.count == 1)
    #expect(try store.dump() == dump)
    #expect(try store.history(includesAll: true).map(\.entry) == history)
  }

  @Test("--if-revision lets an edit through at its revision only")
  func ifRevision() throws {
    let store = try SampleProject.create(at: path)
    let revision = try store.read { try $0.revision() }
    let dump = try store.dump()
    #expect(throws: StoreError.revisionChanged(expected: revision - 1, found: revision)) {
      try store.edit(origin, ifRevision: revision - 1) { try $0.apply(.remove(TrackID(rawValue: 10))) }
    }
    #expect(try store.dump() == dump)
    let result = try store.edit(origin, ifRevision: revision) { try $0.apply(.remove(TrackID(rawValue: 10))) }
    #expect(result.revision == revision + 1)
  }

  @Test("An edit that fails half way leaves nothing, not in the tables and not in the journal")
  func failedEdit() throws {
    let store = try SampleProject.create(at: path)
    let (dump, revision) = (try store.dump(), try store.read { try $0.revision() })
    #expect(throws: EditError.self) {
      try store.edit(origin) { transaction in
        try transaction.apply(.remove(TrackID(rawValue: 10)))
        try transaction.apply(.remove(TrackID(rawValue: 10)))
      }
    }
    #expect(try store.dump() == dump)
    #expect(try store.read { try $0.revision() } == revision)
    #expect(try store.verifyJournal() == [])
  }

  @Test("Files copied in the middle of edits, as a crash leaves them, hold a whole number of edits")
  func crashCopies() throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    let store = try SampleProject.create(at: path)
    let start = try store.read { try $0.revision() }
    let reported = Collected<Int64>()
    let writing = DispatchGroup()
    DispatchQueue.global().async(group: writing) {
      for number in 0..<150 {
        let notes = (0..<20).map { place in
          MIDINote(
            id: NoteID(rawValue: Int64(1000 + number * 20 + place)), region: RegionID(rawValue: 21),
            duration: TickCount(ticks: 7))
        }
        if let result = try? store.edit(origin, { try $0.apply(.add(notes)) }) { reported.append(result.revision) }
      }
    }
    var copies = 0
    repeat {
      let done = reported.all.last ?? start
      // The log is copied after the file, so it may end in the middle of a transaction, as after a crash.
      let copy = folder.path + "/copy-\(copies).sqlite"
      let file = try Data(contentsOf: URL(fileURLWithPath: path))
      let log = (try? Data(contentsOf: URL(fileURLWithPath: path + "-wal"))) ?? Data()
      // Skipped if a checkpoint came between, or the log was restarted, whose header is written first.
      let newLog = (try? Data(contentsOf: URL(fileURLWithPath: path + "-wal"))) ?? Data()
      guard log.prefix(32) == newLog.prefix(32), file == (try Data(contentsOf: URL(fileURLWithPath: path))) else {
        continue
      }
      try file.write(to: URL(fileURLWithPath: copy))
      try log.write(to: URL(fileURLWithPath: copy + "-wal"))
      let opened = try ProjectStore.open(at: copy)
      let revision = try opened.read { try $0.revision() }
      #expect(revision >= done, "seed \(seed)")
      let notes = try opened.read { try $0.notes(in: RegionID(rawValue: 21)) }.count { $0.duration.ticks == 7 }
      #expect(notes == Int(revision - start) * 20, "seed \(seed)")
      #expect(try opened.verifyJournal() == [], "seed \(seed)")
      try opened.close()
      copies += 1
      usleep(UInt32.random(in: 0...20_000, using: &generator))
    } while copies == 0 || writing.wait(timeout: .now()) == .timedOut && copies < 25
    writing.wait()
    #expect(reported.all.count == 150)
    #expect(copies > 0)
  }

  @Test("In memory and on disk the same edits come to the same project; it is there again when the file is reopened")
  func memoryAndDisk() throws {
    let time = TestClock()
    let (id, master) = (ProjectID.random(), TrackID(rawValue: 5))
    let disk = try ProjectStore.create(
      at: path, id: id, master: master, settings: ProjectSettings(), origin: origin, clock: { time.now })
    let memory = try ProjectStore.inMemory(id: id, clock: { time.now })
    let memoryMaster = try memory.read { try $0.master().id }
    for edit in try SampleProject.edits() {
      let results = try [disk, memory].map { store in try store.edit(origin) { try $0.apply(edit) } }
      #expect(results[0].revision == results[1].revision)
      time.advance(milliseconds: 10)
    }
    for store in [disk, memory] {
      _ = try store.undo(2, origin: origin)
      _ = try store.redo(origin: origin)
    }
    let (onDisk, inMemory) = (try disk.read { try $0.project() }, try memory.read { try $0.project() })
    #expect(onDisk.regions == inMemory.regions)
    #expect(onDisk.notes == inMemory.notes)
    #expect(onDisk.tracks.filter { $0.key != master } == inMemory.tracks.filter { $0.key != memoryMaster })
    #expect(onDisk.revision == inMemory.revision)
    #expect(onDisk.modifiedDate == inMemory.modifiedDate)
    let dump = try disk.dump()
    try disk.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["project.sqlite"])
    let reopened = try ProjectStore.open(at: path, clock: { time.now })
    #expect(try reopened.dump() == dump)
    #expect(try reopened.read { try $0.project() } == onDisk)
    _ = try reopened.redo(origin: origin)
  }

  @Test("Notes in bulk are refused and accepted as single ones are, and the schema's triggers hold afterwards")
  func bulkNotes() throws {
    let store = try SampleProject.create(at: path)
    var notes = (0..<1500).map { number in
      MIDINote(
        id: NoteID(rawValue: 5000 + Int64(number)), region: RegionID(rawValue: 21), duration: TickCount(ticks: 5))
    }
    let dump = try store.dump()
    notes[1499].duration = TickCount(ticks: 99_999)
    #expect(throws: EditError.self) { try store.edit(origin) { try $0.apply(.add(notes)) } }
    #expect(try store.dump() == dump)
    notes[1499].duration = TickCount(ticks: 5)
    _ = try store.edit(origin) { try $0.apply(.add(notes)) }
    #expect(try store.verifyJournal() == [])
    #expect(throws: DatabaseError.self) {
      try store.queue.write { try $0.execute(sql: "UPDATE midiNote SET duration = 99999 WHERE id = 5000") }
    }
    _ = try store.undo(origin: origin)
    #expect(try store.dump() == dump)
  }

  @Test("If two processes create the same project, one is refused, and the other's is intact")
  func createdOnce() throws {
    let store = try SampleProject.create(at: path)
    #expect(throws: StoreError.exists(path: path)) {
      try ProjectStore.create(at: path, settings: ProjectSettings(), origin: origin)
    }
    #expect(try store.read { try $0.tracks().count } == 6)
  }
}

/// A list that several threads append to.
private final class Collected<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [Value] = []

  var all: [Value] { lock.withLock { values } }
  func append(_ value: Value) { lock.withLock { values.append(value) } }
}
