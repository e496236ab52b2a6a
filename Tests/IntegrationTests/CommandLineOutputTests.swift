import DAWTestSupport
import Foundation
import Testing

@Suite("What a command says, and how it ends")
struct CommandLineOutputTests {
  private func withSong(_ body: (DAWProgram) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song")
      try body(daw)
    }
  }

  @Test("Options of every command may stand before the verb or behind it")
  func optionsAnywhere() throws {
    try withSong { (daw: DAWProgram) throws in
      for arguments in [
        ["-p", "Song", "--json", "revision"], ["revision", "-p", "Song", "--json"],
        ["--json", "revision", "--project=Song"],
        ["--project", "Song", "revision", "--json"], ["--project=Song.daw", "revision", "--json"],
      ] {
        let output = try daw.run(arguments)
        #expect(output.status == 0)
        #expect(try output.json([String: Int].self) == ["revision": 0])
      }
    }
  }

  @Test("A page of projects says how many come behind it")
  func pagesOfProjects() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["XDG_CACHE_HOME": folder.appendingPathComponent("c").path])
      #expect(try daw("list-projects").text == "No projects found.\n")
      for name in ["A", "B", "C"] { try daw("new", name) }
      func page(_ number: Int) throws -> [Substring] {
        try daw("list-projects", "--sort", "name", "--limit", "2", "--page", "\(number)").text.split(separator: "\n")
      }
      #expect(try page(1).count == 3 && page(1).last == "1 more; see --page.")
      #expect(try page(2).count == 1 && page(2)[0].hasSuffix("C.daw"))
      #expect(try page(3) == ["No more projects."])
    }
  }

  @Test("Quietly, only the id of what was made is printed, and it can be used at once")
  func quiet() throws {
    try withSong { (daw: DAWProgram) throws in
      let track = try daw("add-track", "Keys", "--type", "midi", "-q").line
      #expect(UUID(uuidString: track) != nil)
      let region = try daw("-q", "add-region", track, "--length", "4b").line
      let note = try daw("add-note", region, "60", "--quiet").line
      #expect(try daw("remove-note", note, "-q").data.isEmpty)
      #expect(try daw("add-track", "Bass").text.split(separator: "\n").count == 1)
    }
  }

  @Test("Every error is one JSON value on standard error with --json, the parser's included")
  func errorsAsJSON() throws {
    let cases: [([String], Int32, String)] = [
      (["ad-track", "x"], 64, "unknownCommand"), (["add-track"], 64, "usage"),
      (["add-track", "x", "--nonsense"], 64, "usage"),
      (["help", "ad-track"], 64, "unknownCommand"), (["bounce", "--bits", "17"], 64, "usage"),
      (["set-track", "Master", "--type", "midi"], 65, "masterStays"),
      (["add-track", "x", "--at", "1", "--at", "1"], 64, "repeatedOption"),
      (["set-track", "x", "--solo"], 66, "trackNotFound"),
      (["remove-region", "x"], 66, "regionNotFound"), (["remove-note", "x"], 66, "noteNotFound"),
      (["add-track", "Master"], 65, "trackNameIsUnique"), (["new", "Song"], 73, "alreadyExists"),
      (["revision", "-p", "None"], 66, "projectNotFound"),
      (["add-track", "x", "--if-revision", "7"], 75, "revisionChanged"),
      (["undo"], 65, "nothingToUndo"), (["redo"], 65, "nothingToRedo"), (["batch", "none.txt"], 66, "fileNotFound"),
      (["list-projects", "nowhere"], 66, "folderNotFound"),
    ]
    try withSong { (daw: DAWProgram) throws in
      for (arguments, status, code) in cases {
        let output = try daw.run(arguments + ["--json"])
        #expect(output.status == status, "\(arguments)")
        #expect(output.data.isEmpty, "\(arguments)")
        let error = try JSONDecoder().decode(ReportedError.self, from: Data(output.error.utf8)).error
        #expect(error.code == code)
        #expect(!error.message.isEmpty, "\(arguments)")
        let plain = try daw.run(arguments)
        #expect(plain.status == status, "\(arguments)")
        #expect(plain.error.hasPrefix("daw: "), "\(arguments)")
      }
    }
  }

  @Test("Options that exclude each other have a code of their own, in a batch too; the text shows the usage")
  func exclusions() throws {
    let cases = [
      ["play", "--connect", "a:b", "--no-connect"], ["play", "--loop", "1s..2s", "--to", "3s"],
      ["play", "--loop", "1s..2s", "--transport", "jack"], ["set-track", "Master", "--mute", "--no-mute"],
      ["bounce", "--tail", "1s", "--loop-tail"], ["bounce", "-o", "-", "--quiet"], ["undo", "2", "--mine"],
      ["remove-regions", "--all", "--track", "Master"], ["set-effect", "Master/eq", "--pre", "--post"],
    ]
    try withSong { (daw: DAWProgram) throws in
      for arguments in cases {
        let output = try daw.run(arguments + ["--json"])
        #expect(output.status == 64, "\(arguments): \(output.error)")
        let error = try JSONDecoder().decode(ReportedError.self, from: Data(output.error.utf8)).error
        #expect(error.code == "invalidCombination", "\(arguments): \(output.error)")
        let plain = try daw.run(arguments).error
        #expect(plain.hasPrefix("daw: ") && plain.contains("\nUsage: daw \(arguments[0]) "), "\(plain)")
      }
      let batch = try daw.run(["batch", "--json"], input: Data("set-track Master --mute --no-mute\n".utf8))
      #expect(batch.status == 64 && batch.error.contains("\"invalidCombination\""), "\(batch.error)")
      #expect(batch.error.contains("'daw help set-track'"), "\(batch.error)")
    }
  }

  @Test("A mistyped command, option, track or region is answered with what was meant")
  func didYouMean() throws {
    let cases = [
      (["add-trakc", "x"], "add-track"), (["lst-tracks"], "list-tracks"), (["list-tracks", "--solod"], "--soloed"),
      (["set-track", "Drusm", "--mute"], "Drums"), (["remove-region", "Verze"], "Verse"),
      (["-p", "Sogn", "show"], "Song"),
    ]
    try withSong { (daw: DAWProgram) throws in
      try daw("add-track", "Drums", "--type", "midi")
      try daw("add-region", "Drums", "--name", "Verse")
      for (arguments, meant) in cases {
        let output = try daw.run(arguments)
        #expect(output.status == 64 || output.status == 66, "\(arguments)")
        #expect(output.error.contains("Did you mean '\(meant)'"), "\(arguments): \(output.error)")
      }
    }
  }

  @Test("A trial does all the checks, says what would happen, and changes nothing")
  func dryRun() throws {
    try withSong { (daw: DAWProgram) throws in
      #expect(try daw("add-track", "Drums", "--dry-run").text.contains("nothing was changed"))
      #expect(try daw.run(["add-track", "master", "--dry-run"]).status == 65)
      try daw("add-track", "Bass")
      #expect(try daw("undo", "--dry-run").text.contains("nothing was changed"))
      #expect(try daw("revision").line == "1")
      #expect(try daw("list-tracks", "-q").text.split(separator: "\n").count == 2)
    }
  }

  @Test("Help, the version and completions are no errors")
  func help() throws {
    try withSong { (daw: DAWProgram) throws in
      for arguments in [[], ["help"], ["--help"], ["help", "add-track"], ["add-track", "--help"], ["--version"]] {
        let output = try daw.run(arguments)
        #expect(output.status == 0)
        #expect(!output.data.isEmpty && output.error.isEmpty)
      }
      let headings = try daw("help").text.split(separator: "\n").filter { $0.hasSuffix(" SUBCOMMANDS:") }
      #expect(headings.count > 10 && Set(headings).count == headings.count, "\(headings)")
      for shell in ["bash", "zsh", "fish"] {
        #expect(try daw("--generate-completion-script", shell).text.contains("add-track"))
      }
    }
  }

  @Test("The help of every command has an example that names it")
  func examples() throws {
    struct Tool: Decodable {
      struct Command: Decodable {
        var commandName: String
        var abstract: String?
        var discussion: String?
        var subcommands: [Command]?
      }

      var command: Command
    }
    try withScratchFolder { folder in
      let tool = try DAWProgram(folder: folder)("--experimental-dump-help").json(Tool.self)
      let commands = (tool.command.subcommands ?? []).filter { $0.commandName != "help" }
      #expect(commands.count >= 25)
      for command in commands {
        #expect(command.abstract?.hasSuffix(".") == true, "\(command.commandName)")
        #expect(command.discussion?.contains("daw \(command.commandName)") == true, "\(command.commandName)")
      }
    }
  }

  @Test("Output that cannot be written is an error of its own; the edit stays")
  func outputFails() throws {
    try withSong { (daw: DAWProgram) throws in
      for redirection in ["> /dev/full", ">&-"] {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = [
          "-c", "exec '\(DAWProgram.path)' set-project --tempo 9\(redirection.count) \(redirection) 2> /dev/null",
        ]
        shell.currentDirectoryURL = daw.folder
        try shell.start()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 74)
      }
      #expect(try daw("revision").line == "2")
      try daw("check")
    }
  }

  @Test("A file that cannot be written to standard output is an error of its own")
  func fileForOutputFails() throws {
    try withSong { (daw: DAWProgram) throws in
      for redirection in ["> /dev/full", ">&-"] {
        let result = try runShell(in: daw.folder, input: "daw -p Song export -o - \(redirection)")
        #expect(result.status == 74, "\(redirection): \(result.text)")
        #expect(result.text.contains("could not be written to standard output"), "\(result.text)")
      }
    }
  }

  @Test("A standard output that does not block is waited for")
  func outputThatDoesNotBlock() throws {
    try withScratchFolder { folder in
      let (program, output, errors) = (Process(), Pipe(), Pipe())
      program.executableURL = URL(fileURLWithPath: DAWProgram.path)
      // Much more than a pipe holds.
      program.arguments = ["--experimental-dump-help"]
      program.standardOutput = output
      program.standardError = errors
      program.currentDirectoryURL = folder
      let descriptor = output.fileHandleForWriting.fileDescriptor
      #expect(fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0)
      try program.start()
      usleep(300_000)
      let text = try output.fileHandleForReading.readToEnd() ?? Data()
      program.waitUntilExit()
      #expect(program.terminationStatus == 0 && text.count > 1 << 17)
      #expect(try JSONSerialization.jsonObject(with: text) is [String: Any])
    }
  }

  @Test("A file for a standard output that does not block waits for its reader", arguments: ["wav", "aiff"])
  func fileForOutputThatDoesNotBlock(format: String) throws {
    try withSong { (daw: DAWProgram) throws in
      let (program, output, errors) = (Process(), Pipe(), Pipe())
      program.executableURL = URL(fileURLWithPath: DAWProgram.path)
      // Much more than a pipe holds: neither format makes silence smaller.
      program.arguments = ["-p", "Song", "bounce", "-o", "-", "--to", "2s", "--allow", "silent", "--format", format]
      program.standardOutput = output
      program.standardError = errors
      program.currentDirectoryURL = daw.folder
      let descriptor = output.fileHandleForWriting.fileDescriptor
      #expect(fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0)
      try program.start()
      usleep(500_000)
      let file = try output.fileHandleForReading.readToEnd() ?? Data()
      let said = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      program.waitUntilExit()
      #expect(program.terminationStatus == 0 && file.count > 200_000, "\(file.count): \(said)")
      let start = format == "wav" ? "RIFF" : "FORM"
      #expect(file.starts(with: start.utf8))
    }
  }

  @Test("Only an edit is said to have been made where the result cannot be printed")
  func madeThough() throws {
    try withSong { (daw: DAWProgram) throws in
      for (words, isEdit) in [
        ("set-project --tempo 90", true), ("set-project --tempo 95 --json", true), ("undo", true), ("redo -q", false),
        ("set-project --tempo 95", false), ("set-project --tempo 80 --dry-run", false), ("show", false),
        ("history --json", false), ("export -o -", false), ("bounce --digest --allow empty", false),
      ] {
        let text = try runShell(in: daw.folder, input: "daw -p Song \(words) > /dev/full").text
        #expect(text.contains("could not be written") == (words != "redo -q"), "\(words): \(text)")
        #expect(text.contains("has been made") == isEdit, "\(words): \(text)")
      }
    }
  }

  @Test("A reader that goes away ends the program quietly, and does not make a failure a success")
  func brokenPipe() throws {
    try withSong { (daw: DAWProgram) throws in
      for (command, status) in [("help", "0"), ("show", "0"), ("nonsense 2>&1", "64"), ("undo 2>&1", "65")] {
        let shell = Process()
        let errors = Pipe()
        shell.executableURL = URL(fileURLWithPath: "/bin/bash")
        shell.arguments = ["-c", "'\(DAWProgram.path)' \(command) | true; echo ${PIPESTATUS[0]} >&2"]
        shell.standardError = errors
        shell.currentDirectoryURL = daw.folder
        try shell.start()
        let said = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        shell.waitUntilExit()
        #expect(said == "\(status)\n", "\(command)")
      }
    }
  }

  @Test("A reader that goes away from what a file would hold has not all of it, which is an error")
  func brokenFile() throws {
    try withSong { (daw: DAWProgram) throws in
      for words in [
        "bounce -o - --to 1s --allow silent", "bounce -o - --to 1s --allow silent --format flac", "export -o -",
      ] {
        // The reader ends before anything is written.
        let script = "{ sleep 0.3; daw -p Song \(words) 2>said; } | true; echo ${PIPESTATUS[0]}; cat said"
        let text = try runShell(in: daw.folder, input: script).text
        #expect(text.hasPrefix("74\n"), "\(words): \(text)")
        #expect(text.contains("ended before all of the file was written"), "\(words): \(text)")
      }
      let json = "{ sleep 0.3; daw -p Song show --json; } | true; echo ${PIPESTATUS[0]}"
      #expect(try runShell(in: daw.folder, input: json).text == "0\n")
    }
  }

  @Test("A digest says that it writes no file")
  func digestWithoutFile() throws {
    try withSong { (daw: DAWProgram) throws in
      for file in ["x.wav", "-"] {
        let output = try daw.run(["bounce", "--digest", "--allow", "empty", "-o", file])
        #expect(output.status == 0 && output.error.contains("'--digest' writes no file"), "\(output.error)")
      }
      let without = try daw.run(["bounce", "--digest", "--allow", "empty"])
      #expect(without.status == 0 && !without.error.contains("writes no file"))
      #expect(!FileManager.default.fileExists(atPath: daw.folder.appending(path: "x.wav").path))
    }
  }

  @Test("A new project has a name: the root, '.' and '..' are none")
  func namelessProjects() throws {
    try withSong { (daw: DAWProgram) throws in
      let folder = daw.folder.appending(path: "Inner")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let inner = DAWProgram(folder: folder)
      for path in [".", "..", "./", "../..", "../Song/..", ".daw"] {
        for words in [["new", path], ["copy", "../Song", path], ["recover", "../Song", "-o", path]] {
          let output = try inner.run(words)
          #expect(output.status == 64 && output.error.contains("has no name for"), "\(words): \(output.error)")
          #expect(output.error.contains("'Albums/Song'"), "\(words): \(output.error)")
        }
      }
      // With a file that does not exist, so that nothing is made in the root if this fails.
      #expect(try inner.run(["new", "/", "--from", "none.json"]).error.contains("has no name for"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
      #expect(try FileManager.default.contentsOfDirectory(atPath: daw.folder.path).sorted() == ["Inner", "Song.daw"])
      try inner("new", "../Other/")
    }
  }
}
