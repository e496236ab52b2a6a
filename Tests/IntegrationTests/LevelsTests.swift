import DAWTestSupport
import Foundation
import Testing

@Suite("Levels of strips")
struct LevelsTests {
  private struct Report: Decodable {
    var frames: Int
    var startTime, duration: Double
    var strips: [Strip]
    var warnings: [String]
  }

  private struct Strip: Decodable, Equatable {
    var name, trackType: String
    var isSilent: Bool
    var peak, truePeak, loudness: Level
    var effects: [Effect]
  }

  private struct Effect: Decodable, Equatable {
    var name, kind: String
    var mostReduction, meanReduction: Double?
  }

  /// A number, or "-inf".
  private struct Level: Decodable, Equatable {
    var value: Double

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      value = try (try? container.decode(Double.self)) ?? (container.decode(String.self) == "-inf" ? -.infinity : .nan)
    }
  }

  private struct Bounced: Decodable {
    struct Stem: Decodable {
      var name: String
      var peak: Level
    }
    var peak, truePeak, loudness: Level
    var stems: [Stem]?
  }

  /// Three seconds of a level of −12 dBFS; and of a sine of 997 Hz at −20 dBFS on both sides.
  private func withSong(_ body: (DAWProgram) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      let rest = Int((pow(10.0, -0.6) * 8_388_608).rounded())
      try PlainWave.write(
        [[Int](repeating: rest, count: 144_000)], bits: 24, rate: 48_000, to: folder.appending(path: "rest.wav"))
      let sine = (0..<144_000).map { Int((0.1 * sin(2 * .pi * 997 / 48_000 * Double($0)) * 8_388_608).rounded()) }
      try PlainWave.write([sine, sine], bits: 24, rate: 48_000, to: folder.appending(path: "sine.wav"))
      try daw("new", "Song")
      try daw(
        "batch", "-",
        input: """
          set-project --pan-law balance0dB
          add-track Rest
          add-region Rest --file rest.wav --fade-in 0s --fade-out 0s
          add-track Tone
          add-region Tone --file sine.wav --fade-in 0s --fade-out 0s
          add-track Quiet --mute
          add-region Quiet --file sine.wav
          add-track Hall --type bus
          add-send Tone Hall --level -6 --post
          add-track Keys --type midi
          add-track Outside --type midi --midi-out 128:0

          """)
      try body(daw)
    }
  }

  private func levels(_ daw: DAWProgram, _ words: String...) throws -> Report { try levels(daw, words) }

  private func levels(_ daw: DAWProgram, _ words: [String]) throws -> Report {
    try daw.run(["levels", "--json"] + words).json(Report.self)
  }

  private func strip(_ name: String, _ report: Report) throws -> Strip {
    try #require(report.strips.first { $0.name == name })
  }

  private func isClose(_ value: Double?, _ expected: Double, within tolerance: Double) -> Bool {
    value.map { abs($0 - expected) <= tolerance } ?? false
  }

  @Test("A strip without an output is measured too, also where its file has another rate")
  func withoutOutput() throws {
    try withSong { daw in
      let noise = (0..<88_200).map { Int((0.1 * sin(2 * .pi * 997 / 44_100 * Double($0)) * 8_388_608).rounded()) }
      try PlainWave.write([noise], bits: 24, rate: 44_100, to: daw.folder.appending(path: "other.wav"))
      try daw(
        "batch", "-",
        input: """
          add-track Key --output none
          add-region Key --file rest.wav --fade-in 0s --fade-out 0s
          add-track Other --output none --volume -6
          add-region Other --file other.wav --fade-in 0s --fade-out 0s

          """)
      let report = try levels(daw)
      #expect(abs(try strip("Key", report).peak.value + 12) < 0.01)
      #expect(abs(try strip("Other", report).peak.value + 26) < 0.1)
      let mix = try daw.run(["bounce", "--json", "--tail", "0s", "-o", "x.wav"]).json(Bounced.self)
      #expect(abs(try strip("Master", report).peak.value - mix.peak.value) < 1e-6)
    }
  }

  @Test("Peaks and loudness are those of what is known, behind fader and pan, in the mixer's order")
  func known() throws {
    try withSong { daw in
      try daw("set-track", "Tone", "--volume", "-3")
      try daw("set-track", "Rest", "--pan", "1")
      let report = try levels(daw)
      #expect(report.strips.map(\.name) == ["Rest", "Tone", "Quiet", "Hall", "Keys", "Master"])
      #expect(report.frames == 144_000 && report.duration == 3 && report.startTime == 0)
      let tone = try strip("Tone", report)
      #expect(isClose(tone.peak.value, -23, within: 0.001) && isClose(tone.truePeak.value, -23, within: 0.02))
      // A sine of 997 Hz on both sides has the loudness of its level: ITU-R BS.1770.
      #expect(isClose(tone.loudness.value, -23, within: 0.05), "\(tone)")
      let rest = try strip("Rest", report)
      #expect(isClose(rest.peak.value, -12, within: 0.001) && !rest.isSilent)
      let hall = try strip("Hall", report)
      #expect(isClose(hall.peak.value, -29, within: 0.001) && hall.trackType == "bus")
      #expect(isClose(hall.loudness.value, -29, within: 0.05))
      for name in ["Quiet", "Keys"] {
        let silent = try strip(name, report)
        #expect(silent.isSilent && silent.peak.value == -.infinity && silent.loudness.value == -.infinity)
      }
      let one = try levels(daw, "hall", "Tone", "Outside")
      #expect(one.strips.map(\.name) == ["Tone", "Hall", "Outside"])
      #expect(try strip("Hall", one) == hall && strip("Tone", one) == tone)
      #expect(try levels(daw, "--external").strips.map(\.name).contains("Outside"))
    }
  }

  @Test("The master is the bounce, and a strip its stem, over any range and by any number of threads")
  func agreement() throws {
    try withSong { daw in
      try daw(
        "batch", "-",
        input: """
          add-effect Tone compressor threshold=-40 ratio=8 attack=30 release=400 lookAhead=7
          add-effect Tone delay time=171 --post
          add-effect Hall reverb
          add-effect Master limiter ceiling=-14 --post
          add-point Rest volume -20 --at 0s
          add-point Rest volume 0 --at 2s

          """)
      for range in [[], ["--from", "0.7s", "--to", "1.9s"]] {
        let report = try levels(daw, range)
        for way in [["--threads", "1", "--block", "333"], ["--threads", "5", "--block", "1000"]] {
          #expect(try levels(daw, range + way).strips == report.strips, "\(range), \(way)")
        }
        let words = ["--tail", "0s", "--bits", "32f", "--overwrite", "--json", "--allow", "tail"] + range
        let mix = try daw.run(["bounce", "-o", "mix.wav"] + words).json(Bounced.self)
        let master = try strip("Master", report)
        #expect(
          master.peak == mix.peak && master.truePeak == mix.truePeak && master.loudness == mix.loudness,
          "\(master) \(mix)")
        let stems = try daw.run(["bounce", "-o", "stems", "--stems"] + words).json(Bounced.self).stems ?? []
        #expect(stems.map(\.name) == ["Rest", "Tone", "Hall", "Keys"])
        for stem in stems { #expect(try strip(stem.name, report).peak == stem.peak, "\(stem.name)") }
      }
    }
  }

  @Test("What compressors, gates and limiters take away is what their curves say, over the frames of the range")
  func reductions() throws {
    try withSong { daw in
      // The level is 8 dB above the threshold, of which a quarter is left; and 4 dB below that of the gate.
      try daw("add-effect", "Rest", "compressor", "threshold=-20", "ratio=4", "knee=0", "attack=1", "release=5")
      try daw("add-effect", "Rest", "gate", "threshold=-14", "range=-30", "release=5", "hold=0", "--post")
      try daw("add-effect", "Rest", "compressor", "--bypass")
      try daw("add-effect", "Rest", "limiter", "--off")
      try daw("add-effect", "Quiet", "compressor")
      let report = try levels(daw, "--from", "1s", "--to", "2s")
      let effects = try strip("Rest", report).effects
      #expect(effects.map(\.name) == ["compressor", "compressor 2", "limiter", "gate"])
      #expect(isClose(effects[0].mostReduction, 6, within: 0.01), "\(effects)")
      #expect(isClose(effects[0].meanReduction, 6, within: 0.01), "\(effects)")
      #expect(isClose(effects[3].mostReduction, 30, within: 0.01), "\(effects)")
      #expect(isClose(effects[3].meanReduction, 30, within: 0.01), "\(effects)")
      #expect(isClose(try strip("Rest", report).peak.value, -12 - 6 - 30, within: 0.02))
      #expect(effects[1...2].allSatisfy { $0.mostReduction == nil && $0.meanReduction == nil })
      #expect(try strip("Quiet", report).effects.map(\.mostReduction) == [nil])
      // Silence is not compressed: over the first half of a range of which the second is sound, and its mean over both.
      try daw("set-region", "Rest/rest", "--at", "1s")
      let early = try strip("Rest", try levels(daw, "--to", "1s")).effects[0]
      #expect(early.mostReduction == 0 && early.meanReduction == 0)
      let both = try strip("Rest", try levels(daw, "--to", "2s")).effects[0]
      #expect(isClose(both.mostReduction, 6, within: 0.01) && isClose(both.meanReduction, 3, within: 0.02), "\(both)")
      let behind = try levels(daw, "--from", "4.5s", "--to", "5s")
      #expect(behind.strips.allSatisfy(\.isSilent) && behind.warnings == ["Nothing is heard in the range."])
    }
  }

  @Test("A limiter takes away what is above its ceiling, wherever it stands and however late what follows is")
  func limiters() throws {
    try withSong { daw in
      try daw("add-effect", "Rest", "limiter", "ceiling=-15", "lookAhead=10")
      try daw("add-effect", "Rest", "limiter", "ceiling=-17", "lookAhead=3")
      try daw("add-effect", "Rest", "limiter", "ceiling=-18", "--bypass")
      let rest = try strip("Rest", try levels(daw, "Rest", "--from", "1s", "--to", "2s"))
      // A level's true peak is hardly more than the level.
      let (first, second) = (rest.effects[0], rest.effects[1])
      #expect(isClose(first.mostReduction, 3, within: 0.1) && isClose(second.mostReduction, 2, within: 0.1), "\(rest)")
      let sum = try #require(first.meanReduction) + (try #require(second.meanReduction))
      #expect(isClose(rest.peak.value, -12 - sum, within: 0.001), "\(rest)")
      #expect(rest.effects[2].mostReduction == nil)
    }
  }

  @Test("Where a medium is missing nothing is measured, unless that is allowed: then it is silent")
  func missingMedia() throws {
    try withSong { daw in
      let audio = daw.folder.appending(path: "Song.daw/Audio")
      for name in try FileManager.default.contentsOfDirectory(atPath: audio.path) where name.hasPrefix("rest") {
        try FileManager.default.removeItem(at: audio.appending(path: name))
      }
      let refused = try daw.run(["levels"])
      #expect(refused.status == 66 && refused.error.contains("is missing"), "\(refused.error)")
      #expect(!refused.error.contains("written"), "\(refused.error)")
      #expect(try daw.run(["bounce"]).error.contains("Nothing was written."))
      #expect(try daw.run(["levels", "--allow", "changed"]).status == 66)
      let report = try levels(daw, "--allow", "Missing")
      #expect(try strip("Rest", report).isSilent && !strip("Tone", report).isSilent)
      #expect(report.warnings.contains { $0.contains("is missing") }, "\(report.warnings)")
    }
  }

  @Test("The text fits a narrow terminal, whatever names there are; mistakes are answered")
  func text() throws {
    try withSong { daw in
      try daw("set-track", "Tone", "--name", "The second electric bass of the bridge, doubled an octave up\u{2028}x")
      try daw("add-effect", "Rest", "compressor", "threshold=-20", "ratio=4", "knee=0", "attack=0.1", "lookAhead=10")
      var narrow = daw
      narrow.environment["COLUMNS"] = "60"
      let output = try narrow("levels")
      let lines = output.text.split(separator: "\n")
      #expect(lines.count == 7 && lines.allSatisfy { $0.count <= 60 }, "\(output.text)")
      #expect(lines[0].starts(with: /Rest +-[0-9.]+ dBFS +-[0-9.]+ dBTP +-[0-9.]+ LUFS$/), "\(lines[0])")
      #expect(lines[1].hasPrefix("  compressor ") && lines[1].contains("6.0 dB at most, 6.0 dB on average"), "\(lines)")
      #expect(lines.contains { $0.hasPrefix("Quiet") && $0.hasSuffix(" silent") }, "\(output.text)")
      #expect(try daw("levels", "-q").text.split(separator: "\n").count == 6)
      for (words, status, message) in [
        (["Rost"], 66, "Did you mean 'Rest'?"), (["--form", "1s"], 64, "'--from'"),
        (["--from", "2s", "--to", "1s"], 65, "before it begins"),
        (["--from", "2s", "--to", "2s"], 65, "--from and --to"),
        (["--to", "1e308"], 64, "is not a position"), (["--threads", "0"], 64, "--threads"),
        (["--allow", "empty"], 64, "missing or changed"), (["--allow", "quiet"], 64, "missing or changed"),
      ] {
        let output = try daw.run(["levels"] + words)
        #expect(Int(output.status) == status && output.error.contains(message), "\(words): \(output.error)")
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: daw.folder.appending(path: "Song.daw/Bounces").path).isEmpty
      )
    }
  }
}
