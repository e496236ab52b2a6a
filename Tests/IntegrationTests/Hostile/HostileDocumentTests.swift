import DAWTestSupport
import Foundation
import Testing

/// JSON and CSV made of the real formats, with one thing in them that is not meant to be there. `DAW_AUDIT_COUNT` tries
/// more than the usual number of them, `DAW_SEED` the same ones again.
@Suite("Hostile documents")
struct HostileDocumentTests {
  @Test("A project's JSON with any value, key or list changed makes a sound project, or is refused and leaves nothing")
  func projects() throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    try withScratchFolder { folder in
      let daw = try FullSong.make(in: folder)
      let tree = try daw("show", "--json", "--notes").json(JSONTree.self)
      let before = try Set(FileManager.default.contentsOfDirectory(atPath: folder.path))
      for mutation in HostileValues.some(tree.mutations(), AuditCount.current(usually: 60), &generator) {
        let changed = tree.applying(mutation)
        let what = "seed \(seed), \(mutation.path) \(mutation.name)"
        let output = try daw.run(
          ["new", "Other", "--from", "-", "--media", "Song.daw"], input: Data(changed.text.utf8))
        HostileValues.expectSound(output, "new, \(what)")
        if output.status == 0 {
          for command in [["show"], ["show", "--json", "--notes"], ["check"], ["list-notes"], ["list-markers"]] {
            HostileValues.expectSound(try daw.run(command + ["-p", "Other"]), "\(command[0]), \(what)")
          }
          try FileManager.default.removeItem(at: folder.appendingPathComponent("Other.daw"))
        }
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder.path)) == before, "\(what)")
      }
    }
  }

  @Test("A line of notes or events with any value or key changed is taken whole, or refused and changes nothing")
  func lines() throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    try withScratchFolder { folder in
      let daw = try FullSong.make(in: folder)
      let document = try daw("show", "--json", "--notes").json(Document.self)
      let regions = document.tracks.flatMap { $0.regions ?? [] }
      let cases =
        regions.flatMap { $0.notes ?? [] }.flatMap { note in note.mutations().map { ("add-notes", note, $0) } }
        + regions.flatMap { $0.events ?? [] }.flatMap { event in event.mutations().map { ("add-events", event, $0) } }
      for (command, line, mutation) in HostileValues.some(cases, AuditCount.current(usually: 60), &generator) {
        let output = try daw.run([command, "Part", "-", "--dry-run"], input: Data(line.applying(mutation).text.utf8))
        HostileValues.expectSound(output, "\(command), seed \(seed), \(mutation.path) \(mutation.name)")
      }
      try daw("check")
    }
  }

  @Test("A table of notes or events with any cell changed is taken whole, or refused and changes nothing")
  func tables() throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    let notes = ["pitch", "start", "length", "velocity", "channel", "releaseVelocity"]
    let exactNotes = ["pitch", "startTime", "duration", "startTicks", "durationTicks"]
    let events = [
      "kind", "start", "channel", "controller", "pitch", "value", "program", "bank", "metaType", "text", "bytes",
    ]
    let exactEvents = ["kind", "startTime", "startTicks", "program"]
    let units = ["", "s", "ms", "b", "f", ".1.0", ":00"]
    let values = HostileValues.strings + HostileValues.numbers.flatMap { number in units.map { number + $0 } }
    let usual = [
      "pitch": "60", "kind": "controller", "start": "0b", "length": "1b", "controller": "7", "value": "7",
      "durationTicks": "1",
    ]
    try withScratchFolder { folder in
      let daw = try FullSong.make(in: folder)
      var cases: [(command: String, columns: [String], column: String, value: String)] = []
      for (command, columns) in [
        ("add-notes", notes), ("add-notes", exactNotes), ("add-events", events), ("add-events", exactEvents),
      ] {
        for column in columns { cases += values.map { (command, columns, column, $0) } }
      }
      for test in HostileValues.some(cases, AuditCount.current(usually: 60), &generator) {
        let cells = test.columns.map { $0 == test.column ? test.value : usual[$0] ?? "" }
          .map { "\"\($0.replacingOccurrences(of: "\"", with: "\"\""))\"" }
        let table = test.columns.joined(separator: ",") + "\n" + cells.joined(separator: ",") + "\n"
        let output = try daw.run([test.command, "Part", "-", "--dry-run"], input: Data(table.utf8))
        HostileValues.expectSound(output, "\(test.command), seed \(seed), \(table.debugDescription)")
      }
      try daw("check")
    }
  }

  @Test("What is nested a hundred thousand deep is refused")
  func depth() throws {
    try withScratchFolder { folder in
      let daw = try FullSong.make(in: folder)
      for opening in ["[", "{\"tracks\":[", "{\"a\":"] {
        let text = Data(String(repeating: opening, count: 100_000).utf8)
        for command in [["new", "Other", "--from", "-"], ["add-notes", "Part", "-"], ["add-events", "Part", "-"]] {
          let output = try daw.run(command, input: text)
          HostileValues.expectSound(output, "\(command) \(opening)")
          #expect(output.status == 65, "\(command) \(opening)")
        }
      }
    }
  }

  private struct Document: Decodable {
    struct Track: Decodable {
      var regions: [Region]?
    }

    struct Region: Decodable {
      var notes: [JSONTree]?
      var events: [JSONTree]?
    }

    var tracks: [Track]
  }
}
