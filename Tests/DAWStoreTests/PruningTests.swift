import DAWModel
import DAWTestSupport
import DAWTime
import Foundation
import GRDB
import Testing

@testable import DAWStore

@Suite("Journal limits")
struct PruningTests {
  @Test("After pruning the journal leads to the project, and undo stops at the folded edits with an error")
  func walk() throws {
    let seed = Seed.current()
    var edits = RandomEdits(seed: seed)
    let folder = try TemporaryFolder()
    let store = try SampleProject.create(at: folder.project)
    try store.setJournalLimits(JournalLimits(count: 20, age: nil, bytes: nil))
    var (step, isFolded) = (0, false)
    // How many edits are refused, and so when there are enough to be folded, depends on the seed.
    while step < 150 || !isFolded, step < 5_000 {
      step += 1
      switch Int.random(in: 0..<8, using: &edits.generator) {
      case 0: _ = try? store.undo(Int.random(in: 1...4, using: &edits.generator), origin: origin)
      case 1: _ = try? store.redo(origin: origin)
      default:
        let project = try store.read { try $0.project() }
        let edit = edits.next(for: project)
        _ = try? store.edit(origin) { try $0.apply(edit) }
      }
      let kinds = try store.history(includesAll: true).map(\.entry.kind)
      #expect(kinds.count { ![.create, .base].contains($0) } <= 40, "seed \(seed)")
      isFolded = kinds.contains(.base)
    }
    #expect(try store.verifyJournal() == [], "seed \(seed)")
    while (try? store.redo(origin: origin)) != nil {}
    let newest = try store.dump()
    var undone = 0
    var error: StoreError?
    while error == nil {
      do {
        _ = try store.undo(origin: origin)
        undone += 1
      } catch let caught as StoreError { error = caught }
    }
    guard case .historyFolded? = error else {
      Issue.record("seed \(seed): \(String(describing: error))")
      return
    }
    #expect(try store.verifyJournal() == [], "seed \(seed)")
    while (try? store.redo(origin: origin)) != nil { undone -= 1 }
    #expect(undone == 0, "seed \(seed)")
    #expect(try store.dump() == newest, "seed \(seed)")
  }

  @Test("What is older than a time is pruned in slices, while others write, and the journal leads to the same project")
  func slices() throws {
    let folder = try TemporaryFolder()
    let store = try SampleProject.create(at: folder.project)
    let other = try ProjectStore.open(at: folder.project)
    for number in 0..<1_200 {
      _ = try store.edit(origin) {
        try $0.apply(
          .add(
            Marker(
              id: MarkerID(rawValue: Int64(1_000 + number)), name: Name("\(number)"),
              start: .musical(TickPosition(ticks: 100_000 + Int64(number))))))
      }
      if number % 100 == 99 { _ = try store.undo(2, origin: origin) }
    }
    let journal = try store.reading { try Journal(database: $0).slice(before: Timestamp(milliseconds: .max)) }
    let slice = try #require(journal)
    #expect(slice.count > 0 && slice.count <= 501)
    // Another process edits after the slice was put together, and before it is carried out.
    _ = try other.undo(1, origin: origin)
    let before = try store.dump()
    try store.pruneHistory(before: Timestamp(milliseconds: Timestamp.now().milliseconds + 1_000))
    #expect(try store.dump() == before && store.verifyJournal() == [])
    let kinds = try store.history(includesAll: true).map(\.entry.kind)
    #expect(kinds.count { [.create, .base].contains($0) } == 1 && kinds.count < 60, "\(kinds.count)")
    #expect(try other.verifyJournal() == [])
    _ = try other.edit(origin) { try $0.apply(.remove([MarkerID(rawValue: 1_000)])) }
    _ = try store.undo(1, origin: origin)
    #expect(try other.dump() == before)
    try store.pruneHistory(before: Timestamp(milliseconds: 0))
    #expect(try store.verifyJournal() == [])
  }

  @Test("A slice removes at most 500 entries, and another process that waits for nothing edits between two slices")
  func lockedSlices() throws {
    let folder = try TemporaryFolder()
    let store = try SampleProject.create(at: folder.project)
    let other = try ProjectStore.open(at: folder.project, busyTimeout: 0)
    for number in 0..<1_300 { try addTrack(store, 1_000 + Int64(number)) }
    func count() throws -> Int {
      try store.reading { try Int.fetchOne($0, sql: "SELECT count(*) FROM journalEntry") ?? 0 }
    }
    let cutoff = Timestamp(milliseconds: Timestamp.now().milliseconds + 1)
    usleep(2_000)
    var counts = [try count()]
    try store.pruneHistory(before: cutoff) {
      counts.append(try count())
      try addTrack(other, 10_000 + Int64(counts.count))
      // The state says what counting says.
      let state = try store.reading { try Journal(database: $0).state() }
      let counted = try store.reading { database in
        try Row.fetchOne(
          database,
          sql: """
            SELECT count(*), coalesce(sum(length(changeset)), 0) FROM journalEntry WHERE kind NOT IN ('create', 'base')
            """)
      }
      #expect(counted.map { [$0[0] as Int64, $0[1]] } == [Int64(state.entryCount), state.byteCount])
    }
    #expect(counts.count >= 4)
    // Each has one entry of the other process more than the one before left.
    for (before, after) in zip(counts, counts.dropFirst()) { #expect(before - after <= 501, "\(counts)") }
    #expect(try store.verifyJournal() == [])
    #expect(try other.read { try $0.row(TrackID(rawValue: 10_002)) } != nil)
  }

  @Test("A slice that another process came before is put together again")
  func disturbed() throws {
    let folder = try TemporaryFolder()
    let store = try SampleProject.create(at: folder.project)
    for number in 0..<10 { try addTrack(store, 1_000 + Int64(number)) }
    let cutoff = Timestamp(milliseconds: Timestamp.now().milliseconds + 1)
    usleep(2_000)
    let other = try ProjectStore.open(at: folder.project)
    var sliceCount = 0
    try store.pruneHistory(
      before: cutoff, sliceIsReady: { if sliceCount == 0 { _ = try other.undo(5, origin: origin) } },
      sliceIsDone: { sliceCount += 1 })
    #expect(sliceCount >= 2)
    #expect(try store.verifyJournal() == [])
    #expect(try store.read { try $0.row(TrackID(rawValue: 1_004)) } != nil)
    #expect(try store.read { try $0.row(TrackID(rawValue: 1_005)) } == nil)
  }

  @Test("Abandoned branches go before anything that undo can reach")
  func abandonedFirst() throws {
    let store = try ProjectStore.inMemory()
    for number in 0..<5 { try addTrack(store, Int64(100 + number)) }
    _ = try store.undo(5, origin: origin)
    for number in 0..<8 { try addTrack(store, Int64(200 + number)) }
    try store.setJournalLimits(JournalLimits(count: 12, age: nil, bytes: nil))
    let kinds = try store.history(includesAll: true).map(\.entry.kind)
    #expect(kinds.filter { $0 == .base }.isEmpty)
    #expect(kinds.count <= 12)
    _ = try store.undo(8, origin: origin)
    #expect(throws: StoreError.nothingToUndo) { try store.undo(origin: origin) }
  }

  @Test("Above the limit of entries, exactly nine tenths are kept")
  func exactCount() throws {
    let store = try ProjectStore.inMemory()
    try store.setJournalLimits(JournalLimits(count: 20, age: nil, bytes: nil))
    for number in 0..<21 {
      #expect(try count(store) == number)
      try addTrack(store, Int64(100 + number))
    }
    #expect(try count(store) == 18)
    _ = try store.undo(18, origin: origin)
    #expect(throws: StoreError.historyFolded(revision: 3)) { try store.undo(origin: origin) }
    // Another edit abandons nine of them, and five are pruned.
    _ = try store.redo(9, origin: origin)
    try addTrack(store, 200)
    let all = try count(store)
    try store.setJournalLimits(JournalLimits(count: all - 4, age: nil, bytes: nil))
    #expect(try count(store) == all - 4 - (all - 4) / 10)
    #expect(try store.history().count { $0.entry.kind == .do } == 10)
  }

  @Test("Above the limit of bytes, as many entries as fit into nine tenths are kept", arguments: [0, 1])
  func exactBytes(beyond: Int64) throws {
    let store = try ProjectStore.inMemory()
    for number in 0..<10 { try addTrack(store, Int64(100 + number)) }
    let sizes = try store.queue.read { database in
      try Int64.fetchAll(
        database, sql: "SELECT length(changeset) FROM journalEntry WHERE kind = 'do' ORDER BY revision")
    }
    // Nine tenths of the limit are the size of the newest four, or one byte less.
    let kept = sizes.suffix(4).reduce(0, +) - beyond
    var limit = kept
    while limit - limit / 10 < kept { limit += 1 }
    try #require(limit - limit / 10 == kept)
    try store.setJournalLimits(JournalLimits(count: nil, age: nil, bytes: limit))
    #expect(try count(store) == (beyond == 0 ? 4 : 3))
  }

  /// The number of entries that count against the limits.
  private func count(_ store: ProjectStore) throws -> Int {
    try store.history(includesAll: true).count { ![.create, .base].contains($0.entry.kind) }
  }

  @Test("Edits older than the limit are folded, and no others, and a limit of bytes holds", arguments: [4000, 4999])
  func ageAndSize(age: Int64) throws {
    let time = TestClock()
    let store = try ProjectStore.inMemory(clock: { time.now })
    for number in 0..<10 {
      time.advance(milliseconds: 1000)
      try addTrack(store, Int64(100 + number))
    }
    let dump = try store.dump()
    try store.setJournalLimits(JournalLimits(count: nil, age: age, bytes: nil))
    #expect(try store.history().filter { $0.entry.kind == .do }.count == 5)
    try store.setJournalLimits(JournalLimits(count: nil, age: nil, bytes: 300))
    #expect(try store.history().filter { $0.entry.kind == .do }.count < 5)
    #expect(try store.dump() == dump)
    #expect(try store.journalLimits() == JournalLimits(count: nil, age: nil, bytes: 300))
  }

  @Test("Where one limit is exceeded, the others, which are only reached, take nothing")
  func otherLimits() throws {
    let time = TestClock()
    let store = try ProjectStore.inMemory(clock: { time.now })
    for number in 0..<40 {
      time.advance(milliseconds: 1000)
      try addTrack(store, Int64(100 + number))
    }
    let byteCount = try store.queue.read { try Journal(database: $0).state().byteCount }
    // One edit is too old.
    try store.setJournalLimits(JournalLimits(count: 40, age: 38_500, bytes: byteCount))
    #expect(try count(store) == 39)
    try store.setJournalLimits(JournalLimits(count: 38, age: nil, bytes: byteCount))
    #expect(try count(store) == 35)
  }

  @Test("Revisions and redo survive pruning")
  func revisionsStay() throws {
    let store = try ProjectStore.inMemory()
    for number in 0..<30 { try addTrack(store, Int64(100 + number)) }
    _ = try store.undo(3, origin: origin)
    let revision = try store.read { try $0.revision() }
    let undone = try store.dump()
    try store.setJournalLimits(JournalLimits(count: 10, age: nil, bytes: nil))
    #expect(try store.read { try $0.revision() } == revision)
    #expect(try store.redo(3, origin: origin).revision == revision + 3)
    _ = try store.undo(3, origin: origin)
    #expect(try store.dump() == undone)
  }

  private func addTrack(_ store: ProjectStore, _ id: Int64) throws {
    _ = try store.edit(origin) { transaction in
      let track = Track(
        id: TrackID(rawValue: id), name: try Name("Track \(id)"), orderKey: OrderKey(unchecked: "V"), trackType: .bus)
      try transaction.apply(.add(track))
    }
  }
}

/// A clock that tests advance.
final class TestClock: @unchecked Sendable {
  private let lock = NSLock()
  private var milliseconds: Int64 = 1_700_000_000_000

  var now: Timestamp { lock.withLock { Timestamp(milliseconds: milliseconds) } }
  func advance(milliseconds step: Int64) { lock.withLock { milliseconds += step } }
}
