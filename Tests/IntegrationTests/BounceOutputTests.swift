import DAWMedia
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@Suite("What a bounce writes")
struct BounceOutputTests {
  private struct Report: Decodable {
    struct Stem: Decodable {
      var path: String
      var name: String
    }
    var path: String
    var frames: Int
    var tailFrames: Int
    var sampleRate: Int
    var channelCount: Int
    var encoding: String
    var peak: Double
    var loudness: Double?
    var truePeak: Double?
    var gain: Double?
    var problems: [String]
    var warnings: [String]
    var dcOffset: [Double]
    var firstAudibleFrame: Int
    var lastAudibleFrame: Int
    var stems: [Stem]?
  }

  private func withSong(_ body: (DAWProgram, URL) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(
        folder: folder, environment: ["DAW_PROJECT": "Song", "XDG_CONFIG_HOME": folder.path + "/config"])
      var song = RandomSong(seed: 11)
      try daw("new", "Song")
      var lines = ["set-track Master --volume -24"]
      for (index, channels) in [1, 2, 2].enumerated() {
        let samples = song.noise(channels: channels, frames: 72_000, bits: 16)
        try PlainWave.write(samples, bits: 16, rate: 48_000, to: folder.appendingPathComponent("\(index).wav"))
        lines.append("add-track T\(index) --pan \(Double(index - 1) / 4) --volume \(-index)")
        lines.append("add-region T\(index) --file \(index).wav --at \(index * 10_007)f")
      }
      try daw("batch", "-", input: lines.joined(separator: "\n") + "\n")
      try body(daw, folder)
    }
  }

  @Test("A project whose name is longer than a file's can be is bounced under the beginning of it")
  func longName() throws {
    try withSong { daw, _ in
      try daw("set-project", "--name", String(repeating: "ä", count: 250))
      for ending in ["ä.wav", "ä 2.wav"] {
        let path = try daw("bounce", "--json").json(Report.self).path
        #expect(path.hasSuffix(ending) && path.contains(String(repeating: "ä", count: 100)), "\(path)")
      }
    }
  }

  @Test("A very quiet result is written with a warning that says what would help, unless that is allowed")
  func quiet() throws {
    try withSong { daw, _ in
      try daw("set-track", "Master", "--volume", "0")
      #expect(try daw("bounce", "-o", "loud.wav", "--json").json(Report.self).problems.contains("quiet") == false)
      try daw("set-track", "Master", "--volume", "-48")
      let text = try daw("bounce", "-o", "quiet.wav")
      #expect(text.error.contains("very quiet") && text.error.contains("dB more would help"), "\(text.error)")
      #expect(try daw("bounce", "-o", "q.wav", "--json").json(Report.self).problems == ["quiet"])
      let allowed = try daw("bounce", "-o", "r.wav", "--json", "--allow", "quiet").json(Report.self)
      #expect(allowed.problems.isEmpty)
      #expect(try daw("bounce", "-o", "n.wav", "--json", "--normalize", "-18LUFS").json(Report.self).problems.isEmpty)
    }
  }

  @Test("What stems lack of the master is said, unless its effects are bypassed or off")
  func stemsBeforeEffects() throws {
    try withSong { daw, _ in
      struct Result: Equatable {
        var peak: Double
        var warnings: [String]
      }
      func stems(_ number: Int) throws -> Result {
        let report = try daw(
          "bounce", "--stems", "-o", "stems \(number)", "--bits", "32f", "--allow", "quiet", "--json"
        ).json(Report.self)
        let stem = try PlainWave.read(URL(fileURLWithPath: try #require(report.stems)[1].path))
        return Result(peak: stem[0].reduce(0) { max($0, abs($1)) }, warnings: report.warnings)
      }
      let plain = try stems(0)
      #expect(plain.warnings.isEmpty)
      try daw("add-effect", "Master", "eq", "band2.gain=6", "--post")
      let behindFader = try stems(1)
      #expect(behindFader.peak == plain.peak)
      #expect(behindFader.warnings == ["The stems lack the master's effects (eq): their sum is not the mix."])
      try daw("add-effect", "Master", "limiter")
      let limited = try stems(2)
      #expect(
        limited.warnings == [
          "The stems lack the master's effects (limiter, eq) and its fader: their sum is not the mix."
        ])
      #expect(limited.peak > 10 * plain.peak)
      for effect in ["Master/limiter", "Master/eq"] { try daw("set-effect", effect, "--bypass") }
      #expect(try stems(3) == plain)
    }
  }

  @Test("The sum of the stems is the mix, to the last rounding")
  func stems() throws {
    try withSong { daw, folder in
      try daw("add-track", "A/b: c?")
      try daw("add-track", "a-b- c-")
      let report = try daw("bounce", "--stems", "-o", "stems", "--bits", "32f", "--json", "--allow", "silent").json(
        Report.self)
      try daw("bounce", "-o", "mix.wav", "--bits", "32f")
      let stems = try #require(report.stems)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("stems").path)
      #expect(Set(names) == Set(stems.map { ($0.path as NSString).lastPathComponent }))
      #expect(names.contains("A-b- c-.wav") && names.contains("a-b- c- 2.wav"))
      let mix = try PlainWave.read(folder.appendingPathComponent("mix.wav"))
      let parts = try stems.map { try PlainWave.read(URL(fileURLWithPath: $0.path)) }
      #expect(parts.allSatisfy { $0[0].count == mix[0].count && $0[1].count == mix[1].count })
      var worst = 0.0
      for side in 0..<2 {
        for frame in mix[side].indices {
          let sum = parts.reduce(0) { $0 + $1[side][frame] }
          let terms = parts.reduce(0) { $0 + abs($1[side][frame]) }
          worst = max(worst, abs(sum - mix[side][frame]) - Double(2 * parts.count + 2) * 0x1p-24 * terms)
        }
      }
      #expect(worst <= 0)
      #expect(try daw.run(["bounce", "--stems", "-o", "stems"]).status == 73)
      try daw("bounce", "--stems", "-o", "stems", "--overwrite")
      try Data().write(to: folder.appendingPathComponent("stems/notes.txt"))
      #expect(try daw.run(["bounce", "--stems", "-o", "stems", "--overwrite"]).status == 73)
      #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("stems/notes.txt").path))
    }
  }

  @Test("Stems are not put in the place of a file, whatever is allowed, and that is said")
  func stemsOverFile() throws {
    try withSong { daw, folder in
      let file = folder.appendingPathComponent("w.wav")
      try Data("mine".utf8).write(to: file)
      for words in [[], ["--overwrite"], ["--overwrite", "--verify"]] {
        let output = try daw.run(["bounce", "--stems", "-o", "w.wav"] + words)
        #expect(output.status == 73, "\(words): \(output.status)")
        #expect(output.error.contains("'w.wav' is a file, and stems go into a folder."), "\(output.error)")
        #expect(!output.error.contains("--overwrite"), "\(output.error)")
      }
      #expect(try Data(contentsOf: file) == Data("mine".utf8))
    }
  }

  @Test("Help says what the tail is and what can be allowed")
  func help() throws {
    let help = try DAWProgram(folder: checkout)("help", "bounce").text.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    #expect(help.contains("default: auto where an effect has memory"), "\(help)")
    #expect(help.contains("clipped, tail, external or quiet"), "\(help)")
  }

  @Test("The file has what its report says: rate, width, dither, loudness")
  func report() throws {
    try withSong { daw, _ in
      let plain = try daw("bounce", "-o", "plain.wav", "--json").json(Report.self)
      let report = try daw(
        "bounce", "-o", "a.wav", "--rate", "44.1k", "--mono", "--bits", "16", "--dither", "tpdf", "--json"
      ).json(Report.self)
      #expect(report.frames == Int((Double(plain.frames) * 44_100 / 48_000).rounded()))
      #expect(report.sampleRate == 44_100 && report.channelCount == 1 && report.encoding == "int16")
      #expect(report.dcOffset.count == 1 && plain.dcOffset.count == 2)
      #expect(plain.firstAudibleFrame >= 0 && plain.lastAudibleFrame < plain.frames)
      #expect(plain.loudness != nil && (plain.truePeak ?? -100) >= plain.peak - 1e-9)
      #expect(try daw("bounce", "-o", "b.wav").text.contains("LUFS") == false)
      #expect(try daw("bounce", "-o", "c.wav", "--loudness").text.contains("LUFS"))
    }
  }

  @Test("Normalising meets its level, and is refused above the ceiling with the highest that is possible")
  func normalize() throws {
    try withSong { daw, folder in
      let report = try daw("bounce", "-o", "a.wav", "--normalize", "-40LUFS", "--json").json(Report.self)
      #expect(abs((report.loudness ?? 0) + 40) < 0.1)
      let peak = try daw("bounce", "-o", "b.wav", "--normalize", "-3dBTP", "--json").json(Report.self)
      #expect(abs((peak.truePeak ?? 0) + 3) < 0.01)
      let samples = try daw("bounce", "-o", "c.wav", "--normalize", "-2 dBFS", "--json").json(Report.self)
      #expect(abs(samples.peak + 2) < 0.001)
      let refused = try daw.run(["bounce", "-o", "d.wav", "--normalize", "-0.1LUFS"])
      #expect(refused.status == 65 && refused.error.contains("highest"))
      #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("d.wav").path))
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { !$0.contains(".partial-") })
    }
  }

  @Test("With a limiter what is too loud for the ceiling comes to its loudness below it")
  func limit() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      // Quiet noise with a click in each half second.
      var random = SeededGenerator(seed: 5)
      let samples = (0..<240_000).map { frame in
        let noise = Int.random(in: -600...600, using: &random)
        return frame % 24_000 < 20 ? noise * 40 : noise
      }
      try PlainWave.write([samples, samples], bits: 16, rate: 48_000, to: folder.appendingPathComponent("raw.wav"))
      try daw("new", "Song")
      try daw("add-track", "T")
      try daw("add-region", "T", "--file", "raw.wav")
      let refused = try daw.run(["bounce", "-o", "a.wav", "--preset", "podcast", "--no-limit", "--format", "wav"])
      #expect(refused.status == 65 && refused.error.contains("above the ceiling"))
      let options = ["bounce", "-o", "a.wav", "--preset", "podcast", "--format", "wav", "--json"]
      let report = try daw.run(options)
      #expect(report.status == 0, "\(report.error)")
      let limited = try report.json(Report.self)
      #expect(abs((limited.loudness ?? 0) + 16) < 0.11)
      #expect((limited.truePeak ?? 0) <= -0.9)
      #expect(limited.frames == 44_100 * 5)
      let alone = try daw("bounce", "-o", "b.wav", "--limit", "--ceiling", "-6dBTP", "--json").json(Report.self)
      #expect((alone.truePeak ?? 0) <= -5.9)
      #expect(alone.frames == 240_000)
      let stems = try daw.run(["bounce", "-o", "stems", "--stems", "--limit"])
      #expect(stems.status == 64 && stems.error.contains("--limit"))
    }
  }

  /// A mono sine of 1 kHz.
  private func sine(amplitude: Double, frames: Int) -> [Int] {
    (0..<frames).map { Int((amplitude * 0x1p23 * sin(2 * .pi * Double($0) / 48)).rounded()) }
  }

  @Test("A gain that lifts what was below the gate of the loudness is corrected")
  func normalizeCorrects() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      // 6 dB apart, one above and one below −70 LUFS: only the louder counts until there is a gain.
      let loud = sine(amplitude: pow(10, -66.0 / 20), frames: 72_000)
      let samples = loud + sine(amplitude: pow(10, -72.0 / 20), frames: 72_000)
      try PlainWave.write([samples, samples], bits: 24, rate: 48_000, to: folder.appendingPathComponent("a.wav"))
      try daw("new", "Song")
      try daw("import", "a.wav")
      let plain = try daw("bounce", "-o", "plain.wav", "--json").json(Report.self)
      let report = try daw("bounce", "-o", "a-20.wav", "--normalize", "-20LUFS", "--json").json(Report.self)
      let gain = try #require(report.gain)
      #expect(abs(gain - (-20 - (plain.loudness ?? 0))) > 1, "one gain is enough, so that nothing is tested")
      // Of the file, and what is said of it.
      let file = try PlainWave.read(folder.appendingPathComponent("a-20.wav"))
      let meter = try LoudnessMeter(sampleRate: SampleRate(hertz: 48_000), channelCount: 2)
      meter.add(
        interleaved: file[0].indices.flatMap { [Float(file[0][$0]), Float(file[1][$0])] }, frameCount: file[0].count)
      #expect(abs((meter.loudness.integrated ?? 0) + 20) < 0.1)
      #expect(abs((report.loudness ?? 0) + 20) < 0.1)
      #expect(abs(report.peak - plain.peak - gain) < 0.01)
    }
  }

  @Test("Lossy formats and streams can be read by others")
  func formats() throws {
    try withSong { daw, folder in
      for (name, rate) in [("a.ogg", 48_000), ("a.opus", 48_000), ("a.mp3", 48_000)] {
        let report = try daw("bounce", "-o", name, "--json", "--loudness").json(Report.self)
        #expect(report.sampleRate == rate)
        #expect(report.encoding == (name as NSString).pathExtension)
      }
      try daw("bounce", "-o", "a.flac")
      let stream = try daw("bounce", "-o", "-", "--format", "flac").data
      #expect(try stream == Data(contentsOf: folder.appendingPathComponent("a.flac")))
      let wave = try daw("bounce", "-o", "-", "--rate", "96000").data
      try daw("bounce", "-o", "b.wav", "--rate", "96000")
      #expect(try wave.suffix(1_000) == Data(contentsOf: folder.appendingPathComponent("b.wav")).suffix(1_000))
      #expect(try wave.count == Data(contentsOf: folder.appendingPathComponent("b.wav")).count)
    }
  }

  @Test("Presets stand where no option is given; one's own win over ours; a broken one is named")
  func presets() throws {
    try withSong { daw, folder in
      let cd = try daw("bounce", "-o", "a.wav", "--preset", "cd", "--json").json(Report.self)
      #expect(cd.sampleRate == 44_100 && cd.encoding == "int16")
      let other = try daw("bounce", "-o", "b.wav", "--preset", "CD", "--bits", "24", "--json").json(Report.self)
      #expect(other.sampleRate == 44_100 && other.encoding == "int24")
      let presets = folder.appendingPathComponent("config/daw/presets")
      try FileManager.default.createDirectory(at: presets, withIntermediateDirectories: true)
      try Data(#"{"format": "flac", "rate": 96000, "mono": true}"#.utf8).write(
        to: presets.appendingPathComponent("cd.json"))
      let own = try daw("bounce", "--preset", "cd", "--json").json(Report.self)
      #expect(own.sampleRate == 96_000 && own.channelCount == 1 && own.path.hasSuffix(".flac"))
      for broken in [#"{"bit": "16"}"#, #"{"bits": 16}"#, #"{"normalize": "loud"}"#, "[]", ""] {
        try Data(broken.utf8).write(to: presets.appendingPathComponent("mine.json"))
        let output = try daw.run(["bounce", "-o", "c.wav", "--preset", "mine"])
        #expect(output.status == 65 && output.error.contains("mine.json"), "\(broken): \(output.error)")
      }
      #expect(try daw.run(["bounce", "-o", "c.wav", "--preset", "nine"]).status == 66)
    }
  }

  @Test("A preset's loudness stands for --loudness or --no-loudness, also with --json, which measures else")
  func presetLoudness() throws {
    try withSong { daw, folder in
      let presets = folder.appendingPathComponent("config/daw/presets")
      try FileManager.default.createDirectory(at: presets, withIntermediateDirectories: true)
      try Data(#"{"loudness": false}"#.utf8).write(to: presets.appendingPathComponent("fast.json"))
      func loudness(_ options: String...) throws -> Double? {
        try daw.run(["bounce", "-o", "a.wav", "--overwrite", "--json"] + options).json(Report.self).loudness
      }
      #expect(try loudness() != nil)
      #expect(try loudness("--preset", "fast") == nil)
      #expect(try loudness("--preset", "fast", "--bext") == nil)
      #expect(try loudness("--preset", "fast", "--loudness") != nil)
      #expect(try loudness("--preset", "fast", "--normalize", "-30LUFS") != nil)
    }
  }

  @Test("A description goes into the places that a preset asks for, and is refused where it asks for none")
  func presetDescription() throws {
    try withSong { daw, folder in
      try daw("bounce", "-o", "a.wav", "--preset", "archive", "--description", "Final mix", "--originator", "Me")
      let file = try Data(contentsOf: folder.appendingPathComponent("a.wav"))
      let extensionChunk = try #require(file.range(of: Data("bext".utf8))).upperBound + 4
      #expect(file[extensionChunk...].starts(with: Data("Final mix\0".utf8)))
      #expect(file[(extensionChunk + 256)...].starts(with: Data("Me\0".utf8)))
      #expect(file.range(of: Data("<NOTE>Final mix</NOTE>".utf8)) != nil)
      let refused = try daw.run(["bounce", "-o", "b.wav", "--preset", "cd", "--description", "Final mix"])
      #expect(refused.status == 64 && refused.error.contains("'--bext' or '--ixml'"), "\(refused.error)")
      #expect(try daw.run(["bounce", "-o", "b.wav", "--description", "Final mix"]).status == 64)
      #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("b.wav").path))
    }
  }

  @Test("What a preset describes a file with is left out by the options that begin with no")
  func withoutDescription() throws {
    try withSong { daw, folder in
      let presets = folder.appendingPathComponent("config/daw/presets")
      try FileManager.default.createDirectory(at: presets, withIntermediateDirectories: true)
      try Data(#"{"bext": true, "ixml": true, "markers": true}"#.utf8).write(
        to: presets.appendingPathComponent("told.json"))
      try daw("add-marker", "Here", "--at", "1.1.0")
      func chunks(_ options: String...) throws -> [String] {
        let output = try daw.run(["bounce", "-o", "a.wav", "--overwrite", "--preset", "told"] + options)
        #expect(output.status == 0, "\(options): \(output.error)")
        let file = try Data(contentsOf: folder.appendingPathComponent("a.wav"))
        return ["bext", "iXML", "cue "].filter { file.range(of: Data($0.utf8)) != nil }
      }
      #expect(try chunks() == ["bext", "iXML", "cue "])
      #expect(try chunks("--no-bext") == ["iXML", "cue "])
      #expect(try chunks("--no-ixml", "--no-markers") == ["bext"])
      #expect(try chunks("--no-bext", "--no-ixml", "--no-markers") == [])
      let without = ["--preset", "archive", "--no-bext", "--no-ixml", "--originator", "Me"]
      let refused = try daw.run(["bounce", "-o", "b.wav"] + without)
      #expect(refused.status == 64 && refused.error.contains("Neither is asked for."), "\(refused.error)")
    }
  }

  private static let invalidCombinations: [[String]] = [
    ["--dither", "tpdf", "--bits", "32f"], ["--dither", "tpdf", "-o", "x.mp3"], ["--bits", "16", "-o", "x.ogg"],
    ["--rate", "44100", "-o", "x.opus"], ["--rate", "96000", "-o", "x.mp3"], ["--rate", "0"], ["--rate", "-48000"],
    ["--ceiling", "-1"], ["--normalize", "-16"], ["--normalize", "3LUFS"],
    ["--normalize", "-16LUFS", "--ceiling", "2"],
    ["--bext", "-o", "x.flac"], ["--stems", "-o", "-"], ["--description", "x"], ["--tail", "1s", "--loop-tail"],
    ["--bits", "32", "-o", "x.flac"], ["--format", "doc"], ["-o", "x.doc"], ["--dither", "loud"], ["--allow", "all"],
    ["--preset", ""], ["--mono", "--no-mono"],
  ]

  @Test("What makes no sense is refused before anything is rendered")
  func refusals() throws {
    try withSong { daw, folder in
      let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      for arguments in Self.invalidCombinations {
        let output = try daw.run(["bounce"] + arguments + (arguments.contains("-o") ? [] : ["-o", "x.wav"]))
        #expect([64, 65, 66].contains(output.status), "\(arguments): \(output.status) \(output.error)")
        #expect(!output.error.isEmpty && !output.error.contains("within daw"), "\(arguments): \(output.error)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == before, "\(arguments)")
      }
    }
  }

  private static let optionsOfFile: [[String]] = [
    ["--rate", "12"], ["--bits", "16"], ["--format", "flac"], ["--mono"], ["--dither", "tpdf"], ["--stems"],
    ["--loudness"], ["--normalize", "-16LUFS"], ["--ceiling", "-1dBTP"], ["--limit"], ["--bext"], ["--ixml"],
    ["--markers"], ["--title", "T"], ["--track-number", "1"], ["--chapters"], ["--manifest"],
  ]

  @Test("Options of a file are refused where none is written, and those of the samples are not")
  func optionsWithoutFile() throws {
    try withSong { daw, _ in
      for options in Self.optionsOfFile {
        let output = try daw.run(["bounce", "--verify", "--json"] + options)
        #expect(output.status == 64 && output.error.contains("\"invalidCombination\""), "\(options): \(output.error)")
        #expect(output.error.contains("'\(options[0])' is for a file"), "\(options): \(output.error)")
        let digest = try daw.run(["bounce", "--digest", "-o", "x.wav"] + options)
        #expect(digest.status == 64, "\(options): \(digest.error)")
      }
      let plain = try daw("bounce", "--digest", "--to", "1s", "--tail", "0s").line
      let others = ["--no-bext", "--no-loudness", "--no-mono", "--preset", "cd", "--threads", "1"]
      #expect(try daw.run(["bounce", "--digest", "--to", "1s", "--tail", "0s"] + others).line == plain)
      try daw("bounce", "--verify", "--bits", "16", "--dither", "tpdf", "--to", "1s", "-o", "x.wav")
    }
  }
}
