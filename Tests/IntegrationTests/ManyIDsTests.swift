import Foundation
import Testing

@Suite("Thousands of ids in one command")
struct ManyIDsTests {
  @Test(
    "Notes and events are changed by the ends of their ids, and the project is not called damaged for it",
    arguments: [
      ("add-notes", "pitch,start", "60", ["set-note", "--velocity", "33"], 2_000),
      ("add-events", "kind,controller,value,start", "controller,1,2", ["set-event", "--value", "33"], 4_000),
    ])
  func ends(add: String, header: String, row: String, change: [String], count: Int) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song")
      try daw("batch", input: "add-track Keys --type midi\nadd-region Keys --name Verse --length 9000.0.0\n")
      let lines = (0..<6_000).map { "\(row),\($0)b" }
      let ids = try daw(add, "Verse", "-q", input: ([header] + lines).joined(separator: "\n") + "\n").line
      let ends = ids.split(separator: "\n").prefix(count).map { String($0.suffix(12)) }
      let changed = try daw.run(change + ends + ["--dry-run"])
      #expect(ends.count == count && changed.status == 0, "\(changed.error)")
    }
  }
}
