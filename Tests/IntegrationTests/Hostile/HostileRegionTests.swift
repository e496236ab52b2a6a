import DAWTestSupport
import Foundation
import Testing

/// A project file in which another program has changed regions and the history behind the back of the triggers.
@Suite("Hostile rows of regions and of the history")
struct HostileRegionTests {
  private func song(_ body: (DAWProgram, (String) throws -> Void) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try PlainWave.write(
        [(0..<9_600).map { ($0 * 7_919) % 20_001 - 10_000 }], bits: 16, rate: 48_000,
        to: folder.appendingPathComponent("a.wav"))
      try daw("new", "Song")
      for name in ["Bass", "Keys"] {
        try daw("add-track", name)
        try daw("add-region", name, "--file", "a.wav", "--name", "Loop")
      }
      let file = folder.appendingPathComponent("Song.daw/project.sqlite")
      try body(daw) { try HostileFileTests.write($0, into: file) }
    }
  }

  @Test(
    "A region that does not fit its file is refused by its rule, unless it is not heard",
    arguments: [
      ("channels = '999'", "channelsFitFile"), ("channels = '2,1'", "channelsFitFile"),
      ("audioOffset = 99999999999999", "regionWithinFile"), ("audioOffset = 9223372036854775807", "regionWithinFile"),
      ("audioOffset = 7056000", "regionWithinFile"), ("duration = duration * 2", "regionWithinFile"),
    ])
  func regions(change: String, rule: String) throws {
    try song { daw, write in
      try daw("bounce", "-o", "then.wav", "--manifest")
      let bass = "track = (SELECT id FROM track WHERE name = 'Bass')"
      try write("UPDATE region SET \(change) WHERE \(bass)")
      for command in [
        ["bounce", "-o", "mix.wav"], ["bounce", "--digest"], ["bounce", "--stems", "-o", "stems"], ["levels"],
        ["verify", "then.wav"],
      ] {
        let output = try daw.run(command + ["--json"])
        #expect(output.status == 65, "\(command): \(output.error)\(output.text)")
        #expect(output.error.contains("\"\(rule)\"") && output.error.contains("Loop'"), "\(output.error)")
      }
      for name in ["mix.wav", "stems"] {
        #expect(!FileManager.default.fileExists(atPath: daw.folder.appendingPathComponent(name).path))
      }
      let check = try daw.run(["check"])
      #expect(check.status == 65 && check.text.contains(rule), "\(check.text)")
      // What is not heard is not in the way.
      #expect(try daw.run(["bounce", "--digest", "--track", "Keys"]).status == 0)
      try write("UPDATE region SET isMuted = 1 WHERE \(bass)")
      #expect(try daw.run(["bounce", "--digest"]).status == 0)
    }
  }

  @Test("Texts of the history that no daw has written are shown in part, and check names them")
  func history() throws {
    try song { daw, write in
      for level in 0..<20 { try daw("set-track", "Bass", "--volume", "-\(level + 1)") }
      try daw("undo", "3")
      try write(
        """
        UPDATE journalEntry SET author = printf('%.*c', 2000000, 'x'), summary = printf('%.*c', 2000000, 'y'),
          commandLine = printf('%.*c', 2000000, 'z')
        """)
      for (command, limit) in [
        (["history"], 100_000), (["history", "--all"], 100_000), (["history", "--all", "--json"], 3_000_000),
        (["show-edit"], 100_000), (["show-edit", "5"], 100_000), (["undo", "5", "--dry-run"], 20_000),
        (["undo", "5"], 20_000), (["redo", "2"], 10_000), (["undo", "--mine"], 10_000),
        (["undo", "--to", "2"], 100_000),
      ] {
        let output = try daw.run(command)
        // An undo may be refused, what shows the history may not.
        let expected: [Int32] = command[0] == "history" || command[0] == "show-edit" ? [0] : [0, 65]
        #expect(expected.contains(output.status), "\(command): \(output.error.prefix(300))")
        #expect(output.data.count + output.error.utf8.count < limit, "\(command): \(output.data.count)")
      }
      let check = try daw.run(["check"])
      #expect(check.status == 0 && check.text.contains("a longer author, summary"), "\(check.text.prefix(2_000))")
      #expect(check.data.count < 10_000)
    }
  }
}
