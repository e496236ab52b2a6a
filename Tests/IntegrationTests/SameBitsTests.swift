import DAWTestSupport
import Foundation
import Testing

@Suite("The same bits every time")
struct SameBitsTests {
  /// - Returns: the digest of the samples.
  private func digest(_ daw: DAWProgram, _ options: String..., environment: [String: String] = [:]) throws -> String {
    var daw = daw
    daw.environment.merge(environment) { $1 }
    let output = try daw.run(["bounce", "-p", "Song", "--digest", "--allow", "silent"] + options)
    guard output.status == 0 else { throw DAWProgram.Failed(arguments: options, output: output) }
    return output.line
  }

  @Test("Random songs: blocks, threads, instructions, runs and the cache change no bit", arguments: 0..<2)
  func whatMustNotMatter(song: Int) throws {
    let seed = Seed.current() &+ UInt64(song)
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try RandomSong(seed: seed).make(with: daw)
      if hasSoundFont { try addInstruments(to: daw, seed: seed) }
      let expected = try digest(daw, "--no-cache", "--threads", "1")
      #expect(expected.count == 64)
      for (block, threads) in [(64, 7), (1_023, 1), (1_024, 2), (65_536, 2)] {
        #expect(
          try digest(daw, "--no-cache", "--block", "\(block)", "--threads", "\(threads)") == expected,
          "seed \(seed), blocks of \(block), \(threads) threads")
      }
      for instructions in ["portable", "best"] {
        #expect(
          try digest(daw, "--no-cache", environment: ["DAW_INSTRUCTIONS": instructions]) == expected,
          "seed \(seed), \(instructions)")
      }
      for run in ["cold", "warm", "warm again"] { #expect(try digest(daw) == expected, "seed \(seed), \(run)") }
      #expect(try digest(daw, "--verify") == expected, "seed \(seed)")

      // Elsewhere, as another project.
      let elsewhere = folder.appendingPathComponent("elsewhere")
      try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
      try daw("copy", "Song", "elsewhere/Song")
      #expect(try digest(DAWProgram(folder: elsewhere)) == expected, "seed \(seed), a copy")

      // The other build, where there is one: DAW_OTHER names its program.
      if let other = ProcessInfo.processInfo.environment["DAW_OTHER"] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: other)
        process.arguments = ["bounce", "-p", "Song", "--digest", "--allow", "silent", "--no-cache"]
        process.currentDirectoryURL = folder
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(text.trimmingCharacters(in: .newlines) == expected, "seed \(seed), \(other)")
      }
    }
  }

  @Test("Blocks of a single frame change no bit")
  func singleFrames() throws {
    let seed = Seed.current()
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try RandomSong(seed: seed).make(with: daw)
      if hasSoundFont { try addInstruments(to: daw, seed: seed) }
      let range = ["--from", "3000f", "--to", "3500f", "--tail", "0s"]
      func bounced(_ options: [String]) throws -> String {
        try daw.run(["bounce", "-p", "Song", "--digest", "--allow", "silent", "--no-cache"] + range + options).line
      }
      let expected = try bounced([])
      #expect(expected.count == 64)
      for threads in ["1", "2"] {
        #expect(try bounced(["--block", "1", "--threads", threads]) == expected, "seed \(seed), \(threads) threads")
      }
    }
  }

  @Test("A range is the same as its cut from the whole; with --chase it is not", .enabled(if: hasSoundFont))
  func ranges() throws {
    let seed = Seed.current()
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try RandomSong(seed: seed).make(with: daw)
      try addInstruments(to: daw, seed: seed)
      func samples(_ name: String, _ options: String...) throws -> [[Double]] {
        let output = try daw.run(["bounce", "-p", "Song", "-o", name, "--bits", "32f"] + options)
        guard output.status == 0 else { throw DAWProgram.Failed(arguments: options, output: output) }
        return try PlainWave.read(folder.appendingPathComponent(name))
      }
      let whole = try samples("whole.wav")
      let range = 20_011..<33_335
      let cut = whole.map { Array($0[range]) }
      let options = ["--from", "\(range.lowerBound)f", "--to", "\(range.upperBound)f", "--tail", "0s"]
      #expect(
        try samples("part.wav", options[0], options[1], options[2], options[3], "--tail", "0s") == cut, "seed \(seed)")
      #expect(
        try samples("fresh.wav", options[0], options[1], options[2], options[3], "--tail", "0s", "--no-cache") == cut,
        "seed \(seed)")
      #expect(
        try samples("cold.wav", options[0], options[1], options[2], options[3], "--tail", "0s", "--chase") != cut,
        "seed \(seed)")
    }
  }

  @Test("Random edits: with the cache or without, the bits are the same", .enabled(if: hasSoundFont))
  func randomEdits() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song")
      try addInstruments(to: daw, seed: seed)
      try daw("set-project", "--tempo", "90", "-p", "Song")
      for edit in 0..<5 {
        let track = Int.random(in: 0..<3, using: &random)
        let number = Int.random(in: 0..<100, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: try daw("set-track", "Keys \(track)", "--program", "\(number)", "-p", "Song")
        case 1:
          try daw("set-track", "Keys \(track)", "--volume", "\(number / 10 - 8)", "--pan", "0.\(number)", "-p", "Song")
        case 2: try daw("set-project", "--tempo", "\(100 + number)", "-p", "Song")
        case 3:
          try daw("undo", "-p", "Song")
          try daw("set-project", "--tempo", "\(200 + edit)", "-p", "Song")
        case 4: try daw("set-region", "Notes \(track)", "--at", "\(number * 64 + number)f", "-p", "Song")
        default:
          try daw(
            "add-note", "Notes \(track)", "\(30 + number / 2)", "--at", "\(number * 100)f", "--length", "0.1s", "-p",
            "Song")
        }
        #expect(try digest(daw) == digest(daw, "--no-cache"), "seed \(seed), edit \(edit)")
      }
    }
  }

  @Test("The second bounce renders only what has changed, and says so", .enabled(if: hasSoundFont))
  func explanation() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song")
      try addInstruments(to: daw, seed: 1)
      func explained(_ options: String...) throws -> [String] {
        let lines = try daw.run(["bounce", "-p", "Song", "--digest", "--explain"] + options).text.split(separator: "\n")
        return lines.dropFirst().map(String.init)
      }
      #expect(try explained() == (0..<3).map { "Keys \($0): rendered, no render of it was kept" })
      try daw("set-track", "Keys 1", "--program", "40", "-p", "Song")
      try daw("set-track", "Keys 2", "--volume", "-3", "--pan", "0.5", "-p", "Song")
      let taken = "taken, nothing that it depends on has changed"
      #expect(
        try explained() == [
          "Keys 0: \(taken)", "Keys 1: rendered, changed: its bank or program", "Keys 2: \(taken)",
        ])
      #expect(try explained("--no-cache") == (0..<3).map { "Keys \($0): rendered, the cache was not used" })
    }
  }

  @Test("A bounce that is killed leaves a cache that serves the next", .enabled(if: hasSoundFont))
  func killed() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song")
      try addInstruments(to: daw, seed: seed)
      let expected = try digest(daw, "--no-cache")
      let cache = folder.appendingPathComponent("Song.daw/Cache")
      for _ in 0..<3 {
        try? FileManager.default.removeItem(at: cache)
        let running = try daw.start(["bounce", "-p", "Song", "--digest"])
        usleep(UInt32.random(in: 1_000..<250_000, using: &random))
        running.kill()
        _ = running.finish()
        let both = [
          try daw.start(["bounce", "-p", "Song", "--digest"]), try daw.start(["bounce", "-p", "Song", "--digest"]),
        ]
        for output in both.map({ $0.finish() }) { #expect(output.line == expected, "seed \(seed): \(output.error)") }
        let names = try FileManager.default.contentsOfDirectory(atPath: cache.appendingPathComponent("renders").path)
        #expect(names.allSatisfy { $0.hasSuffix(".render") }, "seed \(seed): \(names)")
      }
    }
  }
}

/// Whether there is something for MIDI tracks to play with.
let hasSoundFont = ["/usr/share/sounds/sf2", "/usr/share/sounds/sf3"].contains { folder in
  ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).contains { $0.lowercased().contains(".sf") }
}

/// Adds three MIDI tracks with random notes.
func addInstruments(to daw: DAWProgram, seed: UInt64) throws {
  var random = SeededGenerator(seed: seed &+ 99)
  var lines: [String] = []
  for track in 0..<3 {
    let program = Int.random(in: 0..<100, using: &random)
    lines.append("add-track 'Keys \(track)' --type midi --solo --program \(program) --volume -12")
    lines.append("add-region 'Keys \(track)' --name 'Notes \(track)' --at \(track * 777)f --length 1s")
    for _ in 0..<12 {
      let pitch = Int.random(in: 36..<90, using: &random)
      let start = Int.random(in: 0..<40_000, using: &random)
      lines.append(
        "add-note 'Notes \(track)' \(pitch) --at \(start)f --length \(Int.random(in: 500...7_000, using: &random))f")
    }
  }
  try daw("batch", "-", "-p", "Song", input: lines.joined(separator: "\n") + "\n")
}
