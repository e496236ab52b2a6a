import Foundation
import Testing

@Suite("Edits from the command line")
struct CommandLineEditTests {
  private func withSong(_ body: (DAWProgram) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song")
      try body(daw)
    }
  }

  private struct Track: Decodable { var name: String }
  private struct Region: Decodable {
    var name: String
    var track: String
    var color: String?
    var startTicks: Int64?
    var durationTicks: Int64?
    var noteCount: Int?
  }
  private struct Note: Decodable {
    var pitch: Int
    var velocity: Int
    var channel: Int
    var startTicks: Int64
    var durationTicks: Int64
  }

  private func trackNames(_ daw: DAWProgram) throws -> [String] {
    try daw("list-tracks", "--json").json([Track].self).map(\.name)
  }

  @Test("Tracks are added at a place, moved and removed; the master stays last")
  func trackOrder() throws {
    try withSong { (daw: DAWProgram) throws in
      for name in ["A", "B", "C"] { try daw("add-track", name) }
      try daw("add-track", "First", "--at", "1")
      #expect(try trackNames(daw) == ["First", "A", "B", "C", "Master"])
      try daw("move-track", "c", "--to", "2")
      #expect(try trackNames(daw) == ["First", "C", "A", "B", "Master"])
      try daw("remove-track", "A")
      #expect(try trackNames(daw) == ["First", "C", "B", "Master"])
      for refused in [
        ["remove-track", "Master"], ["move-track", "Master", "--to", "1"], ["move-track", "B", "--to", "4"],
      ] {
        #expect(try daw.run(refused).status == 65)
      }
    }
  }

  @Test("Listings take filters")
  func filters() throws {
    try withSong { (daw: DAWProgram) throws in
      try daw("add-track", "Audio", "--solo")
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--at", "0b", "--length", "4b", "--name", "One")
      try daw("add-region", "Keys", "--at", "4b", "--length", "4b", "--name", "Two")
      #expect(try daw("list-tracks", "--soloed", "--json").json([Track].self).map(\.name) == ["Audio"])
      #expect(try daw("list-tracks", "--type", "midi", "--json").json([Track].self).map(\.name) == ["Keys"])
      func regions(_ options: String...) throws -> [String] {
        try daw.run(["list-regions", "--json"] + options).json([Region].self).map(\.name)
      }
      #expect(try regions() == ["One", "Two"])
      #expect(try regions("--from", "2b", "--to", "6b") == ["One", "Two"])
      #expect(try regions("--from", "2b", "--to", "6b", "--starts") == ["Two"])
      #expect(try regions("--to", "4b") == ["One"])
      #expect(try regions("--from", "4b") == ["Two"])
      #expect(try regions("--track", "Audio") == [])
      #expect(try regions("--type", "midi", "--track", "keys") == ["One", "Two"])
    }
  }

  @Test("A split cuts the note that crosses it in two, and copies follow each other")
  func splitAndCopy() throws {
    try withSong { (daw: DAWProgram) throws in
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--length", "4b")
      try daw("add-note", "Keys/Region", "60", "--at", "1b", "--length", "2b")
      try daw("split-region", "Keys/Region", "--at", "2b")
      try daw("copy-region", "Keys/Region", "--at", "4b", "--count", "2")
      let regions = try daw("list-regions", "--json").json([Region].self)
      #expect(regions.map(\.name) == ["Region", "Region 2", "Region 3", "Region 4"])
      #expect(regions.map(\.startTicks) == [0, 30_720, 61_440, 92_160])
      #expect(regions.map(\.noteCount) == [1, 1, 1, 1])
      let notes = try daw("list-notes", "--to", "4b", "--json").json([Note].self)
      #expect(notes.map(\.durationTicks) == [15_360, 15_360])
      #expect(try daw.run(["split-region", "Keys/Region", "--at", "2b"]).status == 65)
    }
  }

  @Test("A split where a note begins moves it whole into the right part, and one that ends there stays in the left")
  func splitBetweenNotes() throws {
    struct Placed: Decodable, Equatable {
      var id, region: String
      var startTicks, durationTicks: Int64
    }
    try withSong { (daw: DAWProgram) throws in
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--length", "4b")
      let left = try daw("add-note", "Region", "60", "--at", "1b", "--length", "1b", "-q").line
      let right = try daw("add-note", "Region", "60", "--at", "2b", "--length", "1b", "-q").line
      try daw("split-region", "Keys/Region", "--at", "2b")
      #expect(
        try daw("list-notes", "--json").json([Placed].self) == [
          Placed(id: left, region: "Region", startTicks: 15_360, durationTicks: 15_360),
          Placed(id: right, region: "Region 2", startTicks: 0, durationTicks: 15_360),
        ])
      try daw("check")
    }
  }

  @Test("A region that would be shorter than its notes is refused, unless they may be cut")
  func cutNotes() throws {
    try withSong { (daw: DAWProgram) throws in
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--length", "4b")
      for place in ["0b", "1b", "3b"] { try daw("add-note", "Region", "60", "--at", place, "--length", "1b") }
      let refused = try daw.run(["set-region", "Region", "--length", "1.5b"])
      #expect(refused.status == 65 && refused.error.contains("2 notes"))
      try daw("set-region", "Region", "--length", "1.5b", "--cut-notes")
      #expect(try daw("list-notes", "--json").json([Note].self).map(\.durationTicks) == [15_360, 7_680])
    }
  }

  @Test("Notes come from CSV and from JSON lines alike")
  func manyNotes() throws {
    try withSong { (daw: DAWProgram) throws in
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--length", "8b", "--name", "A")
      try daw("add-region", "Keys", "--length", "8b", "--name", "B")
      let table = """
        Pitch,start,length,velocity,channel
        C4,0b,1b,100,1
        "64", 0.5s , 250ms ,,16

        67,2b,1b,1,2
        """
      try daw("add-notes", "Keys/A", input: table)
      let lines = """
        {"pitch": 60, "startTicks": 0, "durationTicks": 15360, "velocity": 100}
        {"pitch": 64, "startTime": 0.5, "duration": 0.25, "channel": 15}
        {"pitch": 67, "startTicks": 30720, "startTime": 99, "duration": 0.5, "velocity": 1, "channel": 1}
        """
      try daw("add-notes", "Keys/B", "-", input: lines)
      func notes(_ region: String) throws -> [[Int64]] {
        try daw("list-notes", "--region", region, "--json").json([Note].self).map {
          [Int64($0.pitch), Int64($0.velocity), Int64($0.channel), $0.startTicks, $0.durationTicks]
        }
      }
      #expect(
        try notes("Keys/A") == [[60, 100, 0, 0, 15_360], [64, 80, 15, 15_360, 7_680], [67, 1, 1, 30_720, 15_360]])
      #expect(try notes("Keys/B") == notes("Keys/A"))
    }
  }

  @Test("Bare seconds in CSV are numbers as JSON has them, and messages quote what was typed")
  func bareSeconds() throws {
    try withSong { (daw: DAWProgram) throws in
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--length", "8b")
      try daw("add-notes", "Region", input: "pitch,startTime,duration\n60,5e-05,1E0\n61,0.5,2.5e-1\n")
      try daw("add-notes", "Region", input: "{\"pitch\": 62, \"startTime\": 5e-05, \"duration\": 1}\n")
      let notes = try daw("list-notes", "--json").json([Note].self).map { [$0.startTicks, $0.durationTicks] }
      #expect(notes.sorted { $0[0] < $1[0] } == [[2, 30_720], [2, 30_720], [15_360, 7_680]])
      try daw("add-events", "Region", input: "kind,value,startTime\npitchBend,1,5e-05\n")
      for (command, text, message) in [
        ("add-notes", "pitch,startTime\n60,1m\n", "'1m' is no number of seconds"),
        ("add-notes", "pitch,startTime\n60,nan\n", "'nan' is no number of seconds"),
        ("add-notes", "pitch,duration\n60,-1\n", "'-1' seconds are less than none"),
        ("add-notes", "pitch,startTime\n60,1e300\n", "'1e300' seconds are beyond the end of the timeline"),
        ("add-events", "kind,value,startTime\npitchBend,1,x\n", "'x' is no number of seconds"),
      ] {
        let output = try daw.run([command, "Region"], input: Data(text.utf8))
        #expect(output.status == 65 && output.error.contains("Line 2 of standard input: \(message)"), "\(output.error)")
      }
    }
  }

  @Test("A list of notes with a fault is refused with its line, and adds none")
  func faultyLists() throws {
    let cases = [
      ("pitch,start\n60,0b\n61,99", 3), ("pitch,colour\n60,red", 1), ("start\n0b", 1), ("pitch,pitch\n1,1", 1),
      ("pitch\n60\n60,1", 3), ("pitch\r\n60\r\n60,1", 3), ("pitch\r60\r\r60,1", 4), ("pitch\n\"60", 2),
      ("pitch,startTicks\n60,-9223372036854775808", 2), ("pitch,startTicks\n60,9223372036854775807", 2),
      ("pitch,channel\n60,x", 2),
      ("{\"pitch\": 60}\n{\"pitch\": \"C4\"}", 2),
      ("{\"pitch\": 60, \"colour\": 1}", 1), ("{\"pitch\": 60\n", 1), ("{\"pitch\": 60, \"startTime\": 1e300}", 1),
    ]
    try withSong { (daw: DAWProgram) throws in
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--length", "8b")
      for (text, line) in cases {
        let output = try daw.run(["add-notes", "Region"], input: Data(text.utf8))
        #expect(output.status == 65, "\(text)")
        #expect(output.error.hasPrefix("daw: Line \(line) of standard input: "), "\(text): \(output.error)")
      }
      let early = try daw.run(["add-notes", "Region"], input: Data("pitch,startTicks\n60,-1\n".utf8))
      #expect(early.status == 65 && early.error.contains("A start of -1 ticks is not accepted"), "\(early.error)")
      for (command, noun) in [("add-notes", "note"), ("add-events", "event")] {
        let array = try daw.run([command, "Region"], input: Data("\n [{\"pitch\": 60}]\n".utf8))
        let message = "Line 2 of standard input: A list in JSON is one \(noun) a line"
        #expect(array.status == 65 && array.error.contains(message), "\(array.error)")
      }
      #expect(try daw("list-notes", "-q").data.isEmpty)
    }
  }

  @Test("Names win over ids, ids over nothing; what fits several is refused with the candidates")
  func references() throws {
    try withSong { (daw: DAWProgram) throws in
      try daw("add-track", "A/B", "--type", "midi")
      try daw("add-track", "C", "--type", "midi")
      let first = try daw("add-region", "A/B", "--name", "x/y", "-q").line
      try daw("add-region", "C", "--name", "x/y")
      try daw("set-region", "A/B/x/y", "--color", "red")
      let ambiguous = try daw.run(["set-region", "x/y", "--color", "green"])
      #expect(ambiguous.status == 65 && ambiguous.error.contains("A/B/x/y") && ambiguous.error.contains("C/x/y"))
      let ending = String(first.suffix(8))
      try daw("set-region", ending, "--color", "yellow")
      try daw("add-region", "C", "--name", ending)
      try daw("set-region", ending, "--color", "pink")
      func colours() throws -> [String: String?] {
        let regions = try daw("list-regions", "--json").json([Region].self)
        return Dictionary(uniqueKeysWithValues: regions.map { ("\($0.track)/\($0.name)", $0.color) })
      }
      #expect(try colours() == ["A/B/x/y": "yellow", "C/x/y": nil, "C/\(ending)": "pink"])
      try daw("set-region", "id:" + ending, "--color", "none")
      #expect(try colours() == ["A/B/x/y": nil, "C/x/y": nil, "C/\(ending)": "pink"])
    }
  }

  @Test("Undo and redo say what, and the history tells where each edit stands")
  func history() throws {
    try withSong { (daw: DAWProgram) throws in
      for name in ["A", "B", "C"] { try daw("add-track", name) }
      let undone = try daw("undo", "2").text
      #expect(undone.contains("Added audio track 'C'") && undone.contains("Added audio track 'B'"))
      #expect(try trackNames(daw) == ["A", "Master"])
      #expect(try daw("redo").text.contains("Added audio track 'B'"))
      #expect(try trackNames(daw) == ["A", "B", "Master"])
      struct Line: Decodable {
        var summary: String
        var standing: String
        var commandLine: String
      }
      let lines = try daw("history", "--json").json([Line].self)
      #expect(lines.map(\.standing) == ["undone", "applied", "applied", "applied"])
      #expect(lines[0].commandLine == "daw add-track C")
      try daw("add-track", "D")
      #expect(try daw.run(["redo"]).status == 65)
      #expect(try daw("history", "--all").text.contains("abandoned"))
      #expect(try daw.run(["undo", "9"]).status == 65)
      #expect(try trackNames(daw) == ["A", "B", "D", "Master"])
    }
  }

  @Test("What means two regions is refused, though an earlier word would remove one of them")
  func removalFindsAllFirst() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      // With a slash at the end, as a shell completes it.
      try daw("new", "Song/")
      for track in ["A", "B"] {
        try daw("add-track", track, "--type", "midi")
        try daw("add-region", track, "--name", "Loop")
      }
      #expect(try daw.run(["remove-region", "A/Loop", "Loop"]).status == 65)
      #expect(try daw("list-regions", "-q").text.split(separator: "\n").count == 2)
      try daw("remove-region", "A/Loop", "a/loop")
      try daw("copy", "Song/", "Copy/")
      #expect(try daw("-p", "Copy", "list-regions", "-q").text.split(separator: "\n").count == 1)
      // What is there is not touched, and what is not there is not said to have been named by '-p'.
      try daw("-p", "Copy", "add-track", "C")
      let again = try daw.run(["copy", "Song", "Copy"])
      #expect(again.status == 73 && again.error.contains("exists already. It was not touched."), "\(again.error)")
      #expect(try daw("-p", "Copy", "list-tracks", "-q").text.split(separator: "\n").count == 4)
      for (path, sentence) in [
        ("Sing", "There is no project 'Sing'."), (".", "'.' is no project of daw."),
        ("", "The path of the project is empty."),
      ] {
        let refused = try daw.run(["copy", path, "Other"])
        #expect(refused.status == 66 && refused.error.hasPrefix("daw: \(sentence)\n"), "\(refused.error)")
      }
    }
  }
}
