import DAWModel
import Foundation
import GRDB
import Testing

@testable import DAWStore

@Suite("Undo to a revision")
struct UndoToTests {
  let store: ProjectStore
  var states: [Int64: String] = [:]

  init() throws {
    store = try ProjectStore.inMemory()
    states[0] = try store.dump()
    for number in 1...5 {
      let revision = try rename("Name \(number)")
      states[revision] = try store.dump()
    }
  }

  @discardableResult
  private func rename(_ name: String) throws -> Int64 {
    try store.edit(origin) { transaction in
      var settings = try transaction.view.header().settings
      settings.name = try Name(name)
      try transaction.apply(.setProject(settings))
    }.revision
  }

  @Test("takes back every later edit, each a step that redo makes again")
  func reached() throws {
    let result = try store.undo(toRevision: 2, origin: origin)
    #expect(result.value.map(\.revision) == [5, 4, 3])
    #expect(try store.dump() == states[2])
    _ = try store.redo(3, origin: origin)
    #expect(try store.dump() == states[5])
    // The revisions of undos and redos are states too: 6, 7 and 8 are 4, 3 and 2.
    #expect(try store.undo(toRevision: 7, origin: origin).value.count == 2)
    #expect(try store.dump() == states[3])
    #expect(try store.undo(toRevision: 0, origin: origin).value.count == 3)
    #expect(try store.dump() == states[0])
  }

  @Test("changes nothing if the project is as it was then, or in a trial")
  func nothing() throws {
    let result = try store.undo(toRevision: 5, origin: origin)
    #expect(result.value.isEmpty && result.entry == nil && result.revision == 5)
    #expect(try store.undo(toRevision: 1, origin: origin, isTrial: true).value.count == 4)
    #expect(try store.dump() == states[5])
    #expect(throws: StoreError.revisionChanged(expected: 4, found: 5)) {
      try store.undo(toRevision: 1, origin: origin, ifRevision: 4)
    }
  }

  @Test("is refused for revisions that undo does not lead to, and changes nothing")
  func refused() throws {
    #expect(throws: StoreError.revisionNotFound(6, newest: 5)) { try store.undo(toRevision: 6, origin: origin) }
    #expect(throws: StoreError.revisionNotFound(-1, newest: 5)) { try store.undo(toRevision: -1, origin: origin) }
    _ = try store.undo(2, origin: origin)
    #expect(throws: StoreError.revisionUndone(5, steps: 2)) { try store.undo(toRevision: 5, origin: origin) }
    #expect(throws: StoreError.revisionUndone(4, steps: 1)) { try store.undo(toRevision: 4, origin: origin) }
    try rename("Another")
    #expect(throws: StoreError.revisionAbandoned(5)) { try store.undo(toRevision: 5, origin: origin) }
    let before = try store.dump()
    try store.setJournalLimits(JournalLimits(count: 2, age: nil, bytes: nil))
    let oldest = try #require(try store.history().last?.entry)
    #expect(oldest.kind == .base)
    #expect(throws: StoreError.historyFolded(revision: oldest.revision)) {
      try store.undo(toRevision: 1, origin: origin)
    }
    #expect(try store.dump() == before)
  }

  @Test("A history in a circle is refused")
  func circle() throws {
    try store.queue.write { database in
      try database.execute(sql: "UPDATE journalEntry SET parent = (SELECT node FROM journalState) WHERE revision = 2")
    }
    #expect(throws: StoreError.revisionAbandoned(1)) { try store.undo(toRevision: 1, origin: origin) }
    #expect(throws: StoreError.revisionPruned(1)) {
      try store.read { try $0.changes(fromRevision: 1, to: 5) }
    }
  }
}
