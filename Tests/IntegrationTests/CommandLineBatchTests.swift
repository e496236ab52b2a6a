import Foundation
import Testing

@Suite("Batches")
struct CommandLineBatchTests {
  private func withSong(_ body: (DAWProgram) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": folder.path + "/Song"])
      try daw("new", "Song")
      try body(daw)
    }
  }

  private static let script = """
    # A comment, and an empty line.

    add-track "Lead Synth" --type midi --as lead
    add-region %lead --length 4b --name Ver\\'se --as verse   # another
    add-note %verse C4 --length 1b --as first
    set-note %first --velocity 100
    split-region --at=2b %verse --as right
    set-region %right --name '100 % #1'
    """

  @Test("A batch does what its lines do one by one, in one step of undo")
  func sameAsOneByOne() throws {
    try withSong { (daw: DAWProgram) throws in
      let empty = try daw("show", "--json").data
      #expect(try daw("batch", input: Self.script).line.hasPrefix("Made 6 edits."))
      #expect(try daw("revision").line == "1")
      let regions = try daw("list-regions").text
      #expect(regions.contains("Lead Synth/Ver'se") && regions.contains("Lead Synth/100 % #1"))
      #expect(try daw("list-notes").text.contains("velocity 100"))
      try daw("undo")
      #expect(try daw("show", "--json").data.count == empty.count)
      #expect(try daw("list-tracks", "-q").text.split(separator: "\n").count == 1)
    }
  }

  @Test("The first error names its line, and nothing is changed")
  func errors() throws {
    let cases: [(String, Int, Int32)] = [
      ("add-track A\nadd-track a", 2, 65), ("add-track A\n\nset-track B --solo", 3, 66),
      ("add-track A\nadd-trakc B", 2, 64),
      ("add-track A\nadd-track B --volume", 2, 64), ("add-track 'A", 1, 64), ("add-track A\nundo", 2, 64),
      ("add-track A\nshow", 2, 64), ("add-track A\nnew B", 2, 64), ("add-track A\nbatch -", 2, 64),
      ("add-track A --json", 1, 64), ("add-track A --dry-run", 1, 64), ("add-track A -p Song", 1, 64),
      ("add-track A --help", 1, 64), ("daw add-track A", 1, 64), ("add-track A --as a\nset-track %b --solo", 2, 64),
      ("add-track A --as a\nadd-track B --as a", 2, 64), ("add-track A --as", 1, 64),
      ("add-track A --as a --as b", 1, 64),
      ("add-track A --as a\nremove-track %a --as b", 2, 64), ("add-track A\nset-track A --pan 0 --pan 1", 2, 64),
      ("add-track K --type midi\nadd-region K --as r\nadd-notes %r -", 3, 64),
    ]
    try withSong { (daw: DAWProgram) throws in
      for (script, line, status) in cases {
        let output = try daw.run(["batch"], input: Data(script.utf8))
        #expect(output.status == status, "\(script)")
        #expect(output.error.hasPrefix("daw: Line \(line)"), "\(script): \(output.error)")
      }
      #expect(try daw("revision").line == "0")
    }
  }

  @Test("Paths in a file are relative to it, those of standard input to the current folder")
  func paths() throws {
    try withSong { (daw: DAWProgram) throws in
      let inside = daw.folder.appendingPathComponent("inside")
      try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: true)
      try Data("pitch\n60\n".utf8).write(to: inside.appendingPathComponent("notes.csv"))
      let script = "add-track K --type midi\nadd-region K --as r\nadd-notes %r notes.csv\n"
      try Data(script.utf8).write(to: inside.appendingPathComponent("edits.txt"))
      #expect(try daw.run(["batch"], input: Data(script.utf8)).status == 66)
      try daw("batch", "inside/edits.txt")
      #expect(try daw("list-notes", "-q").text.split(separator: "\n").count == 1)
    }
  }

  @Test("A batch that is only tried changes nothing; its JSON lists what each line made")
  func trial() throws {
    try withSong { (daw: DAWProgram) throws in
      struct Result: Decodable {
        struct Edit: Decodable { var line: Int }
        var revision: Int
        var isDryRun: Bool
        var edits: [Edit]
        var names: [String: String]
      }
      let result = try daw("batch", "--dry-run", "--json", input: Self.script).json(Result.self)
      #expect(result.isDryRun && result.revision == 0)
      #expect(result.edits.map(\.line) == [3, 4, 5, 6, 7, 8])
      #expect(Set(result.names.keys) == ["lead", "verse", "first", "right"])
      #expect(try daw("revision").line == "0")
    }
  }
}
