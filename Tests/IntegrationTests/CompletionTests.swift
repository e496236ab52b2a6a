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
      #expect(try offered(daw, "help", "add-m") == ["add-meter", "add-marker"])
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
      #expect(try offered(daw, "-p", "Nothing", "set-track", "").isEmpty)
      #expect(try offered(daw, "nonsense", "").isEmpty)
      for shell in ["bash", "zsh", "fish"] { #expect(try daw("completion", shell).text.contains("--complete")) }
      #expect(try daw.run(["completion", "tcsh"]).status == 64)
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

  @Test("… in zsh", .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/zsh")))
  func zsh() throws {
    try withSong { (daw: DAWProgram) throws in
      let start = [
        ("autoload -U compinit; compinit -u; source <(daw completion zsh); echo rea''dy\r", "ready")
      ]
      try type(start + Self.typed, into: "/usr/bin/zsh", ["-f", "-i"], daw)
    }
  }

  @Test("… in fish", .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/fish")))
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
