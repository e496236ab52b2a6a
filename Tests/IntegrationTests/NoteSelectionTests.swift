import Foundation
import Testing

@Suite("Edits on a selection of notes")
struct NoteSelectionTests {
  private struct Note: Decodable, Equatable {
    var pitch: Int
    var velocity: Int
    var timelineTicks: Int64
    var durationTicks: Int64
    var region: String
  }
  private struct Result: Decodable {
    var chosenCount: Int
    var changedCount: Int
    var addedCount: Int
    var removedCount: Int
    var revision: Int
    var isChanged: Bool
    var notes: [String]
  }

  /// Keys/Verse in bars 1 and 2, Keys/Chorus in bars 3 and 4, and Bass/Line in bars 1 to 4, with a note each quarter.
  private func withSong(_ body: (DAWProgram) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song")
      var script = "add-track Keys --type midi\nadd-track Bass --type midi\n"
      for (region, bar, bars) in [("Keys/Verse", 1, 2), ("Keys/Chorus", 3, 2), ("Bass/Line", 1, 4)] {
        let names = region.split(separator: "/")
        script += "add-region \(names[0]) --name \(names[1]) --at \(bar).1.0 --length \(bars).0.0\n"
        let rows = (0..<4 * bars).map { "\(60 + $0),\($0 * 15360 + 100),1000,\(5 + 5 * $0),1" }
        let table = "pitch,startTicks,durationTicks,velocity,channel\n" + rows.joined(separator: "\n")
        try Data(table.utf8).write(to: folder.appendingPathComponent("\(names[1]).csv"))
        script += "add-notes \(region) \(names[1]).csv\n"
      }
      try daw("batch", input: script)
      try body(daw)
    }
  }

  private func notes(_ daw: DAWProgram, _ options: String...) throws -> [Note] {
    try daw.run(["list-notes", "--json"] + options).json([Note].self)
  }

  private func edit(_ daw: DAWProgram, _ words: String...) throws -> Result {
    let output = try daw.run(words + ["--json"])
    #expect(output.status == 0, "\(output.error)")
    return try output.json(Result.self)
  }

  @Test("Each option narrows the choice, and list-notes chooses the same")
  func selection() throws {
    try withSong { daw in
      for (options, count) in [
        ([], 32), (["--region", "Verse"], 8), (["--track", "Keys"], 16), (["--from", "2.1.0", "--to", "3.1.0"], 8),
        (["--pitch", "C4..D4"], 9), (["--pitch", "60"], 3), (["--velocity", "10..30"], 15), (["--channel", "1"], 32),
        (["--track", "Bass", "--from", "4.1.0"], 4),
      ] {
        let result = try daw.run(["transpose", "--by", "1", "--dry-run", "--json"] + options).json(Result.self)
        #expect(result.chosenCount == count && result.changedCount == count, "\(options)")
        #expect(try daw.run(["list-notes", "--json", "--starts"] + options).json([Note].self).count == count)
      }
      let both = try edit(daw, "transpose", "--by", "1", "--region", "Verse", "--region", "Line", "--dry-run")
      #expect(both.chosenCount == 24)
      for nothing in [["--channel", "2..16"], ["--track", "Bass", "--region", "Verse"], ["--from", "9.1.0"]] {
        #expect(try daw.run(["transpose", "--by", "1"] + nothing).status == 66)
      }
    }
  }

  @Test("Each edit is one step of undo, and a trial changes nothing")
  func oneStep() throws {
    try withSong { daw in
      let before = try notes(daw)
      for words in [
        ["quantize", "--grid", "1/16"], ["transpose", "--by", "12"], ["scale-velocity", "--by", "50%"], ["legato"],
        ["humanize", "--timing", "5ms", "--velocity-by", "5", "--seed", "1"], ["split-notes", "--at", "1.1.500"],
        ["copy-notes", "--by", "0.0.2000"], ["move-notes", "--by", "0.0.2000"],
      ] {
        let trial = try daw.run(words + ["--dry-run"])
        #expect(trial.text.contains("->") || trial.text.contains("new:"), "\(words)")
        #expect(try notes(daw) == before, "\(words)")
        try daw.run(words)
        #expect(try notes(daw) != before, "\(words)")
        try daw("undo")
        #expect(try notes(daw) == before, "\(words)")
      }
    }
  }

  @Test("A trial says how many notes it is about, and shows the first few")
  func preview() throws {
    try withSong { daw in
      let lines = try daw("quantize", "--grid", "1/16", "--track", "Keys", "--dry-run").text.split(separator: "\n")
      #expect(lines.count == 7)
      #expect(lines.first == "Quantized: 16 of 16 notes in 2 regions. Only tried: nothing was changed.")
      #expect(
        lines.dropFirst().first?.hasSuffix(
          "Keys/Verse: C4 at 1.1.100, 0.065104b long, velocity 5, channel 1 -> at 1.1.0") == true)
      #expect(lines.last == "  and 11 more")
    }
  }

  @Test("What would leave its region or the pitches is refused with what to do, and nothing is changed")
  func refusals() throws {
    try withSong { daw in
      let before = try notes(daw)
      for (words, code) in [
        (["transpose", "--by", "100"], "pitch"),
        (["move-notes", "--region", "Verse", "--by", "1.0.0"], "noteWithinRegion"),
        (["move-notes", "--by", "-4b"], "noteWithinRegion"), (["quantize", "--grid", "4bars"], "noteWithinRegion"),
        (["copy-notes", "--track", "Keys", "--into", "Verse"], "noteWithinRegion"),
      ] {
        let output = try daw.run(words)
        #expect(output.status == 65, "\(words)")
        #expect(output.error.contains("Nothing was changed."), "\(words)")
        #expect(try daw.run(words + ["--json"]).error.contains("\"code\" : \"\(code)\""), "\(words)")
        #expect(try notes(daw) == before, "\(words)")
      }
      for words in [
        ["quantize", "--grid", "1/7"], ["quantize", "--grid", "0.5"], ["quantize", "--grid", "1/8", "--swing", "80"],
        ["quantize", "--grid", "bar", "--swing", "60"], ["quantize", "--grid", "1/8", "--strength", "120"],
        ["scale-velocity"], ["scale-velocity", "--range", "0..10"], ["humanize"], ["move-notes"],
        ["move-notes", "--at", "1.1.0", "--by", "1b"], ["transpose", "--by", "1", "--velocity", "40..1"],
        ["transpose", "--by", "999999999999999999"],
      ] {
        #expect(try daw.run(words).status == 64, "\(words)")
      }
      for seed in ["-1", "18446744073709551616", "1.5"] {
        let refused = try daw.run(["humanize", "--velocity-by", "5", "--seed", seed])
        #expect(refused.status == 64 && refused.error.contains("a seed is a whole number"), "\(refused)")
      }
    }
  }

  @Test("With --lengthen a region grows with its notes, and one undo takes back both")
  func lengthen() throws {
    try withSong { daw in
      let before = try daw("show", "--json", "--notes").text
      try daw("move-notes", "--region", "Chorus", "--by", "1.0.0", "--lengthen")
      #expect(try notes(daw, "--region", "Chorus").last?.timelineTicks == 100 + 19 * 15_360)
      try daw("check")
      try daw("undo")
      let after = try daw("show", "--json", "--notes").text
      func settled(_ text: String) -> [Substring] {
        text.split(separator: "\n").filter { !$0.contains("\"revision\"") && !$0.contains("\"modifiedDate\"") }
      }
      #expect(settled(after) == settled(before))
    }
  }

  @Test("Notes move and are copied along the timeline and into other regions")
  func places() throws {
    try withSong { daw in
      let moved = try edit(
        daw, "move-notes", "--region", "Verse", "--pitch", "60..61", "--into", "Bass/Line")
      #expect(moved.changedCount == 2)
      #expect(try notes(daw, "--region", "Line").count == 18)
      #expect(try notes(daw, "--region", "Line").prefix(2).map(\.timelineTicks) == [100, 100])
      let copied = try edit(daw, "copy-notes", "--region", "Chorus", "--to", "4.1.0", "--at", "4.1.0")
      #expect(copied.addedCount == 4 && copied.notes.count == 4)
      #expect(try notes(daw, "--region", "Chorus", "--from", "4.1.0", "--to", "4.1.50").map(\.pitch) == [60])
      let back = try edit(daw, "move-notes", "--region", "Chorus", "--by", "-100ms", "--from", "4.1.0", "--pitch", "60")
      #expect(back.changedCount == 1)
      #expect(
        try notes(daw, "--region", "Chorus", "--from", "3.4.0", "--pitch", "60").map(\.timelineTicks) == [
          12 * 15_360 - 3072
        ])
    }
  }

  @Test("In a batch they are lines like others")
  func batch() throws {
    try withSong { daw in
      try daw("batch", input: "quantize --grid 1/16\ntranspose --by 12 --track Bass\nlegato --track Keys\n")
      #expect(try notes(daw, "--track", "Bass").map(\.pitch).min() == 72)
      #expect(try notes(daw, "--region", "Verse").first?.durationTicks == 15_360)
      try daw("undo")
      #expect(
        try notes(daw, "--track", "Bass").first
          == Note(pitch: 60, velocity: 5, timelineTicks: 100, durationTicks: 1000, region: "Line"))
    }
  }

  @Test(
    "Notes are joined, cut where they overlap, and quantized with their ends, as the options say",
    arguments: [
      (["remove-overlaps"], [15_360, 20_000, 30_720, 1_000]),
      (["remove-overlaps", "--any-pitch"], [500, 14_860, 7_680, 1_000]),
      (["legato"], [15_360, 14_860, 7_680, 1_000]), (["legato", "--gap", "0.0.960"], [14_400, 13_900, 6_720, 1_000]),
      (["legato", "--chord", "0.0.400"], [500, 14_860, 7_680, 1_000]),
      (["quantize", "--grid", "1/8"], [20_000, 20_000, 30_720, 1_000]),
      (["quantize", "--grid", "1/8", "--ends"], [23_040, 23_040, 30_720, 7_680]),
    ])
  func lengths(words: [String], lengths: [Int]) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song")
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--length", "8b", "--name", "R")
      // A chord that is not played quite together, a note, and a last one.
      let rows = ["60,0,20000", "64,500,20000", "60,15360,30720", "62,23040,1000"]
      try daw("add-notes", "R", input: "pitch,startTicks,durationTicks\n\(rows.joined(separator: "\n"))\n")
      // Of two that begin together the longer one stays.
      if words[0] == "remove-overlaps" { try daw("add-note", "R", "60", "--at", "1b", "--length", "0.5b") }
      try daw.run(words)
      #expect(try notes(daw).map { Int($0.durationTicks) } == lengths)
    }
  }

  @Test("A grid of triplets, of dotted notes or of bars lies where it should")
  func grids() throws {
    for (grid, tick) in [("1/8t", 5120), ("1/8d", 11_520), ("1/16", 3840), ("1/12", 5120), ("bar", 61_440)] {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try daw("new", "Song")
        try daw("add-track", "Keys", "--type", "midi")
        try daw("add-region", "Keys", "--length", "8b", "--name", "R")
        try daw("add-notes", "R", input: "pitch,startTicks,durationTicks\nC4,\(tick - 60),100\n")
        try daw("quantize", "--grid", grid)
        #expect(try notes(daw).map(\.timelineTicks) == [Int64(tick)], "\(grid)")
      }
    }
  }
}
