import Foundation
import Testing

@Suite("Several processes at once")
struct ManyWritersTests {
  @Test("Ten processes add notes at once: all are there, and each is an edit of its own")
  func tenWriters() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try daw("add-track", "Piano", "--type", "midi")
      try daw("add-region", "Piano", "--name", "Part", "--length", "100b")
      let before = Int(try daw("revision").line) ?? -1
      var ids: [String] = []
      for round in 0..<4 {
        let edits = (0..<10).map { writer in
          ["add-note", "Part", "\(40 + writer)", "--at", "\(round)b", "--length", "1b", "-q"]
        }
        for (edit, run) in try edits.map({ ($0, try daw.start($0)) }) {
          var output = run.finish()
          // Where the machine leaves a writer no turn for seconds, it says so and has changed nothing; it is to try
          // again.
          for _ in 0..<20 where output.status == 75 { output = try daw.run(edit) }
          #expect(output.status == 0, "\(output.error)")
          ids.append(output.line)
        }
      }
      struct Note: Decodable { var id: String }
      let stored = try daw("list-notes", "--json").json([Note].self).map(\.id)
      #expect(Set(stored) == Set(ids))
      #expect(Set(ids).count == 40)
      #expect(Int(try daw("revision").line) == before + 40)
      try daw("check")
    }
  }

  @Test("An edit that expects another revision is refused with status 75, and changes nothing")
  func expectedRevision() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      let revision = try daw("revision").line
      try daw("add-track", "A", "--if-revision", revision)
      let before = try daw("show", "--json").data
      let refused = try daw.run(["add-track", "B", "--if-revision", revision])
      #expect(refused.status == 75)
      #expect(refused.error.contains("revision"))
      #expect(try daw("show", "--json").data == before)
    }
  }
}
