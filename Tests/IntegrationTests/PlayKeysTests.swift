import DAWTestSupport
import Foundation
import Testing

extension PlayTests {
  @Suite("On a terminal")
  struct Keys {
    /// What another process learns of the player.
    private struct Status: Decodable {
      struct Loop: Decodable { var startFlicks: Int64 }
      var state: String
      var position: String
      var loop: Loop?
    }

    private func wait(for condition: () throws -> Bool) rethrows -> Bool {
      let deadline = ContinuousClock.now + .seconds(60)
      while try !condition() {
        if ContinuousClock.now > deadline { return false }
        usleep(10_000)
      }
      return true
    }

    @Test("The line that is redrawn fits the terminal, also where a track's name is in wide characters")
    func wideName() throws {
      try withScratchFolder { folder in
        let stage = try RecordingStage(in: folder)
        try stage.daw("-p", "Song", "set-track", "Vox", "--name", "東京の夜のドラム")
        let terminal = try PseudoTerminal(columns: 90)
        defer { terminal.hangUp() }
        let player = try terminal.start(
          stage.daw, ["record", "-p", "Song", "--server", stage.server.name, "--no-connect", "--stopped"])
        func drawn() -> [Substring] {
          terminal.text.components(separatedBy: "\r").filter { $0.hasPrefix("■") }.map { $0.prefix { $0 != "\u{1B}" } }
        }
        #expect(wait { drawn().contains { $0.contains("東京") } }, "\(terminal.text)")
        let widths = drawn().map { line in
          line.unicodeScalars.reduce(0) { $0 + (0x3000...0x9fff ~= $1.value ? 2 : 1) }
        }
        #expect(widths.allSatisfy { $0 < 90 }, "\(terminal.text)")
        terminal.type("q")
        player.waitUntilExit()
        #expect(player.terminationStatus == 0)
      }
    }

    @Test("Space, arrows, Home, L and q do what they say; one line is redrawn in place; the terminal is left as it was")
    func keys() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try daw("new", "Song")
        try daw("-p", "Song", "add-track", "Keys", "--type", "midi")
        try daw("-p", "Song", "add-region", "Keys", "--length", "4.0.0")
        let server = try JackServer()
        let terminal = try PseudoTerminal()
        defer { terminal.hangUp() }
        let usual = terminal.settings
        let player = try terminal.start(
          daw, ["play", "-p", "Song", "--server", server.name, "--no-connect", "--stopped"])
        func status() -> Status? { try? daw.run(["transport", "-p", "Song", "status", "--json"]).json(Status.self) }
        #expect(wait { status()?.state == "stopped" }, "\(terminal.text)")
        #expect(terminal.settings != usual, "keys come at once, and are not shown")
        for (keys, position) in [
          ("\u{1B}[C", "2.1.0"), ("\u{1B}[A", "10.1.0"), ("\u{1B}OC", "11.1.0"), ("\u{1B}[D", "10.1.0"),
          ("\u{1B}[B", "2.1.0"), ("\u{1B}[B", "1.1.0"), ("\u{1B}[C\u{1B}[C", "3.1.0"), ("\u{1B}[H", "1.1.0"),
          ("\u{1B}[F", "5.1.0"), ("\u{1B}[1~", "1.1.0"), ("\u{1B}OF", "5.1.0"), ("\u{1B}[7~", "1.1.0"),
          ("\u{1B}[4~", "5.1.0"), ("\u{1B}OH", "1.1.0"),
        ] {
          terminal.type(keys)
          #expect(wait { status()?.position == position }, "\(keys.debugDescription): \(String(describing: status()))")
        }
        terminal.type("?")
        #expect(wait { terminal.text.contains("Home goes to the start, End to the end") })
        terminal.type("l")
        #expect(wait { terminal.text.contains("No loop has been set") })
        try daw("transport", "-p", "Song", "loop", "3.1.0..5.1.0")
        terminal.type("l")
        #expect(wait { status().map { $0.loop == nil } ?? false })
        terminal.type("L")
        #expect(wait { status()?.loop != nil })
        // At its bars, also where the tempo was edited: bar 3 of 60 BPM.
        let start: Int64 = 8 * 705_600_000
        try daw("-p", "Song", "set-project", "--tempo", "60")
        #expect(wait { status()?.loop?.startFlicks == start })
        terminal.type("l")
        #expect(wait { status().map { $0.loop == nil } ?? false })
        terminal.type("l")
        #expect(wait { status()?.loop != nil })
        #expect(status()?.loop?.startFlicks == start)
        terminal.type(" ")
        #expect(wait { status()?.state == "rolling" })
        terminal.type(" ")
        #expect(wait { status()?.state == "stopped" })
        terminal.type("\u{1B}[C \u{1B}")
        #expect(wait { status()?.state == "rolling" }, "a sequence that has only begun holds nothing up")
        #expect(wait { terminal.text.contains("\r▶") })
        terminal.type("q")
        player.waitUntilExit()
        #expect(player.terminationStatus == 0)
        #expect(terminal.settings == usual)
        // The line that is redrawn has no end; those that stay do.
        let drawn = terminal.text.components(separatedBy: "\r").filter { $0.hasPrefix("▶") || $0.hasPrefix("■") }
        #expect(drawn.count > 3)
        #expect(drawn.allSatisfy { $0.contains("\u{1B}[K") && !$0.prefix { $0 != "\u{1B}" }.contains("\n") })
        #expect(drawn.allSatisfy { $0.prefix { $0 != "\u{1B}" }.count < 120 })
      }
    }

    @Test("Ctrl-Z silences the player and gives the terminal back; it rolls on where it was when it is continued")
    func suspension() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try daw("new", "Song")
        let server = try JackServer()
        let terminal = try PseudoTerminal()
        defer { terminal.hangUp() }
        let usual = terminal.settings
        let player = try terminal.start(daw, ["play", "-p", "Song", "--server", server.name, "--no-connect"])
        func status() -> Status? { try? daw.run(["transport", "-p", "Song", "status", "--json"]).json(Status.self) }
        #expect(wait { status()?.state == "rolling" }, "\(terminal.text)")
        let watcher = try CaptureClient(server: server.name)
        for round in 1...2 {
          // The terminal is nobody's, so that it sends no signal itself.
          kill(player.processIdentifier, SIGTSTP)
          #expect(wait { isStopped(player.processIdentifier) })
          #expect(terminal.settings == usual)
          #expect(watcher.ports(of: "daw").isEmpty, "the server is not held up by a client that stands still")
          kill(player.processIdentifier, SIGCONT)
          #expect(
            wait { terminal.text.components(separatedBy: "Playing again").count == round + 1 }, "\(terminal.text)")
          #expect(wait { status()?.state == "rolling" })
          #expect(wait { terminal.settings != usual })
        }
        terminal.type("q")
        player.waitUntilExit()
        #expect(player.terminationStatus == 0)
        #expect(terminal.settings == usual)
      }
    }

    /// - SeeAlso: proc(5), `stat`
    private func isStopped(_ process: Int32) -> Bool {
      let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      return status?.components(separatedBy: ") ").last?.first == "T"
    }

    @Test("Ctrl-C, SIGTERM and a hangup leave the terminal as it was", arguments: [SIGINT, SIGTERM, SIGHUP])
    func signals(signal: Int32) throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try daw("new", "Song")
        let server = try JackServer()
        let terminal = try PseudoTerminal(columns: 30)
        defer { terminal.hangUp() }
        let usual = terminal.settings
        let player = try terminal.start(daw, ["play", "-p", "Song", "--server", server.name, "--no-connect"])
        #expect(wait { terminal.text.contains("▶") }, "\(terminal.text)")
        #expect(terminal.settings != usual)
        kill(player.processIdentifier, signal)
        player.waitUntilExit()
        #expect(player.terminationReason == .exit && player.terminationStatus == 128 + signal)
        #expect(terminal.settings == usual)
        #expect(wait { terminal.text.contains("Interrupted") })
      }
    }

    @Test("In a pipe there are plain lines and no keys are read")
    func pipe() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try daw("new", "Song")
        let server = try JackServer()
        let shell = try runShell(
          in: folder,
          input: "printf ' qqq' | daw play -p Song --server \(server.name) --no-connect --to 1s 2>&1 | cat\n")
        #expect(shell.status == 0 && shell.text.contains("Ended at the place"), "\(shell.text)")
        #expect(!shell.text.contains("\u{1B}") && !shell.text.contains("\r"), "\(shell.text)")
        #expect(shell.text.split(separator: "\n").count < 10, "\(shell.text)")
      }
    }
  }
}
