import DAWTestSupport
import Foundation
import Testing

@Suite("The cache of a project")
struct CacheTests {
  /// Three recordings at another rate than the project's, so that each has a copy of 1.4 MB in the cache.
  private func withSong(_ body: (DAWProgram, URL) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(
        folder: folder, environment: ["DAW_PROJECT": "Song", "XDG_CONFIG_HOME": folder.path + "/config"])
      var song = RandomSong(seed: 21)
      try daw("new", "Song")
      var lines: [String] = []
      for index in 0..<3 {
        try PlainWave.write(
          song.noise(channels: 1, frames: 330_750, bits: 16), bits: 16, rate: 44_100,
          to: folder.appendingPathComponent("\(index).wav"))
        lines += ["add-track T\(index) --volume -20", "add-region T\(index) --file \(index).wav"]
      }
      try daw("batch", "-", input: lines.joined(separator: "\n") + "\n")
      try body(daw, folder)
    }
  }

  private func copies(_ folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("Song.daw/Cache").path)
      .filter { $0.hasSuffix(".wav") }.sorted()
  }

  @Test("Its limit holds for copies too, and comes from the settings or the environment; the bits stay")
  func limit() throws {
    try withSong { daw, folder in
      let expected = try daw("bounce", "--digest").line
      #expect(try copies(folder).count == 3)
      let settings = folder.appendingPathComponent("config/daw/settings.json")
      try FileManager.default.createDirectory(
        at: settings.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(#"{"cacheLimit": "3500K"}"#.utf8).write(to: settings)
      #expect(try daw("bounce", "--digest").line == expected)
      #expect(try copies(folder).count == 2)
      var other = daw
      other.environment["DAW_CACHE_LIMIT"] = "2M"
      #expect(try other("bounce", "--digest").line == expected)
      #expect(try copies(folder).count == 1)
      other.environment["DAW_CACHE_LIMIT"] = "0"
      try other("bounce", "-o", "mix.wav")
      #expect(try copies(folder).isEmpty)
      #expect(try daw("bounce", "--digest").line == expected)
      for broken in [#"{"cache": "4G"}"#, #"{"cacheLimit": 4}"#, #"{"cacheLimit": "much"}"#, "[]", ""] {
        try Data(broken.utf8).write(to: settings)
        let output = try daw.run(["bounce", "--digest"])
        #expect(output.status == 65 && output.error.contains("settings.json"), "\(broken): \(output.error)")
      }
    }
  }

  @Test("Where neither the project's cache nor the user's can be written, a process has its own, and leaves nothing")
  func temporary() throws {
    try withSong { daw, folder in
      let expected = try daw("bounce", "--digest").line
      let cache = folder.appendingPathComponent("Song.daw/Cache")
      try FileManager.default.removeItem(at: cache)
      // Files in the way, which stop root as well.
      for file in [cache, folder.appendingPathComponent("none")] { try Data().write(to: file) }
      let temporary = folder.appendingPathComponent("temporary")
      try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: false)
      var poor = daw
      poor.environment["XDG_CACHE_HOME"] = folder.path + "/none"
      poor.environment["TMPDIR"] = temporary.path
      #expect(try poor("bounce", "--digest").line == expected)
      for words in [
        ["levels"], ["bounce", "-o", "mix.wav"], ["bounce", "-o", "even.wav", "--normalize", "-30dBFS", "--no-cache"],
      ] {
        let output = try poor.run(words)
        #expect(output.status == 0, "\(words): \(output.error)")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
      // '/tmp' is tried too.
      poor.environment["TMPDIR"] = folder.path + "/none"
      #expect(try poor("bounce", "--digest").line == expected)
    }
  }

  @Test("A track with an effect is rendered once, also where its file is converted; again where the copy is made anew")
  func convertedAndProcessed() throws {
    try withSong { daw, folder in
      try daw("add-effect", "T0", "eq", "band2.gain=3")
      func explained() throws -> String {
        let lines = try daw.run(["bounce", "--digest", "--explain"]).text.split(separator: "\n")
        return String(try #require(lines.first { $0.hasPrefix("T0") }))
      }
      func renders() throws -> Set<String> {
        Set(
          try FileManager.default.contentsOfDirectory(
            atPath: folder.appendingPathComponent("Song.daw/Cache/renders").path))
      }
      #expect(try explained().contains("rendered"))
      let first = try renders()
      #expect(try first.count == 1 && explained().contains("taken") && explained().contains("taken"))
      #expect(try renders() == first)
      for copy in try copies(folder) {
        try FileManager.default.removeItem(at: folder.appendingPathComponent("Song.daw/Cache/\(copy)"))
      }
      #expect(try explained().contains("rendered") && renders().count == 2)
    }
  }

  @Test("FLAC is read as it plays, but decoded once where regions play more of it than there is; the bits are a WAV's")
  func flac() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["XDG_CONFIG_HOME": folder.path + "/config"])
      var song = RandomSong(seed: 22)
      try PlainWave.write(
        song.noise(channels: 1, frames: 48_000, bits: 16), bits: 16, rate: 48_000,
        to: folder.appendingPathComponent("a.wav"))
      try daw("new", "Maker")
      try daw("-p", "Maker", "add-track", "T", "--pan", "-1")
      try daw("-p", "Maker", "add-region", "T", "--file", "a.wav")
      try daw("-p", "Maker", "bounce", "-o", "a.flac", "--bits", "16", "--mono")
      try daw("-p", "Maker", "bounce", "-o", "b.wav", "--bits", "16", "--mono")
      for (project, file) in [("Song", "a.flac"), ("Other", "b.wav")] {
        try daw("new", project)
        try daw("-p", project, "add-track", "T")
        try daw("-p", project, "add-region", "T", "--file", file, "--length", "0.7s", "--offset", "0.2s")
      }
      #expect(try daw("-p", "Song", "bounce", "--digest").line == daw("-p", "Other", "bounce", "--digest").line)
      #expect(try copies(folder).isEmpty)
      for project in ["Song", "Other"] {
        try daw("-p", project, "copy-region", project == "Song" ? "T/a" : "T/b", "--at", "0.3s", "--count", "2")
      }
      #expect(try daw("-p", "Song", "bounce", "--digest").line == daw("-p", "Other", "bounce", "--digest").line)
      #expect(try copies(folder).count == 1)
    }
  }

  @Test("Bounces at once, killed ones among them, within a limit too small for any: each gets its copies, or none")
  func together() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    try withSong { daw, folder in
      let expected = try daw("bounce", "--digest").line
      var small = daw
      small.environment["DAW_CACHE_LIMIT"] = "1M"
      for _ in 0..<3 {
        let killed = try small.start(["bounce", "--digest"])
        let others = [try small.start(["bounce", "--digest"]), try daw.start(["bounce", "--digest"])]
        usleep(UInt32.random(in: 0..<200_000, using: &random))
        killed.kill()
        _ = killed.finish()
        for output in others.map({ $0.finish() }) { #expect(output.line == expected, "seed \(seed): \(output.error)") }
      }
      #expect(try small("bounce", "--digest").line == expected, "seed \(seed)")
      let left = try FileManager.default.contentsOfDirectory(
        atPath: folder.appendingPathComponent("Song.daw/Cache").path)
      #expect(left.allSatisfy { $0.hasSuffix(".peaks") || $0 == "renders" }, "seed \(seed): \(left)")
      try small("clean", "--cache")
      #expect(try daw("bounce", "--digest").line == expected)
    }
  }
}
