import DAWTestSupport
import Foundation
import Testing

/// A project file in which another program has written what was never recorded.
@Suite("Hostile rows of recordings, transcripts and jobs")
struct HostileRecordingRowsTests {
  private static let tables = ["recording", "pass", "segment", "gap", "transcript", "summary", "job", "recordingNote"]

  private static let rows = """
    INSERT INTO recording (id, createdAt, startTime, endTime, isCompleted, duration, sampleRate, folder)
      VALUES (7, 1700000000000, 1700000000000, 1700000001000, 1, 48000, 48000, 'Audio/Recordings/Take');
    INSERT INTO pass (id, recording, track, startTime, firstHostFrame, frames, pieces)
      VALUES (8, 7, 9, 1700000000000, 0, 48000, '[{"frames":48000,"passFrame":0,"timelineFrame":0}]');
    INSERT INTO segment (id, pass, frames, path, fileSize, createdAt, state)
      VALUES (1, 8, 48000, 'Audio/Recordings/Take/Vox.0001.wav', 10, 1700000000000, 'sealed');
    INSERT INTO gap (id, pass, start, frames, cause) VALUES (1, 8, 100, 200, 'xrun');
    INSERT INTO transcript (id, pass, segmentIndex, startFrame, frames, sampleRate, text, confidence, words, createdAt)
      VALUES (10, 8, 0, 0, 48000, 48000, 'hello', 0.5, '[{"confidence":0.5,"end":1,"start":0,"word":"hello"}]', 1700000000000);
    INSERT INTO job (id, kind, pass, segmentIndex, startFrame, frames, sampleRate, engine, nextAttempt, createdAt)
      VALUES (11, 'transcribe', 8, 0, 0, 48000, 48000, 'pocketsphinx', 1700000000000, 1700000000000);
    INSERT INTO job (id, kind, recording, engine, nextAttempt, createdAt)
      VALUES (12, 'summarize', 7, 'llama', 1700000000000, 1700000000000);
    INSERT INTO summary (id, text, engine, createdAt) VALUES (7, 'They say hello.', 'llama', 1700000000000);
    INSERT INTO recordingNote (id, title, notes) VALUES (7, 'Verse', 'Loud');
    """

  private static let texts = [
    "../../outside/kept.wav", "Audio/Recordings/../../../outside", "Audio/Recordings/..", "/etc/passwd",
    "Audio/Recordings/Take/../..",
    "Audio/Recordings/link", "Audio/Recordings/link/kept.wav", "Audio/Recordings/.", "", "[", "[null]", "[[]]", "{}",
    "[{\"start\":1e999,\"end\":-1e999,\"word\":\"x\"}]",
    "[{\"frames\":9223372036854775807,\"passFrame\":9223372036854775807,\"timelineFrame\":-9223372036854775808}]",
    String(repeating: "a", count: 64), "\u{1B}]0;owned\u{7}", "a\nb", "\u{202E}gnp",
  ]

  private static let commands: [[String]] = [
    ["list-recordings"], ["list-recordings", "--json"], ["list-recordings", "--by-day"], ["show-recording", "Verse"],
    ["show-recording", "id:000007", "--json"], ["list-segments", "Verse"], ["list-segments", "Verse", "--json"],
    ["list-gaps"],
    ["list-gaps", "--patterns", "--json"], ["list-takes"], ["list-transcripts"], ["list-transcripts", "--json"],
    ["list-jobs"], ["list-jobs", "--json"], ["queue"], ["summarize", "Verse", "--engine", "llama"],
    ["search", "hello"], ["check"], ["retain", "--dry-run"],
    ["show", "--json"], ["retain"], ["remove-recording", "Verse"], ["restore-recording", "Verse"],
    ["recover-recordings"], ["work"], ["cancel-job", "id:00000b"], ["check", "--repair"], ["forget", "--all", "--yes"],
    ["clean"],
    ["recover", "Song", "-o", "New"],
  ]

  @Test("No value stops a command with a trap, and nothing outside the project is changed")
  func values() throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    try withScratchFolder { folder in
      let daw = DAWProgram(
        folder: folder, environment: ["DAW_PROJECT": "Song", "SWIFT_BACKTRACE": "enable=no"])
      try daw("new", "Song")
      try daw("set-retention", "--recordings", "1d", "--compress-after", "1d", "--transcripts", "1d", "--trash", "0d")
      let (file, outside) = (
        folder.appendingPathComponent("Song.daw/project.sqlite"), folder.appendingPathComponent("outside")
      )
      try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
      let kept = outside.appendingPathComponent("kept.wav")
      try Data("kept".utf8).write(to: kept)
      let take = folder.appendingPathComponent("Song.daw/Audio/Recordings/Take")
      try HostileFileTests.write(Self.rows, into: file)
      let bytes = try Data(contentsOf: file)
      // The rows are there.
      #expect(try daw("list-segments", "Verse").text.contains("Vox.0001.wav"))
      var cases: [(column: String, value: String)] = []
      for (type, values) in [
        ("INTEGER", HostileValues.integers), ("REAL", ["9e999", "-9e999", "5e-324", "NULL"]),
        ("TEXT", Self.texts.map { "'\($0)'" }),
      ] {
        for (table, column) in try HostileFileTests.columns(ofType: type, in: file) where Self.tables.contains(table) {
          cases += values.map { ("\(table).\(column)", $0) }
        }
      }
      #expect(cases.count > 1_500)
      // Paths are tried always.
      let paths = cases.filter { ["recording.folder", "segment.path"].contains($0.column) }.shuffled(using: &generator)
      let tried = paths.prefix(6) + HostileValues.some(cases, AuditCount.current(usually: 10), &generator)
      for test in tried {
        for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + ending) }
        try bytes.write(to: file)
        try FileManager.default.createDirectory(at: take, withIntermediateDirectories: true)
        try Data("RIFF".utf8).write(to: take.appendingPathComponent("Vox.0001.wav"))
        let link = folder.appendingPathComponent("Song.daw/Audio/Recordings/link")
        if (try? FileManager.default.destinationOfSymbolicLink(atPath: link.path)) == nil {
          try FileManager.default.createSymbolicLink(at: link, withDestinationURL: outside)
        }
        let (table, column) = (test.column.prefix { $0 != "." }, test.column.drop { $0 != "." }.dropFirst())
        try HostileFileTests.write("UPDATE \(table) SET \(column) = \(test.value)", into: file)
        for command in Self.commands {
          HostileValues.expectSound(
            try daw.run(command), "seed \(seed), \(test.column) = \(test.value): \(command.joined(separator: " "))")
        }
        #expect(try Data(contentsOf: kept) == Data("kept".utf8), "seed \(seed), \(test)")
        #expect(
          try FileManager.default.contentsOfDirectory(atPath: outside.path) == ["kept.wav"], "seed \(seed), \(test)")
        for name in ["Song.daw/Audio/.trash", "Song.daw/Backups", "New.daw"] {
          try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
        try FileManager.default.createDirectory(
          at: folder.appendingPathComponent("Song.daw/Backups"), withIntermediateDirectories: true)
      }
    }
  }
}
