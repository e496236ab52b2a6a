import DAWTestSupport
import Foundation
import Testing

@Suite("Text for a terminal")
struct TerminalOutputTests {
  /// An escape sequence, a forged line, text turned around, and text without width.
  private static let evil = "\u{1B}]0;owned\u{7}\u{9B}31m\n0  forged\u{202E}cba\u{2066}\u{200B}x\u{7F}\u{E0041}"

  private static let listings: [[String]] = [
    ["show"], ["show", "--notes"], ["check"], ["history"], ["history", "--all"], ["list-tracks"], ["list-regions"],
    ["list-notes"], ["list-events"], ["list-markers"], ["list-tempos"], ["list-meters"], ["list-keys"],
    ["list-soundfonts"], ["list-projects"], ["revision"], ["undo", "--dry-run"], ["redo", "--dry-run"],
    ["bounce", "--digest"], ["clean", "--dry-run"], ["add-note", "Part", "61", "--dry-run"],
  ]

  /// In four parts, since it is the longest of all tests: so both processors have something to do at the end of a run.
  @Test("No text of the project file reaches a terminal as it is, whichever of its columns holds it", arguments: 0..<4)
  func storedTexts(part: Int) throws {
    try withScratchFolder { folder in
      let daw = try FullSong.make(in: folder)
      let file = folder.appendingPathComponent("Song.daw/project.sqlite")
      let bytes = try Data(contentsOf: file)
      let columns = try HostileFileTests.columns(ofType: "TEXT", in: file)
      #expect(columns.count > 25)
      for (number, (table, column)) in columns.enumerated() where number % 4 == part {
        for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + ending) }
        try bytes.write(to: file)
        try HostileFileTests.write("UPDATE \(table) SET \(column) = '\(Self.evil)'", into: file)
        for (place, command) in Self.listings.enumerated() {
          // As JSON a third of them, each of them for some columns: one writer makes all of it.
          for form in (number + place) % 3 == 0 ? [[], ["--json"]] : [[]] {
            let output = try daw.run(command + form)
            HostileValues.expectSound(output, "\(table).\(column): \(command)")
            HostileCommandTests.expectHarmless(output, "\(table).\(column): \(command) \(form)")
            #expect(!output.text.contains("\n0  forged"), "\(table).\(column): \(command)")
          }
        }
      }
    }
  }

  @Test("No text of a MIDI file, a path, an author or an argument reaches a terminal as it is")
  func otherTexts() throws {
    try withScratchFolder { folder in
      var daw = try FullSong.make(in: folder)
      daw.environment["DAW_AUTHOR"] = Self.evil
      func expectHarmless(_ arguments: [String], input: Data? = nil) throws {
        for form in [[], ["--json"]] {
          let output = try daw.run(arguments + form, input: input)
          HostileValues.expectSound(output, "\(arguments)")
          HostileCommandTests.expectHarmless(output, "\(arguments) \(form)")
        }
      }
      let wave = try Data(contentsOf: folder.appendingPathComponent("a.wav"))
      try wave.write(to: folder.appendingPathComponent("\(Self.evil).wav"))
      try Data("RIFF".utf8).write(to: folder.appendingPathComponent("\(Self.evil).sf2"))
      let text = Array(Self.evil.utf8)
      let track =
        [0, 0xff, 3, UInt8(text.count)] + text + [0, 0xff, 6, UInt8(text.count)] + text
        + [0, 0xff, 5, UInt8(text.count)] + text + [0, 0x90, 60, 1, 9, 0x80, 60, 0, 0, 0xff, 0x2f, 0]
      try Data(
        Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96] + Array("MTrk".utf8) + [0, 0, 0, UInt8(track.count)]
          + track
      ).write(to: folder.appendingPathComponent("\(Self.evil).mid"))
      try expectHarmless(["import", "\(Self.evil).wav", "\(Self.evil).mid"])
      try expectHarmless(["add-region", "Audio", "--file", "\(Self.evil).wav", "--link", "--at", "9b", "--name", "Y"])
      try expectHarmless(["list-presets", "\(Self.evil).sf2"])
      try expectHarmless(["set-track", "Keys", "--soundfont", "\(Self.evil).sf2"])
      try expectHarmless(["add-event", "Part", "--lyric", Self.evil])
      try expectHarmless(["new", Self.evil])
      for arguments in [
        [Self.evil], ["show", Self.evil], ["show", "--\(Self.evil)"], ["-p", Self.evil, "show"], ["help", Self.evil],
        ["add-track", Self.evil], ["add-track", "--volume", Self.evil, "x"], ["set-track", Self.evil, "--mute"],
        ["add-note", Self.evil, "60"], ["add-marker", "X", "--at", "@\(Self.evil)"], ["batch", Self.evil],
        ["bounce", "-o", "\(Self.evil)/x.wav"], ["bounce", "-o", "\(Self.evil).wav"], ["copy", "Song", Self.evil],
        ["transport", "locate", Self.evil], ["new", "X", "--from", "full.json", "--media", Self.evil],
      ] { try expectHarmless(arguments) }
      try expectHarmless(["batch", "-"], input: Data("add-track '\(Self.evil.filter { $0 != "\n" })'\n".utf8))
      try expectHarmless(["add-notes", "Part", "-"], input: Data("pitch,\(Self.evil)\n".utf8))
      try expectHarmless(["new", "Z", "--from", "-"], input: Data("{\"\(Self.evil)\": 1}".utf8))
      for command in Self.listings { try expectHarmless(command) }
    }
  }

  @Test("What is shown by its number can be told, and JSON gives the same text back")
  func forms() throws {
    struct Line: Decodable { var author: String }
    try withScratchFolder { folder in
      let author = "ann\u{1B}[2J\u{202E}é🏳️‍🌈\nx"
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song", "DAW_AUTHOR": author])
      try daw("new", "Song")
      #expect(try daw("history").text.contains(#"ann\u{1B}[2J\u{202E}é🏳️‍🌈\u{A}x"#))
      let json = try daw("history", "--json")
      #expect(json.text.contains(#"ann\u001b[2J\u202eé"#))
      #expect(try json.json([Line].self).map(\.author) == [author])
    }
  }

  @Test("A path that a script asks for comes as it is; on a terminal it is shown harmless")
  func quietPaths() throws {
    try withScratchFolder { folder in
      let name = "a\u{1B}[2J\u{202E}b"
      let daw = DAWProgram(folder: folder)
      #expect(try daw("new", name, "--name", "Song", "-q").line == folder.path + "/\(name).daw")
      let terminal = try PseudoTerminal()
      let process = Process()
      process.executableURL = URL(filePath: DAWProgram.path)
      process.arguments = ["list-projects", "-q"]
      process.currentDirectoryURL = folder
      process.standardOutput = FileHandle(fileDescriptor: terminal.line, closeOnDealloc: false)
      try process.start()
      process.waitUntilExit()
      while !terminal.text.contains(".daw") { usleep(10_000) }
      #expect(terminal.text.contains(#"a\u{1B}[2J\u{202E}b.daw"#))
      terminal.hangUp()
    }
  }

  @Test("Listings fit 30 columns, and show each id whole")
  func narrowListings() throws {
    try withScratchFolder { folder in
      var daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      let script = """
        add-track 'The second guitar of the bridge' --type midi --volume -6 --pan -0.5
        add-track 'Room microphones, far away' --type bus
        add-send 'The second guitar of the bridge' 'Room microphones, far away' --level -6
        add-region 'The second guitar of the bridge' --name 'Verse with an upbeat' --length 8b --at 21.1.0
        add-note 'Verse with an upbeat' C#4 --at 1b
        add-note 'Verse with an upbeat' C4 --at 2b --velocity 100 --channel 16
        add-event 'Verse with an upbeat' --program 40 --at 1b
        add-marker 'The end of the first half' --at 21.1.0
        add-group 'Guitars and their rooms' --track 'The second guitar of the bridge'
        add-effect 'The second guitar of the bridge' compressor threshold=-20 ratio=4
        add-tempo 133.5 --at 21.1.0
        add-meter 12/8 --at 21.1.0
        add-key F# --at 21.1.0
        new-take 'The second guitar of the bridge' --name 'The best of them all'
        """
      try daw("batch", "-", input: script)
      daw.environment["COLUMNS"] = "30"
      for noun in [
        "tracks", "regions", "notes", "events", "markers", "sends", "groups", "effects", "tempos", "meters", "keys",
        "takes",
      ] {
        let text = try daw("list-\(noun)").text
        let ids = try daw("list-\(noun)", "-q").text.split(separator: "\n")
        #expect(!ids.isEmpty, "\(noun)")
        for id in ids { #expect(text.contains(id.suffix(6)), "\(noun): \(text)") }
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 30 }, "\(noun): \(text)")
      }
      // Behind the settings.
      let tree = try #require(try daw("show", "--notes").text.components(separatedBy: "\n\n").last)
      #expect(tree.contains("C#4") && tree.contains("Vers…"), "\(tree)")
      for noun in ["tracks", "regions", "notes", "events"] {
        for id in try daw("list-\(noun)", "-q").text.split(separator: "\n") {
          #expect(tree.contains(id.suffix(6)), "\(noun): \(tree)")
        }
      }
      #expect(tree.split(separator: "\n").allSatisfy { $0.count <= 30 }, "\(tree)")
    }
  }

  @Test("Without /proc a command does what was typed, and its place in the history says so")
  func withoutProc() throws {
    let ownMounts = try #require(ownMounts, "this machine gives a shell no mounts of its own")
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      let script = """
        \(ownMounts) sh -c 'mount -t tmpfs tmpfs /proc && cd "$1" && export DAW_PROJECT=Song \
        && daw add-track Drums && daw nonsense; echo "status $?"' sh "\(folder.path)"
        """
      let result = try runShell(in: folder, input: script)
      #expect(result.text.contains("Added track 'Drums'"), "\(result.text)")
      #expect(result.text.contains("status 64"), "\(result.text)")
      #expect(try daw("history", "--json").text.contains("\"commandLine\" : \"daw add-track Drums\""))
    }
  }

  @Test("A bus that comes by JSON is kept, without a warning")
  func bus() throws {
    struct Made: Decodable { var warnings: [String] }
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      let json = Data(#"{"tracks": [{"name": "Echo", "trackType": "bus", "volume": -6}]}"#.utf8)
      let output = try daw.run(["new", "Song", "--from", "-"], input: json)
      #expect(output.status == 0 && output.error.isEmpty)
      try daw("show", "--json", "--notes").data.write(to: folder.appendingPathComponent("song.json"))
      let again = try daw("new", "Again", "--from", "song.json", "--json").json(Made.self)
      #expect(again.warnings.isEmpty)
      let tracks = try daw("list-tracks", "-p", "Again", "--json").text
      #expect(tracks.contains("\"trackType\" : \"bus\"") && tracks.contains("\"volume\" : -6"))
      try daw("check", "-p", "Again")
    }
  }
}
