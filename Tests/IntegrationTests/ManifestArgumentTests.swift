import DAWTestSupport
import Foundation
import Testing

/// The arguments that a manifest keeps, by which `daw verify` bounces again.
@Suite("Arguments in manifests")
struct ManifestArgumentTests {
  /// A project whose only track has the name of the command, and a cover in the folder `Art`.
  private func song(_ body: (DAWProgram) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["XDG_DATA_HOME": folder.path + "/home"])
      try PlainWave.write(
        [(0..<4_800).map { ($0 * 7_919) % 20_001 - 10_000 }], bits: 16, rate: 48_000,
        to: folder.appendingPathComponent("a.wav"))
      try daw("new", "Song")
      try daw("add-track", "bounce", "-p", "Song")
      try daw("add-region", "bounce", "--file", "a.wav", "-p", "Song")
      let art = folder.appendingPathComponent("Art")
      try FileManager.default.createDirectory(at: art, withIntermediateDirectories: true)
      // One pixel.
      let cover =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
      try #require(Data(base64Encoded: cover)).write(to: art.appendingPathComponent("me.png"))
      try body(daw)
    }
  }

  private struct Manifest: Decodable { var arguments: [String] }

  private func arguments(_ daw: DAWProgram, of file: String) throws -> [String] {
    let url = daw.folder.appendingPathComponent(file + ".json")
    return try JSONDecoder().decode(Manifest.self, from: Data(contentsOf: url)).arguments
  }

  /// Verified from elsewhere than it was bounced.
  private func expectSame(_ daw: DAWProgram, _ file: String, _ comment: Testing.Comment) throws {
    var other = daw
    other.folder = daw.folder.appendingPathComponent("Art")
    let output = try other.run(["verify", "../" + file, "-p", "../Song"])
    #expect(output.status == 0, "\(comment): \(output.error)\(output.text)")
  }

  @Test(
    "Options of every command leave nothing in it, wherever they stand",
    arguments: [
      ["-p", "Song", "bounce"], ["--project", "Song", "bounce"], ["--project=Song", "bounce"],
      ["-p", "Song.daw", "--color", "always", "bounce"], ["--color", "never", "-p", "Song", "bounce"],
      ["--color=always", "-p", "Song", "bounce"], ["--json", "-p", "Song", "bounce"], ["-q", "-p", "Song", "bounce"],
      ["bounce", "-p", "Song"], ["bounce", "--project", "Song", "--color", "never"],
      ["bounce", "--color=auto", "-p", "Song", "-q"], ["-p", "Song", "bounce", "--threads=2", "--block", "100"],
      ["-p", "Song", "bounce", "--overwrite", "--no-cache", "--explain", "--verify"],
    ])
  func everyCommand(line: [String]) throws {
    try song { daw in
      let output = try daw.run(line + ["-o", "mix.wav", "--manifest"])
      #expect(output.status == 0, "\(line): \(output.error)")
      #expect(try arguments(daw, of: "mix.wav") == [], "\(line)")
      try expectSame(daw, "mix.wav", "\(line)")
    }
  }

  @Test("Letters that are joined, and values behind an equals sign, are what they are elsewhere")
  func joined() throws {
    try song { daw in
      for output in [["-qo", "mix.wav"], ["-o=mix.wav"], ["--output=mix.wav"]] {
        let run = try daw.run(["-p", "Song", "bounce", "--bits=16", "--overwrite", "--manifest"] + output)
        #expect(run.status == 0, "\(output): \(run.error)")
        #expect(try arguments(daw, of: "mix.wav") == ["--bits", "16"], "\(output)")
        try expectSame(daw, "mix.wav", "\(output)")
      }
    }
  }

  @Test(
    "A value stays, though it is the command's name, begins with a dash or is a path",
    arguments: [
      (["--title", "bounce", "--artist", "X"], ["--title", "bounce", "--artist", "X"]),
      (["--track", "bounce"], ["--track", "bounce"]), (["--title=--bits"], ["--title=--bits"]),
      (["--title=a=b", "--comment=-p Song"], ["--title", "a=b", "--comment=-p Song"]),
      (["--normalize", "-20dBFS", "--no-loudness"], ["--normalize=-20dBFS", "--no-loudness"]),
      (["--from=10f", "--to", "4000f", "--mono"], ["--from", "10f", "--to", "4000f", "--mono"]),
      (["--album", "always", "--cover", "Art/me.png"], ["--album", "always", "--cover", "/Art/me.png"]),
      (["--cover=Art/../Art/me.png"], ["--cover", "/Art/../Art/me.png"]),
    ] as [([String], [String])])
  func values(options: [String], kept: [String]) throws {
    try song { daw in
      let output = try daw.run(["-p", "Song", "bounce", "-o", "mix.flac", "--manifest"] + options)
      #expect(output.status == 0, "\(options): \(output.error)")
      let written = try arguments(daw, of: "mix.flac")
      #expect(written.count == kept.count, "\(written)")
      // A path is absolute.
      for (one, other) in zip(written, kept) {
        #expect(one == other || other.hasPrefix("/") && one.hasPrefix("/") && one.hasSuffix(other), "\(written)")
      }
      try expectSame(daw, "mix.flac", "\(options)")
    }
  }

  @Test("A bounce from the queue is verified, whatever is in its line")
  func queue() throws {
    try song { daw in
      for (name, options) in [
        ("q.wav", []), ("r.flac", ["--title", "bounce", "--cover", "Art/me.png", "--color", "never"]),
      ] as [(String, [String])] {
        let output = try daw.run(["enqueue", "-p", "Song", "--", "bounce", "-o", name, "--manifest"] + options)
        #expect(output.status == 0, "\(output.error)")
      }
      let work = try daw("work", "-p", "Song")
      #expect(work.text.contains("2 jobs done"), "\(work.text)\(work.error)")
      #expect(try arguments(daw, of: "q.wav") == [])
      #expect(try arguments(daw, of: "r.flac").prefix(3) == ["--title", "bounce", "--cover"])
      for name in ["q.wav", "r.flac"] { try expectSame(daw, name, "\(name)") }
    }
  }

  private func replaceArguments(_ daw: DAWProgram, of file: String, by arguments: [String]) throws {
    let url = daw.folder.appendingPathComponent(file + ".json")
    var object = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
    object["arguments"] = arguments
    try JSONSerialization.data(withJSONObject: object).write(to: url)
  }

  @Test(
    "A manifest in which an earlier daw left words of other options, or left out the word bounce, is read",
    arguments: [
      ["Song"], ["/somewhere/Song.daw"], ["always"], ["Song", "--color", "always"], ["--color", "never"],
      ["--color=never"], ["-qo", "mix.flac"],
    ])
  func earlier(left: [String]) throws {
    try song { daw in
      try daw(
        "bounce", "-p", "Song", "-o", "mix.flac", "--manifest", "--bits", "16", "--title", "bounce", "--artist", "X",
        "--track", "bounce")
      for rest in [
        ["--bits", "16", "--title", "--artist", "X", "--track"], ["--title", "--track", "--artist=X", "--bits=16"],
        ["--artist", "X", "--title", "--bits=16", "--track", "bounce"],
      ] {
        try replaceArguments(daw, of: "mix.flac", by: left + rest)
        try expectSame(daw, "mix.flac", "\(left + rest)")
      }
    }
  }

  @Test("What no daw has written is refused, and shown in part")
  func unreadable() throws {
    try song { daw in
      try daw("bounce", "-p", "Song", "-o", "mix.wav", "--manifest")
      for arguments in [
        ["--bits", "16", "Song"], ["--nonsense"], ["--bits", "17"], ["--help"], ["Song", "Song"],
        ["--bits", "16", String(repeating: "x", count: 1_000_000)], ["--" + String(repeating: "'y", count: 500_000)],
        ["-" + String(repeating: "q", count: 10_000)], ["-" + String(repeating: "q", count: 10_000) + "=x"],
        [String](repeating: "-qq", count: 300),
      ] {
        try replaceArguments(daw, of: "mix.wav", by: arguments)
        let output = try daw.run(["verify", "mix.wav", "-p", "Song", "--json"])
        #expect(output.status == 65 && output.error.contains("\"invalidManifest\""), "\(output.error.prefix(300))")
        #expect(output.error.utf8.count < 10_000)
      }
    }
  }

  @Test("Texts of a manifest are shown in part, where another program has made them long")
  func longTexts() throws {
    try song { daw in
      try daw("bounce", "-p", "Song", "-o", "mix.wav", "--manifest")
      try daw("set-track", "bounce", "--volume", "-3", "-p", "Song")
      let url = daw.folder.appendingPathComponent("mix.wav.json")
      let object = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
      let long = String(repeating: "z", count: 1_000_000)
      for (key, value) in [
        ("versions", ["daw": long]), ("settings", [long: "1"]),
        ("file", ["name": long, "byteCount": 1, "sha256": "f"]),
        ("tracks", (0..<3_000).map { ["id": "\($0)", "name": "\(long.prefix(1_000))", "sha256": "f"] }),
      ] as [(String, Any)] {
        var changed = object
        changed[key] = value
        try JSONSerialization.data(withJSONObject: changed).write(to: url)
        for form in [[], ["--json"]] {
          let output = try daw.run(["verify", "mix.wav", "-p", "Song"] + form)
          #expect(output.status == 65, "\(key): \(output.error.prefix(300))")
          #expect(output.error.utf8.count + output.data.count < 200_000, "\(key)")
        }
      }
    }
  }
}
