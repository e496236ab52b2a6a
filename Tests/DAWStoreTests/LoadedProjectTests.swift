import DAWModel
import DAWTestSupport
import DAWTime
import Foundation
import GRDB
import Testing

@testable import DAWStore

@Suite("Loading only what has changed")
struct LoadedProjectTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("After every step of a random walk it equals a fresh load", arguments: [0, 1])
  func randomWalk(turn: UInt64) throws {
    let seed = Seed.current() &+ turn
    var random = RandomEdits(seed: seed)
    let store = try SampleProject.create(at: folder.project)
    let reader = try ProjectStore.open(at: folder.project)
    var loaded = try reader.read { try $0.load(after: nil) }
    var whole = 0
    var edits = 0
    var step = 0
    // How many edits are refused depends on the seed.
    while step < 120 || edits <= 40, step < 3_000 {
      defer { step += 1 }
      let comment: Testing.Comment = "seed \(seed), step \(step)"
      let revision = loaded.project.revision
      var isOurs = true
      for _ in 0..<Int.random(in: 1...3, using: &random.generator) {
        let isKnown = try takeStep(store, &random)
        isOurs = isOurs && isKnown
      }
      loaded = try reader.read { view in
        let next = try view.load(after: loaded)
        #expect(try next.project == view.project(), comment)
        return next
      }
      guard isOurs, loaded.project.revision > revision else { continue }
      edits += 1
      whole += loaded.wasReadWhole ? 1 : 0
    }
    #expect(edits > 40, "seed \(seed)")
    // The others follow a write by another program or a pruning.
    #expect(whole * 3 < edits, "seed \(seed): \(whole) of \(edits) were read whole")
  }

  /// - Returns: whether it was an edit that the journal contains.
  private func takeStep(_ store: ProjectStore, _ random: inout RandomEdits) throws -> Bool {
    switch Int.random(in: 0..<40, using: &random.generator) {
    case 0...6: _ = try? store.undo(Int.random(in: 1...3, using: &random.generator), origin: origin)
    case 7...11: _ = try? store.redo(Int.random(in: 1...2, using: &random.generator), origin: origin)
    case 12:
      let other = try plainConnection(to: folder.project)
      try other.write {
        try $0.execute(
          sql: "UPDATE midiNote SET velocity = (velocity + 1) % 128; DELETE FROM midiEvent WHERE id % 7 = 0")
      }
      return false
    case 13:
      let limits = JournalLimits(count: Int.random(in: 20...60, using: &random.generator), age: nil, bytes: nil)
      try store.setJournalLimits(limits)
      return false
    case 14: try store.setID(.random())
    default:
      let project = try store.read { try $0.project() }
      let edits = (0..<Int.random(in: 1...5, using: &random.generator)).map { _ in random.next(for: project) }
      _ = try? store.edit(origin) { transaction in for edit in edits { try transaction.apply(edit) } }
    }
    return true
  }

  @Test("One changed note is read alone, and unchanged rows keep their identity")
  func oneNote() throws {
    let store = try SampleProject.create(at: folder.project)
    let second = Region(
      id: RegionID(rawValue: 60), track: TrackID(rawValue: 11), name: Name(literal: "Other"), start: .musical(.zero),
      content: .midi(TickCount(ticks: 99_999)))
    _ = try store.edit(origin) { transaction in
      try transaction.apply(.add(second))
      try transaction.apply(.add((0..<3000).map { note(5000 + $0, in: 60) }))
    }
    let before = try store.read { try $0.load(after: nil) }
    #expect(before.wasReadWhole)
    _ = try store.edit(origin) { try $0.apply(.set([note(30, in: 60)])) }
    let after = try store.read { try $0.load(after: before) }
    #expect(!after.wasReadWhole)
    #expect(try after.project == store.read { try $0.project() })
    #expect(after.project.notes[RegionID(rawValue: 60)]?.count == 3001)
    // Unaffected notes and events must not be read or copied.
    let events = { (project: Project) in
      project.events[RegionID(rawValue: 21)]?.withUnsafeBufferPointer { $0.baseAddress }
    }
    #expect(events(before.project) != nil && events(before.project) == events(after.project))
  }

  @Test("Changes that are not in the journal are read whole")
  func fallsBack() throws {
    let store = try SampleProject.create(at: folder.project)
    var loaded = try store.read { try $0.load(after: nil) }
    func expectWhole(_ comment: Testing.Comment) throws {
      loaded = try store.read { view in
        let next = try view.load(after: loaded)
        #expect(next.wasReadWhole, comment)
        #expect(try next.project == view.project(), comment)
        return next
      }
    }
    let plain = try plainConnection(to: folder.project)
    try plain.write { try $0.execute(sql: "UPDATE track SET pan = 1 WHERE id = 10") }
    try expectWhole("noticed by the triggers")
    _ = try store.edit(origin) { try $0.apply(.remove(TrackID(rawValue: 12))) }
    try expectWhole("what was read before was not in the journal")
    let lawless = try lawlessConnection(to: folder.project)
    try lawless.write { try $0.execute(sql: "UPDATE track SET pan = -1 WHERE id = 10") }
    try expectWhole("not noticed")
    _ = try store.edit(origin) { try $0.apply(.remove([NoteID(rawValue: 30)])) }
    _ = try store.edit(origin) { try $0.apply(.remove([NoteID(rawValue: 31)])) }
    try store.setJournalLimits(JournalLimits(count: 1, age: nil, bytes: nil))
    try expectWhole("folded")
    let other = try ProjectStore.inMemory()
    while try other.read({ try $0.revision() }) < loaded.project.revision + 2 {
      let count = try other.read { try $0.revision() }
      var track = SampleProject.track(100 + count, "Bus", .bus)
      track.name = Name(unchecked: "Bus \(count)")
      _ = try other.edit(origin) { try $0.apply(.add(track)) }
    }
    let foreign = try other.read { try $0.load(after: loaded) }
    #expect(foreign.wasReadWhole)
    #expect(try foreign.project == other.read { try $0.project() })
  }

  @Test("An older file's copy, and the file when it has been brought up to date, are read whole and right")
  func migration() throws {
    let fixture = try #require(
      Bundle.module.url(forResource: "version-1", withExtension: "sqlite", subdirectory: "Fixtures"))
    try Data(contentsOf: fixture).write(to: URL(fileURLWithPath: folder.project))
    let version1 = try ProjectStore.open(at: folder.project, migrator: Migrator(migrations: []))
    let stamp = try version1.queue.read { try Journal(database: $0).state().revision }
    let copy = try ProjectStore.open(at: folder.project)
    let before = try copy.read { try $0.load(after: nil) }
    #expect(before.project.revision == stamp)
    try version1.close()
    let store = try ProjectStore.openForEditing(at: folder.project, backupFolder: folder.path + "/Backups")
    #expect(try store.read { try $0.load(after: before).wasReadWhole })
    _ = try store.edit(origin) { try $0.apply(.add(SampleProject.track(900, "New", .bus))) }
    let after = try store.read { try $0.load(after: before) }
    #expect(try after.project == store.read { try $0.project() })
    // Undoes edits that were recorded with fewer columns.
    _ = try store.undo(3, origin: origin)
    let undone = try store.read { try $0.load(after: after) }
    #expect(try undone.project == store.read { try $0.project() })
  }

  private func note(_ id: Int, in region: Int64) -> MIDINote {
    MIDINote(id: NoteID(rawValue: Int64(id)), region: RegionID(rawValue: region), duration: TickCount(ticks: 5))
  }
}
