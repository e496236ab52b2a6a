import DAWTestSupport
import Foundation
import Testing

@Suite("Media in the project's folder that another program has changed, or given other times")
struct ChangedMediaTests {
  /// - Parameter body: with the project's copy of a file of half a second.
  private func withSong(_ body: (DAWProgram, URL) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      let tone = (0..<24_000).map { Int(8_000 * sin(Double($0) / 20)) }
      try PlainWave.write([tone], bits: 16, rate: 48_000, to: folder.appending(path: "a.wav"))
      try daw("new", "Song")
      try daw("import", "a.wav")
      try body(daw, folder.appending(path: "Song.daw/Audio/a.wav"))
    }
  }

  @Test("Other bytes of the same size are refused by what renders and measures, unless that is allowed")
  func otherBytes() throws {
    try withSong { daw, copy in
      let bytes = try Data(contentsOf: copy)
      var changed = bytes
      changed[44 + 2 * 5_000] ^= 0x55
      try changed.write(to: copy)
      let lines = [
        ["bounce", "-o", "x.wav"], ["bounce", "--digest"], ["bounce", "--verify"],
        ["bounce", "--stems", "-o", "stems"],
        ["levels"], ["normalize-region", "--all", "--to", "-6dBFS"],
      ]
      for line in lines {
        let output = try daw.run(line)
        #expect(output.status == 65, "\(line): \(output.error)")
        #expect(output.error.contains("'Audio/a.wav' is not what the project recorded."), "\(line): \(output.error)")
      }
      try daw("levels", "--allow", "changed")
      try bytes.write(to: copy)
      for line in lines {
        let output = try daw.run(line)
        #expect(output.status == 0, "\(line): \(output.error)")
      }
    }
  }

  @Test("The same bytes with another time, as a clone of a repository has them, are taken, and their hash is kept")
  func otherTimes() throws {
    try withSong { daw, copy in
      let cache = daw.folder.appending(path: "Song.daw/Cache")
      func kept() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: cache.path).filter { $0.hasSuffix(".hash") }
      }
      let digest = try daw("bounce", "--digest").line
      #expect(try kept().isEmpty, "a copy has the time of its source")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: copy.path)
      for _ in 0..<2 { #expect(try daw("bounce", "--digest").line == digest) }
      #expect(try kept().count == 1)
      try daw("check")
      try daw("clean", "--cache")
      #expect(try kept().isEmpty)
    }
  }
}
