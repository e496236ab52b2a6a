import DAWTestSupport
import Foundation
import Glibc
import Testing

/// Unfinished files of a process that ended are never taken for finished ones, and are removed later.
@Suite("Leftovers")
struct LeftoverTests {
  @Test("A backup is a whole project file or not there, whenever its process is killed")
  func killedBackups() throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try daw("batch", "-", input: "add-track Piano --type midi\nadd-region Piano --name Part --length 2000b\n")
      let notes = (0..<12_000).map { "\(36 + $0 % 60),\($0 * 1_000),900" }
      try daw(
        "add-notes", "Part", input: (["pitch,startTicks,durationTicks"] + notes).joined(separator: "\n") + "\n")
      let backups = folder.appending(path: "Song.daw/Backups")
      let start = Date()
      try daw("backup")
      let length = Date().timeIntervalSince(start)
      for _ in 0..<20 {
        let run = try daw.start(["backup"])
        usleep(UInt32.random(in: 0...UInt32(length * 1_000_000), using: &generator))
        run.kill()
        _ = run.finish()
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: backups.path).filter { !$0.hasPrefix(".") }
      #expect(!names.isEmpty)
      for name in names {
        let copy = folder.appending(path: "\(name).daw")
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: false)
        try FileManager.default.copyItem(
          at: backups.appending(path: name), to: copy.appending(path: "project.sqlite"))
        let output = try daw.run(["check", "-p", copy.path])
        #expect(output.status == 0, "seed \(seed): \(name): \(output.text)\(output.error)")
      }
      try daw("clean")
      #expect(try FileManager.default.contentsOfDirectory(atPath: backups.path).sorted() == names.sorted())
    }
  }

  @Test("What a killed backup has left goes with clean, and a backup stays")
  func partialBackups() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try daw("backup")
      let backups = folder.appending(path: "Song.daw/Backups")
      let whole = try FileManager.default.contentsOfDirectory(atPath: backups.path)
      let left = [".project-x.sqlite.partial", ".project-x.sqlite.partial-journal"]
      for name in left { try Data("half".utf8).write(to: backups.appending(path: name)) }
      struct Cleaned: Decodable { var removed: [String] }
      let cleaned = try daw("clean", "--json").json(Cleaned.self)
      #expect(cleaned.removed.sorted() == left.map { "Backups/\($0)" })
      #expect(try FileManager.default.contentsOfDirectory(atPath: backups.path) == whole)
    }
  }

  @Test(
    "What a killed 'new' or 'copy' has left goes with the next in that folder; what is in the making, or not ours, stays"
  )
  func drafts() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      let names = [
        ".Song.daw.new-0123ABCD", ".Song.daw.new-4567CDEF", ".Song.daw.new-version1", ".Other.daw.new-0123ABCD",
        ".Notes.daw.new-0123abcd",
      ]
      for name in names {
        try FileManager.default.createDirectory(
          at: folder.appending(path: name + "/Audio"), withIntermediateDirectories: true)
      }
      try Data("the user's".utf8).write(to: folder.appending(path: names[4] + "/letter"))
      // As the process does that makes it.
      let descriptor = open(folder.appending(path: names[1]).path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      defer { close(descriptor) }
      #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
      try daw("new", "Song")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
          == (names[1...2] + [names[4], "Song.daw"]).sorted())
      try FileManager.default.createDirectory(
        at: folder.appending(path: names[3] + "/Audio"), withIntermediateDirectories: true)
      try daw("copy", "Song", "Other")
      #expect(!FileManager.default.fileExists(atPath: folder.appending(path: names[3]).path))
    }
  }

  @Test("The longest name that a folder can have is a project's too")
  func longestName() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      let name = String(repeating: "n", count: 251)
      try daw("new", name)
      try daw("check", "-p", name)
      #expect(try daw.run(["new", name + "n"]).status == 73)
    }
  }

  @Test("On a full disk, clean makes room by the cache, and says so", .enabled(if: ownMounts != nil))
  func cleanOnFullDisk() throws {
    try withScratchFolder { folder in
      let script = """
        mkdir small
        mount -t tmpfs -o size=4m tmpfs small
        cd small
        daw new Song --quiet
        dd if=/dev/zero of=Song.daw/Cache/old.wav bs=1k count=1024 2>/dev/null
        dd if=/dev/zero of=Song.daw/Audio/unused.wav bs=1k count=64 2>/dev/null
        dd if=/dev/zero of=fill bs=1k 2>/dev/null
        for words in "clean" "clean --cache --dry-run" "clean --cache" "add-track After" "check"; do
          daw -p Song $words
          echo "$words: status $?"
        done
        ls Song.daw/Cache Song.daw/Audio
        """
      let (_, text) = try runShell(in: folder, input: "\(try #require(ownMounts)) bash <<'EOF'\n\(script)\nEOF\n")
      #expect(text.contains("clean: status 74") && text.contains("'daw clean --cache' can make room"), "\(text)")
      #expect(text.contains("clean --cache --dry-run: status 74"), "\(text)")
      #expect(text.contains("  Cache/old.wav\n  Audio/unused.wav\nclean --cache: status 0"), "\(text)")
      #expect(text.contains("add-track After: status 0") && text.contains("check: status 0"), "\(text)")
    }
  }
}
