import DAWTestSupport
import Foundation
import Testing

@Suite("Completion in a shell")
struct CompletionTests {
  private func withSong(_ body: (DAWProgram) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song")
      let script = """
        add-track 'Big Drum'
        add-track Keys --type midi
        add-region Keys --name Verse
        add-region Keys --name 'Last Chorus'
        add-marker 'Second verse' --at 5.1.0
        """
      try daw("batch", "-p", "Song", input: script)
      try FileManager.default.createDirectory(at: folder.appending(path: "Takes"), withIntermediateDirectories: true)
      try Data().write(to: folder.appending(path: "take 1.wav"))
      try body(daw)
    }
  }

  /// What is offered behind some words, without what is said about it.
  private func offered(_ daw: DAWProgram, _ words: String...) throws -> [String] {
    try daw.run(["--complete", "fish"] + words).text.split(separator: "\n")
      .map { String($0.split(separator: "\t", omittingEmptySubsequences: false)[0]) }
  }

  @Test("Names come from the project, and values, options and commands from the program")
  func candidates() throws {
    try withSong { (daw: DAWProgram) throws in
      #expect(try offered(daw, "add-tr") == ["add-track"])
      #expect(try offered(daw, "help", "add-m") == ["add-meter", "add-marker", "add-markers", "add-memo"])
      #expect(try offered(daw, "-p", "So") == ["Song", ":folders"])
      #expect(try offered(daw, "set-track", "") == ["Big Drum", "Keys", "Master"])
      #expect(try offered(daw, "-p", "Song", "set-track", "k") == ["Keys"])
      #expect(try offered(daw, "remove-region", "-p", "Song", "Keys/") == ["Keys/Verse", "Keys/Last Chorus"])
      #expect(try offered(daw, "remove-region", "La") == ["Last Chorus"])
      #expect(try offered(daw, "move-regions", "Keys/V") == ["Keys/Verse"])
      #expect(try offered(daw, "move-regions", "--name", "La") == ["Last Chorus"])
      #expect(try offered(daw, "set-marker", "") == ["Second verse"])
      #expect(try offered(daw, "bounce", "--from", "@") == ["@start", "@end", "@playhead", "@Second verse"])
      #expect(try offered(daw, "bounce", "--preset", "c") == ["cd"])
      #expect(try offered(daw, "bounce", "--format=f") == ["--format=flac"])
      #expect(try offered(daw, "add-region", "Keys", "--file", "") == [":files"])
      #expect(try offered(daw, "set-track", "Keys", "--vol") == ["--volume"])
      #expect(try offered(daw, "set-track", "Keys", "--volume", "-3", "--vol").isEmpty)
      #expect(try offered(daw, "set-track", "Keys", "--mute", "--no-mu").isEmpty)
      #expect(try offered(daw, "list-tracks", "--type", "m") == ["midi", "master"])
      #expect(try offered(daw, "show", "--color", "a") == ["auto", "always"])
      #expect(try offered(daw, "add-marker", "X", "--color", "re") == ["red"])
      #expect(try offered(daw, "record", "--bits", "3") == ["32f"])
      // A project's name is no folder.
      #expect(try offered(daw, "relink", "--search", "So") == [":folders"])
      #expect(try offered(daw, "transcribe", "ke") == ["Keys", "Keys/Verse", "Keys/Last Chorus"])
      #expect(try offered(daw, "transcribe", "Keys", "--engine", "pocket") == ["pocketsphinx"])
      #expect(try offered(daw, "summarize", "Verse", "--engine", "pocket").isEmpty)
      #expect(try offered(daw, "-p", "Nothing", "set-track", "").isEmpty)
      #expect(try offered(daw, "nonsense", "").isEmpty)
      for shell in ["bash", "zsh", "fish"] { #expect(try daw("completion", shell).text.contains("--complete")) }
      #expect(try daw.run(["completion", "tcsh"]).status == 64)
    }
  }

  @Test("What lanes can move comes from the project, and so do effects and their parameters")
  func lanesAndEffects() throws {
    try withSong { (daw: DAWProgram) throws in
      let script = """
        add-track 'Long Hall' --type bus
        add-send Keys 'Long Hall'
        add-effect Keys eq
        add-effect Keys delay
        add-effect Keys delay
        add-group Band --track Keys
        """
      try daw("batch", "-p", "Song", input: script)
      #expect(try offered(daw, "add-point", "Keys", "vo") == ["volume"])
      #expect(
        try offered(daw, "add-point", "keys", "").prefix(6) == [
          "volume", "pan", "mute", "trim", "stereoWidth", "send:Long Hall.level",
        ])
      #expect(
        try offered(daw, "list-points", "Keys", "send:") == ["level", "pan", "mute"].map { "send:Long Hall.\($0)" })
      #expect(try offered(daw, "set-lane", "Keys", "delay 2.ti") == ["delay 2.time"])
      #expect(try offered(daw, "add-points", "Keys", "EQ.band8.g") == ["eq.band8.gain"])
      // What no lane can move is not offered, and behind the parameter a file.
      #expect(try offered(daw, "add-point", "Keys", "eq.band8.t").isEmpty)
      #expect(try offered(daw, "add-points", "Keys", "pan", "") == [":files"])
      #expect(try offered(daw, "add-point", "--group", "") == ["Band"])
      #expect(try offered(daw, "add-point", "--group", "Band", "") == ["volume", "mute"])
      #expect(try offered(daw, "add-point", "Band", "--group", "m") == ["mute"])
      #expect(try offered(daw, "copy-points", "Keys", "pan", "--to-track", "Big Drum", "--to-parameter", "").count == 5)
      #expect(
        try offered(daw, "copy-points", "Keys", "pan", "--to-parameter", "send") == [
          "send:Long Hall.level", "send:Long Hall.pan", "send:Long Hall.mute",
        ])
      #expect(try offered(daw, "copy-points", "Band", "volume", "--group", "--to-track", "") == ["Band"])
      #expect(try offered(daw, "add-point", "Keys", "mute", "") == ["on", "off"])
      #expect(try offered(daw, "add-point", "Keys", "volume", "") == ["-inf"])
      #expect(try offered(daw, "add-point", "Keys", "pan", "").isEmpty)
      #expect(try offered(daw, "set-point", "Keys", "delay.bypass", "--value", "o") == ["on", "off"])
      #expect(try offered(daw, "add-point", "Nobody", "").isEmpty)
      #expect(try offered(daw, "set-effect", "Keys/d") == ["Keys/delay", "Keys/delay 2"])
      #expect(try offered(daw, "set-effect", "Keys/eq", "band2.f") == ["band2.frequency="])
      #expect(try offered(daw, "set-effect", "Keys/eq", "--set", "band2.type=be") == ["band2.type=bell"])
      #expect(try offered(daw, "add-effect", "Keys", "lim") == ["limiter"])
      #expect(try offered(daw, "add-effect", "Keys", "limiter", "ceil") == ["ceiling="])
      #expect(try offered(daw, "add-effect", "Keys", "compressor", "--preset", "voc") == ["vocal"])
      #expect(try offered(daw, "set-effect", "Keys/delay", "--preset", "dot") == ["dotted-eighth"])
      #expect(try offered(daw, "levels", "Keys", "Lo") == ["Long Hall"])
    }
  }

  /// Types into a shell on a terminal, each line when the output of the one before has come.
  private func type(
    _ lines: [(typed: String, expected: String)], into shell: String, _ arguments: [String], _ daw: DAWProgram
  ) throws {
    let terminal = try PseudoTerminal(columns: 200)
    var program = DAWProgram(path: shell, folder: daw.folder)
    let folder = URL(filePath: DAWProgram.path).deletingLastPathComponent().path
    program.environment["PATH"] = folder + ":/usr/bin:/bin"
    program.environment["HOME"] = daw.folder.path
    let process = try terminal.start(program, arguments)
    defer {
      process.terminate()
      Glibc.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      terminal.hangUp()
    }
    for line in lines {
      let before = terminal.text.count
      terminal.type(line.typed)
      let deadline = ContinuousClock.now + .seconds(60)
      while !terminal.text.dropFirst(before).contains(line.expected), ContinuousClock.now < deadline { usleep(20_000) }
      #expect(terminal.text.dropFirst(before).contains(line.expected), "\(line.typed): \(terminal.text)")
    }
  }

  /// A tab behind each of these, and what it makes of it.
  private static let typed: [(typed: String, expected: String)] = [
    ("daw -p Song set-track Bi\t--volume -7\r", "Track 'Big Drum': audio, -7 dB"),
    ("daw -p Song set-region La\t--mute\r", "Last Chorus"),
    ("daw -p Song trim-reg\tKeys/Ve\t--dry-r\t--to @Se\t\r", "Keys/Verse' lies from 0:00.000 (1.1.0) to 0:08.000"),
    ("daw help add-tra\t\r", "OVERVIEW: Add a track"),
    ("daw -p So\tlist-tracks --type mi\t-q\r", "-"),
    ("daw add-region -p Song 'Big Dr\t --file ta\t\r", "take 1.wav"),
  ]

  @Test("A tab completes commands, options, names with blanks, markers and files in bash")
  func bash() throws {
    try withSong { (daw: DAWProgram) throws in
      let start = [("source <(daw completion bash); echo rea''dy\r", "ready")]
      try type(start + Self.typed, into: "/bin/bash", ["--norc", "-i"], daw)
    }
  }

  /// Names that a shell would run, expand or divide, if they were typed as they are.
  private static let hostileNames = [
    "$(touch pwned)", "`touch pwned`", "`\u{301};touch pwned;`\u{301}", "a;touch pwned", "b|touch pwned",
    "c&touch pwned&", "d>pwned", "say \"hi\"", "it's", "'", "''", "\"", "\"\"", "'\"", "\\", "\\\\", "back\\slash",
    "tail\\", "$HOME", "e$", "${f}", "Hey!you", "Hoy!", "!!", "!", "~", "~root", "#g", "h #i", "{j,k}", "*", "?", "[l]",
    "(m)", "=n", "o=p:q", "^r^s", "%1", "-t", "--mute", "é\u{a0}x", "🎸 u", "\"'!$`\\\"'",
  ]

  @Test(
    "What is offered in bash is read back as the name, whatever a project calls its tracks", arguments: ["", "'", "\""])
  func namesReadBack(quote: String) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song")
      for name in Self.hostileNames { try daw("add-track", "-p", "Song", "--", name) }
      let offered = try daw("--complete", "bash", "daw -p Song set-track " + quote, quote).text
        .split(separator: "\n").map(String.init)
      // What would be an option is not offered.
      let names = Self.hostileNames.filter { !$0.hasPrefix("-") } + ["Master"]
      #expect(offered.count == names.count)
      let words = offered.map { text in
        // As readline has it: a quote at the start is the open one, one at the end is not doubled.
        let isOpened = quote.isEmpty || text.hasPrefix(quote)
        return (isOpened ? "" : quote) + text + (text.hasSuffix(quote) || quote.isEmpty ? "" : quote)
      }
      let read = try runShell(in: folder, input: "printf '%s\\n' \\\n" + words.joined(separator: " \\\n") + "\n")
      #expect(read.text.split(separator: "\n").map { Array($0.utf8) } == names.map { Array($0.utf8) }, "\(read.text)")
      #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "pwned").path))
    }
  }

  @Test("A name that is completed between quotes in bash is not run")
  func quotedNames() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song")
      for name in ["$(touch pwned)", "Hey!you \"and\" me", "it's", "Big $x!"] {
        try daw("add-track", name, "-p", "Song")
      }
      try daw("add-region", "Big $x!", "-p", "Song", "--file", sound(in: folder), "--name", "Part `1`")
      let typed: [(typed: String, expected: String)] = [
        ("source <(daw completion bash); echo rea''dy\r", "ready"),
        ("daw -p Song set-track \"$\t--volume -7\r", "Track '$(touch pwned)': audio, -7 dB"),
        ("daw -p Song set-track '$\t--volume -8\r", "Track '$(touch pwned)': audio, -8 dB"),
        ("daw -p Song set-track \"He\t--volume -9\r", "Track 'Hey!you \"and\" me': audio, -9 dB"),
        ("daw -p Song set-track 'it\t--volume -10\r", "Track 'it's': audio, -10 dB"),
        ("daw -p Song set-region \"Big\t--mute\r", "Region 'Big $x!/Part `1`'"),
        ("daw -p Song list-regions --track=\"Big\t-q\r", "64617702-"),
        ("daw -p Song set-track \"Hey!y\t--volume -11\r", "Track 'Hey!you \"and\" me': audio, -11 dB"),
      ]
      try type(typed, into: "/bin/bash", ["--norc", "-i"], daw)
      #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "pwned").path))
    }
  }

  private func sound(in folder: URL) throws -> String {
    let url = folder.appending(path: "a.wav")
    try PlainWave.write([[Int](repeating: 900, count: 4_800)], bits: 16, rate: 48_000, to: url)
    return url.path
  }

  @Test("What cannot be typed is not offered")
  func notOffered() throws {
    try withSong { (daw: DAWProgram) throws in
      for name in ["-x", "--mute", "~root"] { try daw("add-track", "-p", "Song", "--", name) }
      #expect(try offered(daw, "set-track", "") == ["Big Drum", "Keys", "Master"])
      #expect(try offered(daw, "set-track", "--", "") == ["Big Drum", "Keys", "-x", "--mute", "Master"])
      #expect(try daw("--complete", "zsh", "set-track", "~").text.hasPrefix("~root\t"))
      try FileManager.default.copyItem(
        at: daw.folder.appending(path: "Song.daw"), to: daw.folder.appending(path: "So\u{7}ng\n2.daw"))
      #expect(try offered(daw, "-p", "So") == ["Song", ":folders"])
    }
  }

  @Test(
    "A tab completes commands, options, names with blanks, markers and files in zsh",
    .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/zsh")))
  func zsh() throws {
    try withSong { (daw: DAWProgram) throws in
      let start = [
        ("autoload -U compinit; compinit -u; source <(daw completion zsh); echo rea''dy\r", "ready")
      ]
      try type(start + Self.typed, into: "/usr/bin/zsh", ["-f", "-i"], daw)
    }
  }

  @Test(
    "fish is offered commands, options, names with blanks, markers, files and folders",
    .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/fish")))
  func fish() throws {
    try withSong { (daw: DAWProgram) throws in
      func completed(_ line: String) throws -> String {
        let script = "exec fish -N -c 'daw completion fish | source; complete -C \"\(line)\"'\n"
        return try runShell(in: daw.folder, input: script).text
      }
      #expect(try completed("daw add-tr").contains("add-track\tAdd a track."))
      #expect(try completed("daw -p Song set-track Bi").contains("Big Drum"))
      #expect(try completed("daw -p Song bounce --from @Se").contains("@Second verse"))
      #expect(try completed("daw -p Song bounce --for").contains("--format"))
      #expect(try completed("daw add-region Keys --file ta").contains("take 1.wav"))
      #expect(try completed("daw list-projects Ta").contains("Takes/"))
    }
  }
}
