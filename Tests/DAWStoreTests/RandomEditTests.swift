import DAWModel
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWStore

@Suite("Random edits")
struct RandomEditTests {
  @Test("The store and the model in memory accept and refuse the same edits, with equal projects")
  func interpretersAgree() throws {
    let seed = Seed.current()
    var edits = RandomEdits(seed: seed)
    let store = try ProjectStore.inMemory()
    var project = try store.read { try $0.project() }
    var refused = 0
    for step in 0..<2700 {
      let edit = edits.next(for: project)
      let pure = Result { try project.applying(edit) }
      let stored = Result { try store.edit(origin) { try $0.apply(edit) } }
      switch (pure, stored) {
      case (.success(let next), .success): project = next
      case (.failure(let a as EditError), .failure(let b as EditError)):
        #expect(a == b, "seed \(seed), step \(step): \(edit)")
        refused += 1
      default: Issue.record("seed \(seed), step \(step): \(edit): \(pure) against \(stored)")
      }
      if step % 300 == 0 { try expectEqual(store, project, "seed \(seed), step \(step)") }
    }
    try expectEqual(store, project, "seed \(seed)")
    #expect(try store.read { try $0.brokenRules() } == [], "seed \(seed)")
    #expect((100...2300).contains(refused), "seed \(seed): \(refused) edits were refused")
  }

  @Test("Edits are undone and redone to the byte, in random walks over the history")
  func undoAndRedo() throws {
    let seed = Seed.current()
    var edits = RandomEdits(seed: seed)
    let store = try ProjectStore.inMemory()
    var states = [try store.dump()]
    var place = 0
    for step in 0..<400 {
      let comment: Testing.Comment = "seed \(seed), step \(step)"
      switch Int.random(in: 0..<10, using: &edits.generator) {
      case 0, 1:
        let count = Int.random(in: 1...3, using: &edits.generator)
        if count <= place {
          _ = try store.undo(count, origin: origin)
          place -= count
        } else {
          let expected =
            place == 0 ? StoreError.nothingToUndo : .fewerToUndo(asked: count, possible: place)
          #expect(throws: expected) { try store.undo(count, origin: origin) }
        }
      case 2:
        if place < states.count - 1 {
          _ = try store.redo(origin: origin)
          place += 1
        } else {
          #expect(throws: StoreError.nothingToRedo) { try store.redo(origin: origin) }
        }
      default:
        let project = try store.read { try $0.project() }
        let some = (0..<Int.random(in: 1...4, using: &edits.generator)).map { _ in edits.next(for: project) }
        guard let result = try? store.edit(origin, { transaction in for edit in some { try transaction.apply(edit) } }),
          result.entry != nil
        else { break }
        states.removeSubrange((place + 1)...)
        states.append(try store.dump())
        place += 1
      }
      #expect(try store.dump() == states[place], comment)
    }
    #expect(try store.read { try $0.brokenRules() } == [], "seed \(seed)")
  }

  private func expectEqual(_ store: ProjectStore, _ project: Project, _ comment: Testing.Comment) throws {
    var stored = try store.read { try $0.project() }
    stored.modifiedDate = project.modifiedDate
    stored.revision = project.revision
    #expect(stored == project, comment)
  }
}
