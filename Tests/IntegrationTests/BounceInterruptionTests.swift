import DAWTestSupport
import Foundation
import Glibc
import Testing

@Suite("Bounces that are broken off")
struct BounceInterruptionTests {
  /// Two tracks of noise in the scratch folder.
  /// - Parameter seconds: a multiple of 10.
  private func withSong(seconds: Int, _ body: (DAWProgram, URL) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      var song = RandomSong(seed: 31)
      let second = song.noise(channels: 2, frames: 48_000, bits: 16)
      let samples = second.map { side in (1..<10).reduce(into: side) { all, _ in all += side } }
      try PlainWave.write(samples, bits: 16, rate: 48_000, to: folder.appendingPathComponent("a.wav"))
      try daw("new", "Song")
      let lines = ["A", "B"].flatMap { name in
        ["add-track \(name) --volume -20", "add-region \(name) --file a.wav --name \(name)"]
          + (seconds > 10 ? ["copy-region \(name) --at 10s --count \(seconds / 10 - 1)"] : [])
      }
      try daw("batch", "-", input: lines.joined(separator: "\n") + "\n")
      try body(daw, folder)
    }
  }

  private func names(_ folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private static let fullDisks: [(mount: String, options: String)] = [
    ("small", "-o small/mix.wav --bits 64f"), ("small", "-o small/mix.flac"), ("small", "-o small/mix.aiff"),
    ("small", "-o small/stems --stems"), ("small", "-o small/mix.wav --normalize -30LUFS"),
    ("Song.daw/Cache", "-o mix.wav --normalize -30LUFS"), ("Song.daw/Cache", "-o stems --stems --normalize -30dBFS"),
    ("Song.daw/Cache", "-o - --format flac"),
  ]

  @Test(
    "A full disk: status 74, a sentence, and nothing is left behind", .enabled(if: ownMounts != nil),
    arguments: fullDisks.indices)
  func fullDisk(index: Int) throws {
    let (mount, options) = Self.fullDisks[index]
    try withSong(seconds: 10) { daw, folder in
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent("small"), withIntermediateDirectories: true)
      let before = try names(folder)
      let script = """
        mount -t tmpfs -o size=1m tmpfs \(mount)
        DAW_PROJECT=Song daw bounce \(options) >output
        echo "status $?"
        ls -A \(mount)
        """
      let (_, text) = try runShell(in: folder, input: "\(try #require(ownMounts)) bash <<'EOF'\n\(script)\nEOF\n")
      try? FileManager.default.removeItem(at: folder.appendingPathComponent("output"))
      let lines = text.split(separator: "\n").map(String.init)
      #expect(lines.last == "status 74", "\(text)")
      let isSaid = text.contains("daw: The disk is full") || text.contains("and its disk has")
      #expect(isSaid && !text.contains("within daw"), "\(text)")
      #expect(try names(folder) == before, "\(text)")
    }
  }

  @Test(
    "What its disk cannot hold is refused before anything is written",
    arguments: ["-o far.wav", "-o far.aiff --rate 44100", "-o far --stems", "-o - --format aiff"])
  func impossible(options: String) throws {
    try withSong(seconds: 10) { daw, folder in
      let before = try names(folder)
      let text = try runShell(
        in: folder,
        input: """
          ulimit -f 1024
          DAW_PROJECT=Song daw bounce \(options) --to 100000000s
          echo "status $?"
          """
      ).text
      #expect(text.contains("MiB free. Nothing was written.") && text.hasSuffix("status 74\n"), "\(text)")
      #expect(try names(folder) == before, "\(text)")
    }
  }

  @Test(
    "A limit on the size of files: status 74, a sentence, and nothing is left behind",
    arguments: [
      "bounce -o mix.wav --bits 64f", "bounce -o mix.flac", "bounce -o mix.wav --normalize -30LUFS", "add-track C",
    ])
  func fileSizeLimit(command: String) throws {
    try withSong(seconds: 10) { daw, folder in
      let before = try names(folder)
      let (_, text) = try runShell(
        in: folder,
        input: """
          ulimit -f \(command.hasPrefix("bounce") ? 1_024 : 8)
          DAW_PROJECT=Song daw \(command)
          echo "status $?"
          """)
      let lines = text.split(separator: "\n").map(String.init)
      #expect(lines.last == "status 74" && !text.contains("within daw"), "\(text)")
      #expect(try names(folder) == before, "\(text)")
      try daw("check")
      #expect(try daw("list-tracks", "-q").text.split(separator: "\n").count == 3)
    }
  }

  @Test("However few files a process may open, a command ends, and says it where these are too few")
  func fileCountLimit() throws {
    try withSong(seconds: 1) { _, folder in
      let text = try runShell(
        in: folder,
        input: """
          export DAW_PROJECT=Song
          for count in 5 8 12 31 32 33 34 36 40; do
            (ulimit -n $count; exec timeout -s KILL 20 daw bounce -o mix.wav --overwrite)
            echo "status $?"
          done
          (ulimit -n 8; exec timeout -s KILL 20 daw check)
          echo "status $?"
          """
      ).text
      #expect(text.components(separatedBy: "status ").count > 10 && !text.contains("status 137"), "\(text)")
      #expect(text.components(separatedBy: "status 69").count > 4, "\(text)")
      #expect(text.components(separatedBy: "may open 8 files at once").count == 3, "\(text)")
    }
  }

  private static let longWork: [[String]] = [
    ["-o", "stems", "--stems"], ["-o", "mix.wav", "--bits", "16"], ["-o", "mix.wav", "--normalize", "-30LUFS"],
    ["-o", "mix.flac", "--rate", "44100"],
  ]

  @Test(
    "Ended by a signal: 128 and its number, a sentence, and nothing is left behind", arguments: longWork,
    [SIGINT, SIGTERM, SIGHUP])
  func interrupted(options: [String], signal: Int32) throws {
    try withSong(seconds: 600) { daw, folder in
      let before = try names(folder)
      let output = try breakOff(daw, ["bounce", "--block", "64"] + options, by: signal, delay: 30_000) {
        try names(folder).contains { $0.contains(".partial-") }
      }
      #expect(output.status == 128 + signal && output.signal == nil, "\(output.status) \(output.error)")
      #expect(output.error.contains("Interrupted. Nothing was written."), "\(output.error)")
      #expect(try names(folder) == before)
      #expect(try names(folder.appendingPathComponent("Song.daw/Cache")).allSatisfy { !$0.hasPrefix(".") })
    }
  }

  @Test("Ctrl-C while the gain is applied, in the second pass")
  func interruptedInSecondPass() throws {
    try withSong(seconds: 120) { daw, folder in
      let before = try names(folder)
      let output = try breakOff(daw, ["bounce", "-o", "mix.wav", "--normalize", "-30LUFS"], by: SIGINT) {
        try names(folder).contains { name in
          let path = folder.appendingPathComponent(name).path
          let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
          return name.contains(".partial-") && (size ?? 0) > 0
        }
      }
      #expect(output.status == 130, "\(output.status) \(output.error)")
      #expect(try names(folder) == before)
    }
  }

  @Test("What a killed bounce of stems has left goes with the next")
  func killedStems() throws {
    try withSong(seconds: 120) { daw, folder in
      let output = try breakOff(daw, ["bounce", "-o", "stems", "--stems", "--block", "16"], by: SIGKILL) {
        try names(folder).contains { $0.hasPrefix(".stems.partial-") }
      }
      #expect(output.signal == SIGKILL)
      #expect(try names(folder).contains { $0.hasPrefix(".stems.partial-") })
      #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("stems").path))
      try daw("bounce", "-o", "stems", "--stems", "--to", "1s")
      #expect(try names(folder) == ["Song.daw", "a.wav", "stems"])
      #expect(try names(folder.appendingPathComponent("stems")) == ["A.wav", "B.wav"])
    }
  }

  /// Starts a bounce, waits until it is at work, and sends it a signal. It stands still from before it is looked at for
  /// the last time until the signal is there; so one that is done by then, because this process had to wait for the
  /// machine, is known for no trial, and there is another.
  /// - Parameters:
  ///   - delay: microseconds that it goes on for.
  ///   - isAtWork: whether there is what only a bounce at work has.
  private func breakOff(
    _ daw: DAWProgram, _ arguments: [String], by signal: Int32, delay: UInt32 = 0, isAtWork: () throws -> Bool
  ) throws -> DAWProgram.Output {
    let before = try names(daw.folder)
    for _ in 0..<100 {
      let run = try daw.start(arguments)
      while try run.process.isRunning && !isAtWork() { usleep(1_000) }
      usleep(delay)
      run.send(SIGSTOP)
      while run.isUnderWay { usleep(500) }
      let isTrial = try isAtWork()
      if isTrial { run.send(signal) }
      run.send(SIGCONT)
      let output = run.finish()
      // The last thing that a bounce does may be under way when it is stopped; then it is done all the same.
      if isTrial, output.status != 0 { return output }
      guard output.status == 0 else { throw DAWProgram.Failed(arguments: arguments, output: output) }
      for name in try names(daw.folder) where !before.contains(name) {
        try FileManager.default.removeItem(at: daw.folder.appendingPathComponent(name))
      }
    }
    throw NoTrial()
  }

  private struct NoTrial: Error {}

  @Test(
    "On a terminal a bar shows how far it is and the time left; it is taken off, and a pipe gets none",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")))
  func progress() throws {
    try withSong(seconds: 180) { _, folder in
      let script = """
        export DAW_PROJECT=Song
        script -qec "daw bounce -o mix.wav --block 64 --threads 1" /dev/null </dev/null
        daw bounce -o other.wav --to 1s 2>&1 | cat
        """
      let (status, text) = try runShell(in: folder, input: script)
      #expect(status == 0, "\(text)")
      let shown = text.components(separatedBy: "mix.wav")[0]
      #expect(shown.contains(" left\u{1B}[K\r") && shown.contains("Bouncing █"), "\(text)")
      #expect(text.contains("\r\u{1B}[K"), "\(text)")
      #expect(!text.components(separatedBy: "mix.wav").dropFirst().joined().contains("Bouncing"), "\(text)")
    }
  }
}
