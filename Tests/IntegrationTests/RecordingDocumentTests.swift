import DAWTestSupport
import Foundation
import Testing

/// `daw show --json --recordings` and `daw new --from`, with what is known about recordings.
@Suite("Recordings as JSON")
struct RecordingDocumentTests {
  /// A recording of two segments, a gap and a transcript; the ids' ends are the numbers, in hexadecimal.
  private func song(_ body: (DAWProgram, URL) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song")
      try daw("-p", "Song", "add-track", "Vox")
      let place = folder.appending(path: "Song.daw/Audio/Recordings/A")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      var hashes: [String] = []
      for number in 1...2 {
        let file = place.appending(path: "Vox.\(number).wav")
        try PlainWave.write([[Int](repeating: number, count: 48_000)], bits: 24, rate: 48_000, to: file)
        hashes.append(try sha256(of: file))
      }
      try Data("ledger".utf8).write(to: place.appending(path: "ledger"))
      try FileManager.default.createSymbolicLink(
        atPath: place.path + "/link.wav", withDestinationPath: "/etc/passwd")
      var project = daw
      project.environment["DAW_PROJECT"] = "Song"
      try project.sqlite(
        """
        INSERT INTO recording (id, createdAt, startTime, endTime, isCompleted, duration, sampleRate, folder) VALUES
          (11184811, 1795350000000, 1795350000500, 1795350002500, 1, 96000, 48000, 'Audio/Recordings/A');
        INSERT INTO pass (id, recording, track, startTime, firstHostFrame, frames, inputs, pieces, foundTags, trackName)
          SELECT 101, 11184811, id, 1795350000500, 1000, 96000, '["system:capture_1"]',
            '[{"passFrame":0,"timelineFrame":-12,"frames":96000}]', 'gaps', 'Vox' FROM track WHERE name = 'Vox';
        INSERT INTO segment (pass, segmentIndex, startFrame, frames, path, fileSize, sha256, createdAt, state) VALUES
          (101, 0, 0, 48000, 'Audio/Recordings/A/Vox.1.wav', 144044, '\(hashes[0])', 1795350000500, 'sealed'),
          (101, 1, 48000, 48000, 'Audio/Recordings/A/Vox.2.wav', 144044, '\(hashes[1])', 1795350001500, 'recovered');
        INSERT INTO gap (pass, start, frames, cause) VALUES (101, 4800, 256, 'xrun');
        INSERT INTO transcript (id, pass, segmentIndex, startFrame, frames, sampleRate, text, confidence, engine, words,
            details, createdAt)
          VALUES (21, 101, 0, 0, 48000, 48000, 'good morning', 0.75, 'e',
            '[{"confidence":0.5,"end":0.5,"speaker":"A","start":0.25,"word":"good"},{"end":1,"start":0.5,"word":"morning"}]',
            '{"mood":"glad"}', 1795350002500);
        INSERT INTO summary (id, text, engine, processingTime, createdAt)
          VALUES (11184811, 'A greeting.', 'llama', 1200, 1795350003500);
        """)
      try project("set-transcript", project("list-transcripts", "-q").line, "--text", "Good morning.")
      try project("set-recording", "aaaaab", "--title", "Verse")
      try body(daw, folder)
    }
  }

  private func sha256(of file: URL) throws -> String {
    let process = try DAWProgram(path: "/usr/bin/sha256sum", folder: file.deletingLastPathComponent()).run([file.path])
    return String(process.text.prefix(64))
  }

  private func document(_ project: String, _ daw: DAWProgram) throws -> String {
    try daw("-p", project, "show", "--json", "--notes", "--recordings").text
  }

  /// What commands say of a project's recordings.
  private func told(_ project: String, _ daw: DAWProgram) throws -> [String] {
    try [
      ["list-recordings", "--json"], ["show-recording", "Verse", "--json"], ["list-segments", "Verse", "--json"],
      ["list-gaps", "--json"], ["list-transcripts", "--json"],
    ].map { try daw.run(["-p", project] + $0).text }
  }

  @Test("A project made of its JSON knows what the first one knew, and has the files")
  func roundTrip() throws {
    try song { daw, folder in
      // A recording that is not completed stays behind.
      let project = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try project.sqlite(
        """
        INSERT INTO recording (id, createdAt, startTime, endTime, isCompleted, duration, sampleRate, folder) VALUES
          (12303291, 1795440000000, 1795440000500, NULL, 0, 0, 44100, 'Audio/Recordings/B');
        """)
      let json = try document("Song", daw)
      try project.sqlite("DELETE FROM recording WHERE isCompleted = 0")
      try Data(json.utf8).write(to: folder.appending(path: "all.json"))
      try daw("new", "Copy", "--from", "all.json", "--media", "Song.daw")
      #expect(try told("Copy", daw) == told("Song", daw))
      func facts(_ text: String) throws -> String {
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let part = [object["recordings"] ?? "", object["transcripts"] ?? "", object["transcriptTexts"] ?? ""]
        return String(decoding: try JSONSerialization.data(withJSONObject: part, options: .sortedKeys), as: UTF8.self)
      }
      #expect(try facts(document("Copy", daw)) == facts(json))
      let copied = folder.path + "/Copy.daw/Audio/Recordings/A"
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: copied).sorted() == ["Vox.1.wav", "Vox.2.wav", "ledger"])
      let check = try daw.run(["-p", "Copy", "check"])
      #expect(check.status == 0, "\(check.text)")
      // Without the option, they are no part of it; with new ids, they stay behind.
      #expect(try !daw("-p", "Song", "show", "--json", "--notes").text.contains("\"segments\""))
      try daw("new", "Fresh", "--from", "all.json", "--media", "Song.daw", "--new-ids")
      #expect(try daw("-p", "Fresh", "list-recordings").line == "No such recordings.")
      for words in [["--recordings"], ["--recordings", "--json", "--track", "Vox"]] {
        #expect(try daw.run(["-p", "Song", "show"] + words).status == 64)
      }
    }
  }

  @Test("A file that is gone or changed is missing, and its text is kept")
  func missing() throws {
    try song { daw, folder in
      try Data(document("Song", daw).utf8).write(to: folder.appending(path: "all.json"))
      let place = folder.path + "/Song.daw/Audio/Recordings/A/"
      try FileManager.default.removeItem(atPath: place + "Vox.1.wav")
      try Data("else".utf8).write(to: URL(filePath: place + "Vox.2.wav"))
      let made = try daw("new", "Copy", "--from", "all.json", "--media", "Song.daw")
      #expect((made.text + made.error).contains("Vox.1.wav' is missing"), "\(made)")
      #expect((made.text + made.error).contains("Vox.2.wav' is not the file that was recorded"), "\(made)")
      struct Segment: Decodable { var state: String }
      let segments = try daw("-p", "Copy", "list-segments", "Verse", "--json").json([Segment].self)
      #expect(segments.map(\.state) == ["missing", "missing"])
      #expect(try daw("-p", "Copy", "list-transcripts").text.contains("Good morning."))
    }
  }

  @Test("JSON that names a folder elsewhere, or knows what cannot be, makes nothing")
  func hostile() throws {
    try song { daw, folder in
      let json = try document("Song", daw)
      for (old, new) in [
        ("\"Audio/Recordings/A\"", "\"Audio/Recordings/..\""), ("\"Audio/Recordings/A\"", "\"/etc\""),
        ("\"Audio/Recordings/A\"", "\"Audio/Recordings/A/../../..\""), ("\"Audio/Recordings/A\"", "\"\""),
        ("\"bitDepth\" : 24", "\"bitDepth\" : 23"), ("\"frames\" : 256", "\"frames\" : -256"),
        ("\"xrun\"", "\"moon\""), ("\"A greeting.\"", "\"\""), ("\"llama\"", "\"../llama\""),
        ("\"confidence\" : 0.75", "\"confidence\" : 7.5"),
        (
          "\"segmentIndex\" : 0,\n      \"startFrame\" : 0,\n      \"text\"",
          "\"segmentIndex\" : 9,\n      \"startFrame\" : 0,\n      \"text\""
        ),
      ] {
        let changed = json.replacing(old, with: new)
        #expect(changed != json, "\(old)")
        try Data(changed.utf8).write(to: folder.appending(path: "all.json"))
        let made = try daw.run(["new", "Copy", "--from", "all.json", "--media", "Song.daw"])
        #expect(made.status == 65 && made.signal == nil, "\(new): \(made.status) \(made.error)")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/Copy.daw"), "\(new)")
      }
    }
  }
}
