import DAWTestSupport
import Foundation
import Testing

/// A journal from elsewhere, whose changesets are well-formed and lie.
@Suite("Hostile histories")
struct HostileHistoryTests {
  /// A value as a changeset has it: its type, and its bytes.
  private static func integer(_ value: Int64) -> [UInt8] { [1] + withUnsafeBytes(of: value.bigEndian) { Array($0) } }
  private static func real(_ value: Double) -> [UInt8] {
    [2] + withUnsafeBytes(of: value.bitPattern.bigEndian) { Array($0) }
  }
  private static func text(_ value: String) -> [UInt8] { [3] + length(value.utf8.count) + Array(value.utf8) }
  private static let absent: [UInt8] = [0]
  private static let null: [UInt8] = [5]

  private static func length(_ count: Int) -> [UInt8] {
    count < 128 ? [UInt8(count)] : length(count >> 7).map { $0 | 0x80 } + [UInt8(count & 0x7f)]
  }

  private enum Operation: UInt8 { case insert = 18, delete = 9, update = 23 }

  private static func table(_ name: String, _ columns: Int, _ rows: [(Operation, [[UInt8]])]) -> [UInt8] {
    let header = [UInt8(ascii: "T")] + length(columns) + [1] + [UInt8](repeating: 0, count: columns - 1)
    return header + Array(name.utf8) + [0] + rows.flatMap { [$0.rawValue, 0] + $1.joined() }
  }

  private static let escape = "\u{1B}[2J\u{1B}]0;owned\u{7}\r\n\u{202E}\u{9B}31m"

  /// - Parameter track: an id of a track that is there.
  private static func lies(_ track: Int64) -> [[UInt8]] {
    let id = integer(track)
    let markerRow = { (start: Int64, length: Int64) in
      [integer(77), text(escape), text("x"), text("marker"), text("absolute"), integer(start), integer(length), null]
    }
    return [
      table("sqlite_schema", 3, [(.insert, [id, text(escape), null])]),
      table(escape, 2, [(.update, [id, text("a"), absent, text("b")]), (.delete, [id, null])]),
      table("track", 2, [(.update, [id, text(escape), absent, text(String(repeating: "w", count: 200_000))])]),
      table("track", 200, [(.insert, [id] + [[UInt8]](repeating: text(escape), count: 199))]),
      table("track", 3, [(.delete, [integer(.min), null, real(.nan)]), (.insert, [integer(.max), id, id])]),
      table("marker", 8, [(.insert, markerRow(.min, .max)), (.delete, markerRow(.max, .min))]),
      table("midiNote", 8, (0..<3).map { _ in (.update, [[UInt8]](repeating: integer(.max), count: 16)) }),
      table("midiNote", 8, (0..<40).map { _ in (.insert, [[UInt8]](repeating: integer(.min), count: 8)) }),
      table("midiNote", 8, [(.delete, [integer(3)] + [[UInt8]](repeating: integer(.max), count: 7))]),
      table(
        "meterChange", 4, [(.update, [id, integer(.min), integer(.min), null, absent, integer(.max), null, null])]),
      table("comment", 3, [(.update, [id, null, text("x"), absent, id, integer(1)])]),
      table("instrument", 2, [(.insert, [integer(-1), real(.infinity)])]),
      table("project", 11, [(.update, [[UInt8]](repeating: integer(.max), count: 22))]),
      table("track", 1, [(.update, [id, absent]), (.insert, [id])]),
    ]
  }

  private func expectHarmless(_ daw: DAWProgram, _ comment: String) throws {
    for command in [
      ["history", "--all"], ["history", "--track", "Bass"], ["show-edit", "2"], ["show-edit", "1"], ["diff", "1"],
      ["diff", "3", "0"], ["history", "--json"], ["show-edit", "2", "--json"], ["diff", "0", "3", "--json"],
      ["undo", "--to", "0", "--dry-run"],
    ] {
      let output = try daw.run(command)
      #expect([0, 65].contains(output.status), "\(comment): \(command): \(output.status) \(output.error)")
      for text in [output.text, output.error] {
        let harmful = text.unicodeScalars.filter {
          $0.value < 0x20 && $0 != "\n" || $0.value == 0x9b || $0.value == 0x202e
        }
        #expect(harmful.isEmpty, "\(comment): \(command)")
        #expect(text.utf8.count < 2_000_000, "\(comment): \(command)")
      }
      if command.last == "--json", output.status == 0 {
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: output.data) }
      }
    }
  }

  private func song(_ body: (DAWProgram, Int64, (String) throws -> Void) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try daw("add-track", "Bass")
      try daw("set-track", "Bass", "--volume", "-3")
      try daw("add-marker", "End", "--at", "5.1.0")
      let sqlite = DAWProgram(path: "/usr/bin/env", folder: folder)
      let id = try sqlite("sqlite3", "Song.daw/project.sqlite", "SELECT id FROM track WHERE name = 'Bass'").line
      try body(daw, try #require(Int64(id))) { try sqlite("sqlite3", "Song.daw/project.sqlite", input: $0) }
    }
  }

  @Test("Changesets that lie about tables, columns and values are told without harm")
  func lies() throws {
    try song { daw, track, execute in
      for (number, lie) in Self.lies(track).enumerated() {
        let hex = lie.map { String(format: "%02x", $0) }.joined()
        try execute("UPDATE journalEntry SET changeset = x'\(hex)', isCompressed = 0 WHERE revision = 2")
        try expectHarmless(daw, "lie \(number)")
      }
    }
  }

  @Test("Changesets with random bytes are told without harm")
  func randomBytes() throws {
    try song { daw, track, execute in
      let seed = Seed.current()
      var generator = SeededGenerator(seed: seed)
      let lies = Self.lies(track).filter { $0.count < 10_000 }
      for round in 0..<12 {
        var bytes = lies.randomElement(using: &generator) ?? []
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: .min ... .max, using: &generator)
        }
        let hex = bytes.map { String(format: "%02x", $0) }.joined()
        try execute("UPDATE journalEntry SET changeset = x'\(hex)', isCompressed = 0 WHERE revision = 2")
        try expectHarmless(daw, "seed \(seed), round \(round)")
      }
    }
  }
}
