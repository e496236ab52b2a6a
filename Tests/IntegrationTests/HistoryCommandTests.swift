import DAWTestSupport
import Foundation
import Testing

@Suite("What edits changed")
struct HistoryCommandTests {
  private func song(_ body: (DAWProgram) throws -> Void) throws {
    try withScratchFolder { folder in
      var daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song", "DAW_AUTHOR": "ada@lab"])
      daw.environment["LC_ALL"] = "C.UTF-8"
      try daw("new", "Song")
      try daw("add-track", "Bass", "--volume", "-6")
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--name", "Verse", "--length", "4.0.0")
      try daw("set-track", "Bass", "--volume", "-3", "--mute")
      try body(daw)
    }
  }

  @Test("The history says what each edit changed, with units and names")
  func history() throws {
    try song { daw in
      let lines = try daw("history").text
      #expect(lines.contains("\n   Bass: volume -6 → -3 dB, muted no → yes\n"))
      try daw("set-region", "Keys/Verse", "--at", "3.1.0", "--name", "Chorus")
      let newest = try daw("history", "-n", "1").text
      #expect(newest.contains("Keys/Chorus: name 'Verse' → 'Chorus', start 1.1.0 (0:00.000) → 3.1.0 (0:04.000)"))
      #expect(newest.split(separator: "\n").count == 2)
      // In 80 columns nothing is lost, and nothing is wider.
      var narrow = daw
      narrow.environment["COLUMNS"] = "80"
      let broken = try narrow("history", "-n", "1").text
      #expect(broken.split(separator: "\n").allSatisfy { $0.count <= 80 })
      #expect(broken.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains("→ 3.1.0 (0:04.000)"))
      var plain = daw
      plain.environment["LC_ALL"] = "C"
      #expect(try plain("history", "-n", "1").text.contains("'Verse' -> 'Chorus'"))
    }
  }

  @Test("The history is filtered by author, time and track")
  func filters() throws {
    try song { daw in
      var bob = daw
      bob.environment["DAW_AUTHOR"] = "bob@home"
      let notes = (0..<20).map { "add-note Keys/Verse 60 --at \($0 / 2)b --length 1b" }.joined(separator: "\n")
      try bob("batch", "-", input: notes)
      func revisions(_ options: String...) throws -> [String] {
        try daw.run(["history", "-q"] + options).text.split(separator: "\n").map(String.init)
      }
      #expect(try revisions() == ["5", "4", "3", "2", "1", "0"])
      #expect(try revisions("--author", "BOB") == ["5"])
      #expect(try revisions("--author", "ada@lab", "-n", "2") == ["4", "3"])
      #expect(try daw("history", "--author", "eve").line == "No such edits." && revisions("--author", "eve").isEmpty)
      #expect(try revisions("--track", "bass") == ["4", "1"])
      #expect(try revisions("--track", "Keys") == ["5", "3", "2"])
      #expect(try revisions("--since", "1h").count == 6)
      #expect(try revisions("--since", "2999-01-01") == [] && revisions("--since", "2999-01-01T08:00+02:00") == [])
      #expect(try revisions("--since", "2020-01-01 08:00", "--track", "Keys", "-n", "1") == ["5"])
      // What has been removed since still tells on which track it was.
      try daw("remove-region", "Keys/Verse")
      #expect(try revisions("--track", "Keys") == ["6", "5", "3", "2"])
      let since = ["2x", "", "2026-13-01", "2026-02-30"].map { ["--since", $0] }
      for wrong in since + [["-n", "0"], ["-n", "-1"]] {
        #expect(try daw.run(["history"] + wrong).status == 64, "\(wrong)")
      }
      #expect(try daw.run(["history", "--track", "Bas"]).error.contains("'Bass'"))
    }
  }

  @Test("A bus's history has the sends to it, and a track's the groups that it was in then")
  func routing() throws {
    try song { daw in
      for edit in [
        "add-track Reverb --type bus", "add-send Bass Reverb --level -12", "set-send Bass Reverb --level -6",
        "add-point Bass send:Reverb.level -3 --at 1.1.0", "add-group Rhythm --track Bass --volume -2",
        "set-group Rhythm --mute", "add-point --group Rhythm volume -1 --at 2.1.0",
        "set-group Rhythm --add-track Keys", "set-group Rhythm --remove-track Bass", "set-group Rhythm --volume -4",
        "remove-send Bass Reverb",
      ] {
        try daw.run(edit.split(separator: " ").map(String.init))
      }
      func revisions(of track: String) throws -> [Int] {
        try daw("history", "-q", "--track", track).text.split(separator: "\n").compactMap { Int($0) }
      }
      #expect(try revisions(of: "Reverb") == [15, 8, 7, 6, 5])
      let ofBass = [15, 13, 11, 10, 9, 8, 7, 6, 4, 1]
      #expect(try revisions(of: "Bass") == ofBass)
      #expect(try revisions(of: "Keys") == [14, 12, 3, 2])
      // Groups and buses that are gone are known from the history.
      try daw("remove-group", "Rhythm")
      #expect(try revisions(of: "Bass") == ofBass && revisions(of: "Keys") == [16, 14, 12, 3, 2])
      try daw("remove-track", "Reverb")
      #expect(try revisions(of: "Bass") == ofBass)
      try daw("undo", "2")
      #expect(try revisions(of: "Bass") == ofBass)
    }
  }

  @Test("A point has the place that an edit gave it, also when its lane counts otherwise since, or it is gone")
  func pointsSince() throws {
    try song { daw in
      try daw("add-points", "Bass", "volume", input: "1.1.0,-1\n2.1.0,-2\n3.1.0,-3\n")
      try daw("move-points", "Bass", "volume", "--from", "2.1.0", "--by", "1.0.0")
      let moved = try daw("revision").line
      let lines = [
        "point at 3.1.0 (0:04.000) in lane volume on Bass: position 2.1.0 (0:02.000) → 3.1.0 (0:04.000)",
        "point at 4.1.0 (0:06.000) in lane volume on Bass: position 3.1.0 (0:04.000) → 4.1.0 (0:06.000)",
      ]
      func told(_ revision: String) throws -> [String] {
        try daw("show-edit", revision).text.split(separator: "\n").dropFirst(2)
          .map { $0.trimmingCharacters(in: .whitespaces) }
      }
      #expect(try told(moved) == lines)
      try daw("set-point", "Bass", "volume", "--at", "4.1.0", "--value", "-9")
      let changed = try daw("revision").line
      try daw("set-lane", "Bass", "volume", "--time-base", "absolute")
      #expect(try told(moved) == lines)
      #expect(try told(changed) == ["point at 4.1.0 (0:06.000) in lane volume on Bass: value -3 → -9"])
      try daw("remove-points", "Bass", "volume", "--from", "3.1.0")
      #expect(try told(moved) == lines)
      #expect(try told(changed) == ["point in lane volume on Bass: value -3 → -9"])
    }
  }

  @Test("The limits of the history are shown as they can be typed")
  func limits() throws {
    try song { daw in
      let standard = try daw("set-history").line
      #expect(standard == "History is kept up to 10000 edits, 256 MB.")
      let json = try daw("set-history", "--json").text
      let other = try daw("set-history", "--count", "3", "--age", "7", "--megabytes", "268.4").line
      #expect(other == "History is kept up to 3 edits, 7 days, 268.4 MB.")
      try daw("set-history", "--count", "10000", "--age", "none", "--megabytes", "256")
      #expect(try daw("set-history", "--json").text == json)
      for wrong in ["0", "-1", "0.0000001", "1e3", "some", "", "nan", "1000000001"] {
        #expect(try daw.run(["set-history", "--megabytes=\(wrong)"]).status == 64, "\(wrong)")
      }
    }
  }

  private struct Edit: Decodable {
    struct Row: Decodable {
      var entity, operation: String
      var id, name, region: String?
      var fields: [String: [String: Value]]
    }
    var revision: Int?
    var changes: [Row]
  }

  private enum Value: Decodable, Hashable {
    case number(Double), text(String), flag(Bool), null

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let flag = try? container.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }

  @Test("An edit is shown field by field; its JSON has every row with the values of the file")
  func showEdit() throws {
    try song { daw in
      #expect(try daw("show-edit").text.hasSuffix("\n  Bass: volume -6 → -3 dB, muted no → yes\n"))
      let edit = try daw("show-edit", "4", "--json").json(Edit.self)
      #expect(edit.revision == 4 && edit.changes.map(\.name) == ["Bass"])
      #expect(
        edit.changes.first?.fields == [
          "volume": ["old": .number(-6), "new": .number(-3)], "isMuted": ["old": .flag(false), "new": .flag(true)],
        ])
      let notes = (0..<20).map { "add-note Keys/Verse \(60 + $0) --at \($0 / 2)b --length 1b" }
      try daw("batch", "-", input: notes.joined(separator: "\n"))
      #expect(try daw("show-edit").text.hasSuffix("\n  Keys/Verse: 20 notes added\n"))
      let rows = try daw("show-edit", "--json").json(Edit.self).changes
      #expect(rows.count == 20 && rows.allSatisfy { $0.entity == "note" && $0.region == "Keys/Verse" })
      #expect(Set(rows.compactMap { $0.fields["pitch"]?["new"] }).count == 20)
      // Notes that are gone, whose changes do not say their region.
      try daw("transpose", "--by", "1")
      try daw("remove-region", "Keys/Verse")
      #expect(try daw("show-edit", "6").text.hasSuffix("\n  Keys/Verse: 20 notes changed\n"))
      #expect(try daw("show-edit", "6", "--json").json(Edit.self).changes.allSatisfy { $0.region == "Keys/Verse" })
      #expect(try daw("show-edit").text.contains("  removed region Keys/Verse at 1.1.0 (0:00.000)\n"))
      #expect(try daw.run(["show-edit", "99"]).status == 66)
      #expect(try daw.run(["show-edit", "x"]).status == 64)
      #expect(try daw("show-edit", "0").text.contains("added track Master"))
    }
  }

  @Test("Two revisions are compared in either direction; what was changed back is left out")
  func diff() throws {
    try song { daw in
      try daw("set-track", "Bass", "--volume", "-6", "--pan", "0.5")
      #expect(try daw("diff", "3").text == "Bass: pan 0 → 0.5, muted no → yes\n")
      #expect(try daw("diff", "5", "3").text == "Bass: pan 0.5 → 0, muted yes → no\n")
      try daw("undo", "2")
      #expect(try daw("diff", "3").text == "Revisions 3 and 7 do not differ.\n")
      #expect(try daw("diff", "3", "--json").json(Edit.self).changes.isEmpty)
      // A branch that was left behind.
      try daw("set-track", "Bass", "--solo")
      #expect(try daw("diff", "5", "8").text.hasPrefix("Bass: pan 0.5 → 0, muted yes → no, solo no → yes"))
      #expect(try daw.run(["diff"]).status == 64)
      #expect(try daw.run(["diff", "9"]).status == 66)
    }
  }

  @Test("A region's positions are told in the time base that it had then")
  func timeBase() throws {
    try song { daw in
      try PlainWave.write([[0, 4000, -5000]], bits: 16, rate: 48_000, to: daw.folder.appending(path: "a.wav"))
      try daw("add-region", "Bass", "--file", "a.wav", "--name", "A")
      try daw("set-region", "Bass/A", "--at", "2s")
      try daw("set-region", "Bass/A", "--time-base", "musical")
      try daw("set-region", "Bass/A", "--at", "3.1.0")
      #expect(try daw("show-edit", "6").text.contains("Bass/A: start 1.1.0 (0:00.000) → 2.1.0 (0:02.000)"))
      #expect(try daw("show-edit", "8").text.contains("Bass/A: start 2.1.0 (0:02.000) → 3.1.0 (0:04.000)"))
      try daw("remove-track", "Bass")
      #expect(try daw("show-edit", "6").text.contains("Bass/A: start 1.1.0 (0:00.000) → 2.1.0 (0:02.000)"))
      #expect(try daw("diff", "9", "5").text.contains("added region Bass/A at 1.1.0 (0:00.000)"))
    }
  }

  @Test("'undo --to' goes back to a revision, and says what leads to others")
  func undoTo() throws {
    try song { daw in
      let before = try daw("show", "--json").json(Song.self)
      try daw("set-track", "Bass", "--name", "Sub")
      try daw("remove-track", "Keys")
      #expect(try daw("undo", "--to", "4", "--dry-run").text.contains("Only tried"))
      #expect(try daw("undo", "--to", "4").text.split(separator: "\n").count == 2)
      #expect(try daw("show", "--json").json(Song.self).tracks == before.tracks)
      #expect(try daw("undo", "--to", "4").text.contains("as it was at revision 4 already"))
      for (revision, status, words) in [("6", 65, "'daw redo 2'"), ("5", 65, "'daw redo'"), ("99", 66, "99")] {
        let output = try daw.run(["undo", "--to", revision])
        #expect(Int(output.status) == status && output.error.contains(words), "\(output.error)")
      }
      #expect(try daw.run(["undo", "--to", "5", "--json"]).error.contains("\"revisionNotApplied\""))
      try daw("redo", "2")
      try daw("undo", "--to", "4")
      try daw("set-track", "Bass", "--solo")
      #expect(try daw.run(["undo", "--to", "6"]).error.contains("'daw diff 6'"))
      for wrong in [["--to", "1", "2"], ["--to", "1", "--mine"], ["--to", "-1"], ["--to", "x"]] {
        #expect(try daw.run(["undo"] + wrong).status == 64, "\(wrong)")
      }
    }
  }

  private struct Song: Decodable {
    struct Track: Decodable, Equatable {
      var name: String
      var volume: Double
    }
    var tracks: [Track]
  }
}
