import DAWTestSupport
import Foundation
import Testing

/// Another's project may hold links to anywhere, and a user's own may hold some on purpose: reading goes through them,
/// writing and deleting never does.
@Suite("Links in a project's folder")
struct LinkTests {
  /// Where a link can be, and what it leads to; `outside/` lies beside the project.
  struct Placement: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Run in the project's folder.
    var script: String

    init(_ name: String, _ script: String) { (testDescription, self.script) = (name, script) }
  }

  /// A new place is one line.
  static let placements: [Placement] = [
    .init("the cache", "rm -r Cache; ln -s ../outside Cache"),
    .init("a folder of the cache", "rm -rf Cache/renders; ln -s ../../outside Cache/renders"),
    .init("the media", "mv Audio ../outside/Audio; ln -s ../outside/Audio"),
    .init("a folder of media", "ln -s ../../outside/lib Audio/lib"),
    .init("a medium that is used", "mv Audio/a.wav ../outside; ln -s ../../outside/a.wav Audio"),
    .init("a medium that is not used", "ln -s ../../outside/letter Audio/unused.wav"),
    .init("the folder of incoming media", "rm -rf Audio/.incoming; ln -s ../../outside Audio/.incoming"),
    .init("an incoming medium", "mkdir -p Audio/.incoming; ln -s ../../../outside/letter Audio/.incoming/copy"),
    .init("another medium's name", "ln -s ../../outside/new.wav Audio/b.wav"),
    .init("the bounces", "rm -r Bounces; ln -s ../outside Bounces"),
    .init(
      "bounces",
      "cd Bounces; for n in Song.wav Song.wav.json 'Song 2.wav'; do ln -s ../../outside/letter \"$n\"; done; "
        + "ln -s ../../outside 'Song stems'"),
    .init("the backups", "rm -r Backups; ln -s ../outside Backups"),
    .init("a backup in the making", "ln -s ../../outside/letter Backups/.project-x.sqlite.partial"),
    .init("the ignore file", "ln -sf ../outside/letter .gitignore"),
    .init(
      "every file of the cache",
      "find Cache -type f >../files; while read -r f; do ln -sf \"$PWD/../outside/letter\" \"$f\"; done <../files"),
    .init(
      "every lock of the cache",
      "cd Cache; for f in *.*; do rm \"$f\"; ln -s ../../outside/lock \".${f%.wav}.lock\"; done"),
    .init(
      "what a killed process left in the cache",
      "for n in .scratch-x .a.wav.partial-00000000 .a.lock x.render.partial-1-1; do ln -s ../../outside Cache/$n; done"),
    .init(
      "the results in the user's own folder",
      "cd ..; for n in mix.wav mix.wav.json mix.flac song.mid; do ln -s outside/letter $n; done; ln -s outside stems"),
    .init(
      "pipes everywhere",
      "find Cache -type f >../files; while read -r f; do rm \"$f\"; mkfifo \"$f\"; done <../files; "
        + "mkfifo Audio/pipe.wav Bounces/Song.wav Backups/.x.partial Cache/.a.lock"),
  ]

  /// Every command that writes, or that looks at all of a project. A new one is one line.
  static let commands: [String] = [
    "check", "clean --dry-run --cache", "clean", "clean --cache", "bounce", "bounce --overwrite --manifest",
    "bounce -o mix.wav --manifest --overwrite", "verify mix.wav", "bounce -o mix.flac --overwrite --rate 44100",
    "bounce -o mix.wav --normalize -20LUFS --overwrite", "bounce -o - --format flac", "bounce --stems",
    "bounce -o stems --stems --overwrite", "bounce --loop-tail", "bounce --digest", "bounce --verify",
    "add-region Tape --file b.wav --at 5", "import b.wav", "import b.wav --link", "import song.mid",
    "add-track Drums --type midi", "set-track Tape --volume -3", "undo", "undo", "redo", "backup", "upgrade",
    "export -o song.mid --overwrite", "new Again --from song.json --media Song.daw", "copy Song Twin", "show",
    "history",
    "clean --cache", "check",
  ]

  @Test("No command changes what they lead to, and none waits for a pipe", arguments: placements)
  func outsideStaysAsItWas(placement: Placement) throws {
    try withSong { daw, folder in
      let (status, text) = try runShell(in: folder, input: "set -e\ncd Song.daw\n\(placement.script)\n")
      #expect(status == 0, "\(text)")
      let outside = folder.appending(path: "outside")
      let before = try Tree(outside)
      for command in Self.commands {
        let words = command.split(separator: " ").map(String.init)
        let output = try daw.run(words)
        #expect(output.signal == nil, "\(command): \(output.error)")
        #expect(try Tree(outside) == before, "\(command): \(output.status) \(output.error)")
        #expect(output.status != 70, "\(command): \(output.error)")
      }
    }
  }

  @Test("A linked cache is not used: the user's takes its place, and check says so")
  func linkedCache() throws {
    try withSong { daw, folder in
      _ = try runShell(in: folder, input: "rm -r Song.daw/Cache; ln -s ../outside Song.daw/Cache")
      try daw("bounce", "-o", "mix.wav")
      let kept = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "home/daw").path)
      #expect(kept.contains { $0.hasSuffix(".wav") })
      try Self.requireNotice(of: "Cache", daw)
      let output = try daw("clean", "--cache", "--json").json(Cleaned.self)
      #expect(output.removed.isEmpty && output.left == ["Cache"])
    }
  }

  @Test("Linked media are read and copied whole; an import is refused, with --link it is not")
  func linkedMedia() throws {
    try withSong { daw, folder in
      try daw("bounce", "-o", "before.wav")
      _ = try runShell(in: folder, input: "mv Song.daw/Audio outside/Audio; ln -s ../outside/Audio Song.daw")
      try daw("bounce", "-o", "after.wav")
      let results = try ["before.wav", "after.wav"].map { try Data(contentsOf: folder.appending(path: $0)) }
      #expect(results[0] == results[1])
      let revision = try daw("revision").line
      let output = try daw.run(["import", "b.wav"])
      #expect(output.status == 73 && output.error.contains("is a link") && output.error.contains("--link"))
      #expect(try daw("revision").line == revision)
      try daw("import", "b.wav", "--link")
      try Self.requireNotice(of: "Audio", daw)
      try daw("copy", "Song", "Twin")
      let twin = folder.appending(path: "Twin.daw/Audio")
      #expect(
        try FileManager.default.attributesOfItem(atPath: twin.path)[.type] as? FileAttributeType == .typeDirectory)
      try daw("-p", "Twin", "check")
      let copies = try [twin, folder.appending(path: "outside/Audio")].map {
        try Data(contentsOf: $0.appending(path: "a.wav"))
      }
      #expect(copies[0] == copies[1])
    }
  }

  @Test("A link within Audio/ is left by clean and named; what is unused beside it goes")
  func linkAmongMedia() throws {
    try withSong { daw, folder in
      _ = try runShell(
        in: folder,
        input: "mkdir Song.daw/Audio/more; cp b.wav Song.daw/Audio/more; ln -s ../../outside/lib Song.daw/Audio/more")
      let output = try daw("clean", "--json").json(Cleaned.self)
      #expect(output.removed == ["Audio/more/b.wav"] && output.left == ["Audio/more/lib"])
      try Self.requireNotice(of: "Audio/more/lib", daw)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/Song.daw/Audio/more") == ["lib"])
    }
  }

  @Test("Linked bounces and backups: what would be written there is refused, and says what to do")
  func linkedResults() throws {
    try withSong { daw, folder in
      for name in ["Bounces", "Backups"] {
        _ = try runShell(in: folder, input: "rm -r Song.daw/\(name); ln -s ../outside Song.daw/\(name)")
        try Self.requireNotice(of: name, daw)
      }
      for words in [["bounce"], ["bounce", "--stems"], ["backup"], ["upgrade"]] {
        let output = try daw.run(words)
        #expect(output.status == 73 && output.error.contains("is a link"), "\(words): \(output.status) \(output.error)")
      }
      try daw("bounce", "-o", "mix.wav")
      try daw("undo")
    }
  }

  @Test("What is the user's own: a link to a result is refused, or with --overwrite replaced, and its target stays")
  func ownLink() throws {
    try withSong { daw, folder in
      _ = try runShell(in: folder, input: "ln -s outside/letter mix.wav; ln -s outside stems")
      #expect(try daw.run(["bounce", "-o", "mix.wav"]).status == 73)
      try daw("bounce", "-o", "mix.wav", "--overwrite")
      #expect(try String(contentsOf: folder.appending(path: "outside/letter"), encoding: .utf8) == "mine\n")
      #expect(try daw.run(["bounce", "-o", "stems", "--stems", "--overwrite"]).status == 73)
    }
  }

  @Test(
    "A manifest whose file has no plain name leads nowhere", arguments: ["../../escaped.wav", "/tmp/x.wav", "..", ""])
  func manifestName(name: String) throws {
    try withSong { daw, folder in
      try daw("bounce", "-o", "mix.wav", "--manifest")
      let place = folder.appending(path: "mix.wav.json")
      let text = try String(contentsOf: place, encoding: .utf8)
      try text.replacingOccurrences(of: "\"mix.wav\"", with: "\"\(name)\"").write(
        to: place, atomically: true, encoding: .utf8)
      // SQLite's own files come and go in the project's folder while it is open, which leaves the folder another time.
      let before = try Tree(folder, withoutTimesOf: ["Song.daw"])
      let output = try daw.run(["verify", "mix.wav"])
      #expect(output.status == 65 && output.error.contains("is no name"), "\(output.status) \(output.error)")
      #expect(try Tree(folder, withoutTimesOf: ["Song.daw"]) == before)
    }
  }

  // MARK: A song, and what is around it

  private struct Cleaned: Decodable {
    var removed: [String]
    var left: [String]
  }

  private static func requireNotice(of path: String, _ daw: DAWProgram) throws {
    let output = try daw("check")
    #expect(output.text.contains("symbolicLink: '\(path)' is a link to '"), "\(output.text)")
  }

  /// A song with a file at another rate than its own, rendered once, so that its cache is full; `outside` with a
  /// letter, and media that nothing uses.
  private func withSong(_ body: (DAWProgram, URL) throws -> Void) throws {
    try withScratchFolder { folder in
      for name in ["home", "outside", "outside/lib"] {
        try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: false)
      }
      let home = folder.appending(path: "home").path
      let daw = DAWProgram(
        folder: folder, environment: ["DAW_PROJECT": "Song", "XDG_CACHE_HOME": home, "XDG_CONFIG_HOME": home])
      var song = RandomSong(seed: 7)
      for (name, rate) in [("a.wav", 44_100), ("b.wav", 32_000), ("outside/lib/take.wav", 48_000)] {
        try PlainWave.write(
          song.noise(channels: 1, frames: 3_000, bits: 16), bits: 16, rate: rate, to: folder.appending(path: name))
      }
      try Data("mine\n".utf8).write(to: folder.appending(path: "outside/letter"))
      try daw("new", "Song")
      try daw(
        "batch", "-",
        input: """
          add-track Tape
          add-region Tape --file a.wav
          add-track Keys --type midi
          add-region Keys --name Part --length 1b
          add-note Part 60 --at 0b --length 1b

          """)
      try daw("bounce", "-o", "first.wav")
      try FileManager.default.removeItem(at: folder.appending(path: "first.wav"))
      try daw("show", "--json", "--notes").data.write(to: folder.appending(path: "song.json"))
      try body(daw, folder)
    }
  }
}

/// Names, kinds, times and bytes of all that lies below a folder, which are compared with what they are later.
struct Tree: Equatable {
  private var entries: [String: [String]] = [:]

  init(_ folder: URL, withoutTimesOf timeless: Set<String> = []) throws {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    for name in names + [""] {
      let path = folder.path + "/" + name
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      let isFile = status.st_mode & S_IFMT == S_IFREG
      let time = timeless.contains(name) ? "" : "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
      entries[name] = [
        "\(status.st_mode)", "\(status.st_ino)", time,
        isFile ? try Data(contentsOf: URL(fileURLWithPath: path)).base64EncodedString() : "",
      ]
    }
  }
}
