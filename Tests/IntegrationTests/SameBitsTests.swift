import DAWTestSupport
import Foundation
import Testing

@Suite("The same bits every time")
struct SameBitsTests {
  /// - Returns: the digest of the samples.
  private func digest(_ daw: DAWProgram, _ options: [String], environment: [String: String] = [:]) throws -> String {
    var daw = daw
    daw.environment.merge(environment) { $1 }
    let output = try daw.run(["bounce", "-p", "Song", "--digest", "--allow", "silent"] + options)
    guard output.status == 0 else { throw DAWProgram.Failed(arguments: options, output: output) }
    return output.line
  }

  /// A song of recordings, some of them at another rate, and of instruments, whose bounces are short.
  private func makeSong(_ daw: DAWProgram, seed: UInt64) throws {
    let hasSolo = try RandomSong(seed: seed).make(with: daw)
    if hasSoundFont {
      try addInstruments(to: daw, seed: seed, count: 2, isSolo: hasSolo)
      try daw("add-track", "Hall", "--type", "bus", "--volume", "-3", "-p", "Song")
      try daw("set-track", "Keys 0", "--output", "Hall", "-p", "Song")
      try daw("add-send", "Keys 1", "Hall", "--level", "-6", "-p", "Song")
    }
    var song = RandomSong(seed: seed &+ 1)
    try PlainWave.write(
      song.noise(channels: 1, frames: 9_000, bits: 16), bits: 16, rate: 44_100,
      to: daw.folder.appendingPathComponent("other.wav"))
    try daw("add-track", "Other", "--volume", "-20", hasSolo ? "--solo" : "--no-solo", "-p", "Song")
    try daw("add-region", "Other", "--file", "other.wav", "--at", "1234f", "-p", "Song")
    try addEffects(daw, toKeys: hasSoundFont)
  }

  /// Effects of every kind, before and behind faders, with latency, side chains and lanes.
  private func addEffects(_ daw: DAWProgram, toKeys: Bool) throws {
    var lines = [
      "add-effect Other eq band2.frequency=300 band2.gain=6 band8.type=lowPass",
      "add-effect Other delay time=20 feedback=0.4 --post", "add-effect Other gate threshold=-20 --key T0",
      "add-effect Other compressor threshold=-30 lookAhead=4 --post", "add-effect Master limiter ceiling=-3",
      "add-point Other eq.band2.gain -6 --at 2000f", "add-point Other eq.band2.gain 9 --at 8000f",
      "add-point Other compressor.bypass 0 --at 0f --shape hold",
      "add-point Other compressor.bypass 1 --at 5000f --shape hold",
    ]
    if toKeys {
      lines += [
        "add-effect Hall reverb mix=0.4", "add-effect 'Keys 0' compressor threshold=-40 lookAhead=7 --key Other",
      ]
    }
    try daw("batch", "-", "-p", "Song", input: lines.joined(separator: "\n") + "\n")
  }

  private let short = ["--tail", "100ms"]

  /// Each turns about several things at once: whatever mattered would show.
  private static let ways: [(options: [String], environment: [String: String])] = [
    (["--block", "64", "--threads", "7", "--no-cache"], ["DAW_INSTRUCTIONS": "portable"]),
    // The cache is cold, then warm, then too small.
    (["--block", "1023", "--threads", "1"], ["DAW_INSTRUCTIONS": "avx2"]),
    (["--block", "65536", "--threads", "2"], [:]),
    (["--block", "4096", "--threads", "3"], ["DAW_INSTRUCTIONS": "portable", "DAW_CACHE_LIMIT": "100K"]),
  ]

  @Test("Random songs: blocks, threads, instructions, runs, the cache, the place and the build change no bit")
  func whatMustNotMatter() throws {
    let seed = Seed.current()
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try makeSong(daw, seed: seed)
      let expected = try digest(daw, short + ["--no-cache", "--threads", "1"])
      #expect(expected.count == 64)
      for (options, environment) in Self.ways {
        #expect(
          try digest(daw, short + options, environment: environment) == expected,
          "seed \(seed), \(options) \(environment)")
      }
      #expect(try digest(daw, short + ["--verify"]) == expected, "seed \(seed)")

      // Elsewhere, as another project.
      let elsewhere = folder.appendingPathComponent("elsewhere")
      try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
      try daw("copy", "Song", "elsewhere/Song")
      #expect(try digest(DAWProgram(folder: elsewhere), short) == expected, "seed \(seed), a copy")

      // The other build, debug or release, where there is one: DAW_OTHER names its program.
      if let other = ProcessInfo.processInfo.environment["DAW_OTHER"] {
        var program = daw
        program.path = other
        for options in [["--no-cache"], []] {
          #expect(try digest(program, short + options) == expected, "seed \(seed), \(other) \(options)")
        }
      }
    }
  }

  @Test("Blocks of a single frame change no bit")
  func singleFrames() throws {
    let seed = Seed.current()
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try makeSong(daw, seed: seed)
      let range = ["--from", "3000f", "--to", "3500f", "--tail", "0s", "--no-cache"]
      let expected = try digest(daw, range)
      for threads in ["1", "2"] {
        #expect(
          try digest(daw, range + ["--block", "1", "--threads", threads]) == expected,
          "seed \(seed), \(threads) threads")
      }
    }
  }

  @Test("An inverted master is silent in the same bits, however the time is cut", arguments: ["both", "right"])
  func invertedSilence(sides: String) throws {
    let seed = Seed.current()
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      var song = RandomSong(seed: seed)
      try PlainWave.write(
        song.noise(channels: 2, frames: 3_000, bits: 16), bits: 16, rate: 48_000,
        to: folder.appendingPathComponent("n.wav"))
      try daw("new", "Song")
      try daw("add-track", "A", "-p", "Song")
      try daw("add-region", "A", "--file", "n.wav", "--at", "1500f", "-p", "Song")
      try daw("set-track", "Master", "--invert", sides, "-p", "Song")
      let expected = try digest(daw, ["--block", "1024"])
      for block in ["1", "256", "4096"] {
        #expect(try digest(daw, ["--block", block, "--no-cache"]) == expected, "seed \(seed), \(block)")
      }
    }
  }

  @Test("A range is the same as its cut from the whole; with --chase it is not", .enabled(if: hasSoundFont))
  func ranges() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try makeSong(daw, seed: seed)
      func samples(_ name: String, _ options: [String]) throws -> [[Double]] {
        let output = try daw.run(["bounce", "-p", "Song", "-o", name, "--bits", "32f"] + options)
        guard output.status == 0 else { throw DAWProgram.Failed(arguments: options, output: output) }
        return try PlainWave.read(folder.appendingPathComponent(name))
      }
      let whole = try samples("whole.wav", ["--tail", "0s"])
      for (number, caching) in [[], ["--no-cache"]].enumerated() {
        let start = Int.random(in: 15_000..<22_000, using: &random)
        let range = start..<start + Int.random(in: 10_000..<14_000, using: &random)
        let options = ["--from", "\(range.lowerBound)f", "--to", "\(range.upperBound)f", "--tail", "0s"]
        let cut = whole.map { Array($0[range]) }
        #expect(try samples("part \(number).wav", options + caching) == cut, "seed \(seed), \(range)")
        if number == 0 { #expect(try samples("cold.wav", options + ["--chase"]) != cut, "seed \(seed), \(range)") }
      }
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
      for edit in 0..<4 {
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
        #expect(try digest(daw, short) == digest(daw, short + ["--no-cache"]), "seed \(seed), edit \(edit)")
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
        let lines = try daw.run(["bounce", "-p", "Song", "--digest", "--explain"] + short + options).text.split(
          separator: "\n")
        return lines.dropFirst().map(String.init)
      }
      #expect(try explained() == (0..<3).map { "Keys \($0): rendered, the cache holds no render of it" })
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

  @Test("The second bounce renders only the strips with effects that have changed, and says so")
  func explanationOfEffects() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song")
      var song = RandomSong(seed: 1)
      for name in ["A", "B"] {
        try PlainWave.write(
          song.noise(channels: 1, frames: 20_000, bits: 16), bits: 16, rate: 48_000,
          to: folder.appendingPathComponent("\(name).wav"))
        try daw("add-track", name, "-p", "Song")
        try daw("add-region", name, "--file", "\(name).wav", "-p", "Song")
        try daw("add-effect", name, "compressor", "-p", "Song")
      }
      try daw("add-effect", "B", "reverb", "--post", "-p", "Song")
      try daw("add-effect", "A", "eq", "-p", "Song")
      func explained(_ options: String...) throws -> [String] {
        let lines = try daw.run(["bounce", "-p", "Song", "--digest", "--explain"] + options).text.split(separator: "\n")
        return lines.map(String.init)
      }
      let (taken, new) = ("taken, nothing that it depends on has changed", "rendered, the cache holds no render of it")
      let first = try explained()
      let strips = ["A, effects", "B, effects", "B, effects behind the fader"]
      #expect(first.dropFirst() == strips.map { "\($0): \(new)" }[...])
      // What only the strip behind the fader hears is not even looked for.
      let again = [first[0], "A, effects: \(taken)", "B, effects behind the fader: \(taken)"]
      #expect(try explained() == again)
      try daw("set-track", "A", "--volume", "-3", "--name", "Other", "-p", "Song")
      #expect(
        try explained().dropFirst() == ["Other, effects: \(taken)", "B, effects behind the fader: \(taken)"])
      try daw("set-track", "B", "--volume", "-3", "-p", "Song")
      try daw("set-effect", "Other/compressor", "ratio=3", "-p", "Song")
      let changed = try explained()
      #expect(
        changed.dropFirst() == [
          "Other, effects: rendered, changed: effects", "B, effects: \(taken)",
          "B, effects behind the fader: rendered, changed: gains, pans or connections before them",
        ])
      #expect(
        try explained("--no-cache") == [changed[0]]
          + ["Other, effects", strips[1], strips[2]].map {
            "\($0): rendered, the cache was not used"
          })
      // Other sound in the same file: as many bytes, and the old time.
      let stored = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/Song.daw/Audio")
      let path = folder.path + "/Song.daw/Audio/" + (try #require(stored.first { $0.hasSuffix(".wav") }))
      var status = stat()
      try #require(stat(path, &status) == 0)
      let file = try #require(FileHandle(forUpdatingAtPath: path))
      try file.seek(toOffset: 2_000)
      try file.write(contentsOf: Data(repeating: 9, count: 4_000))
      try file.close()
      try #require(utimensat(AT_FDCWD, path, [status.st_atim, status.st_mtim], 0) == 0)
      let replaced = try explained()
      #expect(replaced[0] != changed[0])
      #expect(replaced[0] == (try explained("--no-cache"))[0])
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
      let expected = try digest(daw, short + ["--no-cache"])
      let cache = folder.appendingPathComponent("Song.daw/Cache")
      for _ in 0..<2 {
        try? FileManager.default.removeItem(at: cache)
        let running = try daw.start(["bounce", "-p", "Song", "--digest"] + short)
        usleep(UInt32.random(in: 1_000..<250_000, using: &random))
        running.kill()
        _ = running.finish()
        let both = try (0..<2).map { _ in try daw.start(["bounce", "-p", "Song", "--digest"] + short) }
        for output in both.map({ $0.finish() }) { #expect(output.line == expected, "seed \(seed): \(output.error)") }
        let names = try FileManager.default.contentsOfDirectory(atPath: cache.appendingPathComponent("renders").path)
        #expect(names.allSatisfy { $0.hasSuffix(".render") }, "seed \(seed): \(names)")
      }
    }
  }
}

/// Whether there is something for MIDI tracks to play with, or has to be.
let hasSoundFont =
  isComplete
  || ["/usr/share/sounds/sf2", "/usr/share/sounds/sf3"].contains { folder in
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).contains { $0.lowercased().contains(".sf") }
  }

/// Adds MIDI tracks with random notes.
func addInstruments(to daw: DAWProgram, seed: UInt64, count: Int = 3, isSolo: Bool = false) throws {
  var random = SeededGenerator(seed: seed &+ 99)
  var lines: [String] = []
  for track in 0..<count {
    let program = Int.random(in: 0..<100, using: &random)
    lines.append("add-track 'Keys \(track)' --type midi --program \(program) --volume -12" + (isSolo ? " --solo" : ""))
    lines.append("add-region 'Keys \(track)' --name 'Notes \(track)' --at \(track * 777)f --length 48000f")
    for _ in 0..<12 {
      let pitch = Int.random(in: 36..<90, using: &random)
      let start = Int.random(in: 0..<40_000, using: &random)
      lines.append(
        "add-note 'Notes \(track)' \(pitch) --at \(start)f --length \(Int.random(in: 500...7_000, using: &random))f")
    }
  }
  try daw("batch", "-", "-p", "Song", input: lines.joined(separator: "\n") + "\n")
}
