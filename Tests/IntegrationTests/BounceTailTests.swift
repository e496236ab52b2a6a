import DAWTestSupport
import Foundation
import Testing

@Suite("How a bounce ends, and how loud it is")
struct BounceTailTests {
  private struct Report: Decodable {
    var frames: Int
    var tailFrames: Int
    var lastAudibleFrame: Int?
    var problems: [String]
    var warnings: [String]
    var loudness: Double?
    var gain: Double?
    var maximumMomentary: Double?
    var maximumShortTerm: Double?
  }

  /// A piano note that rings on behind its region, which ends at frame 24,000.
  private func withNote(_ body: (DAWProgram, URL) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--name", "Notes", "--length", "24000f")
      try daw("add-note", "Notes", "C3", "--at", "4800f", "--length", "19200f", "--velocity", "120")
      try body(daw, folder)
    }
  }

  private func report(_ daw: DAWProgram, _ options: String...) throws -> Report {
    try daw.run(["bounce", "--json", "--overwrite", "--bits", "32f"] + options).json(Report.self)
  }

  @Test("--tail auto ends behind the last frame that is heard", .enabled(if: hasSoundFont))
  func untilQuiet() throws {
    try withNote { daw, folder in
      let auto = try report(daw, "-o", "auto.wav", "--tail", "auto")
      #expect(auto.tailFrames > 0 && auto.frames == 24_000 + auto.tailFrames)
      #expect(auto.lastAudibleFrame == auto.frames - 1)
      #expect(auto.problems.isEmpty)
      // Beyond it nothing is heard, and up to it it is the same.
      let long = try report(daw, "-o", "long.wav", "--tail", "30s")
      #expect(long.lastAudibleFrame == auto.frames - 1)
      let (short, whole) = (
        try PlainWave.read(folder.appendingPathComponent("auto.wav")),
        try PlainWave.read(folder.appendingPathComponent("long.wav"))
      )
      for side in 0..<2 { #expect(short[side] == Array(whole[side].prefix(auto.frames))) }
    }
  }

  @Test("An echo is heard in a range behind its region; with --chase, which knows nothing of before, it is not")
  func echo() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try PlainWave.write(
        [(0..<48_000).map { $0 % 100 < 50 ? 8_000 : -8_000 }], bits: 16, rate: 48_000,
        to: folder.appendingPathComponent("a.wav"))
      try daw("new", "Song")
      try daw("add-track", "Vox")
      try daw("add-region", "Vox", "--file", "a.wav", "--at", "0s")
      let range = ["--from", "1.5s", "--to", "2s", "--tail", "0s"]
      #expect(try daw.run(["bounce", "-o", "none.wav"] + range).status == 65)
      try daw("add-effect", "Vox", "delay", "time=700", "mix=1", "feedback=0")
      let part = try daw.run(["bounce", "-o", "part.wav", "--json"] + range)
      #expect(part.status == 0)
      let samples = try PlainWave.read(folder.appendingPathComponent("part.wav"))
      #expect(try #require(samples[0].prefix(4_800).map(\.magnitude).max()) > 0.1)
      #expect(try daw.run(["bounce", "-o", "none.wav", "--chase"] + range).status == 65)
      #expect(
        try daw.run(["bounce", "-o", "none.wav", "--from", "1.5s", "--to", "1.6s", "--track", "Vox"]).status == 0)
    }
  }

  @Test("A tail that ends by level has the echoes of a delay of more than a second")
  func lateEcho() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try PlainWave.write(
        [(0..<4_800).map { $0 % 100 < 50 ? 8_000 : -8_000 }], bits: 16, rate: 48_000,
        to: folder.appendingPathComponent("a.wav"))
      try daw("new", "Song")
      try daw("import", "a.wav")
      try daw("add-effect", "a", "delay", "time=2000", "mix=0.5", "feedback=0")
      for tail in [[], ["--tail", "auto"]] {
        let bounced = try daw.run(["bounce", "-o", "a-echo.wav", "--json", "--overwrite"] + tail).json(Report.self)
        #expect(bounced.lastAudibleFrame == 96_000 + 4_799, "\(tail)")
        #expect(bounced.frames == 96_000 + 4_800 && bounced.problems.isEmpty, "\(tail)")
      }
    }
  }

  @Test("A range that a peak follows ends as in the whole where nothing rings on, and nothing of that is a cut tail")
  func lookAhead() throws {
    try withLimitedPeak { daw, folder in
      _ = try report(daw, "-o", "whole.wav")
      let whole = try PlainWave.read(folder.appendingPathComponent("whole.wav"))
      let options = ["bounce", "-o", "part.wav", "--to", "1s", "--json", "--overwrite", "--bits", "32f"]
      for tail in [[], ["--tail", "0s"], ["--tail", "auto"]] {
        let part = try daw.run(options + tail).json(Report.self)
        #expect(part.problems.isEmpty && part.frames == 48_000, "\(tail)")
        let samples = try PlainWave.read(folder.appendingPathComponent("part.wav"))
        #expect(samples == whole.map { Array($0.prefix(48_000)) }, "\(tail)")
      }
      // With a tail the song ends with the range: the limiter does not prepare for a peak that never comes.
      _ = try report(daw, "-o", "part.wav", "--to", "1s", "--tail", "1s")
      let open = try PlainWave.read(folder.appendingPathComponent("part.wav"))
      for side in 0..<2 {
        let same = zip(open[side], whole[side]).prefix { $0 == $1 }.count
        #expect((47_700..<48_000).contains(same))
        #expect(open[side].dropFirst(same).prefix(48_000 - same).allSatisfy { $0.magnitude > 0.06 })
        #expect(open[side].dropFirst(48_000).allSatisfy { $0 == 0 })
      }
    }
  }

  @Test("Stems of a range see what follows it where their mix does, also if its tail turns out empty")
  func stemsLookAhead() throws {
    try withLimitedPeak { daw, folder in
      // Neutral, and such as might ring on: the mix has a tail, of no frames.
      try daw("add-effect", "a", "eq")
      let mix = try report(daw, "-o", "mix.wav", "--to", "1s")
      #expect(mix.tailFrames == 0)
      _ = try report(daw, "-o", "stems", "--to", "1s", "--stems")
      #expect(
        try PlainWave.read(folder.appendingPathComponent("stems/a.wav"))
          == PlainWave.read(folder.appendingPathComponent("mix.wav")))
    }
  }

  /// A second of a quiet tone and one of a loud one, through a limiter.
  private func withLimitedPeak(_ body: (DAWProgram, URL) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      let tone = (0..<96_000).map { ($0 % 100 < 50 ? 1 : -1) * ($0 < 48_000 ? 3_000 : 32_000) }
      try PlainWave.write([tone], bits: 16, rate: 48_000, to: folder.appendingPathComponent("a.wav"))
      try daw("new", "Song")
      try daw("import", "a.wav")
      try daw("add-effect", "a", "limiter", "ceiling=-12")
      try body(daw, folder)
    }
  }

  @Test("A tail that is cut while it sounds is warned of, unless that is allowed", .enabled(if: hasSoundFont))
  func cut() throws {
    try withNote { daw, _ in
      let cut = try report(daw, "-o", "a.wav", "--tail", "0s")
      #expect(cut.frames == 24_000 && cut.problems == ["tail"])
      #expect(
        cut.warnings.contains { $0.contains("The tail is cut while it still sounds") && $0.contains("--tail auto") })
      let output = try daw("bounce", "-o", "b.wav", "--tail", "10ms")
      #expect(output.error.contains("The tail is cut while it still sounds"))
      let allowed = try report(daw, "-o", "a.wav", "--tail", "0s", "--allow", "tail")
      #expect(allowed.problems.isEmpty && allowed.warnings.isEmpty)
      #expect(try report(daw, "-o", "a.wav", "--tail", "20s").problems.isEmpty)
    }
  }

  @Test("--loop-tail adds what rings on to the start, round by round", .enabled(if: hasSoundFont))
  func loop() throws {
    try withNote { daw, folder in
      let range = ["--from", "2000f", "--to", "24000f"]
      let loop = try report(daw, "-o", "loop.wav", range[0], range[1], range[2], range[3], "--loop-tail")
      #expect(loop.frames == 22_000 && loop.tailFrames > 0 && loop.problems.isEmpty)
      _ = try report(
        daw, "-o", "open.wav", range[0], range[1], range[2], range[3], "--chase", "--tail", "auto")
      let found = try PlainWave.read(folder.appendingPathComponent("loop.wav"))
      let open = try PlainWave.read(folder.appendingPathComponent("open.wav"))
      #expect(open[0].count == 22_000 + loop.tailFrames)
      for side in 0..<2 {
        var expected = open[side].prefix(22_000).map { Float($0) }
        for frame in open[side].indices.dropFirst(22_000) { expected[frame % 22_000] += Float(open[side][frame]) }
        #expect(found[side].map { Float($0) } == expected)
      }
    }
  }

  @Test("Markers of the range are cue points of the file, at its rate")
  func markers() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      let noise = [[Int]](repeating: (0..<144_000).map { $0 % 2_000 }, count: 2)
      try PlainWave.write(noise, bits: 16, rate: 48_000, to: folder.appendingPathComponent("a.wav"))
      try daw("new", "Song")
      try daw("import", "a.wav")
      for (name, place) in [("Before", "0.5s"), ("Verse", "1s"), ("Chorus", "2.1.0"), ("Behind", "9s")] {
        try daw("add-marker", name, "--at", place)
      }
      try daw("bounce", "-o", "b.wav", "--from", "1s", "--rate", "44100", "--markers")
      let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent("b.wav")))
      func place(_ text: String) -> Int? {
        let found = Array(text.utf8)
        return (0..<1_000).first { Array(bytes[$0..<$0 + found.count]) == found }
      }
      let cue = try #require(place("cue ")) + 8
      #expect(bytes[cue] == 2 && bytes[cue + 4] == 1 && bytes[cue + 8] == 0)
      // The second bar begins at 2 s, a second behind the range's start: frame 44,100.
      #expect(bytes[cue + 32] == 0x44 && bytes[cue + 33] == 0xac)
      #expect(place("Verse\0") != nil && place("Chorus\0") != nil && place("Before") == nil && place("Behind") == nil)
      #expect(try daw.run(["bounce", "-o", "b.flac", "--markers"]).status == 64)
    }
  }

  @Test("A tail that ends by level brings no markers that may lie behind the end of the file; one of a length does")
  func markersInTail() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try PlainWave.write(
        [(0..<96_000).map { $0 % 2_000 }], bits: 16, rate: 48_000, to: folder.appendingPathComponent("a.wav"))
      try daw("new", "Song")
      try daw("import", "a.wav")
      try daw("add-effect", "a", "delay", "time=100", "mix=0.5", "feedback=0")
      for (name, place) in [("Verse", "1s"), ("Behind", "9s")] { try daw("add-marker", name, "--at", place) }
      func labels(_ options: String...) throws -> [Bool] {
        #expect(try daw.run(["bounce", "-o", "b.wav", "--overwrite", "--markers"] + options).status == 0)
        let file = try Data(contentsOf: folder.appendingPathComponent("b.wav")).prefix(1_000)
        return ["Verse\0", "Behind\0"].map { file.range(of: Data($0.utf8)) != nil }
      }
      #expect(try labels() == [true, false])
      #expect(try labels("--tail", "auto") == [true, false])
      #expect(try labels("--loop-tail") == [true, false])
      #expect(try labels("--tail", "10s") == [true, true])
    }
  }

  @Test("A gain that moves quiet parts across the gate is corrected once, and then meets its level")
  func correctedGain() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      // A sine of both sides is as loud as its peak says: -65 LUFS, then -72, which is below the absolute gate of -70.
      let sine = (0..<960_000).map { frame -> Int in
        let level = frame < 480_000 ? -65.0 : -72
        return Int((pow(10, level / 20) * sin(2 * Double.pi * 997 * Double(frame) / 48_000) * 8_388_607).rounded())
      }
      try PlainWave.write([sine, sine], bits: 24, rate: 48_000, to: folder.appendingPathComponent("sine.wav"))
      try daw("new", "Song")
      try daw("import", "sine.wav")
      let before = try report(daw, "-o", "a.wav")
      #expect(abs((before.loudness ?? 0) + 65) < 0.1)
      #expect(abs((before.maximumMomentary ?? 0) + 65) < 0.1 && abs((before.maximumShortTerm ?? 0) + 65) < 0.1)
      let after = try report(daw, "-o", "b.wav", "--normalize", "-20LUFS")
      // The gain alone would be 45 dB, and the result 2.2 LU too low, since then both halves count.
      #expect(abs((after.gain ?? 0) - 47.2) < 0.2)
      #expect(abs((after.loudness ?? 0) + 20) < 0.1)
      #expect(after.warnings.isEmpty)
    }
  }
}
