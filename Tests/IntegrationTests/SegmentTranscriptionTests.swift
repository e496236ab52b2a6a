import DAWTestSupport
import Foundation
import Testing

/// What `daw list-segments` and `daw show-recording` say of transcription.
@Suite("Transcription of recordings")
struct SegmentTranscriptionTests {
  private struct Segment: Decodable, Equatable {
    var segmentIndex: Int
    var processingStatus, lastError, text: String?
    var retryCount: Int?
    var confidence: Double?
  }

  private struct Recording: Decodable {
    var isProcessed: Bool
  }

  @Test("Each segment of a recording says how far its transcription is, and the recording when all are done")
  func segments() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song", "COLUMNS": "60"])
      try daw("new", "Song")
      try daw("add-track", "Vox")
      try daw.sqlite(
        """
        INSERT INTO recording (id, createdAt, startTime, endTime, isCompleted, duration, sampleRate, folder)
          VALUES (1, 1000, 1000, 6000, 1, 240000, 48000, 'Audio/Recordings/A');
        INSERT INTO pass (id, recording, track, number, startTime, firstHostFrame, frames)
          SELECT 2, 1, id, 1, 1000, 0, 240000 FROM track WHERE name = 'Vox';
        WITH five(i) AS (VALUES (0), (1), (2), (3), (4))
          INSERT INTO segment (pass, segmentIndex, startFrame, frames, path, createdAt, state)
          SELECT 2, i, i * 48000, 48000, 'Audio/Recordings/A/' || i || '.wav', 1000, 'sealed' FROM five;
        INSERT INTO transcript (id, pass, segmentIndex, startFrame, frames, sampleRate, text, confidence, engine, createdAt)
          VALUES (21, 2, 0, 0, 48000, 48000, 'good morning', 0.9, 'e', 1000),
            (22, 2, 1, 48000, 48000, 48000, 'could mourning', 0.4, 'e', 1000),
            (23, 2, 2, 96000, 48000, 48000, '', NULL, NULL, 1000);
        INSERT INTO job (id, kind, pass, segmentIndex, startFrame, frames, sampleRate, state, retryCount, lastError, engine,
            nextAttempt, createdAt)
          VALUES (31, 'transcribe', 2, 1, 48000, 48000, 48000, 'completed', 1, 'Out of memory.', 'e', 0, 1000),
            (32, 'transcribe', 2, 3, 144000, 48000, 48000, 'retrying', 2, 'Out of memory.', 'e', 0, 1000);
        """)
      func segments(_ options: String...) throws -> [Segment] {
        try daw.run(["list-segments", name(), "--json"] + options).json([Segment].self)
      }
      func name() throws -> String { try daw("list-recordings", "-q").line }
      #expect(
        try segments() == [
          Segment(segmentIndex: 0, processingStatus: "completed", text: "good morning", confidence: 0.9),
          Segment(
            segmentIndex: 1, processingStatus: "completed", lastError: "Out of memory.", text: "could mourning",
            retryCount: 1, confidence: 0.4),
          Segment(segmentIndex: 2, processingStatus: "completed", text: ""),
          Segment(segmentIndex: 3, processingStatus: "retrying", lastError: "Out of memory.", retryCount: 2),
          Segment(segmentIndex: 4),
        ])
      #expect(try segments("--confidence-below", "0.6").map(\.segmentIndex) == [1])
      #expect(try segments("--confidence-below", "0").isEmpty)
      #expect(try daw("list-segments", name(), "--confidence-below", "0").line == "No such segments.")
      #expect(try daw.run(["list-segments", name(), "--confidence-below", "1.5"]).status == 64)
      #expect(try daw("list-segments", name()).text.split(separator: "\n").allSatisfy { $0.count <= 60 })
      var wide = daw
      wide.environment["COLUMNS"] = "100"
      let lines = try wide("list-segments", name()).text.split(separator: "\n")
      #expect(lines[0].contains("text, 90 %"), "\(lines)")
      #expect(lines[2].contains("nothing said") && lines[3].contains("retrying"))
      #expect(try !daw("show-recording", name(), "--json").json(Recording.self).isProcessed)
      let jobs = try daw("list-jobs", "--json").text
      for index in [1, 3] { #expect(jobs.contains("\"source\" : \"Vox pass 1, segment \(index)\""), "\(jobs)") }
      #expect(try wide("list-jobs").text.contains("Vox pass 1, segment 3"))
      let transcripts = try daw("list-transcripts", "-q").text.split(separator: "\n").map(String.init)
      try daw("set-transcript", transcripts[1], "--text", "Could.")
      #expect(try segments()[1].text == "Could.")
      // The last one was never asked for; then all have ended.
      try daw.sqlite("UPDATE job SET state = 'failed', retryCount = 5 WHERE id = 32")
      #expect(try !daw("show-recording", name(), "--json").json(Recording.self).isProcessed)
      try daw.sqlite("DELETE FROM segment WHERE segmentIndex = 4")
      #expect(try daw("show-recording", name(), "--json").json(Recording.self).isProcessed)
    }
  }
}
