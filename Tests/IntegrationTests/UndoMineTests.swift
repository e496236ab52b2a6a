import Foundation
import Testing

@Suite("Undo among several authors")
struct UndoMineTests {
  @Test("'undo --mine' is refused where the work of others builds on it, and names that work")
  func refused() throws {
    try withScratchFolder { folder in
      let (ada, bob) = (program(folder, "ada"), program(folder, "bob"))
      try ada("new", "Song")
      try ada("add-track", "Piano", "--type", "midi")
      try bob("add-region", "Piano", "--name", "Part", "--length", "4b")
      try bob("add-note", "Part", "60", "--length", "1b")
      let before = try ada("show", "--json", "--notes").text
      for options in [[], ["--dry-run"]] {
        let output = try ada.run(["undo", "--mine"] + options)
        #expect(output.status == 65)
        #expect(
          output.error.contains("Edit 1 (Added midi track 'Piano') cannot be undone alone: 2 later edits build on it"))
        #expect(output.error.contains("2 by bob (Added MIDI region 'Part' to track 'Piano'), 3 by bob ("))
        #expect(output.error.contains("Nothing was changed. 'daw undo 3' undoes everything since"))
      }
      let json = try ada.run(["undo", "--mine", "--json"])
      #expect(json.error.contains("\"undoConflict\""), "\(json.error)")
      #expect(try ada("show", "--json", "--notes").text == before)
      try ada("check")
      #expect(try ada.run(["undo", "--mine", "2"]).status == 64)
    }
  }

  @Test("'undo --mine' takes one's own edit from under another's, and undo and redo go over that")
  func accepted() throws {
    try withScratchFolder { folder in
      let (ada, bob) = (program(folder, "ada"), program(folder, "bob"))
      try ada("new", "Song")
      try ada("add-track", "Piano")
      try bob("add-track", "Bass")
      let both = try tracks(ada)
      try ada("undo", "--mine")
      #expect(try tracks(ada) == "Bass Master")
      try ada("check")
      #expect(try ada.run(["undo", "--mine"]).status == 65)
      try bob("undo")
      #expect(try tracks(ada) == both)
      try bob("redo")
      #expect(try tracks(ada) == "Bass Master")
      try ada("check")
    }
  }

  @Test("Undo and redo respect --if-revision")
  func ifRevision() throws {
    try withScratchFolder { folder in
      let daw = program(folder, "ada")
      try daw("new", "Song")
      try daw("add-track", "Piano")
      for arguments in [["undo"], ["undo", "--mine"]] {
        #expect(try daw.run(arguments + ["--if-revision", "0"]).status == 75)
      }
      try daw("undo", "--if-revision", "1")
      #expect(try daw.run(["redo", "--if-revision", "1"]).status == 75)
      try daw("redo", "--if-revision", "2")
      #expect(try tracks(daw) == "Piano Master")
    }
  }

  private func program(_ folder: URL, _ author: String) -> DAWProgram {
    DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song", "DAW_AUTHOR": author])
  }

  private func tracks(_ daw: DAWProgram) throws -> String {
    struct Song: Decodable { var tracks: [Strip] }
    struct Strip: Decodable { var name: String }
    return try daw("show", "--json").json(Song.self).tracks.map(\.name).joined(separator: " ")
  }
}
