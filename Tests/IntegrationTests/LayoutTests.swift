import DAWTestSupport
import Foundation
import Testing

@Suite("Listings on a terminal")
struct LayoutTests {
  private static let listings = [
    ["show"], ["show", "--notes"], ["list-tracks"], ["list-regions"], ["list-notes"], ["list-events"],
    ["list-markers"], ["list-tempos"], ["list-meters"], ["list-keys"], ["list-soundfonts"], ["list-presets"],
    ["history"], ["list-projects"],
  ]

  /// A song whose names are long, and wide.
  private func withSong(_ body: (DAWProgram) throws -> Void) throws {
    try withScratchFolder { folder in
      var daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song", "LC_ALL": "C.UTF-8", "TERM": "xterm"])
      daw.environment["DAW_AUTHOR"] = "a-long-login-name@a-machine-with-a-longer-name.example.org"
      try daw("new", "Song")
      let script = """
        add-track 'The second electric bass of the bridge, doubled an octave up' --type midi --program 33 --color red
        add-track '東京の夜のドラムとベース録音その一' --type midi --program 0 --pan 0.35 --volume -12.5 --mute --solo
        add-region '東京の夜のドラムとベース録音その一' --length 1.0.0 --name 'サビの前の長い間奏の部分' --as r
        add-note %r C4 --length 1b
        add-event %r --text 'A text of a length that nobody would want to read in a listing'
        copy-region %r --at 2.1.0 --count 3
        add-marker 'The place where the singer comes in again, after the long break' --at 5.1.0
        add-tempo 133.333 --at 3.1.0
        add-meter 7/8 --at 4.1.0
        add-key 'F# minor' --at 2.1.0
        """
      try daw("batch", input: script)
      try body(daw)
    }
  }

  /// The columns of text that has ASCII and wide Japanese characters only, beside a few signs.
  private func columns(_ line: some StringProtocol) -> Int {
    line.unicodeScalars.reduce(0) { $0 + (0x3000...0x9fff ~= $1.value ? 2 : 1) }
  }

  @Test("Every listing fits the terminal's width, whatever names and other texts it has", arguments: [40, 80, 100])
  func fit(width: Int) throws {
    try withSong { (daw: DAWProgram) throws in
      var narrow = daw
      narrow.environment["COLUMNS"] = "\(width)"
      for listing in Self.listings {
        let text = try narrow.run(listing).text
        // The folder of the project is given in full: it is to be copied. No word is broken.
        for line in text.split(separator: "\n") where !line.contains("revision ") {
          #expect(columns(line) <= width || !line.drop { $0 == " " }.contains(" "), "\(listing): \(line)")
        }
        #expect(!text.isEmpty && !text.contains("\u{1B}"))
      }
      let wide = try daw("list-tracks").text
      #expect(wide.contains("The second electric bass of the bridge, doubled an octave up"))
      let rows = wide.split(separator: "\n")
      let places = try rows.map { columns($0[..<(try #require($0.range(of: "m", options: .backwards))).lowerBound]) }
      #expect(Set(places.dropLast()).count <= 2, "what comes after wide characters is aligned: \(wide)")
    }
  }

  @Test("Listings of what a mix is made of fit the terminal's width", arguments: [40, 60, 80])
  func fitMixes(width: Int) throws {
    try withScratchFolder { folder in
      var daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song", "LC_ALL": "C.UTF-8", "TERM": "xterm"])
      try daw("new", "Song")
      let (name, bus) = ("The second electric bass of the bridge, doubled an octave up", "東京の夜のドラムとベース録音その一")
      let script = """
        add-track '\(name)'
        add-track '\(bus)' --type bus
        add-track 'The strings and the brass of the last chorus, all together' --output '\(bus)'
        add-send '\(name)' '\(bus)' --level -12.5 --pre --pan -0.25 --mute
        add-effect '\(name)' eq --preset vocal
        add-effect '\(name)' compressor --bypass threshold=-33 --key 'The strings and the brass of the last chorus, all together'
        add-group 'All that is played by hand and not by a machine' --track '\(name)' --track '\(bus)' --volume -3.25 --mute
        add-point '\(name)' 'send:\(bus).level' -6 --at 100.1.0 --shape logarithmic
        add-point --group 'All that is played by hand and not by a machine' volume -6 --at 1.1.0
        """
      try daw("batch", input: script)
      daw.environment["COLUMNS"] = "\(width)"
      for listing in [
        "show", "list-tracks", "list-sends", "list-groups", "list-effects", "list-effects --all", "list-lanes",
        "list-effect-types", "list-effect-types eq", "list-effect-presets",
      ] {
        let text = try daw.run(listing.split(separator: " ").map(String.init)).text
        for line in text.split(separator: "\n") where !line.contains("revision ") {
          #expect(columns(line) <= width, "\(listing): \(line)")
        }
        #expect(!text.isEmpty)
      }
      daw.environment["COLUMNS"] = nil
      let tree = try daw("show").text
      #expect(tree.contains("  eq, compressor (bypassed)\n"), "\(tree)")
      #expect(tree.contains("  automated: send:\(bus).level\n"), "\(tree)")
      #expect(try daw("list-groups").text.contains("-3.25 dB, muted: \(name), \(bus)"))
      #expect(
        try daw("list-tracks").text.contains("send to \(bus), in All that is played by hand and not by a machine\n"))
    }
  }

  @Test("What is told below a track is broken between words, and nothing of it is lost")
  func brokenFacts() throws {
    try withScratchFolder { folder in
      var daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song", "LC_ALL": "C.UTF-8", "TERM": "xterm"])
      try daw("new", "Song")
      try daw("add-track", "Guitar")
      for kind in ["eq", "compressor", "gate", "limiter", "delay"] { try daw("add-effect", "Guitar", kind) }
      for lane in ["volume", "pan", "mute", "trim"] { try daw("add-point", "Guitar", lane, "1", "--at", "1.1.0") }
      daw.environment["COLUMNS"] = "40"
      let text = try daw("show").text
      #expect(text.split(separator: "\n").allSatisfy { columns($0) <= 40 || $0.contains("  in /") }, "\(text)")
      let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("eq, compressor, gate, limiter, delay automated: "), "\(text)")
      for lane in ["volume", "pan", "mute", "trim"] { #expect(words.contains(lane), "\(text)") }
    }
  }

  @Test("What edits changed fits, with names of one long word too; a project's folder stays whole, on its own line")
  func fitChanges() throws {
    try withScratchFolder { folder in
      var daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song", "LC_ALL": "C.UTF-8", "TERM": "xterm"])
      let name = String(repeating: "Saxophone", count: 20)
      try daw("new", "Song", "--name", name)
      try daw("add-track", name)
      try daw("set-track", name, "--name", name + "s", "--volume", "-6")
      daw.environment["COLUMNS"] = "60"
      for listing in [["show"], ["show-edit"], ["show-edit", "1"], ["diff", "0"], ["diff", "1", "2"], ["history"]] {
        let text = try daw.run(listing).text
        for line in text.split(separator: "\n") where !line.hasPrefix("  in /") {
          #expect(columns(line) <= 60, "\(listing): \(line)")
        }
        #expect(text.contains("Saxophone") && text.contains("…"), "\(text)")
      }
      #expect(try daw("show").text.contains(" UTC,\n  in \(folder.path)/Song.daw\n"))
      daw.environment["COLUMNS"] = "400"
      #expect(try daw("show").text.contains(" UTC, in \(folder.path)/Song.daw\n"))
      #expect(try daw("show-edit").text.contains("\(name)s"))
    }
  }

  @Test("An author of one long word is shortened wherever edits and comments are listed; a comment is whole")
  func fitAuthors() throws {
    try withScratchFolder { folder in
      var daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song", "LC_ALL": "C.UTF-8", "TERM": "xterm"])
      let (author, link) = (String(repeating: "Saxophone", count: 20), "https://" + String(repeating: "x", count: 90))
      daw.environment["DAW_AUTHOR"] = author
      try daw("new", "Song")
      try daw("add-comment", "See \(link)")
      daw.environment["COLUMNS"] = "60"
      for listing in [
        ["history"], ["history", "--author", author], ["show-edit"], ["list-comments", "--author", author],
      ] {
        let text = try daw.run(listing).text
        #expect(text.contains("Saxophone") && text.contains("…"), "\(listing): \(text)")
        let lines = text.split(separator: "\n").filter { !$0.contains("https") }
        #expect(lines.allSatisfy { columns($0) <= 60 }, "\(listing): \(text)")
      }
      #expect(try daw("list-comments").text.contains(link))
    }
  }

  @Test("Texts are shortened before places are")
  func order() throws {
    try withSong { (daw: DAWProgram) throws in
      var narrow = daw
      narrow.environment["COLUMNS"] = "60"
      let lines = try narrow("list-regions").text.split(separator: "\n")
      #expect(!lines.isEmpty && lines.allSatisfy { $0.contains(/\) to \d+:\d\d\.\d{3}\s/) }, "\(lines)")
      #expect(lines.contains { $0.contains("…") })
    }
  }

  @Test("Facts are left out whole, from the last one on: no number is cut, and the time stays")
  func facts() throws {
    try withSong { (daw: DAWProgram) throws in
      var narrow = daw
      narrow.environment["COLUMNS"] = "60"
      var lines = try narrow("list-notes").text.split(separator: "\n")
      let three = /\d:\d\d\.\d{3}  C4  for \d:\d\d\.\d{3}  velocity \d+\s/
      #expect(!lines.isEmpty && lines.allSatisfy { $0.starts(with: three) && !$0.contains("chan") }, "\(lines)")
      narrow.environment["COLUMNS"] = "40"
      lines = try narrow("list-notes").text.split(separator: "\n")
      let one = /\d:\d\d\.\d{3}  C4\s/
      #expect(!lines.isEmpty && lines.allSatisfy { $0.starts(with: one) && !$0.contains("for ") }, "\(lines)")
      for listing in ["list-markers", "list-tempos", "list-meters", "list-keys"] {
        lines = try narrow(listing).text.split(separator: "\n")
        #expect(!lines.isEmpty && lines.allSatisfy { $0.starts(with: /\S+ \(\d:\d\d\.\d{3}\)\s/) }, "\(lines)")
      }
    }
  }

  @Test("The usage in an error and in a help text is broken between words")
  func usage() throws {
    try withSong { (daw: DAWProgram) throws in
      let error = try daw.run(["undo", "x"]).error
      #expect(error.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(error)")
      #expect(error.contains("\n       [--"), "\(error)")
      for command in ["list-notes", "add-note", "undo", "play"] {
        let help = try daw("help", command).text
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(help)")
      }
    }
  }

  @Test("The tree names programs, gives bars and seconds, and shows copies end to end as one line")
  func tree() throws {
    try withSong { (daw: DAWProgram) throws in
      let text = try daw("show").text
      #expect(text.contains("program 33 (Fingered Bass)"), "\(text)")
      #expect(text.contains("部分 ×4 ") && text.contains(" 1.1.0 to 5.2.0 "), "\(text)")
      #expect(text.contains("0:00.000 to 0:"), "\(text)")
      #expect(text.contains("@The place") && text.contains("133.333 BPM"))
      var plain = daw
      plain.environment["LC_ALL"] = "C"
      #expect(try plain("show").text.contains("部分 x4 "))
      // With another name, level or content a region stands alone.
      let name = "サビの前の長い間奏の部分"
      try daw("set-region", "\(name) 2", "--mute")
      #expect(try !daw("show").text.contains("×4"))
      #expect(try daw("show", "--track", "東京の夜のドラムとベース録音その一").text.contains("\(name) 3 ×2"))
    }
  }

  @Test("Hits at one distance are one line too, and say the distance; two of them are not")
  func hits() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song", "LC_ALL": "C.UTF-8"])
      try daw("new", "Song")
      try daw("add-track", "Hat", "--type", "midi")
      for beat in 0..<3 {
        try daw("add-region", "Hat", "--at", "\(beat)b", "--length", "0.5b", "--name", "Hit")
        #expect(try daw("show").text.contains("Hit ×") == (beat == 2))
      }
      #expect(try daw("show").text.contains("0 notes, every 1b"))
    }
  }

  @Test("A part of the project is shown by track and range, in JSON too")
  func part() throws {
    struct Document: Decodable {
      struct Track: Decodable {
        struct Region: Decodable { var name: String }
        var name: String
        var regions: [Region]
      }
      var tracks: [Track]
    }
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      for track in ["A", "B"] {
        try daw("add-track", track, "--type", "midi")
        try daw("add-region", track, "--name", "Early", "--length", "4b")
        try daw("add-region", track, "--name", "Late", "--at", "9.1.0", "--length", "4b")
      }
      let text = try daw("show", "--track", "b", "--from", "2.1.0").text
      #expect(text.contains("Late") && !text.contains("Early") && !text.contains("A  "), "\(text)")
      let json = try daw("show", "--track", "A", "--to", "2.1.0", "--json", "--notes").json(Document.self)
      #expect(json.tracks.map(\.name) == ["A"] && json.tracks[0].regions.map(\.name) == ["Early"])
      #expect(try daw.run(["show", "--track", "C"]).status == 66)
      #expect(try daw.run(["show", "--from", "2.1.0", "--to", "1.1.0"]).status == 65)
    }
  }

  @Test("The short ids of notes and events are taken where they are typed")
  func shortIDs() throws {
    try withSong { (daw: DAWProgram) throws in
      func last(_ listing: String) throws -> String {
        let lines = try daw(listing).text.split(separator: "\n")
        return String(try #require(lines.first?.split(separator: " ").last))
      }
      let note = try last("list-notes")
      #expect(note.count < 12)
      try daw("set-note", note, "--velocity", "99")
      #expect(try daw("list-notes").text.contains("velocity 99"))
      try daw("remove-note", "id:\(note)")
      try daw("remove-event", last("list-events"))
      #expect(try daw.run(["remove-note", note]).status == 66)
      try daw("check")
    }
  }

  @Test("Colours come where they are asked for, or a terminal has them")
  func colours() throws {
    try withSong { (daw: DAWProgram) throws in
      #expect(try !daw("list-tracks").text.contains("\u{1B}"))
      #expect(try daw("list-tracks", "--color", "always").text.contains("\u{1B}[38;5;196mThe second"))
      #expect(try daw("--color=always", "show").text.contains("\u{1B}[38;5;196mThe second"))
      #expect(try daw.run(["nonsense", "--color", "always"]).error.contains("\u{1B}[1;31mdaw:\u{1B}[0m"))
      // A track's own colour is another thing, and both can be typed.
      try daw("set-track", "Master", "--color", "red", "--color", "never")
      for (variables, arguments, isColored) in [
        ([:], [], true), (["NO_COLOR": "1"], [], false), (["TERM": "dumb"], [], false),
        ([:], ["--color", "never"], false),
        (["NO_COLOR": "1"], ["--color", "always"], true),
      ] as [([String: String], [String], Bool)] {
        let terminal = try PseudoTerminal(columns: 80)
        var program = daw
        program.environment.merge(variables) { $1 }
        let process = try terminal.start(program, ["list-tracks"] + arguments)
        process.waitUntilExit()
        while !terminal.text.contains("Master") { usleep(10_000) }
        #expect(terminal.text.contains("\u{1B}[") == isColored, "\(variables) \(arguments): \(terminal.text)")
        terminal.hangUp()
      }
    }
  }
}
