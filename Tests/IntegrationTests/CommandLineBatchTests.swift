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
      for script in ["help", "help add-track", "add-track A --help"] {
        let output = try daw.run(["batch"], input: Data(script.utf8))
        #expect(output.status == 64 && output.error.contains("Help cannot be asked for in a batch."), "\(output.error)")
        #expect(!output.error.contains("Did you mean"), "\(script): \(output.error)")
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

  @Test("What one line changes the next line sees")
  func linesSeeEachOther() throws {
    let lines = [
      "add-track Keys --type midi", "add-region Keys --length 8b --name A",
      "add-region Keys --length 8b --at 8b --name B",
      "add-note A C4 --at 0.1.0 --length 250ms", "add-note Keys/A C4 --at 1s --length 0.1.0", "set-project --tempo 90",
      "add-note A D4 --at 1s --length 250ms", "add-note Keys/A D4 --at=1s", "add-tempo 150 --at 2b",
      "add-note A E4 --at 2s --length 250ms", "add-meter 3/4 --at 2.1.0", "add-note A E4 --at 1.1.0 --length 0.1.0",
      "set-region A --name C", "set-region B --name A", "add-note A F4 --velocity 3 --channel 2",
      "add-track Bass --type midi", "set-region Keys/C --track Bass", "add-note Bass/C G4 --release-velocity 9",
      "add-region Bass --name A --length 4b", "add-note Bass/A A4", "add-note Keys/A A4", "remove-region Keys/A",
      "add-note A B4 --at 1s", "set-track Bass --name Keyed", "add-note Keyed/A B4",
      "copy-region Keyed/A --at 30b --count 3",
      "add-note 'Keyed/A 3' C5", "set-region A --length 1b --cut-notes", "add-region Keyed", "add-region Keyed",
      "remove-region Keyed/Region", "add-region Keyed --at 9b", "add-region Keyed --name 'Region 3'",
      "add-region Keyed",
    ]
    func song(_ edit: (DAWProgram) throws -> Void) throws -> String {
      var text = ""
      try withSong { (daw: DAWProgram) throws in
        try edit(daw)
        text = try daw("show", "--json", "--notes").text
      }
      return text.split(separator: "\n").filter {
        !$0.contains("\"id\"") && !$0.contains("Date\"") && !$0.contains("\"revision\"")
      }.joined(separator: "\n")
    }
    let together = try song { daw in try daw("batch", input: lines.joined(separator: "\n")) }
    let apart = try song { daw in for line in lines { try daw("batch", input: line) } }
    #expect(together == apart)
  }

  @Test("A line that is read without the parser means what the parser says")
  func plainLines() throws {
    // With '=' a line is not plain.
    let lines = ["C4", "61 --at 1b", "D4 --length 2b --velocity 9", "E4 --channel 3 --release-velocity 1 --at 0.2.0"]
    let wrong = [
      "C4 --at 1b --at 2b", "C4 --at", "C4 D4", "--at 1b", "C4 --nonsense 1", "H4", "C4 --velocity x", "C4 --json",
      "C4 --at -1b", "-1", "C4 --velocity 200", "C4 --channel 17", "C4 -h",
    ]
    try withSong { (daw: DAWProgram) throws in
      try daw(
        "batch", input: "add-track K --type midi\nadd-region K --name A --length 8b\nadd-region K --name B --length 8b")
      try daw("batch", input: lines.map { "add-note A \($0)" }.joined(separator: "\n"))
      let typed = lines.map { "add-note B \(Self.joiningValues($0))" }
      try daw("batch", input: typed.joined(separator: "\n"))
      func notes(_ region: String) throws -> [String] {
        try daw("list-notes", "--region", region, "--json").text.split(separator: "\n").map(String.init).filter {
          !$0.contains("\"id\"") && !$0.contains("region")
        }
      }
      #expect(try notes("A") == notes("B"))
      for line in wrong {
        // The first line makes the reader.
        let second = try daw.run(["batch"], input: Data("add-note A C4\nadd-note A \(line)".utf8))
        let first = try daw.run(["batch"], input: Data("add-note A \(line)".utf8))
        #expect(second.status == first.status && first.status != 0, "\(line)")
        #expect(second.error.replacing("Line 2", with: "Line 1") == first.error, "\(line)")
      }
    }
  }

  @Test("A line of add-region that is read without the parser means what the parser says")
  func plainRegionLines() throws {
    let lines = [
      "add-region K", "add-region K --at 2b --length 1b", "add-region K --name X --at 3.1.0", "add-region K --at 1s",
      "add-region k --length 2.0.0",
    ]
    func regions(_ lines: [String]) throws -> [String] {
      var found: [String] = []
      try withSong { (daw: DAWProgram) throws in
        try daw("batch", input: (["add-track K --type midi"] + lines).joined(separator: "\n"))
        found = try daw("list-regions", "--json").text.split(separator: "\n").map(String.init).filter {
          !$0.contains("\"id\"") && !$0.contains("\"trackID\"")
        }
        for line in [
          "K --at", "K --at -1b", "K --gain x", "K --offset 1s", "K --file none.wav", "K J", "J", "K --name ''",
        ] {
          let output = try daw.run(["batch"], input: Data("add-region K\nadd-region \(line)".utf8))
          let alone = try daw.run(["batch"], input: Data("add-region \(line)".utf8))
          #expect(output.status == alone.status && alone.status != 0, "\(line)")
          #expect(output.error.replacing("Line 2", with: "Line 1") == alone.error, "\(line)")
        }
      }
      return found
    }
    let plain = try regions(lines)
    #expect(plain.count > lines.count)
    #expect(try plain == regions(lines.map(Self.joiningValues)))
  }

  /// The words of a line, each option joined with its value by '=': the parser reads such a line.
  private static func joiningValues(_ line: String) -> String {
    var words = line.split(separator: " ").map(String.init)
    for index in words.indices.reversed() where words[index].hasPrefix("--") {
      words[index] += "=" + words.remove(at: index + 1)
    }
    return words.joined(separator: " ")
  }
}
