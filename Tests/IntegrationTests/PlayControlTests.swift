import DAWTestSupport
import Foundation
import Testing

extension PlayTests {
  @Suite("The player's socket")
  struct Control {
    private struct Named: Decodable { var clientName: String }

    private struct Peaks: Decodable {
      var peakLeft: Double
      var peakRight: Double
    }

    @Test("Invalid commands do not end a player, and are answered in a line")
    func extremes() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder, environment: ["XDG_RUNTIME_DIR": folder.path])
        try daw("new", "Song", "--tempo", "999", "--time-signature", "64/1")
        let server = try JackServer()
        let player = try LivePlayer(daw, "Song", on: server, "--no-connect", "--midi", "none")
        #expect(player.wait { (try? player.transport("status").state) == "rolling" })
        let numbers = [
          "9223372036854775807", "-9223372036854775808", "4611686018427387904", "1099511627776", "-1099511627776", "0",
          "1", "-1", "1e300", "null",
        ]
        var lines: [String] = []
        for number in numbers {
          lines += ["{\"locateBars\":{\"_0\":\(number)}}", "{\"locate\":{\"flicks\":\(number)}}"]
          lines += numbers.map { "{\"loop\":{\"startFlicks\":\(number),\"endFlicks\":\($0)}}" }
          lines += [
            "{\"toggleLoop\":{}}", "{\"start\":{}}", "{\"locateBars\":{\"_0\":1099511627776}}", "{\"endLoop\":{}}",
          ]
        }
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: folder.appending(path: "lines"))
        let script = """
          import glob, socket
          path = glob.glob('daw/*.socket')[0]
          for line in open('lines', 'rb'):
            end = socket.socket(socket.AF_UNIX)
            end.settimeout(60)
            end.connect(path)
            end.sendall(line)
            answer = b''
            while not answer.endswith(b'\\n'):
              part = end.recv(65536)
              assert part, line
              answer += part
          """
        let (status, text) = try runShell(in: folder, input: "python3 - <<'EOF'\n\(script)\nEOF\n")
        #expect(status == 0, "\(text) \(player.said)")
        #expect(player.isRunning)
        try player.transport("locate", "0s")
        #expect(player.wait { ((try? player.transport("status").frame) ?? .max) < 10 * 48_000 })
        try player.transport("quit")
        #expect(player.finish().status == 0)
      }
    }

    /// Of hundreds of commands many come while a cycle is under way, which has read its commands before.
    @Test("The answer to a command shows what it has set")
    func answers() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder, environment: ["XDG_RUNTIME_DIR": folder.path])
        try daw("new", "Song")
        // So that a cycle takes its time.
        for _ in 0..<4 { try daw("-p", "Song", "add-effect", "Master", "reverb") }
        let server = try JackServer()
        let player = try LivePlayer(daw, "Song", on: server, "--no-connect", "--midi", "none")
        #expect(player.wait { (try? player.transport("status").state) == "rolling" })
        let script = """
          import glob, json, socket
          path = glob.glob('daw/*.socket')[0]
          for number in range(300):
            end = 705600000 * (1 + number % 2)
            player = socket.socket(socket.AF_UNIX)
            player.settimeout(60)
            player.connect(path)
            player.sendall(b'{"loop":{"startFlicks":0,"endFlicks":%d}}\\n' % end)
            answer = b''
            while not answer.endswith(b'\\n'):
              part = player.recv(65536)
              assert part, number
              answer += part
            player.close()
            assert json.loads(answer)['status']['loop']['endFlicks'] == end, (number, answer)
          """
        let (status, text) = try runShell(in: folder, input: "python3 - <<'EOF'\n\(script)\nEOF\n")
        #expect(status == 0, "\(text) \(player.said)")
        try player.transport("quit")
        #expect(player.finish().status == 0)
      }
    }

    @Test("The status has the peak since one asked before")
    func peak() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder, environment: ["XDG_RUNTIME_DIR": folder.path])
        try Edits.makeProject(daw)
        try daw("-p", "Song", "add-region", "Noise", "--file", "noise.wav")
        let server = try JackServer()
        let player = try LivePlayer(daw, "Song", on: server, "--no-connect", "--midi", "none", "--loop", "1.1.0..2.1.0")
        func peaks() throws -> Peaks { try daw.run(["transport", "-p", "Song", "status", "--json"]).json(Peaks.self) }
        var heard = try peaks()
        #expect(
          player.wait {
            heard = (try? peaks()) ?? heard
            return heard.peakLeft > 0.01 && heard.peakRight > 0.01
          }, "\(heard)")
        #expect(heard.peakLeft <= 1)
        // Each problem is reported once.
        try player.transport("stop")
        #expect(player.wait { (try? peaks().peakLeft) == 0 })
        let status = try daw("transport", "-p", "Song", "status", "--json").text
        #expect(status.contains("\"peakLeftLevel\" : \"-inf\""), "\(status)")
        try player.transport("quit")
        #expect(player.finish().status == 0)
      }
    }

    @Test("Of two players the first is reached, then the second")
    func two() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder, environment: ["XDG_RUNTIME_DIR": folder.path])
        try daw("new", "Song")
        let server = try JackServer()
        func reached() throws -> String {
          let output = try daw.run(["transport", "-p", "Song", "status", "--json"])
          return try output.json(Named.self).clientName
        }
        let first = try LivePlayer(daw, "Song", on: server, "--name", "first", "--no-connect", "--midi", "none")
        #expect(first.wait { (try? reached()) == "first" })
        let second = try LivePlayer(daw, "Song", on: server, "--name", "second", "--no-connect", "--midi", "none")
        #expect(second.wait { second.events("problem").contains { $0["code"] as? String == "playerAlreadyRunning" } })
        #expect(try reached() == "first")
        try daw("transport", "-p", "Song", "quit")
        #expect(first.finish().status == 0)
        #expect(try reached() == "second")
        try daw("transport", "-p", "Song", "quit")
        #expect(second.finish().status == 0)
      }
    }

    @Test("A folder of the sockets that others can enter is said, and the player plays on")
    func openFolder() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder, environment: ["XDG_RUNTIME_DIR": folder.path])
        try daw("new", "Song")
        mkdir(folder.path + "/daw", 0o700)
        chmod(folder.path + "/daw", 0o755)
        let server = try JackServer()
        let player = try LivePlayer(daw, "Song", on: server, "--no-connect", "--midi", "none")
        #expect(player.wait { player.events("problem").contains { $0["code"] as? String == "unsafeControlFolder" } })
        let output = try daw.run(["transport", "-p", "Song", "status"])
        #expect(output.status == 74 && output.error.contains("chmod 700"), "\(output.error)")
        #expect(player.isRunning)
        player.send(SIGTERM)
        #expect(player.finish().status == 143)
      }
    }
  }
}
