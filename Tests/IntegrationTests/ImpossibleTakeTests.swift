import Foundation
import Testing

@Suite("Takes of another's that cannot be")
struct ImpossibleTakeTests {
  @Test("A take whose list is another's is not written when its frames cannot be, or a file of it is missing")
  func joinImpossible() throws {
    try withScratchFolder { scratch in
      let daw = DAWProgram(folder: scratch, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try daw("add-track", "Vox")
      try daw.sqlite(
        """
        INSERT INTO recording (id, createdAt, startTime, endTime, isCompleted, duration, sampleRate, folder)
          VALUES (5, 1795350000000, 1795350000500, 1795350002500, 1, 48000, 48000, 'Audio/Recordings/A');
        INSERT INTO pass (id, recording, track, number, startTime, firstHostFrame, frames, inputs, pieces, foundTags)
          SELECT 101, 5, id, 1, 1795350000500, 1000, 48000, '["system:capture_1"]', '[]', '' FROM track WHERE name = 'Vox';
        INSERT INTO take SELECT 7, id, 'Take 1', 'take 1', 0, '', 101 FROM track WHERE name = 'Vox';
        INSERT INTO audioFile VALUES (77, 'Audio/Recordings/A/Vox.1.take', NULL, '\(String(repeating: "a", count: 64))',
          1, 1, 48000, 48000, 1, 'recorded WAV', 705600000)
        """)
      let folder = scratch.appending(path: "Song.daw/Audio/Recordings/A")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let missing = #"{"index":1,"startFrame":0,"frames":9,"name":"Vox.1.001.wav","dataOffset":0,"byteCount":27}"#
      for (frames, segments, status, said) in [
        (1 << 50, [], 74, "MiB free. Nothing was written."), (1 << 20, [missing], 66, "Vox.1.001.wav"),
      ] {
        let facts = "\"sampleRate\":48000,\"encoding\":\"int24\",\"channels\":1,\"frames\":\(frames)"
        let list = ["daw-take 1", "{\"recording\":5,\"pass\":101,\(facts),\"segments\":\(segments.count)}"]
        try Data(((list + segments).joined(separator: "\n") + "\n").utf8).write(
          to: folder.appending(path: "Vox.1.take"))
        let text = try runShell(
          in: scratch,
          input: "ulimit -f 1024; daw -p Song join-take 'Vox/Take 1' -o take.wav; echo \"status $?\"; ls"
        ).text
        #expect(text.contains(said) && text.contains("status \(status)\n") && !text.contains("\ntake"), "\(text)")
      }
    }
  }
}
