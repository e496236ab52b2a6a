import DAWModel
import DAWTestSupport
import Foundation
import GRDB
import Testing

@testable import DAWStore

/// Several authors edit, undo, redo and revert at random. The expected project after each step is computed from the
/// rows before and after each edit, without changesets.
@Suite("Random edits of several authors")
struct RandomAuthorTests {
  @Test("Each revert changes the rows of its edit and no others, and the history leads to every state again")
  func reverts() throws {
    let seed = Seed.current()
    let folder = try TemporaryFolder()
    let store = try ProjectStore.create(
      at: folder.project, settings: ProjectSettings(), origin: EditOrigin(author: "ada", commandLine: "new"))
    var edits = RandomEdits(seed: seed)
    var model = HistoryModel(rows: try store.rows())
    var (accepted, refused, step) = (0, 0, 0)
    // How many there are of each depends on the seed.
    while step < 400 || accepted < 15 || refused < 15, step < 4_000 {
      step += 1
      let comment: Testing.Comment = "seed \(seed), step \(step)"
      let author = ["ada", "bob", "cleo"].randomElement(using: &edits.generator) ?? "ada"
      let origin = EditOrigin(author: author, commandLine: "test")
      switch Int.random(in: 0..<12, using: &edits.generator) {
      case 0:
        let count = Int.random(in: 1...2, using: &edits.generator)
        if (try? store.undo(count, origin: origin)) != nil { try model.undo(count) }
      case 1: if (try? store.redo(origin: origin)) != nil { try model.redo() }
      case 2, 3, 4:
        do {
          let result = try store.undoNewest(of: author, origin: origin)
          try model.undoNewest(of: author, result, comment)
          if result.entry?.kind == .revert { accepted += 1 }
        } catch StoreError.nothingToUndo {
          #expect(model.newest(of: author) == nil, comment)
        } catch StoreError.undoConflict(let target, by: let later, steps: _) {
          #expect(target.id == model.newest(of: author)?.entry.id, comment)
          #expect(!later.isEmpty && later.allSatisfy { model.isLater($0, than: target) }, comment)
          refused += 1
        }
        #expect(try store.verifyJournal() == [], comment)
        #expect(try store.read { try $0.brokenRules() } == [], comment)
      default:
        let project = try store.read { try $0.project() }
        let some = (0..<Int.random(in: 1...3, using: &edits.generator)).map { _ in edits.next(for: project) }
        guard let result = try? store.edit(origin, { transaction in for edit in some { try transaction.apply(edit) } }),
          let entry = result.entry
        else { break }
        model.add(entry, try store.rows())
      }
      #expect(try store.rows() == model.rows, comment)
    }
    #expect(accepted >= 15 && refused >= 15, "seed \(seed): \(accepted) reverts, \(refused) refused")
    try walk(store, &model, "seed \(seed)")
  }

  /// Undoes the whole history, and redoes it.
  private func walk(_ store: ProjectStore, _ model: inout HistoryModel, _ comment: Testing.Comment) throws {
    let origin = EditOrigin(author: "ada", commandLine: "test")
    let count = model.path.count
    for _ in 0..<count {
      _ = try store.undo(origin: origin)
      try model.undo(1)
      #expect(try store.rows() == model.rows, comment)
    }
    #expect(throws: StoreError.nothingToUndo) { try store.undo(origin: origin) }
    for _ in 0..<count {
      _ = try store.redo(origin: origin)
      try model.redo()
      #expect(try store.rows() == model.rows, comment)
    }
    #expect(try store.verifyJournal() == [], comment)
  }
}

/// Every row of the model's tables, by table and id, as its columns.
private typealias Rows = [String: [String]]

extension ProjectStore {
  fileprivate func rows() throws -> Rows {
    try queue.read { database in
      var rows: Rows = [:]
      for table in migrator.modelTables {
        for row in try Row.fetchAll(database, sql: "SELECT * FROM \(table)") {
          rows["\(table) \(row[0] as Int64)"] = row.databaseValues.map { "\($0)" }
        }
      }
      return rows
    }
  }
}

/// A model of a history of edits.
private struct HistoryModel {
  struct Step {
    var entry: JournalEntry
    var before: Rows
    var after: Rows
  }

  struct Impossible: Error {}

  private(set) var rows: Rows
  private(set) var path: [Step] = []
  private var undone: [Step] = []

  init(rows: Rows) { self.rows = rows }

  mutating func add(_ entry: JournalEntry, _ after: Rows) {
    path.append(Step(entry: entry, before: rows, after: after))
    undone = []
    rows = after
  }

  mutating func undo(_ count: Int) throws {
    for _ in 0..<count {
      guard let step = path.popLast() else { throw Impossible() }
      undone.append(step)
      rows = step.before
    }
  }

  mutating func redo() throws {
    guard let step = undone.popLast() else { throw Impossible() }
    path.append(step)
    rows = step.after
  }

  func newest(of author: String) -> Step? {
    let reverted = path.filter { $0.entry.kind == .revert }.compactMap(\.entry.target)
    return path.last { $0.entry.author == author && $0.entry.kind == .do && !reverted.contains($0.entry.id) }
  }

  func isLater(_ entry: JournalEntry, than target: JournalEntry) -> Bool {
    path.contains { $0.entry.id == entry.id } && entry.revision > target.revision
  }

  /// Checks what the store has undone against the rows of the edit.
  mutating func undoNewest(
    of author: String, _ result: EditResult<[JournalEntry]>, _ comment: Testing.Comment
  ) throws {
    guard let target = newest(of: author), let entry = result.entry else { throw Impossible() }
    #expect(result.value.map(\.id) == [target.entry.id], comment)
    guard target.entry.id != path.last?.entry.id else {
      #expect(entry.kind == .undo, comment)
      return try undo(1)
    }
    #expect(entry.kind == .revert && entry.target == target.entry.id, comment)
    add(entry, try reverted(target))
  }

  /// The current rows with one edit reverted.
  private func reverted(_ step: Step) throws -> Rows {
    var result = rows
    for key in Set(step.before.keys).union(step.after.keys) where step.before[key] != step.after[key] {
      switch (step.before[key], step.after[key], rows[key]) {
      case (let old?, nil, nil): result[key] = old
      case (nil, let new?, let present?) where present == new: result[key] = nil
      case (let old?, let new?, var present?):
        for column in old.indices where old[column] != new[column] {
          guard present[column] == new[column] else { throw Impossible() }
          present[column] = old[column]
        }
        result[key] = present
      default: throw Impossible()
      }
    }
    return result
  }
}
