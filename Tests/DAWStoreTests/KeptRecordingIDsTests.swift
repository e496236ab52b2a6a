import DAWModel
import Foundation
import GRDB
import Testing

@testable import DAWStore

@Suite("Ids of recordings that are kept")
struct KeptRecordingIDsTests {
  private let folder: TemporaryFolder
  private let store: ProjectStore

  init() throws {
    folder = try TemporaryFolder()
    store = try SampleProject.create(at: folder.project)
  }

  /// The ids that end as one does.
  private func ids(_ id: Int64) throws -> [Int64] {
    try store.read { try $0.recordings.recordingIDs(endingAs: RecordingID(rawValue: id)) }.map(\.rawValue)
  }

  @Test("All ids are read once for many transactions")
  func once() throws {
    for id in 1...20 { try store.recordings.save(RecordingRepositoryTests.facts(Int64(id))) }
    let statements = Statements()
    store.queue.inDatabase { $0.trace { event in statements.append(event.expandedDescription) } }
    for id in 1...20 { #expect(try ids(Int64(id)) == [Int64(id)]) }
    try store.recordings.remove(RecordingID(rawValue: 3))
    try store.recordings.save(RecordingRepositoryTests.facts(4))
    #expect(try ids(4) == [4])
    store.queue.inDatabase { $0.trace(options: []) }
    #expect(statements.all.filter { $0.contains("FROM recording ORDER BY id") }.count == 1)
  }

  @Test("One that this process or another adds is among them", arguments: [false, true])
  func added(isOther: Bool) throws {
    let alike: Int64 = 1 << 24 + 1
    try store.recordings.save(RecordingRepositoryTests.facts(1))
    #expect(try ids(1) == [1])
    let writer = try isOther ? ProjectStore.open(at: folder.project) : store
    try writer.recordings.save(RecordingRepositoryTests.facts(alike))
    #expect(try ids(1) == [1, alike])
    #expect(try ids(alike) == [1, alike])
  }
}
