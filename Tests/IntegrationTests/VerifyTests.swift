import DAWTestSupport
import Foundation
import Testing

@Suite("Files that are rendered again and compared")
struct VerifyTests {
  private struct Report: Decodable {
    var isSame: Bool
    var fileIsUntouched: Bool
    var firstDifferentFrame: Int?
    var changes: [String]
    var warnings: [String]
    var stems: [Stem]?
    struct Stem: Decodable {
      var name: String
      var isSame: Bool
      var isMissing: Bool
      var firstDifferentFrame: Int?
    }
  }

  private func verify(_ daw: DAWProgram, _ file: String) throws -> (report: Report, status: Int32) {
    let output = try daw.run(["verify", file, "-p", "Song", "--json"])
    guard output.status == 0 || output.status == 65, !output.data.isEmpty else {
      throw DAWProgram.Failed(arguments: ["verify"], output: output)
    }
    return (try output.json(Report.self), output.status)
  }

  /// Two tracks of noise, the second from frame 7,000 on.
  private func makeSong(in folder: URL, _ daw: DAWProgram) throws {
    var song = RandomSong(seed: 5)
    for name in ["a", "b"] {
      try PlainWave.write(
        song.noise(channels: 1, frames: 9_000, bits: 16), bits: 16, rate: 48_000,
        to: folder.appendingPathComponent("\(name).wav"))
    }
    try daw("new", "Song")
    try daw("add-track", "A", "--volume", "-12", "-p", "Song")
    try daw("add-track", "B", "--volume", "-12", "-p", "Song")
    try daw("add-region", "A", "--file", "a.wav", "-p", "Song")
    try daw("add-region", "B", "--file", "b.wav", "--link", "--at", "7000f", "-p", "Song")
  }

  @Test(
    "A file is what the project renders, in every format",
    arguments: [
      ["mix.wav"], ["mix.wav", "--bits", "32f", "--from", "100f", "--to", "9000f"], ["mix.flac", "--bits", "16"],
      ["mix.aiff", "--track", "B"],
    ])
  func same(options: [String]) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try makeSong(in: folder, daw)
      let bounced = try daw.run(["bounce", "-p", "Song", "--manifest", "--threads", "2", "-o"] + options)
      #expect(bounced.status == 0, "\(bounced.error)")
      let (report, status) = try verify(daw, options[0])
      #expect(report.isSame && report.fileIsUntouched && report.changes.isEmpty && report.warnings.isEmpty)
      #expect(report.firstDifferentFrame == nil)
      #expect(status == 0)
      // Its caches and scratch files are gone.
      let left = try FileManager.default.contentsOfDirectory(
        atPath: folder.appendingPathComponent("Song.daw/Cache").path)
      #expect(!left.contains { $0.hasPrefix(".scratch") })
    }
  }

  @Test("What is called as the folder of converted media is compared as well", arguments: [[], ["--stems"]])
  func copies(options: [String]) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try makeSong(in: folder, daw)
      try PlainWave.write(
        [(0..<9_000).map { $0 % 2_000 }], bits: 16, rate: 44_100, to: folder.appendingPathComponent("c.wav"))
      try daw("import", "c.wav", "-p", "Song")
      let bounced = try daw.run(["bounce", "-p", "Song", "-o", "copies", "--format", "wav", "--manifest"] + options)
      #expect(bounced.status == 0, "\(bounced.error)")
      let (report, status) = try verify(daw, "copies")
      #expect(report.isSame && status == 0)
    }
  }

  @Test("What has changed is named, with the first frame that it changes")
  func changed() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try makeSong(in: folder, daw)
      try daw("bounce", "-p", "Song", "-o", "mix.wav", "--manifest", "--bits", "32f")

      try daw("set-track", "B", "--volume", "-11", "-p", "Song")
      var (report, status) = try verify(daw, "mix.wav")
      #expect(status == 65)
      #expect(!report.isSame && report.fileIsUntouched)
      #expect(report.firstDifferentFrame == 7_000)
      #expect(report.changes == ["track 'B' has changed"])

      try daw("undo", "-p", "Song")
      (report, status) = try verify(daw, "mix.wav")
      #expect(report.isSame)
      #expect(status == 0)

      // The linked medium gets other bytes.
      let medium = folder.appendingPathComponent("b.wav")
      var bytes = try Data(contentsOf: medium)
      bytes[44 + 2 * 1_000] ^= 0x55
      try bytes.write(to: medium)
      (report, status) = try verify(daw, "mix.wav")
      #expect(status == 65)
      #expect(report.firstDifferentFrame == 8_000)
      #expect(report.changes.contains { $0.contains("b.wav") && $0.contains("other bytes") })
    }
  }

  @Test("A changed file is distinguished from a changed project")
  func touched() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try makeSong(in: folder, daw)
      try daw("bounce", "-p", "Song", "-o", "mix.wav", "--manifest", "--bits", "16")
      let path = folder.appendingPathComponent("mix.wav")
      var bytes = try Data(contentsOf: path)
      let frame = 1_234
      bytes[bytes.count - 4 * (16_000 - frame)] ^= 1
      try bytes.write(to: path)
      let (report, status) = try verify(daw, "mix.wav")
      #expect(status == 65)
      #expect(!report.isSame && !report.fileIsUntouched)
      #expect(report.firstDifferentFrame == frame)
      #expect(report.changes.isEmpty)
    }
  }

  @Test("Other bytes with the same sound are a warning", arguments: [[], ["--stems"]])
  func touchedOutsideSound(options: [String]) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try makeSong(in: folder, daw)
      let name = options.isEmpty ? "mix.wav" : "stems"
      let bounced = try daw.run(["bounce", "-p", "Song", "-o", name, "--manifest"] + options)
      #expect(bounced.status == 0, "\(bounced.error)")
      let path = folder.appendingPathComponent(options.isEmpty ? name : "stems/A.wav")
      try (try Data(contentsOf: path) + Data([0])).write(to: path)
      let (report, status) = try verify(daw, name)
      let subject = options.isEmpty ? "The file's bytes" : "The bytes of 'A.wav'"
      #expect(status == 0 && report.isSame && !report.fileIsUntouched)
      #expect(report.warnings == ["\(subject) have been changed since the render; its sound has not."])
      let output = try daw.run(["verify", name, "-p", "Song"])
      #expect(output.status == 0 && output.error.contains("have been changed since the render"), "\(output.error)")
    }
  }

  @Test("A bounce that is verified prints the digest, and writes a file only where one is named")
  func verifiedBounce() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try makeSong(in: folder, daw)
      let digest = try daw("bounce", "-p", "Song", "--digest").line
      #expect(try daw("bounce", "-p", "Song", "--verify").line == digest)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["Song.daw", "a.wav", "b.wav"])
      #expect(try daw("bounce", "-p", "Song", "--verify", "-o", "mix.wav").line.hasSuffix(digest))
      #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("mix.wav").path))
    }
  }

  @Test("Without a manifest, with a damaged one, or without the file, it says what to do")
  func noManifest() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try makeSong(in: folder, daw)
      try daw("bounce", "-p", "Song", "-o", "mix.wav")
      var output = try daw.run(["verify", "mix.wav", "-p", "Song"])
      #expect(output.status == 66)
      #expect(output.error.contains("--manifest"))
      try Data("{}".utf8).write(to: folder.appendingPathComponent("mix.wav.json"))
      output = try daw.run(["verify", "mix.wav", "-p", "Song"])
      #expect(output.status == 65)
      #expect(output.error.contains("manifest"))
      output = try daw.run(["verify", "none.wav", "-p", "Song"])
      #expect(output.status == 66)
      output = try daw.run(["bounce", "-p", "Song", "-o", "-", "--manifest"])
      #expect(output.status == 64)
    }
  }

  @Test("What an instrument cannot do has its own exit status", .enabled(if: hasSoundFont))
  func instruments() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song")
      try addInstruments(to: daw, seed: 3)
      try daw("set-track", "Keys 0", "--bank", "127", "-p", "Song")
      var output = try daw.run(["bounce", "-p", "Song", "--digest"])
      #expect(output.status == 65)
      #expect(output.error.contains("bank 127"))
      try daw("undo", "-p", "Song")

      let font = folder.appendingPathComponent("broken.sf2")
      try (Data("RIFF".utf8) + Data([4, 0, 0, 0]) + Data("sfbk".utf8)).write(to: font)
      output = try daw.run(["set-track", "Keys 1", "--soundfont", "broken.sf2", "-p", "Song"])
      #expect(output.status == 65)
      #expect(output.error.contains("broken.sf2"))
    }
  }

  /// One span of a manifest that is read as JSON, changed, and written again.
  private func edit(_ manifest: URL, _ body: (inout [String: Any]) throws -> Void) throws {
    var object = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: manifest)) as? [String: Any])
    try body(&object)
    try JSONSerialization.data(withJSONObject: object).write(to: manifest)
  }

  @Test("A render that another library or machine made is told by its name, with the second it begins to differ in")
  func libraries() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try makeSong(in: folder, daw)
      try daw("bounce", "-p", "Song", "-o", "mix.wav", "--manifest", "--to", "100000f", "--bits", "32f")
      try edit(folder.appendingPathComponent("mix.wav.json")) { manifest in
        var versions = try #require(manifest["versions"] as? [String: Any])
        versions["soxr"] = "libsoxr-0.1.2"
        manifest["versions"] = versions
        var machine = try #require(manifest["machine"] as? [String: Any])
        machine["processor"] = "Z80"
        manifest["machine"] = machine
        var samples = try #require(manifest["samples"] as? [String: Any])
        var spans = try #require(samples["spans"] as? [String])
        #expect(spans.count == 3)
        spans[1] = "0123456789abcdef"
        samples["spans"] = spans
        samples["sha256"] = String(repeating: "0", count: 64)
        manifest["samples"] = samples
      }
      let (report, status) = try verify(daw, "mix.wav")
      #expect(status == 65 && !report.isSame && report.fileIsUntouched)
      #expect(report.firstDifferentFrame == 48_000)
      #expect(report.changes.contains { $0.hasPrefix("soxr: libsoxr-0.1.2 then, ") })
      #expect(report.changes.contains { $0.hasPrefix("processor: Z80 then, ") })
      #expect(report.changes.count == 2)
    }
  }

  @Test(
    "A manifest that asks for days of sound is refused before it is rendered; a moved end is compared",
    arguments: [["--to", "3600000s"], ["--tail", "3600000s"], ["--from", "3600000s", "--to", "3600001s"]])
  func endless(arguments: [String]) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try makeSong(in: folder, daw)
      try daw("bounce", "-p", "Song", "-o", "mix.flac", "--manifest", "--to", "100000f", "--track", "A")
      let manifest = folder.appendingPathComponent("mix.flac.json")
      try edit(manifest) { $0["arguments"] = arguments + ["--allow", "silent"] }
      let output = try daw.run(["verify", "mix.flac", "-p", "Song"])
      #expect(output.status == 65)
      #expect(output.error.contains("360000") && output.error.contains("the file had 3 s. Nothing was rendered."))
      try edit(manifest) { $0["arguments"] = ["--to", "110000f", "--track", "A"] }
      let (report, status) = try verify(daw, "mix.flac")
      #expect(status == 65 && !report.isSame)
    }
  }

  @Test("A medium of the project that was changed behind its back is found, though its size is the same")
  func sameSize() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try makeSong(in: folder, daw)
      // At another rate, so that a converted copy lies in the cache.
      var song = RandomSong(seed: 6)
      try PlainWave.write(
        song.noise(channels: 1, frames: 9_000, bits: 16), bits: 16, rate: 44_100,
        to: folder.appendingPathComponent("c.wav"))
      try daw("add-track", "C", "--volume", "-12", "-p", "Song")
      try daw("add-region", "C", "--file", "c.wav", "-p", "Song")
      try daw("bounce", "-p", "Song", "-o", "mix.wav", "--manifest")
      #expect(try verify(daw, "mix.wav").report.isSame)

      let medium = folder.appendingPathComponent("Song.daw/Audio/c.wav")
      let bytes = try Data(contentsOf: medium)
      var changed = bytes
      changed[44 + 2 * 5_000] ^= 0x55
      try changed.write(to: medium)
      let (report, status) = try verify(daw, "mix.wav")
      #expect(status == 65)
      // 5,000 frames at 44.1 kHz, less what the filter looks ahead.
      #expect((5_000...5_443).contains(report.firstDifferentFrame ?? 0), "\(report.firstDifferentFrame ?? 0)")
      #expect(report.changes.contains("medium 'Audio/c.wav' has other bytes"), "\(report.changes)")
      #expect(report.changes.contains("track 'C' has changed"), "\(report.changes)")
      let output = try daw.run(["bounce", "-p", "Song", "-o", "other.wav", "--manifest"])
      #expect(output.status == 65 && output.error.contains("c.wav") && output.error.contains("--allow changed"))
      #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("other.wav").path))

      try bytes.write(to: medium)
      #expect(try verify(daw, "mix.wav").report.isSame)
    }
  }

  @Test("Stems have a manifest for their folder, and each is compared with its render")
  func stems() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try makeSong(in: folder, daw)
      try daw("bounce", "-p", "Song", "--stems", "-o", "stems", "--manifest", "--bits", "16", "--normalize", "-20dBFS")
      #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("stems.json").path))
      var output = try daw.run(["bounce", "-p", "Song", "--stems", "-o", "stems", "--manifest"])
      #expect(output.status == 73)
      for name in ["stems", "stems/"] {
        let (report, status) = try verify(daw, name)
        #expect(status == 0 && report.isSame && report.fileIsUntouched)
        #expect(report.stems?.map(\.name) == ["A.wav", "B.wav"])
      }

      // The peak is in the part of the first track alone, so that the gain stays.
      try daw("set-region", "B/b", "--at", "7500f", "-p", "Song")
      var (report, status) = try verify(daw, "stems")
      #expect(status == 65 && !report.isSame && report.fileIsUntouched)
      #expect(report.changes.contains("track 'B' has changed"))
      #expect(report.stems?.first { $0.name == "B.wav" }?.firstDifferentFrame == 7_000)
      try daw("undo", "-p", "Song")

      let stem = folder.appendingPathComponent("stems/A.wav")
      let bytes = try Data(contentsOf: stem)
      var changed = bytes
      changed[changed.count - 4 * 3_000] ^= 1
      try changed.write(to: stem)
      (report, status) = try verify(daw, "stems")
      #expect(status == 65 && !report.fileIsUntouched)
      #expect(report.stems?.map(\.isSame) == [false, true])
      #expect(report.firstDifferentFrame == 13_000)
      try bytes.write(to: stem)

      try daw("add-track", "Late", "-p", "Song")
      try daw("add-region", "Late", "--file", "a.wav", "-p", "Song")
      output = try daw.run(["verify", "stems", "-p", "Song"])
      #expect(output.status == 65 && output.text.contains("'Late.wav' differs"), "\(output.text)")
      #expect(output.text.contains("track 'Late' was not heard before"), "\(output.text)")
      try daw("undo", "-p", "Song")
      try daw("undo", "-p", "Song")
      try FileManager.default.removeItem(at: stem)
      output = try daw.run(["verify", "stems", "-p", "Song"])
      #expect(output.status == 65 && output.text.contains("'A.wav' is missing"), "\(output.text)")
      #expect(!output.text.contains("differs") && !output.text.contains("changed since"), "\(output.text)")
      report = try verify(daw, "stems").report
      #expect(report.stems?.map(\.isMissing) == [true, false] && !report.fileIsUntouched)
    }
  }

  @Test("A stem that a manifest names again and again is compared once")
  func repeatedStems() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try makeSong(in: folder, daw)
      try daw("bounce", "-p", "Song", "--stems", "-o", "stems", "--manifest")
      try edit(folder.appendingPathComponent("stems.json")) { manifest in
        let stems = try #require(manifest["stems"] as? [Any])
        try #require(stems.count == 2)
        manifest["stems"] = [stems[1], stems[1], stems[0], stems[1], stems[0]]
      }
      let (report, status) = try verify(daw, "stems")
      #expect(status == 0 && report.isSame && report.fileIsUntouched)
      #expect(report.stems?.map(\.name) == ["B.wav", "A.wav"])
    }
  }
}
