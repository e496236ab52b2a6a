import DAWTestSupport
import Foundation
import Testing

@Suite("Nonsense")
struct NonsenseTests {
  /// DESIGN's exit statuses, but for 70, our own fault, and 130.
  private static let statuses: Set<Int32> = [0, 64, 65, 66, 69, 73, 74, 75]

  @Test("Command lines made of nonsense: a sentence, the right kind of status, never a trace, never a change")
  func commandLines() throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try daw("add-track", "Piano", "--type", "midi")
      try daw("add-region", "Piano", "--name", "Part", "--length", "4b")
      try daw("add-note", "Part", "60")
      var before = try daw("show", "--json", "--notes").data
      for _ in 0..<100 {
        let line = nonsense(&generator)
        let output = try daw.run(line)
        let comment: Testing.Comment = "seed \(seed): daw \(line): \(output.status) \(output.error)"
        #expect(output.signal == nil, comment)
        #expect(Self.statuses.contains(output.status), comment)
        #expect(!output.error.contains("Fatal error") && !output.error.contains(".swift:"), comment)
        let after = try daw("show", "--json", "--notes").data
        if output.status != 0 {
          #expect(!output.error.isEmpty, comment)
          #expect(after == before, comment)
        }
        before = after
      }
      try daw("check")
    }
  }

  private func nonsense(_ generator: inout SeededGenerator) -> [String] {
    let verbs = [
      "add-track", "set-track", "move-track", "list-tracks", "add-region", "set-region", "split-region", "copy-region",
      "list-regions", "add-note", "add-notes", "set-note", "list-notes", "set-project", "show", "history", "bounce",
      "check", "batch", "import", "revision", "ad-track", "", "--", "-", "help",
    ]
    let options = [
      "--volume", "--pan", "--at", "--length", "--type", "--channels", "--json", "-q", "--dry-run", "--if-revision",
      "--color", "--name", "--tempo", "--time-signature", "--velocity", "--channel", "--file", "--offset", "--gain",
      "--mute", "--no-mute", "--track", "--to", "--count", "-o", "--nonsense", "--limit", "--from",
    ]
    let words = [
      "Piano", "Part", "Master", "60", "C4", "-6", "-inf", "nan", "1e999", "9999999999999999999", "3.1.0", "0.0.0",
      "12.5s", "-1s", "48000f", "1:02.500", "4b", "", " ", "\u{0}", "🎹", "a\nb", "../../etc/passwd", "/dev/null", "'",
      "%s%n", "--volume=-6", "--volume=", "7/8", "0/0", "id:ffffff", "id:", "blue", "midi", "audio",
    ]
    var line = [verbs.randomElement(using: &generator) ?? ""]
    for _ in 0..<Int.random(in: 0...5, using: &generator) {
      let isOption = Bool.random(using: &generator)
      line.append((isOption ? options : words).randomElement(using: &generator) ?? "")
    }
    // No argument of a process can hold a nul.
    return line.map { $0.replacingOccurrences(of: "\u{0}", with: "") }
  }

  @Test("Media broken in every way: a sentence or a region, never a trace, never a change without success")
  func brokenMedia() throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try daw("add-track", "A")
      var song = RandomSong(seed: seed)
      let wave = folder.appendingPathComponent("good.wav")
      try PlainWave.write(song.noise(channels: 2, frames: 500, bits: 24), bits: 24, rate: 48_000, to: wave)
      let good = [UInt8](try Data(contentsOf: wave))
      var before = try daw("show", "--json").data
      for index in 0..<48 {
        var bytes = good
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          bytes[Int.random(in: 0..<60, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        if index % 4 == 0 { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator)) }
        let name = "broken-\(index).wav"
        try Data(bytes).write(to: folder.appendingPathComponent(name))
        let output = try daw.run(["add-region", "A", "--file", name])
        let comment: Testing.Comment = "seed \(seed), file \(index): \(output.status) \(output.error)"
        #expect(output.signal == nil, comment)
        #expect([0, 65, 66].contains(output.status), comment)
        let after = try daw("show", "--json").data
        if output.status != 0 {
          #expect(!output.error.isEmpty, comment)
          #expect(after == before, comment)
        }
        before = after
      }
      try daw("check")
    }
  }
}
