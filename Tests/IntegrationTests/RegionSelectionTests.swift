import DAWTestSupport
import Foundation
import Testing

@Suite("Edits on a selection of regions")
struct RegionSelectionTests {
  struct Region: Decodable, Equatable {
    var name: String
    var track: String
    var startTime: Double
    var startTicks: Int64?
    var durationTicks: Int64?
    var gain: Double
    var isMuted: Bool
    var color: String?
    var noteCount: Int?
  }
  private struct Result: Decodable {
    var chosenCount: Int
    var changedCount: Int
    var isChanged: Bool
    var regions: [String]?
    var removed: [String]?
  }

  /// Keys with Verse in bar 1 and Chorus in bar 3, four notes each, and Drums with Hit at 1 s and Loop at 5 s.
  private func withSong(_ body: (DAWProgram) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try PlainWave.write(
        [[Int](repeating: 1000, count: 48_000)], bits: 16, rate: 48_000, to: folder.appending(path: "hit.wav"))
      try daw("new", "Song")
      try daw(
        "batch",
        input: """
          add-track Keys --type midi
          add-track Drums
          add-region Keys --name Verse --at 1.1.0
          add-region Keys --name Chorus --at 3.1.0
          add-region Drums --file hit.wav --name Hit --at 1s
          add-region Drums --file hit.wav --name Loop --at 5s
          """)
      for region in ["Verse", "Chorus"] {
        try daw("add-notes", region, input: "pitch,start\n60,0b\n62,1b\n64,2b\n65,3b\n")
      }
      try body(daw)
    }
  }

  private func regions(_ daw: DAWProgram, _ options: String...) throws -> [Region] {
    try daw.run(["list-regions", "--json"] + options).json([Region].self)
  }

  private func edit(_ daw: DAWProgram, _ words: String...) throws -> Result {
    let output = try daw.run(words + ["--json"])
    #expect(output.status == 0, "\(output.error)")
    return try output.json(Result.self)
  }

  @Test("Each option narrows the choice, and list-regions chooses the same")
  func selection() throws {
    try withSong { (daw: DAWProgram) throws in
      for (options, count) in [
        (["--track", "keys"], 2), (["--track", "Keys", "--track", "Drums"], 4), (["--name", "verse"], 1),
        (["--name", "*o*"], 2), (["--name", "Verse", "--name", "L*"], 2), (["--type", "midi"], 2),
        (["--from", "1s", "--to", "5s"], 2), (["--track", "Drums", "--from", "1.3.1"], 1),
      ] {
        #expect(
          try edit(daw, "set-regions", "--mute", "--dry-run", options: options).chosenCount == count, "\(options)")
        #expect(try daw.run(["list-regions", "--json", "--starts"] + options).json([Region].self).count == count)
      }
      #expect(try edit(daw, "set-regions", "--mute", "--all").chosenCount == 4)
      #expect(try edit(daw, "set-regions", "--no-mute", "Verse", "Drums/Hit", "--track", "Keys").changedCount == 1)
    }
  }

  @Test("Nothing chosen is a mistake that says what to give, and a choice of nothing is an error")
  func noChoice() throws {
    try withSong { (daw: DAWProgram) throws in
      for command in [
        ["move-regions", "--by", "1b"], ["copy-regions"], ["set-regions", "--mute"], ["remove-regions"],
      ] {
        let output = try daw.run(command)
        #expect(output.status == 64)
        #expect(output.error.contains("Say which regions: their names, --track"))
        #expect(try daw.run(command + ["--all", "--track", "Keys"]).status == 64)
        let nothing = try daw.run(command + ["--track", "Keys", "--type", "audio", "--json"])
        #expect(nothing.status == 66)
        #expect(nothing.error.contains("\"noMatchingRegions\""))
        #expect(try daw.run(command + ["--name", "Versr"]).error.contains("Did you mean 'Verse'?"))
      }
      for command in [["set-notes", "--velocity-to", "1"], ["remove-notes"]] {
        #expect(try daw.run(command).status == 64)
        #expect(try daw.run(command + ["--all", "--pitch", "60"]).status == 64)
        #expect(try daw.run(command + ["--pitch", "90"]).status == 66)
      }
      #expect(try regions(daw).count == 4)
    }
  }

  @Test("Each edit is one step of undo, and a trial changes nothing and shows the first few")
  func oneStep() throws {
    try withSong { (daw: DAWProgram) throws in
      let before = try regions(daw)
      for words in [
        ["move-regions", "--all", "--by", "1.0.0"], ["copy-regions", "--all", "--count", "3"],
        ["set-regions", "--type", "audio", "--gain", "-3", "--mute", "--color", "red"], ["remove-regions", "--all"],
        ["loop-region", "Keys/Verse", "--until", "9.1.0"],
      ] {
        #expect(try daw.run(words + ["--dry-run"]).text.contains("Only tried"), "\(words)")
        #expect(try regions(daw) == before, "\(words)")
        try daw.run(words)
        #expect(try regions(daw) != before, "\(words)")
        try daw("undo")
        #expect(try regions(daw) == before, "\(words)")
      }
      let trial = try daw("move-regions", "--all", "--by", "1.0.0", "--dry-run").text.split(separator: "\n")
      #expect(trial.first == "Moved 4 regions. Only tried: nothing was changed.")
      #expect(trial.dropFirst().first == "  Keys/Verse: at 1.1.0, 0:00.000 -> at 2.1.0, 0:02.000")
    }
  }

  @Test("Regions move by bars or by time, and none before the start of the timeline")
  func move() throws {
    try withSong { (daw: DAWProgram) throws in
      try daw("move-regions", "--all", "--by", "2.0.0")
      #expect(try regions(daw).map(\.startTime) == [4, 5, 8, 9])
      try daw("move-regions", "--track", "Drums", "--by", "-250ms")
      #expect(try regions(daw, "--track", "Drums").map(\.startTime) == [4.75, 8.75])
      let refused = try daw.run(["move-regions", "--all", "--by", "-4.5s", "--json"])
      #expect(refused.status == 65)
      #expect(
        refused.error.contains("1 region would begin before the start of the timeline, 'Keys/Verse' the earliest"))
      #expect(try regions(daw).map(\.startTime) == [4, 4.75, 8, 8.75])
      #expect(try daw.run(["move-regions", "--all", "--by", "99999999999.0.0"]).status == 65)
      #expect(try daw.run(["move-regions", "--all", "--by", "1"]).status == 64)
    }
  }

  @Test("Copies keep their distances, and follow each other with their notes")
  func copy() throws {
    try withSong { (daw: DAWProgram) throws in
      #expect(try edit(daw, "copy-regions", "--all", "--at", "9.1.0").regions?.count == 4)
      #expect(try regions(daw, "--from", "9.1.0").map(\.startTime) == [16, 17, 20, 21])
      #expect(try regions(daw, "--from", "9.1.0").map(\.name) == ["Verse 2", "Hit 2", "Chorus 2", "Loop 2"])
      #expect(try regions(daw, "--type", "midi").map(\.noteCount) == [4, 4, 4, 4])
      try daw("undo")
      try daw("copy-regions", "--track", "Keys", "--count", "2")
      #expect(try regions(daw, "--track", "Keys").map(\.startTime) == [0, 4, 6, 10, 12, 16])
      try daw("undo")
      try daw("copy-regions", "Drums/Hit", "--by", "3s", "--count", "2")
      #expect(try regions(daw, "--name", "Hit*").map(\.startTime) == [1, 4, 7])
      #expect(try daw.run(["copy-regions", "--all", "--at", "1s", "--by", "1s"]).status == 64)
      #expect(try daw.run(["copy-regions", "--all", "--count", "0"]).status == 64)
    }
  }

  @Test("Of many copies by time those of notes stay beside those of sound, where a tick is no part of that time")
  func manyCopiesByTime() throws {
    try withSong { (daw: DAWProgram) throws in
      try daw("set-project", "--tempo", "137.123")
      try daw("set-region", "Drums/Hit", "--at", "0s")
      let before = try regions(daw, "--name", "Verse", "--name", "Hit").map(\.startTime)
      #expect(before == [0, 0])
      try daw("copy-regions", "Keys/Verse", "Drums/Hit", "--by", "0.1s", "--count", "1000")
      let starts = try regions(daw).map(\.startTime).filter { $0 > 99.99 }
      #expect(starts.count == 2 && starts.allSatisfy { abs($0 - 100) < 0.000_02 }, "\(starts)")
    }
  }

  @Test(
    "Many copies of sound that begins on a beat lie end to end, where its length is no number of ticks",
    arguments: [
      ["copy-region", "Drums/Hit", "--count", "1000"], ["copy-region", "Drums/Hit", "--at", "1s", "--count", "1000"],
      ["loop-region", "Drums/Hit", "--until", "1000.9s"],
    ])
  func manyCopiesOnBeats(words: [String]) throws {
    try withSong { (daw: DAWProgram) throws in
      try daw("set-project", "--tempo", "137.123")
      try daw("set-region", "Drums/Hit", "--time-base", "musical", "--at", "1.1.0")
      #expect(try daw.run(words).status == 0)
      let starts = try regions(daw, "--name", "Hit*").map(\.startTime)
      #expect(starts.count == 1001)
      for (index, start) in starts.enumerated() { #expect(abs(start - Double(index)) < 0.000_02, "\(index)") }
    }
  }

  @Test("Settings go to all of the chosen regions, and gain only to audio")
  func settings() throws {
    try withSong { (daw: DAWProgram) throws in
      let refused = try daw.run(["set-regions", "--all", "--gain", "-3"])
      #expect(refused.status == 65)
      #expect(refused.error.contains("2 of the 4 chosen regions hold notes"))
      #expect(try edit(daw, "set-regions", "--type", "audio", "--gain", "-3", "--color", "red").changedCount == 2)
      #expect(try regions(daw, "--type", "audio").map(\.gain) == [-3, -3])
      #expect(try edit(daw, "set-regions", "Hit", "Loop", "--gain", "-3").isChanged == false)
      #expect(try daw.run(["set-regions", "--all"]).status == 64)
      #expect(try daw.run(["set-regions", "--type", "audio", "--gain", "13"]).status == 65)
    }
  }

  @Test("A copied region goes on where it ends, and a loop is cut where it should end")
  func endToEnd() throws {
    try withSong { (daw: DAWProgram) throws in
      try daw("copy-region", "Drums/Hit", "--count", "2")
      #expect(try regions(daw, "--name", "Hit*").map(\.startTime) == [1, 2, 3])
      try daw("loop-region", "Keys/Verse", "--until", "3.3.0")
      let looped = try regions(daw, "--name", "Verse*")
      #expect(looped.map(\.startTicks) == [0, 61_440, 122_880])
      #expect(looped.map(\.durationTicks) == [61_440, 61_440, 30_720])
      #expect(looped.map(\.noteCount) == [4, 4, 2])
      try daw("loop-region", "Drums/Loop", "--until", "7.25s")
      #expect(try regions(daw, "--name", "Loop*").map(\.startTime) == [5, 6, 7])
      try daw("check")
      #expect(try daw.run(["loop-region", "Keys/Verse", "--until", "2.1.0"]).status == 65)
      // A tick takes 33 µs.
      #expect(try daw.run(["loop-region", "Keys/Verse", "--until", "2.00001s"]).status == 65)
      let tooMany = try daw.run(["loop-region", "Keys/Verse", "--until", "200000.1.0", "--json"])
      #expect(tooMany.status == 65)
      #expect(tooMany.error.contains("\"tooManyRegions\""))
      // A frame is a third of a tick, and ends on the one where it begins.
      try daw("set-project", "--tempo", "60")
      try daw("set-region", "Drums/Hit", "--time-base", "musical", "--length", "1f")
      let tooShort = try daw.run(["loop-region", "Drums/Hit", "--until", "20.1.0", "--json"])
      #expect(tooShort.status == 65 && tooShort.error.contains("shorter than a tick"), "\(tooShort.error)")
    }
  }

  @Test("Many notes are changed or removed at once")
  func notes() throws {
    struct Note: Decodable, Equatable {
      var pitch, velocity, channel: Int
      var durationTicks: Int64
    }
    try withSong { (daw: DAWProgram) throws in
      try daw(
        "set-notes", "--region", "Verse", "--pitch", "62..64", "--velocity-to", "9", "--pitch-to", "C5", "--channel-to",
        "2", "--length", "2b", "--lengthen")
      let changed = try daw("list-notes", "--region", "Verse", "--velocity", "9", "--json").json([Note].self)
      #expect(changed == Array(repeating: Note(pitch: 72, velocity: 9, channel: 1, durationTicks: 30_720), count: 2))
      #expect(try daw.run(["set-notes", "--all", "--length", "9b"]).status == 65)
      #expect(try daw.run(["set-notes", "--all", "--velocity-to", "128"]).status == 65)
      #expect(try daw.run(["set-notes", "--all"]).status == 64)
      let removed = try daw("remove-notes", "--track", "Keys", "--channel", "2").text
      #expect(removed == "Removed 2 notes of 1 region.\n")
      #expect(try daw("list-notes", "--json").json([Note].self).count == 6)
      try daw("remove-notes", "--all")
      #expect(try daw("list-notes", "--json").json([Note].self).isEmpty)
    }
  }

  @Test("In a batch they are lines like others")
  func batch() throws {
    try withSong { (daw: DAWProgram) throws in
      try daw("batch", input: "move-regions --all --by 1.0.0\ncopy-regions Verse --count 3\nset-regions --all --mute\n")
      #expect(try regions(daw).count == 7)
      #expect(try regions(daw).allSatisfy(\.isMuted))
      try daw("undo")
      #expect(try regions(daw).count == 4)
    }
  }

  private func edit(_ daw: DAWProgram, _ words: String..., options: [String]) throws -> Result {
    let output = try daw.run(words + options + ["--json"])
    #expect(output.status == 0, "\(output.error)")
    return try output.json(Result.self)
  }
}
