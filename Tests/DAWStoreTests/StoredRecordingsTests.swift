import DAWModel
import DAWTestSupport
import Foundation
import GRDB
import Testing

@testable import DAWStore

@Suite("Facts about recordings in the project's file")
struct StoredRecordingsTests {
  let folder: TemporaryFolder
  let store: ProjectStore

  init() throws {
    folder = try TemporaryFolder()
    store = try SampleProject.create(at: folder.project)
  }

  @Test("Facts are saved without an edit: no revision, no change of the journal or of a dump, and undo leaves them")
  func outsideTheJournal() throws {
    let (revision, dump) = (try store.read { try $0.revision() }, try store.dump())
    try store.recordings.save(RecordingRepositoryTests.facts())
    #expect(try store.read { try $0.revision() } == revision)
    #expect(try store.dump() == dump)
    #expect(try store.verifyJournal() == [])
    #expect(try store.recordExternalWrites() == nil)
    while (try? store.undo(origin: origin)) != nil {}
    #expect(try store.recordings.segments(of: RecordingID(rawValue: 1)).count == 4)
    #expect(try store.read { try $0.brokenRules() } == [])
  }

  @Test("Saved facts do not tell a reader of the project that it has changed; an edit does, and another program")
  func changeMarks() throws {
    let other = try ProjectStore.open(at: folder.project)
    var mark = try other.changeMark()
    let loaded = try other.read { try $0.load(after: nil) }
    for _ in 0..<3 {
      try store.recordings.save(RecordingRepositoryTests.facts())
      let now = try other.changeMark(after: mark)
      #expect(now == mark)
      mark = now
    }
    try store.recordings.save(RecordingRepositoryTests.facts(2))
    _ = try store.edit(origin) { try $0.apply(.remove(TakeID(rawValue: 140))) }
    let edited = try other.changeMark(after: mark)
    #expect(edited != mark)
    #expect(try other.read { try $0.load(after: loaded).project.takes }.isEmpty)
    #expect(try other.changeMark(after: edited) == edited)
    let outside = try plainConnection(to: folder.project)
    try outside.write { try $0.execute(sql: "UPDATE track SET volume = -3 WHERE id = 10") }
    let changed = try other.changeMark(after: edited)
    #expect(changed != edited)
    // Neither a trigger nor the journal tells of it.
    let lawless = try lawlessConnection(to: folder.project)
    try lawless.write { try $0.execute(sql: "UPDATE track SET volume = -4 WHERE id = 10") }
    #expect(try other.changeMark(after: changed) != changed)
  }

  @Test("An edit through the same connection tells its reader that the project has changed; facts, and a trial, do not")
  func ownChangeMarks() throws {
    try store.recordings.save(RecordingRepositoryTests.facts())
    let mark = try store.changeMark()
    try store.recordings.save(RecordingRepositoryTests.facts(2))
    let recorded = try store.changeMark(after: mark)
    #expect(recorded == mark)
    _ = try store.edit(origin, isTrial: true) { try $0.apply(.remove(TakeID(rawValue: 140))) }
    let tried = try store.changeMark(after: recorded)
    #expect(tried == mark)
    _ = try store.edit(origin) { try $0.apply(.remove(TakeID(rawValue: 140))) }
    let edited = try store.changeMark(after: tried)
    #expect(edited != mark)
    #expect(try store.changeMark(after: edited) == edited)
  }

  @Test("Facts are written by one process while another edits")
  func twoWriters() throws {
    let other = try ProjectStore.open(at: folder.project)
    for id in 1...5 {
      try other.recordings.save(RecordingRepositoryTests.facts(Int64(id)))
      _ = try store.edit(origin) { try $0.apply(.add(SampleProject.track(40 + Int64(id), "Pad", .bus).named(id))) }
    }
    #expect(try store.recordings.recordings(RecordingFilter()).summaries.count == 5)
    #expect(try other.recordings.recordings(RecordingFilter()).summaries.count == 5)
  }

  @Test("A file that cannot be written refuses facts")
  func readOnly() throws {
    try store.close()
    chmod(folder.project, 0o400)
    let queue = try ProjectStore.openReadOnly(folder.project)
    let reader = ProjectStore(
      queue: queue, connectionGuard: ConnectionGuard(path: folder.project, migrator: .released), path: folder.project,
      access: .readOnly(reason: "it is"), clock: Timestamp.now)
    #expect(throws: StoreError.self) { try reader.recordings.save(RecordingRepositoryTests.facts()) }
  }

  @Test(
    "A row that another program broke is found, and reading it is an error",
    arguments: [
      "UPDATE recording SET bitDepth = 20", "UPDATE recording SET ownerProcess = 7",
      "UPDATE recording SET createdAt = 1 << 62", "UPDATE recording SET folder = ''",
      "UPDATE pass SET inputs = '['", "UPDATE pass SET pieces = '[{\"frames\":1}]'",
      "UPDATE pass SET number = 0 WHERE id = 102",
      "UPDATE pass SET foundTags = ' x'", "UPDATE segment SET state = 'lost'", "UPDATE segment SET sha256 = 'x'",
      "UPDATE gap SET cause = 'bad luck'", "UPDATE gap SET frames = 0",
    ])
  func brokenRows(sql: String) throws {
    try store.recordings.save(RecordingRepositoryTests.facts())
    let other = try lawlessConnection(to: folder.project)
    try other.write { try $0.execute(sql: sql) }
    let found = try store.read { try $0.brokenRules() }
    #expect(!found.isEmpty && found.allSatisfy { $0.violation.rule == .recordingFacts }, "\(found)")
    #expect(throws: StoreError.self) {
      let recordings = store.recordings
      _ = try recordings.recordings(RecordingFilter())
      _ = try recordings.passes(of: [RecordingID(rawValue: 1)])
      _ = try recordings.segments(of: RecordingID(rawValue: 1))
      _ = try recordings.gaps(of: nil, cause: nil)
    }
  }

  @Test("A pass whose frames do not add up, and rows without their parents, are found by the audit")
  func audit() throws {
    try store.recordings.save(RecordingRepositoryTests.facts())
    let other = try lawlessConnection(to: folder.project)
    try other.write { try $0.execute(sql: "UPDATE pass SET frames = 96001 WHERE id = 101") }
    let found = try store.read { try $0.brokenRules() }
    #expect(found.map(\.violation.rule) == [.recordingFacts])
    #expect(found.first?.violation.value == "frame 96000 is in no segment and in no gap")
    try other.write { try $0.execute(sql: "UPDATE pass SET frames = 96000; DELETE FROM pass WHERE id = 103") }
    #expect(Set(try store.read { try $0.brokenRules() }.map(\.violation.rule)) == [.referenceExists])
  }

  @Test("A take whose pass is not known is nothing wrong, nor are notes about a recording that is not")
  func unknown() throws {
    #expect(try store.recordings.passes([PassID(rawValue: 150)]).isEmpty)
    #expect(try store.read { try $0.row(TakeID(rawValue: 140)) }?.pass == PassID(rawValue: 150))
    #expect(try store.read { try $0.brokenRules() } == [])
  }

  @Test("A page of recordings reads no segment")
  func planOfPages() throws {
    let plan = try store.queue.read { database in
      try Row.fetchAll(
        database,
        sql: """
          EXPLAIN QUERY PLAN SELECT id FROM recording WHERE createdAt >= 0 ORDER BY createdAt DESC, id DESC LIMIT 51
          """
      ).map { $0["detail"] as String }
    }
    #expect(plan == ["SEARCH recording USING COVERING INDEX recordingByDate (createdAt>?)"])
  }
}

extension Track {
  fileprivate func named(_ number: Int) -> Track {
    var track = self
    track.name = Name(unchecked: "\(name) \(number)")
    return track
  }
}
