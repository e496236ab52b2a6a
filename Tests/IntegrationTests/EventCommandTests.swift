import Foundation
import Testing

@Suite("Events through the command line")
struct EventCommandTests {
  private struct Event: Decodable, Equatable {
    var id: String
    var kind: String
    var startTicks: Int64
    var channel: Int?
    var controller: Int?
    var pitch: Int?
    var value: Int?
    var program: Int?
    var bank: Int?
    var text: String?
    var bytes: String?
    var timelineTicks: Int64
    var region: String
  }

  private func withPart(_ body: (DAWProgram) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song")
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--name", "Part", "--at", "2.1.0", "--length", "4b")
      try body(daw)
    }
  }

  private func events(_ daw: DAWProgram, _ options: String...) throws -> [Event] {
    try daw.run(["list-events", "--json"] + options).json([Event].self)
  }

  @Test("What is wrong is said of what was typed, and nothing is changed")
  func messages() throws {
    try withPart { daw in
      let revision = try daw("revision").line
      for (arguments, status, words) in [
        (["add-event", "Part", "--bend"], 64, "Give it a value: --bend --value"),
        (["add-event", "Part", "--controller", "7"], 64, "Give it a value: --controller"),
        (
          ["add-event", "Part", "--bend", "--pressure", "--value", "3"], 64,
          "An event is one thing: --bend or --pressure"
        ),
        (["add-event", "Part", "--lyric"], 64, "--lyric --text la"),
        (["add-event", "Part", "--bend", "--value", "8192"], 65, "A pitch bend is -8192 … 8191"),
        (["add-event", "Part", "--controller", "7", "--value", "128"], 65, "A controller's value is 0 … 127."),
        (["add-event", "Part", "--program", "3", "--bank", "16384"], 65, "A bank is 0 … 16383"),
        (["add-note", "Part", "C4", "--velocity", "128"], 65, "Not accepted: a velocity of 128. Nothing"),
        (["list-events", "--from", "2.1.0", "--to", "1.1.0"], 65, "ends at 1.1.0, before it begins at 2.1.0"),
        (["list-notes", "--from", "2.1.0", "--to", "1.1.0"], 65, "Give --to a later position"),
        (["list-regions", "--from", "2.1.0", "--to", "1.1.0"], 65, "Give --to a later position"),
        (["export", "-o", "a.mid", "--from", "2.1.0", "--to", "1.1.0"], 65, "Give --to a later position"),
        (["quantize", "--grid", "1/8", "--from", "2.1.0", "--to", "1.1.0"], 65, "Give --to a later position"),
        (["quantize", "--grid", "1/8", "--channel", "0..4"], 65, "the channel 0"),
        (["transpose", "--by", "1", "--pitch", "C4..200"], 65, "a pitch of 200"),
        (["list-notes", "--velocity", "128"], 65, "a velocity of 128"),
        (["list-events", "--channel", "17"], 65, "the channel 17"),
        (["list-events", "--controller", "128"], 65, "a controller of 128"),
        (["add-meter", "3/4", "--at", "1.1.0"], 65, "set-project --time-signature"),
      ] as [([String], Int32, String)] {
        let output = try daw.run(arguments)
        #expect(output.status == status && output.error.contains(words), "\(arguments): \(output.error)")
      }
      let second = try daw.run(["add-notes", "Part"], input: Data("pitch,start,length\n60,0b,1b\n200,1b,1b\n".utf8))
      #expect(
        second.error.hasPrefix("daw: Line 3 of standard input: Not accepted: a pitch of 200. Nothing was changed."),
        "\(second.error)")
      for (command, text, line) in [
        ("add-notes", "\npitch,velocity\n\n60,1\n\n60,200\n", 6), ("add-notes", "pitch,start\n60,0b\n60,900b\n", 3),
        ("add-notes", "{\"pitch\": 60}\n{\"pitch\": 200}\n", 2),
        ("add-notes", "pitch,startTicks\n60,0\n60,-1\n", 3),
        ("add-events", "kind,start,value\npitchBend,0b,1\npitchBend,900b,1\n", 3),
        ("add-events", "kind,value\npitchBend,1\npitchBend,8192\n", 3),
      ] {
        let output = try daw.run([command, "Part"], input: Data(text.utf8))
        #expect(output.status == 65, "\(text)")
        #expect(output.error.hasPrefix("daw: Line \(line) of standard input: "), "\(text): \(output.error)")
      }
      let broken = try daw.run(["add-notes", "Part"], input: Data("pitch\r\n60\r\n".utf8) + [0xff, 0x0a])
      #expect(broken.error.hasPrefix("daw: Line 3 of standard input is not text in UTF-8."), "\(broken.error)")
      #expect(try daw("revision").line == revision)
    }
  }

  @Test("What is named twice is removed once")
  func twice() throws {
    try withPart { daw in
      let note = try daw("add-note", "Part", "C4", "-q").line
      let event = try daw("add-event", "Part", "--bend", "--value", "1", "-q").line
      try daw("add-tempo", "90", "--at", "3.1.0")
      try daw("add-meter", "3/4", "--at", "3.1.0")
      #expect(try daw("remove-note", note, note).line == "Removed 1 note.")
      #expect(try daw("remove-event", event, event).line == "Removed 1 event.")
      #expect(try daw("remove-tempo", "3.1.0", "3.1.0").line == "Removed 1 change of tempo.")
      #expect(try daw("remove-meter", "3.1.0", "3.1.0").line == "Removed 1 change of time signature.")
    }
  }

  @Test("A marker that is called as the start or the end is said to be another place")
  func markersCalledStart() throws {
    try withPart { daw in
      let made = try daw("add-marker", "Start", "--at", "3.1.0", "--json")
      let id = try daw("list-markers", "-q").line.suffix(12)
      #expect(made.text.contains("@start is the start of the timeline; this marker is @id:\(id)."))
      try daw("add-tempo", "90", "--at", "@id:\(id)")
      #expect(try daw("list-tempos").text.contains("3.1.0 (0:04.000)  90 BPM"))
    }
  }

  @Test("Each kind is added, listed, changed, copied and split with its region, and removed")
  func life() throws {
    try withPart { daw in
      try daw("add-event", "Part", "--controller", "64", "--value", "127", "--at", "1b", "--channel", "16")
      try daw("add-event", "Part", "--bend", "--value", "-8192", "--at", "2b")
      try daw("add-event", "Part", "--program", "5", "--bank", "128")
      try daw("add-event", "Part", "--pressure", "--value", "3", "--at", "3b")
      try daw("add-event", "Part", "--key", "C4", "--value", "4", "--at", "4b")
      let sysex = try daw("add-event", "Part", "--sysex", "f07e7f 09,01f7", "-q").line
      try daw("add-event", "Part", "--lyric", "--text", "lä")
      let all = try events(daw)
      #expect(
        all.map(\.kind) == ["program", "sysex", "meta", "controller", "pitchBend", "channelPressure", "polyPressure"])
      #expect(all.map(\.timelineTicks) == [4, 4, 4, 5, 6, 7, 8].map { $0 * 15_360 })
      #expect(all.map(\.channel) == [0, nil, nil, 15, 0, 0, 0])
      #expect(all[0].program == 5 && all[0].bank == 128)
      #expect(all[1].bytes == "F0 7E 7F 09 01 F7" && all[2].text == "lä" && all[6].pitch == 60)
      #expect(try events(daw, "--kind", "bend").map(\.value) == [-8192])
      #expect(try events(daw, "--controller", "64", "--channel", "16").count == 1)
      #expect(try events(daw, "--from", "5b", "--to", "7b").count == 2)
      #expect(try events(daw, "--limit", "2").count == 2)

      try daw("set-event", all[3].id, "--value", "1", "--at", "0.5b", "--channel", "2")
      #expect(
        try events(daw, "--controller", "64").map { [$0.value, Int($0.startTicks), $0.channel] } == [[1, 7_680, 1]])
      let refused = try daw.run(["set-event", sysex, "--value", "1"])
      #expect(refused.status == 65 && refused.error.contains("sysex"))
      // In UTF-8 this character begins with F0, as a message does.
      for (id, option, value) in [(sysex, "--text", "😀"), (all[2].id, "--sysex", "F0 7E F7")] {
        let other = try daw.run(["set-event", id, option, value])
        #expect(other.status == 65 && other.error.contains("which has no such value"), "\(option): \(other)")
      }
      try daw("undo")
      #expect(try events(daw) == all)

      try daw("copy-region", "Part", "--at", "10b")
      #expect(try events(daw, "--region", "Part 2").map(\.startTicks) == all.map(\.startTicks))
      try daw("split-region", "Part", "--at", "6b")
      #expect(try events(daw, "--region", "Part").count == 4)
      #expect(try events(daw, "--region", "Part 3").map(\.timelineTicks) == [6, 7, 8].map { $0 * 15_360 })
      try daw("undo", "2")
      let short = try daw.run(["set-region", "Part", "--length", "2b"])
      #expect(short.status == 65 && short.error.contains("2 events"))
      try daw("set-region", "Part", "--length", "2b", "--cut-notes")
      #expect(try events(daw).count == 5)
      try daw("remove-event", sysex)
      #expect(try events(daw).count == 4)
      try daw("check")
    }
  }

  @Test("Many come at once from CSV or JSON lines, as one step; a bad line is named, and nothing changes")
  func lists() throws {
    try withPart { daw in
      try daw(
        "add-events", "Part",
        input: """
          kind,start,channel,controller,value,program,text
          controller,1b,3,7,100,,
          program,,,,,9,
          meta,2b,,,,,"Oh, la"
          """)
      try daw(
        "add-events", "Part",
        input: #"{"kind": "pitchBend", "value": 5, "startTicks": 9, "channel": 4}"# + "\n"
          + #"{"kind": "sysex", "bytes": "F001F7"}"#)
      #expect(try events(daw).map(\.kind) == ["program", "sysex", "pitchBend", "controller", "meta"])
      #expect(try events(daw).map(\.text) == [nil, nil, nil, nil, "Oh, la"])
      for (list, line) in [
        ("kind,value\ncontroller,5\n", "Line 2"), ("kind\nsysex\n", "Line 2"), ("value\n5\n", "kind"),
        ("kind,controller,value\ncontroller,1,2\ncontroller,1\n", "Line 3"), (#"{"kind": "x"}"#, "Line 1"),
        ("kind,velocity\n", "velocity"),
      ] {
        let output = try daw.run(["add-events", "Part", "-"], input: Data(list.utf8))
        #expect(output.status == 65 && output.error.contains(line), "\(list): \(output.error)")
      }
      #expect(try events(daw).count == 5)
      try daw("undo", "2")
      #expect(try events(daw).isEmpty)
    }
  }

  @Test("Space in quotes belongs to a text, since in lyrics it parts words; space around a cell does not")
  func spaceInQuotes() throws {
    try withPart { daw in
      let lines = [
        "kind,start,metaType,text", #"meta," 1b ",5, "Hel" "#, #"meta,1b,5,"lo ""#, #"meta,2b,5," wo, ""#,
        "meta,3b,5, rld  two ",
      ]
      try daw("add-events", "Part", input: lines.joined(separator: "\n"))
      #expect(try events(daw).map(\.text) == ["Hel", "lo ", " wo, ", "rld  two"])
    }
  }

  @Test(
    "What is said of no kind, or of two, is refused",
    arguments: [
      [], ["--value", "5"], ["--controller", "7"], ["--bend"], ["--bend", "--pressure", "--value", "1"],
      ["--program", "1", "--value", "2"], ["--bank", "1"], ["--lyric"],
    ])
  func unclear(options: [String]) throws {
    try withPart { daw in
      let output = try daw.run(["add-event", "Part"] + options)
      #expect(output.status == 64, "\(output.error)")
    }
  }

  @Test("A sustain pedal holds a note in the bounce, a note's release velocity is kept, and an expression softens")
  func heard() throws {
    try withPart { daw in
      try daw("add-note", "Part", "60", "--length", "0.1b", "--release-velocity", "7")
      #expect(try daw("show", "--json", "--notes").text.contains("\"releaseVelocity\" : 7"))
      func peaks() throws -> String { try daw("bounce", "--digest", "--no-cache", "--tail", "0s").text }
      let plain = try peaks()
      try daw("add-event", "Part", "--controller", "64", "--value", "127")
      let held = try peaks()
      try daw("add-event", "Part", "--controller", "11", "--value", "40")
      let soft = try peaks()
      #expect(Set([plain, held, soft]).count == 3)
      try daw("undo", "2")
      #expect(try peaks() == plain)
    }
  }
}
