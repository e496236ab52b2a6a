import DAWTestSupport
import Foundation
import Testing

/// A project file of another program, with a value in it that our rules forbid.
@Suite("Hostile project files")
struct HostileFileTests {
  /// Every column of every table, and what is put into it.
  private struct Case {
    var table: String
    var column: String
    var value: String
  }

  /// Runs SQL as another program does, with the checks, the foreign keys and our triggers switched off.
  static func write(_ sql: String, into file: URL) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "sqlite3", "-bail", file.path, ".dbconfig enable_trigger off", "PRAGMA ignore_check_constraints = 1;", sql,
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.start()
    process.waitUntilExit()
  }

  /// The columns of a type, `table.column`.
  static func columns(ofType type: String, in file: URL) throws -> [(table: String, column: String)] {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "sqlite3", "-separator", " ", file.path,
      """
      SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c
      WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' AND c.type = '\(type)'
      """,
    ]
    process.standardOutput = output
    try process.start()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map { line in
      let words = line.split(separator: " ").map(String.init)
      return (words[0], words[1])
    }
  }

  private static let commands: [[String]] = [
    ["show"], ["show", "--json", "--notes"], ["check"], ["history", "--all"], ["history", "--all", "--json"],
    ["list-tracks"], ["list-regions"], ["list-regions", "--from", "1b", "--to", "2b"], ["list-notes"], ["list-events"],
    ["list-markers"], ["list-tempos"], ["list-meters"], ["list-keys"], ["list-soundfonts"], ["list-projects"],
    ["bounce", "-o", "mix.wav", "--overwrite", "--to", "1s", "--allow", "silent"],
    ["export", "-o", "song.mid", "--overwrite"], ["add-note", "Part", "60", "--at", "1b", "--length", "1b"],
    ["set-project", "--tempo", "90"], ["split-region", "Part", "--at", "1b"], ["undo"], ["redo"], ["undo", "--mine"],
    ["backup"], ["clean"], ["copy", "Song", "Copy"],
  ]

  @Test("A number in the project file that no rule allows stops no command with a trap, and is named or harmless")
  func numbers() throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    try withScratchFolder { folder in
      let daw = try FullSong.make(in: folder)
      let file = folder.appendingPathComponent("Song.daw/project.sqlite")
      let bytes = try Data(contentsOf: file)
      let integers = try Self.columns(ofType: "INTEGER", in: file).flatMap { table, column in
        HostileValues.integers.map { Case(table: table, column: column, value: $0) }
      }
      let reals = try Self.columns(ofType: "REAL", in: file).flatMap { table, column in
        ["9e999", "-9e999", "1.7976931348623157e308", "-1.7976931348623157e308", "5e-324"].map {
          Case(table: table, column: column, value: $0)
        }
      }
      #expect(integers.count > 2_000 && reals.count > 50)
      for test in HostileValues.some(integers + reals, AuditCount.current(usually: 24), &generator) {
        for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + ending) }
        try bytes.write(to: file)
        try Self.write(
          "UPDATE \(test.table) SET \(test.column) = \(test.value) WHERE rowid = (SELECT max(rowid) FROM \(test.table))",
          into: file)
        for command in Self.commands {
          let output = try daw.run(command)
          HostileValues.expectSound(
            output, "seed \(seed), \(test.table).\(test.column) = \(test.value): \(command.joined(separator: " "))")
        }
        try? FileManager.default.removeItem(at: folder.appendingPathComponent("Copy.daw"))
      }
    }
  }

  @Test("A MIDI file with the longest gaps and the strangest clocks comes in, or is refused")
  func midiFiles() throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    let deltas: [[UInt8]] = [[0xff, 0xff, 0xff, 0x7f], [0], [0x81, 0x80, 0x80, 0], [0xff, 0xff, 0xff, 0xff, 0x7f]]
    let events: [[UInt8]] = [
      [0x90, 60, 100], [0x80, 60, 0], [0xff, 0x51, 3, 0, 0, 0], [0xff, 0x51, 3, 0xff, 0xff, 0xff],
      [0xff, 0x51, 3, 0, 0, 1], [0xff, 0x58, 4, 0, 0, 24, 8], [0xff, 0x58, 4, 255, 255, 24, 8],
      [0xff, 0x59, 2, 0x80, 9],
      [0xff, 0x59, 2, 0x7f, 1], [0xff, 0x06, 2, 0x1b, 0x5b], [0xb0, 0x7f, 0x7f], [0xe0, 0x7f, 0x7f],
    ]
    let divisions: [[UInt8]] = [
      [0, 1], [0x7f, 0xff], [0, 0], [0xe8, 0], [0x80, 0xff], [0x81, 1], [0xe2, 0xff], [3, 0xc0],
    ]
    try withScratchFolder { folder in
      let daw = try FullSong.make(in: folder)
      for number in 0..<AuditCount.current(usually: 24) {
        var track: [UInt8] = []
        for _ in 0..<Int.random(in: 1...300, using: &generator) {
          track += (deltas.randomElement(using: &generator) ?? []) + (events.randomElement(using: &generator) ?? [])
        }
        track += [0, 0xff, 0x2f, 0]
        let count = UInt32(track.count)
        let division = divisions.randomElement(using: &generator) ?? []
        let bytes =
          Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1] + division + Array("MTrk".utf8)
          + [UInt8(count >> 24), UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)] + track
        try Data(bytes).write(to: folder.appendingPathComponent("hostile.mid"))
        for command in [["import", "hostile.mid"], ["import", "hostile.mid", "--lenient", "--at", "71582788b"]] {
          HostileValues.expectSound(try daw.run(command), "seed \(seed), file \(number): \(command)")
        }
        HostileValues.expectSound(try daw.run(["show"]), "seed \(seed), file \(number): show")
      }
      try daw("check")
    }
  }
}
