import Foundation
import Testing

@Suite("Effects of strips")
struct EffectCommandTests {
  private func withSong(_ body: (DAWProgram) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(
        folder: folder,
        environment: ["DAW_PROJECT": "Song", "XDG_DATA_HOME": folder.appendingPathComponent("data").path])
      try daw("new", "Song")
      try daw(
        "batch", "-",
        input: """
          add-track Vocal
          add-track Kick
          add-track Bass
          add-track Band --type bus
          add-effect Vocal eq band2.frequency=2.5k --set band2.gain=-3 band1.type=highPass band1.slope=24
          add-effect Vocal compressor --preset vocal --set ratio=3:1
          add-effect Vocal compressor --post --bypass
          add-effect Master limiter ceiling=-1dBTP
          add-effect Bass compressor --key Kick

          """)
      try body(daw)
    }
  }

  private struct Listed: Decodable {
    var id, kind, name, track: String
    var number, place: Int
    var isPostFader, isBypassed, isOff: Bool
    var key: String?
    var settings: [String: Value]
  }

  private typealias Value = IndependentSong.Value

  private func effects(_ daw: DAWProgram, _ words: String...) throws -> [Listed] {
    try daw.run(["list-effects"] + words + ["--json"]).json([Listed].self)
  }

  private func effect(_ name: String, _ daw: DAWProgram) throws -> Listed {
    try #require(try effects(daw, name).first)
  }

  private func refusal(_ daw: DAWProgram, status: Int32 = 65, _ words: String...) throws -> String {
    let before = try daw("revision").text
    let output = try daw.run(words)
    #expect(output.status == status, "\(words): \(output.text)\(output.error)")
    #expect(try daw("revision").text == before, "\(words)")
    return output.error
  }

  @Test("What commands set is listed, changed, moved, copied and removed")
  func commands() throws {
    try withSong { (daw: DAWProgram) throws in
      let vocal = try effects(daw, "Vocal")
      #expect(vocal.map(\.name) == ["eq", "compressor", "compressor 2"])
      #expect(vocal.map(\.place) == [1, 2, 3] && vocal.map(\.isPostFader) == [false, false, true])
      #expect(
        vocal[0].settings == [
          "band1.type": .name("highPass"), "band1.slope": .name("24"), "band2.type": .name("bell"),
          "band2.frequency": 2500, "band2.gain": -3,
        ])
      #expect(vocal[1].settings["ratio"] == 3 && vocal[1].settings["attack"] == 8 && vocal[2].isBypassed)
      #expect(try effect("Bass/compressor", daw).key == "Kick")
      #expect(try effect("limiter", daw).track == "Master")
      let list = try daw("list-effects").text
      #expect(list.contains("highPass 60 Hz 24 dB/octave, bell 2500 Hz -3 dB"), "\(list)")
      #expect(list.contains("post-fader, bypassed") && list.contains("key Kick"), "\(list)")
      let all = try daw("list-effects", "vocal/EQ", "--all").text
      #expect(all.split(separator: "\n").count == 42 && all.contains("band8.frequency"), "\(all)")
      try daw("set-effect", "Vocal/eq", "band2.gain=-4.5", "band2.type=notch", "--off", "--bypass")
      let eq = try effect("Vocal/eq", daw)
      #expect(eq.settings["band2.gain"] == -4.5 && eq.settings["band2.type"] == .name("notch"))
      #expect(eq.isOff && eq.isBypassed)
      // A value that is the default again is no setting.
      try daw("set-effect", "Vocal/eq", "band2.gain=0", "--on", "--no-bypass")
      #expect(try effect("Vocal/eq", daw).settings["band2.gain"] == nil)
      try daw("move-effect", "Vocal/eq", "--at", "2")
      #expect(try effects(daw, "Vocal").map(\.name) == ["compressor", "eq", "compressor 2"])
      try daw("set-effect", "Vocal/compressor", "--post")
      #expect(try effects(daw, "Vocal").map(\.name) == ["eq", "compressor 2", "compressor"])
      try daw("copy-effect", "Vocal/compressor", "Bass", "--at", "2")
      #expect(try effects(daw, "Bass").map(\.isPostFader) == [false, true])
      #expect(try effects(daw, "Bass").map(\.name) == ["compressor", "compressor 2"])
      #expect(try effect("Bass/compressor 2", daw).settings["threshold"] == -22)
      try daw("move-effect", "Vocal/compressor", "--to", "Band")
      #expect(try effects(daw, "Band").map(\.name) == ["compressor"])
      try daw("remove-effect", "Vocal/compressor 2", "Band/compressor")
      #expect(try effects(daw, "Vocal").map(\.name) == ["eq"] && effects(daw, "Band").isEmpty)
      try daw("check")
    }
  }

  @Test("All of it is undone and redone, and described in the history")
  func history() throws {
    try withSong { (daw: DAWProgram) throws in
      let before = try daw("list-effects", "--json", "--all").text
      try daw("set-effect", "Vocal/compressor", "threshold=-30", "attack=8", "--preset", "bass", "--bypass")
      try daw("set-effect", "Vocal/eq", "band2.type=lowShelf", "band1.type=off")
      try daw("remove-effect", "Vocal/eq")
      try daw("move-effect", "Vocal/compressor 2", "--to", "Band", "--at", "1")
      let after = try daw("list-effects", "--json", "--all").text
      let history = try daw("history").text
      #expect(history.contains("Vocal/compressor: bypassed no → yes"), "\(history)")
      #expect(history.contains("threshold of Vocal/compressor: value -22 → -30 dB"), "\(history)")
      #expect(history.contains("band2.type of Vocal/eq: value bell → lowShelf"), "\(history)")
      #expect(history.contains("removed effect Vocal/eq"), "\(history)")
      try daw("undo", "4")
      #expect(try daw("list-effects", "--json", "--all").text == before)
      try daw("redo", "4")
      #expect(try daw("list-effects", "--json", "--all").text == after)
      try daw("check")
    }
  }

  @Test("What is no value, parameter, kind, place or key is refused with what would do")
  func refusals() throws {
    try withSong { (daw: DAWProgram) throws in
      let cases: [([String], Int32, String)] = [
        (["set-effect", "Vocal/eq", "band2.gain=30"], 65, "band2.gain is -24 … 24 dB."),
        (["set-effect", "Vocal/eq", "band2.gian=3"], 65, "Did you mean 'band2.gain'?"),
        (["set-effect", "Vocal/eq", "band2.gain=loud"], 64, "band2.gain is -24 … 24 dB."),
        (["set-effect", "Vocal/eq", "band1.type=bel"], 64, "off, bell, lowShelf"),
        (["set-effect", "Vocal/eq", "bypass=on"], 65, "--bypass"),
        (["set-effect", "Vocal/eq", "gain"], 64, "NAME=VALUE"),
        (["set-effect", "Vocal/eq", "band2.gain=1", "BAND2.gain=2"], 64, "'band2.gain' is set more than once."),
        (
          ["add-effect", "Vocal", "delay", "time=1/8", "--set", "notelength=1/4"], 64,
          "'noteLength' is set more than once."
        ),
        (["set-effect", "Vocal/eq", "--key", "Kick"], 65, "A compressor or a gate"),
        (["set-effect", "Vocal/compressor", "--key", "Vocal"], 65, "than its own"),
        (["set-effect", "Vocal/compressor", "--key", "Master"], 65, "not by the master"),
        (["set-effect", "Vocal/compressor", "--key", "Kik"], 66, "Did you mean 'Kick'?"),
        (["set-effect", "Vocal/compressor", "keyHighPass=10"], 65, "0 (off) or 20 … 2000 Hz"),
        (["set-effect", "Vocal/compresor", "ratio=2"], 66, "Did you mean 'Vocal/compressor'"),
        (["set-effect", "compressor", "ratio=2"], 65, "means more than one effect"),
        (["set-effect", "Vocal/eq", "--pre", "--post"], 64, "exclude each other"),
        (["set-effect", "Vocal/eq"], 64, "Say what to change"),
        (["set-effect", "Vocal/compressor", "--preset", "vokal"], 66, "Did you mean 'vocal'?"),
        (["add-effect", "Vocal", "compresser"], 64, "Did you mean 'compressor'?"),
        (["add-effect", "Vocal", "eq", "--at", "4"], 65, "go from 1 to 3"),
        (["move-effect", "Vocal/compressor 2", "--at", "1"], 65, "behind the fader go from 3 to 3"),
        (["add-effect", "Vocal", "delay", "time=6s"], 65, "1 … 5000 ms"),
        (["add-effect", "Nobody", "delay"], 66, "track"),
      ]
      let before = try daw("revision").text
      for (words, status, sentence) in cases {
        let output = try daw.run(words)
        #expect(output.status == status && output.error.contains(sentence), "\(words): \(output.error)")
      }
      #expect(try daw("revision").text == before)
      try daw("batch", "-", input: String(repeating: "add-effect Kick gate\n", count: 32))
      #expect(try refusal(daw, "add-effect", "Kick", "eq").contains("at most 32"))
      #expect(try refusal(daw, "move-effect", "Vocal/eq", "--to", "Kick").contains("at most 32"))
    }
  }

  @Test("A key is a connection: it closes no cycle, and goes with its track")
  func keys() throws {
    try withSong { (daw: DAWProgram) throws in
      try daw("set-track", "Kick", "--output", "Band")
      try daw("add-effect", "Band", "gate", "--key", "Bass")
      #expect(try refusal(daw, "add-effect", "Kick", "gate", "--key", "Band").contains("Band → Kick → Band"))
      #expect(try refusal(daw, "add-effect", "Kick", "compressor", "--key", "Bass").contains("Bass → Kick → Bass"))
      let copy = try daw("copy-effect", "Bass/compressor", "Kick")
      #expect(copy.error.contains("it has none now"), "\(copy.error)")
      #expect(try effect("Kick/compressor", daw).key == nil)
      let removed = try daw("remove-track", "Kick")
      #expect(removed.error.contains("'Bass/compressor'"), "\(removed.error)")
      #expect(try effect("Bass/compressor", daw).key == nil)
      try daw("undo")
      #expect(try effect("Bass/compressor", daw).key == "Kick")
      try daw("check")
    }
  }

  @Test("A cycle by a key that another program wrote is found by check")
  func damagedFile() throws {
    try withSong { (daw: DAWProgram) throws in
      let sql =
        "UPDATE effect SET key = (SELECT id FROM track WHERE name = 'Bass') WHERE track = "
        + "(SELECT id FROM track WHERE name = 'Vocal') AND kind = 'compressor' AND number = 1; "
        + "INSERT INTO send VALUES (77, (SELECT id FROM track WHERE name = 'Vocal'), "
        + "(SELECT id FROM track WHERE name = 'Band'), 0, NULL, 0, 0); "
        + "INSERT INTO effect SELECT 99, id, 'gate', 1, 0, 'V', 0, 0, (SELECT id FROM track WHERE name = 'Vocal') "
        + "FROM track WHERE name = 'Kick'"
      let shell = try runShell(in: daw.folder, input: "sqlite3 Song.daw/project.sqlite \"\(sql)\"")
      #expect(shell.status == 0, "\(shell.text)")
      let check = try daw.run(["check"])
      #expect(check.status != 0)
      #expect((check.text + check.error).contains("Vocal → Kick → Bass → Vocal"), "\(check.text)\(check.error)")
    }
  }

  @Test("Effects that look ahead more than 2 s on one way are refused")
  func lookAhead() throws {
    try withSong { (daw: DAWProgram) throws in
      var script = ""
      for index in 1...7 {
        script += "add-track Bus\(index) --type bus" + (index > 1 ? " --output Bus\(index - 1)" : "") + "\n"
        for _ in 1...30 { script += "add-effect Bus\(index) limiter --off lookAhead=10\n" }
      }
      try daw("batch", "-", input: script)
      var turning = ""
      for index in 1...6 {
        for number in 1...30 { turning += "set-effect 'Bus\(index)/limiter\(number > 1 ? " \(number)" : "")' --on\n" }
      }
      try daw("batch", "-", input: turning)
      var last = ""
      for number in 1...20 { last += "set-effect 'Bus7/limiter\(number > 1 ? " \(number)" : "")' --on\n" }
      let refused = try daw.run(["batch", "-"], input: Data(last.utf8))
      #expect(refused.status == 65 && refused.error.contains("2 s at most"), "\(refused.error)")
      // Side by side they may be as many.
      try daw("set-track", "Bus7", "--output", "Master")
      try daw("batch", "-", input: last)
      #expect(try refusal(daw, "set-track", "Bus7", "--output", "Bus6").contains("2 s at most"))
      try daw("check")
    }
  }

  @Test("Effects are copied with their track, and are in the JSON of the project")
  func copies() throws {
    try withSong { (daw: DAWProgram) throws in
      try daw("add-effect", "Vocal", "delay", "time=1/8d", "pingPong=on", "lowCut=120")
      try daw("copy-track", "Vocal")
      let (vocal, copy) = (try effects(daw, "Vocal"), try effects(daw, "Vocal 2"))
      #expect(vocal.map(\.settings) == copy.map(\.settings) && vocal.map(\.name) == copy.map(\.name))
      #expect(Set(vocal.map(\.id)).isDisjoint(with: copy.map(\.id)))
      #expect(copy.last { $0.kind == "delay" }?.settings["noteLength"] == 0.75)
      try daw("copy-track", "Bass")
      #expect(try effect("Bass 2/compressor", daw).key == "Kick")
      try daw("show", "--json").data.write(to: daw.folder.appendingPathComponent("song.json"))
      try daw("new", "Again", "--from", "song.json", "--new-ids")
      let again = try daw("list-effects", "-p", "Again", "--json").json([Listed].self)
      let before = try effects(daw)
      #expect(again.map(\.settings) == before.map(\.settings) && again.map(\.key) == before.map(\.key))
      #expect(again.map(\.name) == before.map(\.name) && again.map(\.isPostFader) == before.map(\.isPostFader))
      try daw("check", "-p", "Again")
    }
  }

  @Test("A frequency that the rate is too low for is said")
  func clamped() throws {
    try withSong { (daw: DAWProgram) throws in
      #expect(try daw("set-effect", "Vocal/eq", "band8.frequency=20k").error.isEmpty)
      try daw("new", "Low", "--rate", "44100")
      try daw("-p", "Low", "add-track", "A")
      let added = try daw("-p", "Low", "add-effect", "A", "eq", "band8.frequency=20k")
      #expect(added.error.contains("heard as 19845 Hz"), "\(added.error)")
      #expect(try daw("-p", "Low", "set-effect", "A/eq", "band8.type=off").error.isEmpty)
    }
  }

  @Test("Kinds, their parameters and presets are listed, and fit a narrow terminal")
  func catalogue() throws {
    try withSong { (daw: DAWProgram) throws in
      struct Kind: Decodable {
        struct Parameter: Decodable { var name: String }
        var kind: String
        var parameters: [Parameter]
      }
      let kinds = try daw("list-effect-types", "--json").json([Kind].self)
      #expect(kinds.map(\.kind) == ["eq", "compressor", "gate", "limiter", "delay", "reverb"])
      #expect(kinds[0].parameters.count == 40 && kinds[1].parameters.map(\.name).contains("makeUp"))
      #expect(try daw("list-effect-types", "comp").text.contains("-60 … 0 dB"))
      var narrow = daw
      narrow.environment["COLUMNS"] = "60"
      for words in [
        ["list-effects"], ["list-effects", "Vocal/eq", "--all"], ["list-effect-types"], ["list-effect-types", "eq"],
        ["list-effect-types", "delay"], ["list-effect-presets"],
      ] {
        let text = try narrow.run(words).text
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 60 }, "\(text)")
      }
    }
  }

  @Test("A preset is saved, listed, used in another project, replaced and removed")
  func presets() throws {
    try withSong { (daw: DAWProgram) throws in
      try daw("save-preset", "Vocal/eq", "My Voice")
      let file = daw.folder.appendingPathComponent("data/daw/presets/eq/My Voice.json")
      #expect(try String(contentsOf: file, encoding: .utf8).contains("\"band2.gain\" : -3"))
      #expect(try daw.run(["save-preset", "Vocal/eq", "my voice"]).status == 73)
      try daw("set-effect", "Vocal/eq", "band2.gain=-6")
      try daw("save-preset", "Vocal/eq", "my voice", "--replace")
      try daw("new", "Other")
      try daw("-p", "Other", "add-track", "A")
      try daw("-p", "Other", "add-effect", "A", "eq", "--preset", "MY VOICE", "band2.q=2")
      let used = try #require(try daw("list-effects", "-p", "Other", "--json").json([Listed].self).first)
      #expect(used.settings["band2.gain"] == -6 && used.settings["band2.q"] == 2)
      #expect(used.settings["band1.type"] == .name("highPass"))
      #expect(try daw("list-effect-presets", "eq").text.contains("My Voice"))
      for (kind, name) in [("eq", "../../x"), ("eq", ".x"), ("eq", ""), ("eq", "a\nb"), ("compressor", "Vocal")] {
        let output = try daw.run(["save-preset", kind == "eq" ? "Vocal/eq" : "Vocal/compressor", name])
        #expect([64, 65, 73].contains(output.status), "\(name): \(output.error)")
      }
      #expect(try daw.run(["remove-preset", "eq", "vocal"]).status == 65)
      #expect(try daw.run(["remove-preset", "eq", "nothing"]).status == 66)
      try daw("remove-preset", "eq", "my voice")
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
  }

  @Test("A preset that is damaged or hostile is refused with its path, and changes nothing")
  func hostilePresets() throws {
    let contents = [
      "", "{", "[]", "{}", #"{"kind": "gate", "settings": {}}"#, #"{"kind": "eq", "settings": {"band9.gain": 1}}"#,
      #"{"kind": "eq", "settings": {"band1.gain": 99}}"#, #"{"kind": "eq", "settings": {"band1.gain": "-3"}}"#,
      #"{"kind": "eq", "settings": {"band1.type": 1}}"#, #"{"kind": "eq", "settings": {"band1.gain": 1e999}}"#,
      #"{"kind": "eq", "settings": {"band1.gain": null}}"#, #"{"kind": "eq", "settings": {}, "band1.gain": 1}"#,
      "\u{0}", String(repeating: "[", count: 60_000),
      String(repeating: " ", count: 70_000),
    ]
    try withSong { (daw: DAWProgram) throws in
      let presets = daw.folder.appendingPathComponent("data/daw/presets/eq")
      try FileManager.default.createDirectory(
        at: presets.appendingPathComponent("folder.json"), withIntermediateDirectories: true)
      let before = try daw("revision").text
      #expect(try daw.run(["add-effect", "Kick", "eq", "--preset", "folder"]).status == 65)
      for content in contents {
        try Data(content.utf8).write(to: presets.appendingPathComponent("bad.json"))
        let output = try daw.run(["add-effect", "Kick", "eq", "--preset", "bad"])
        #expect(output.status == 65 && output.error.contains("bad.json"), "\(content.prefix(80)): \(output.error)")
      }
      let list = try daw("list-effect-presets", "eq")
      #expect(list.text.contains("cannot be used") && list.error.contains("bad.json"), "\(list.error)")
      // A list in JSON has no place for warnings.
      #expect(try daw("list-effect-presets", "eq", "--json").error == list.error)
      #expect(try daw("revision").text == before)
    }
  }

  @Test("The shell completes effects, kinds, parameters, values and presets")
  func completion() throws {
    try withSong { (daw: DAWProgram) throws in
      func offered(_ words: String...) throws -> [String] {
        try daw.run(["--complete", "fish"] + words).text.split(separator: "\n")
          .map { String($0.split(separator: "\t", omittingEmptySubsequences: false)[0]) }
      }
      #expect(try offered("add-effect", "Vocal", "co") == ["compressor"])
      #expect(try offered("set-effect", "Vocal/c") == ["Vocal/compressor", "Vocal/compressor 2"])
      #expect(try offered("list-effects", "B") == ["Bass", "Band", "Bass/compressor"])
      #expect(try offered("set-effect", "Vocal/eq", "band2.g") == ["band2.gain="])
      #expect(try offered("set-effect", "Vocal/eq", "band2.type=low") == ["band2.type=lowShelf", "band2.type=lowPass"])
      #expect(try offered("add-effect", "Vocal", "delay", "--set", "ping") == ["pingPong="])
      #expect(try offered("add-effect", "Vocal", "limiter", "--preset", "") == ["streaming", "broadcast", "loud"])
      #expect(try offered("set-effect", "Bass/compressor", "--key", "Ki") == ["Kick"])
    }
  }
}

extension IndependentSong.Value: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  init(floatLiteral value: Double) { self = .number(value) }
  init(integerLiteral value: Int) { self = .number(Double(value)) }
}
