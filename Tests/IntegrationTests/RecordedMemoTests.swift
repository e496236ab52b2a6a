import DAWMedia
import DAWTestSupport
import Foundation
import Testing

extension PlayTests {
  @Suite("Memos that are spoken now")
  struct RecordedMemos {
    private struct Listed: Decodable {
      struct Memo: Decodable {
        var audioFile: String
        var duration: Double
      }
      var memo: Memo
    }

    /// The sounds of the comments.
    private func memos(_ daw: DAWProgram) throws -> [Listed.Memo] {
      try daw("-p", "Song", "list-comments", "--json").json([Listed].self).map(\.memo)
    }

    /// Checks that each sample of the first 16 bits of the frames' numbers follows the one before, but where frames
    /// were lost.
    private func check(_ memo: Listed.Memo, in daw: DAWProgram, areFramesLost: Bool) throws {
      let path = memo.audioFile.hasPrefix("/") ? memo.audioFile : daw.folder.path + "/Song.daw/" + memo.audioFile
      let reader = try AudioFileReader(path: path)
      let count = Int(reader.facts.frames.frames)
      let samples = UnsafeMutablePointer<Float>.allocate(capacity: count)
      defer { samples.deallocate() }
      #expect(try reader.read(at: 0, count: count, into: samples) == count)
      // The first cycles may come before the connection, and are silent.
      let numbers = Array((0..<count).map { NumberingClient.frame(left: samples[$0], right: 0) }.drop { $0 == 0 })
      let jumps = numbers.indices.dropFirst().count { numbers[$0] != (numbers[$0 - 1] + 1) & 0xffff }
      #expect(jumps <= (areFramesLost ? count / 256 : 1), "\(jumps) jumps")
      #expect(Set(numbers).count > min(count, 65_536) / 2)
    }

    /// The temporary files and folders that are left in the project's cache.
    private func scratch(in folder: URL) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "Song.daw/Cache").path)
        .filter { $0.hasPrefix(CacheFolder.scratchPrefix) }
    }

    @Test("What comes in while it is recorded is the comment's sound; Ctrl-C ends it and keeps it")
    func recorded() throws {
      try withScratchFolder { folder in
        let stage = try RecordingStage(in: folder)
        let words = [
          "-p", "Song", "add-memo", "Vox", "--record", "--server", stage.server.name, "--input",
          "\(stage.numbers.name):out_1",
        ]
        let timed = try stage.daw.run(words + ["--for", "0.5s", "--at", "2s"])
        #expect(timed.status == 0, "\(timed.error)")
        #expect(try memos(stage.daw).map(\.duration) == [0.5])
        try check(try memos(stage.daw)[0], in: stage.daw, areFramesLost: timed.error.contains("were lost"))
        let run = try stage.daw.start(words)
        usleep(1_500_000)
        run.send(SIGINT)
        let ended = run.finish()
        #expect(ended.status == 0, "\(ended.error)")
        let both = try memos(stage.daw)
        #expect(both.count == 2)
        let last = try #require(both.first { $0.duration != 0.5 })
        try check(last, in: stage.daw, areFramesLost: ended.error.contains("were lost"))
        #expect(try scratch(in: folder).isEmpty)
        try stage.daw("-p", "Song", "undo")
        #expect(try memos(stage.daw).map(\.duration) == [0.5])
      }
    }

    @Test("What was said is not lost where the edit fails")
    func failed() throws {
      try withScratchFolder { folder in
        let stage = try RecordingStage(in: folder)
        let words = [
          "-p", "Song", "add-memo", "Vox", "--record", "--server", stage.server.name, "--input",
          "\(stage.numbers.name):out_1", "--for", "0.2s", "--if-revision", "999",
        ]
        for name in ["memo.wav", "2 memo.wav"] {
          let output = try stage.daw.run(words)
          #expect(output.status != 0 && output.error.contains("'\(name)'"), "\(output.status) \(output.error)")
          #expect(try AudioFileReader(path: folder.appending(path: name).path).facts.frames.frames == 9_600)
        }
        #expect(try memos(stage.daw).isEmpty)
      }
    }

    @Test("Bad input is refused with its status, and changes nothing")
    func refused() throws {
      try withScratchFolder { folder in
        let stage = try RecordingStage(in: folder)
        let server = ["--server", stage.server.name]
        for (words, status, part) in [
          (["Vox", "--record", "x.wav"], 64, "--record"), (["Vox"], 64, "--record"),
          (["Vox", "x.wav", "--for", "1s"], 64, "--for"), (["Vox", "--record", "--dry-run"], 64, "--dry-run"),
          (["Vox", "--record", "--for", "0s"] + server, 65, "0"),
          (["Nix", "--record", "--for", "1s"] + server, 66, "Nix"),
          (["Vox", "--record", "--for", "1s", "--input", "no:port"] + server, 66, "no:port"),
          (["Vox", "--record", "--for", "1s", "--server", "nothing-there"], 69, "nothing-there"),
        ] as [([String], Int32, String)] {
          let output = try stage.daw.run(["-p", "Song", "add-memo"] + words)
          #expect(output.status == status && output.error.contains(part), "\(words): \(output.status) \(output.error)")
        }
        try Data("add-memo Vox --record\n".utf8).write(to: folder.appending(path: "edits"))
        let batch = try stage.daw.run(["-p", "Song", "batch", "edits"])
        #expect(batch.status == 64 && batch.error.contains("a line of a batch"), "\(batch.error)")
        #expect(try stage.daw("-p", "Song", "list-comments", "--json").json([String].self).isEmpty)
        #expect(try scratch(in: folder).isEmpty)
      }
    }
  }
}
