import DAWTestSupport
import Foundation
import Testing

@Suite("Mistakes in what is typed")
struct MistakeTests {
  private struct Dump: Decodable {
    struct Command: Decodable {
      var commandName: String
      var discussion: String?
      var arguments: [Argument]?
      var subcommands: [Command]?
    }
    struct Argument: Decodable {
      var kind: String
      var isRepeating: Bool
      var names: [Name]?
      var valueName: String?
    }
    struct Name: Decodable { var kind, name: String }
    var command: Command
  }

  /// Each command, as it describes itself.
  private func commands() throws -> [Dump.Command] {
    let dump = try DAWProgram(folder: checkout).run(["--experimental-dump-help"]).json(Dump.self)
    return (dump.command.subcommands ?? []).filter { $0.commandName != "help" }
  }

  private func withSong(_ body: (DAWProgram) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try daw("add-track", "Drums")
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--name", "Verse", "--length", "4b")
      try body(daw)
    }
  }

  @Test("A mistyped option is named before anything else is judged, with the one that was meant, in every command")
  func mistypedOptions() throws {
    try withSong { (daw: DAWProgram) throws in
      for command in try commands() {
        let names = Set((command.arguments ?? []).flatMap { $0.names ?? [] }.filter { $0.kind == "long" }.map(\.name))
        for name in names.sorted().filter({ $0.count > 4 && !names.contains(String($0.dropLast())) }).prefix(1) {
          let output = try daw.run([command.commandName, "--\(name.dropLast())", "-6"])
          #expect(output.status == 64, "\(command.commandName) \(name): \(output.error)")
          #expect(output.error.contains("Unknown option '--\(name.dropLast())'."), "\(output.error)")
          #expect(output.error.contains("'--\(name)'"), "\(command.commandName): \(output.error)")
        }
      }
      for (typed, meant) in [("--vol", "'--volume'"), ("--VOL", "'--volume'"), ("--sol", "'--solo' or '--solo-safe'")] {
        let output = try daw.run(["set-track", "Keys", typed, "-3"])
        #expect(output.status == 64 && output.error.contains("Did you mean \(meant)?"), "\(output.error)")
      }
      let batch = try daw.run(["batch"], input: Data("add-track A\nset-track A --volum -6\n".utf8))
      #expect(batch.status == 64)
      #expect(batch.error.contains("Line 2 (set-track): Unknown option '--volum'."), "\(batch.error)")
      #expect(batch.error.contains("Did you mean '--volume'?"), "\(batch.error)")
      #expect(try daw.run(["--dry-run", "add-track", "A"]).error.contains("before the command"))
    }
  }

  /// What options are called whose values are any text.
  private static let freeValues: Set<String> = [
    "path", "file", "folder", "name", "text", "track", "region", "take", "recording", "file|name", "client:port",
    "port",
    "soundfont",
    "id", "author", "bus", "title", "parameter", "effect", "effect-preset", "engine",
  ]

  @Test("A value that cannot be read is an error of usage, whatever option it is typed for")
  func unreadableValues() throws {
    let positionals = [
      "add-note": ["Verse", "C4"], "add-tempo": ["120"], "add-meter": ["3/4"], "add-key": ["C"], "transport": ["stop"],
      "set-tempo": ["1.1.0"], "set-meter": ["1.1.0"], "set-key": ["1.1.0"], "copy": ["Song", "New"],
    ]
    // Options that many commands share are tried with two of them.
    var counts: [String: Int] = [:]
    try withSong { (daw: DAWProgram) throws in
      for command in try commands() {
        let arguments = command.arguments ?? []
        let needed = arguments.filter { $0.kind == "positional" }.map { _ in "x" }
        for option in arguments where option.kind == "option" && !Self.freeValues.contains(option.valueName ?? "") {
          guard let name = option.names?.first(where: { $0.kind == "long" })?.name else { continue }
          counts[name, default: 0] += 1
          if ["preset", "originator", "description"].contains(name) || counts[name, default: 0] > 2 { continue }
          let typed = [command.commandName] + (positionals[command.commandName] ?? needed) + ["--\(name)", "1x?"]
          let output = try daw.run(typed)
          #expect(output.status == 64, "\(typed): \(output.error)")
        }
      }
      #expect(try daw("revision").line == "3")
    }
  }

  @Test("An argument that belongs to an option is answered with that option")
  func misplacedArguments() throws {
    let cases = [
      ("bounce x.wav", "-o x.wav"), ("export x.mid", "-o x.mid"), ("add-region Drums a.wav", "--file a.wav"),
      ("show Song", "-p Song"), ("check Song.daw", "-p Song.daw"), ("add-tempo 120 5.1.0", "--at 5.1.0"),
      ("add-meter 3/4 5.1.0", "--at 5.1.0"), ("move-effect Drums/eq 1", "--at 1"), ("add-marker A @end", "--at @end"),
      ("move-track Drums 1", "--to 1"),
      ("transpose -2", "--by -2"), ("transpose Keys/Verse", "--region Keys/Verse"), ("quantize 1/16", "--grid 1/16"),
      ("split-region Verse 1b", "--at 1b"), ("copy-region Verse 4b", "--at 4b"), ("add-track A midi", "--type midi"),
      ("set-track Drums -6", "--volume -6"), ("set-track Drums Beat", "--name Beat"),
      ("list-notes Keys/Verse", "--region Keys/Verse"), ("list-regions Drums", "--track Drums"),
      ("set-tempo 1.1.0 90", "--bpm 90"), ("set-key 1.1.0 G", "--key G"), ("new A 120", "--tempo 120"),
      ("add-note Verse C4 1b", "--at 1b"), ("play 5.1.0", "--from 5.1.0"), ("panic 128:0", "--to 128:0"),
      ("set-history 100", "--count 100"), ("humanize 8ms", "--timing 8ms"), ("scale-velocity 120%", "--by 120%"),
    ]
    try withSong { (daw: DAWProgram) throws in
      for (typed, meant) in cases {
        let output = try daw.run(typed.split(separator: " ").map(String.init))
        #expect(output.status == 64, "\(typed)")
        #expect(output.error.contains("Did you mean '\(meant)'?"), "\(typed): \(output.error)")
      }
      #expect(try daw.run(["set-track", "Drums", "New Name"]).error.contains("Did you mean --name 'New Name'?"))
      #expect(try daw.run(["add-track", "A", "--volume", "--pan", "3"]).error.contains("'--volume' lacks its value."))
    }
  }

  @Test("A command that is missing is missed, whatever options are there")
  func missingCommand() throws {
    try withSong { (daw: DAWProgram) throws in
      for words in [["-p", "Song"], ["-p"], ["--json"], ["-q", "--project=Song"], ["--project", "Song", "--quiet"]] {
        let output = try daw.run(words)
        #expect(output.status == 64, "\(words)")
        let typed = words.joined(separator: " ")
        #expect(output.error.contains("A command is missing behind '\(typed)'."), "\(output.error)")
      }
      for words in [["-p", "Song", "-o", "x.wav"], ["-p", "Song", "--nonsense"], ["-p", "Song", "--"]] {
        let output = try daw.run(words)
        #expect(output.status == 64, "\(words)")
        #expect(output.error.contains("A command is missing behind '-p Song'."), "\(output.error)")
      }
      #expect(try daw("-p", "Song", "--help").text.contains("USAGE: daw"))
    }
  }

  @Test("Letters without end behind one dash are refused, in a batch too; a few are what they were")
  func manyLetters() throws {
    let many = "-" + String(repeating: "q", count: 10_000)
    try withSong { (daw: DAWProgram) throws in
      for words in [
        [many], ["revision", many], ["-p", "Song", "revision", many], ["bounce", "--title", many],
        ["revision", many + "=x"], ["revision"] + Array(repeating: "-qq", count: 300),
      ] {
        let output = try daw.run(words)
        #expect(output.status == 64 && output.error.contains("too many letters"), "\(output.error.prefix(300))")
        #expect(output.error.utf8.count < 1_000)
      }
      for line in [
        "set-track Drums --mute \(many)", "add-region Drums --file a.wav \(many)", "set-track Drums \(many)=x",
      ] {
        let output = try daw.run(["batch"], input: Data(line.utf8))
        #expect(output.status == 64 && output.error.contains("too many letters"), "\(output.error.prefix(300))")
      }
      #expect(try daw("revision", "-qqq").line == "3")
      #expect(try daw.run(["revision", "-qx"]).error.contains("Unknown option '-qx'."))
      // Behind -- they are a name.
      #expect(try daw.run(["set-track", "--mute", "--", many]).status == 66)
    }
  }

  @Test("An option of one letter in one word with its value is answered with two words")
  func joinedValues() throws {
    let cases = [("bounce -oman.flac", "-o man.flac"), ("history -n5", "-n 5"), ("show -pSong", "-p Song")]
    try withSong { (daw: DAWProgram) throws in
      for (typed, meant) in cases {
        let output = try daw.run(typed.split(separator: " ").map(String.init))
        #expect(output.status == 64, "\(typed)")
        #expect(output.error.contains("Did you mean '\(meant)'?"), "\(typed): \(output.error)")
        #expect(!output.error.contains(#"\u{A}"#), "\(output.error)")
      }
    }
  }

  @Test("What is refused says what is accepted, and how the command is used")
  func refusals() throws {
    let cases: [(typed: String, status: Int32, said: String)] = [
      ("set-retention --recordings 100000d", 65, "1 … 36500 days"),
      ("add-group A --volume 1000", 65, "-60 … +12 dB"),
      ("add-points Drums volume .", 66, "is a folder"), ("batch .", 66, "is a folder"),
      ("new Other --from .", 66, "is a folder"),
      ("bounce --stems --limit", 64, "Usage: daw bounce <options>"), ("transport locate -5s", 64, "'@playhead-5s'"),
      ("play --name \(String(repeating: "n", count: 300))", 64, "at most 63 bytes"),
      ("play --name \(String(repeating: "ö", count: 32))", 64, "at most 63 bytes"),
    ]
    try withSong { (daw: DAWProgram) throws in
      for (typed, status, said) in cases {
        let output = try daw.run(typed.split(separator: " ").map(String.init))
        #expect(output.status == status && output.error.contains(said), "\(typed): \(output.status) \(output.error)")
      }
      #expect(try daw("revision").line == "3")
    }
  }

  @Test("An option behind '--' is said to stand before it")
  func optionsTooLate() throws {
    try withSong { (daw: DAWProgram) throws in
      for (typed, option) in [
        ("set-track -- Drums --volume -3", "--volume"), ("set-track -- Drums --volume=-3", "--volume=-3"),
        ("split-region -- Verse --at 1b", "--at"), ("show -- -p Song", "-p"),
      ] {
        let output = try daw.run(typed.split(separator: " ").map(String.init))
        #expect(output.status == 64, "\(typed)")
        #expect(output.error.contains("Unexpected argument '\(option)' behind '--'."), "\(typed): \(output.error)")
        #expect(output.error.contains("Options stand before '--'"), "\(typed): \(output.error)")
      }
      let other = try daw.run(["set-track", "--", "Drums", "-6"])
      #expect(other.status == 64 && other.error.contains("'--volume -6'"), "\(other.error)")
      try daw("set-track", "--volume", "-3", "--", "Drums")
    }
  }

  @Test("A command that a message or a help text names has the options that stand beside it")
  func namedOptions() throws {
    let commands = try commands()
    let files = try #require(
      FileManager.default.enumerator(at: checkout.appending(path: "Sources"), includingPropertiesForKeys: nil))
    var count = 0
    for file in files.compactMap({ $0 as? URL }) where file.pathExtension == "swift" {
      let source = try String(contentsOf: file, encoding: .utf8)
      for hint in source.matches(of: /'daw ([a-z][a-z-]*)( [^'\n]*)'/) {
        let name = String(hint.1)
        let arguments = commands.first { $0.commandName == name }?.arguments ?? []
        let names = arguments.flatMap { $0.names ?? [] }.filter { $0.kind == "long" }.map(\.name)
        for option in hint.2.matches(of: /--([a-z][a-z-]*)/) {
          count += 1
          #expect(names.contains(String(option.1)), "\(file.lastPathComponent): \(hint.0)")
        }
      }
    }
    #expect(count > 40)
  }

  @Test("A harmless word is never answered with a command that takes something away")
  func harmlessWords() throws {
    let words = [
      "rename-track", "rename-region", "rename-note", "rename-marker", "rename-tempo", "rename-key", "resume-track",
      "remote-track", "prove-track", "improve-note", "lean", "clear", "glean", "unto", "redo-track", "renote",
      "mute-track", "move-region", "record-track", "reverse-region", "retrieve-event", "remake-track", "remix",
    ]
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      for word in words {
        let output = try daw.run([word])
        #expect(output.status == 64)
        for taken in ["remove", "clean", "undo"] {
          #expect(!output.error.contains("Did you mean '\(taken)"), "\(word): \(output.error)")
          #expect(!output.error.contains("or '\(taken)"), "\(word): \(output.error)")
        }
      }
      for (word, meant) in [
        ("rename-track", "set-track TRACK --name NAME"), ("delete-track", "remove-track"),
        ("remvoe-note", "remove-note"),
        ("remve-note", "remove-note"), ("create-track", "add-track"), ("duplicate-region", "copy-region"),
        ("render", "bounce"), ("udno", "undo"),
      ] { #expect(try daw.run([word]).error.contains("Did you mean '\(meant)'"), "\(word)") }
    }
  }

  @Test("A name that is longer than any is unknown, and is cut in the message", arguments: ["a", "/", "e\u{301}"])
  func hugeNames(of part: String) throws {
    try withSong { (daw: DAWProgram) throws in
      let name = String(repeating: part, count: 40_000)
      for command in [["set-track", name, "--mute"], ["set-region", name, "--mute"], ["add-region", name]] {
        let output = try daw.run(command)
        #expect(output.status == 66 && output.error.utf8.count < 2_000, "\(command[0]): \(output.error.prefix(200))")
      }
      let verb = try daw.run([name])
      #expect(verb.status == 64 && verb.error.utf8.count < 2_000, "\(verb.error.prefix(200))")
      let line = try daw.run(["batch", "-"], input: Data("add-marker A --at @%\(name)".utf8))
      #expect(line.status == 64 && line.error.utf8.count < 2_000, "\(line.error.prefix(200))")
    }
  }

  @Test("What is refused or odd says why in the words of the matter")
  func words() throws {
    try withSong { (daw: DAWProgram) throws in
      for file in ["my song.mid", "my song.RMI"] {
        let song = try daw.run(["add-region", "Keys", "--file", file])
        #expect(song.status == 64 && song.error.contains("daw import '\(file)' --track Keys"), "\(song.error)")
      }
      let reverb = try daw.run(["set-track", "Drums", "--reverb"])
      #expect(reverb.status == 65 && reverb.error.contains("has no instrument"), "\(reverb.error)")
      let made = try daw.run(["new", "/proc/E"])
      #expect(made.status == 73 && made.error.contains("'mkdir' failed with"), "\(made.error)")
      let inner = try daw.run(["new", "Song.daw/Inner"])
      #expect(inner.status == 0 && inner.error.contains("lies within another one"), "\(inner.error)")
      for text in ["", "# nothing\n"] {
        #expect(try daw.run(["batch"], input: Data(text.utf8)).text.contains("The batch is empty"))
      }
      #expect(try daw("list-presets").text.contains("Fingered Bass"))
    }
  }

  @Test("An example in a help text can be pasted: whole it fits 80 columns, and on fewer in lines that the shell joins")
  func examplesFit() throws {
    try withScratchFolder { folder in
      var daw = DAWProgram(folder: folder)
      daw.environment["COLUMNS"] = "60"
      for command in try commands() {
        let help = try daw("help", command.commandName).text
        let joined = help.replacing(" \\\n      ", with: " ")
        let examples = (command.discussion ?? "").split(separator: "\n").filter { $0.hasPrefix("  ") }
        #expect(!examples.isEmpty, "\(command.commandName)")
        for example in examples {
          #expect(example.count <= 80 && joined.contains("\n" + example + "\n"), "\(example)")
          #expect(try runShell(["-n"], in: folder, input: String(example)).status == 0, "\(example)")
        }
        let usage = try #require(help.range(of: "\nUSAGE: "))
        for line in help[..<usage.lowerBound].split(separator: "\n") {
          #expect(line.count <= 60, "\(line)")
          // None is broken within quotes.
          let quotes = [line.count { $0 == "'" }, line.count { $0 == "\"" }]
          #expect(!line.hasSuffix("\\") || quotes.allSatisfy { $0 % 2 == 0 }, "\(line)")
        }
      }
    }
  }
}
