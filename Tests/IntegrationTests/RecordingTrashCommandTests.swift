import DAWTestSupport
import Foundation
import Testing

@Suite("Several recordings are removed by one command")
struct RecordingTrashCommandTests {
  /// A project with the recordings A and B, of which a region plays the second.
  /// - Parameter body: gets the folder of the recordings' folders as well.
  private func song(_ body: (DAWProgram, URL) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try daw("add-track", "Vox")
      let sound = folder.appending(path: "a.wav")
      try PlainWave.write([[Int](repeating: 9, count: 48_000)], bits: 24, rate: 48_000, to: sound)
      try daw("add-region", "Vox", "--file", "a.wav")
      let recordings = folder.appending(path: "Song.daw/Audio/Recordings")
      for name in ["A", "B"] {
        let place = recordings.appending(path: name)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: sound, to: place.appending(path: "Vox.0001.wav"))
      }
      try daw.sqlite(
        """
        INSERT INTO recording (id, createdAt, startTime, endTime, isCompleted, duration, sampleRate, folder) VALUES
          (5, 1795350000000, 1795350000500, 1795350001500, 1, 48000, 48000, 'Audio/Recordings/A'),
          (6, 1795350000000, 1795350000500, 1795350001500, 1, 48000, 48000, 'Audio/Recordings/B');
        INSERT INTO pass (id, recording, track, number, startTime, firstHostFrame, frames)
          SELECT n, r, (SELECT id FROM track WHERE name = 'Vox'), 1, 1795350000500, 1000, 48000
          FROM (SELECT 51 n, 5 r UNION ALL SELECT 61, 6);
        INSERT INTO segment (pass, segmentIndex, startFrame, frames, path, fileSize, createdAt, state) VALUES
          (51, 0, 0, 48000, 'Audio/Recordings/A/Vox.0001.wav', 144044, 1795350000500, 'sealed'),
          (61, 0, 0, 48000, 'Audio/Recordings/B/Vox.0001.wav', 144044, 1795350000500, 'sealed');
        INSERT INTO recordingNote (id, title) VALUES (5, 'A'), (6, 'B');
        UPDATE audioFile SET path = 'Audio/Recordings/B/Vox.0001.wav'
        """)
      try body(daw, recordings)
    }
  }

  private func isThere(_ recordings: URL, _ name: String) -> Bool {
    FileManager.default.fileExists(atPath: recordings.appending(path: "\(name)/Vox.0001.wav").path)
  }

  @Test("One that is refused leaves the others as they are", arguments: ["remove-recording", "forget"])
  func refusal(command: String) throws {
    try song { daw, recordings in
      let options = command == "forget" ? ["--yes"] : []
      let output = try daw.run([command, "A", "B"] + options)
      #expect(output.status == 65, "\(output.error)")
      #expect(output.error.contains("plays recording 'B'. Nothing was changed."), "\(output.error)")
      #expect(isThere(recordings, "A") && isThere(recordings, "B"))
      #expect(try daw("list-recordings", "-q").text.split(separator: "\n").count == 2)
      // The same twice is once.
      #expect(try daw.run([command, "A", "A"] + options).status == 0)
      #expect(!isThere(recordings, "A"))
    }
  }

  @Test("Where one fails after another was removed, it is said which")
  func half() throws {
    try song { daw, recordings in
      try daw("remove-region", "Vox/a")
      let (place, away) = (recordings.appending(path: "B"), daw.folder.appending(path: "away"))
      try FileManager.default.moveItem(at: place, to: away)
      try FileManager.default.createSymbolicLink(at: place, withDestinationURL: away)
      let output = try daw.run(["remove-recording", "A", "B"])
      #expect(output.status == 74, "\(output.error)")
      #expect(output.error.contains("Moved to the trash: recording 'A'. The next one failed:"), "\(output.error)")
      #expect(output.error.contains("link") && !output.error.contains("Nothing was changed"), "\(output.error)")
      #expect(!isThere(recordings, "A"))
    }
  }

  @Test("A long text that is not accepted is not repeated whole")
  func longTexts() throws {
    try song { daw, _ in
      let text = String(repeating: "x", count: 70_000)
      for (words, status) in [
        (["remove-recording", text], 66), (["set-take", text, "--name", "A"], 66), (["record", text], 64),
        (["record", "--bits", text], 64), (["record", "--title", text], 65),
      ] as [([String], Int32)] {
        let output = try daw.run(words)
        #expect(output.status == status && output.error.utf8.count < 1_000, "\(words[0]): \(output.error.prefix(500))")
        #expect(try daw.run(words + ["--json"]).error.utf8.count < 1_000, "\(words[0])")
      }
    }
  }

  @Test("'check' counts what it names: a recorded file that is gone is a fault, also where nothing plays it")
  func missingFile() throws {
    try song { daw, recordings in
      try FileManager.default.removeItem(at: recordings.appending(path: "A/Vox.0001.wav"))
      let check = try daw.run(["check"])
      #expect(check.status == 65 && check.text.components(separatedBy: "missing: ").count == 2, "\(check.text)")
      #expect(check.text.contains("\n1 fault") && !check.text.contains("All is well"), "\(check.text)")
    }
  }

  @Test("Of all, those that are refused are left, and it is not said that nothing was changed")
  func all() throws {
    try song { daw, recordings in
      let output = try daw.run(["forget", "--all", "--yes"])
      #expect(output.status == 0 && output.text.contains("Forgot: recording 'A'"), "\(output.text)")
      #expect(output.error.contains("plays recording 'B'."), "\(output.error)")
      #expect(!output.error.contains("Nothing was changed"), "\(output.error)")
      #expect(!isThere(recordings, "A") && isThere(recordings, "B"))
    }
  }
}
