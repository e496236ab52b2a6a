import DAWTestSupport
import Foundation
import Testing

@Suite("Inserting, deleting and copying time")
struct TimeEditCommandTests {
  private struct Placed: Decodable {
    var startTime: Double
    var duration: Double?
  }
  private struct Edited: Decodable {
    struct Regions: Decodable { var moved, cut, removed, copied: Int }
    var isChanged: Bool
    var regions: Regions
    var marks: Int
  }

  /// A song at 120 BPM of two regions of noise that overlap, one of them in musical time, and notes.
  private func withSong(_ body: (DAWProgram) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song", "--tempo", "120")
      for number in 1...2 {
        let noise = Signal.noise(seed: UInt64(number), frames: 480_000, channels: 1, peak: 0.4).map { Int($0 * 32_767) }
        try PlainWave.write([noise], bits: 16, rate: 48_000, to: folder.appending(path: "noise\(number).wav"))
      }
      try daw("add-track", "Drums")
      try daw("add-region", "Drums", "--file", "noise1.wav", "--name", "Loop", "--at", "0.3s")
      try daw("add-track", "Voice")
      try daw(
        "add-region", "Voice", "--file", "noise2.wav", "--name", "Take", "--at", "2.1.0", "--time-base", "musical",
        "--offset", "1.23s", "--gain", "-3")
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--name", "Verse", "--length", "6.0.0")
      try daw(
        "add-notes", "Verse", input: "pitch,start,length\n" + (0..<24).map { "C4,\($0)b,1.5b\n" }.joined().dropLastNote)
      try daw("add-marker", "Chorus", "--at", "3.1.0")
      try body(daw)
    }
  }

  /// The bytes of the samples of the bounce of the audio tracks.
  private func samples(_ daw: DAWProgram, _ words: String...) throws -> Data {
    let file = daw.folder.appending(path: "\(UUID().uuidString).wav")
    try daw.run(["bounce", "-o", file.path, "--bits", "32f", "--track", "Drums", "--track", "Voice"] + words)
    let data = try Data(contentsOf: file)
    guard let chunk = data.range(of: Data("data".utf8)) else { return data }
    return data[(chunk.upperBound + 4)...]
  }

  @Test("Inserted and deleted time leaves the same bounce; what comes after inserted time is the same, later")
  func bounces() throws {
    try withSong { daw in
      let whole = try samples(daw)
      for (at, length) in [("3.1.0", "2.0.0"), ("2.77s", "1.5s"), ("4.2.1234", "7b"), ("1.1.0", "1.0.0")] {
        try daw("insert-time", "--at", at, "--length", length)
        #expect(try samples(daw) != whole, "\(at)")
        try daw("undo")
        #expect(try samples(daw) == whole, "\(at)")
      }
      try daw("insert-time", "--at", "3.1.0", "--length", "2.0.0")
      // Bar 3 is at 4 s, and two bars last 4 s; a frame is 8 bytes.
      let (cut, gap) = (4 * 48_000 * 8, 4 * 48_000 * 8)
      let longer = try samples(daw)
      #expect(longer.prefix(cut) == whole.prefix(cut))
      #expect(longer.dropFirst(cut).prefix(gap).allSatisfy { $0 == 0 })
      #expect(longer.dropFirst(cut + gap) == whole.dropFirst(cut))
      try daw("delete-time", "--from", "3.1.0", "--to", "5.1.0")
      #expect(try samples(daw) == whole)
      // A cut between two frames is heard as little.
      try daw("insert-time", "--at", "2.3.777", "--length", "4b")
      try daw("delete-time", "--from", "2.3.777", "--to", "3.3.777")
      #expect(try samples(daw) == whole)
      try daw("copy-time", "--from", "2.1.0", "--to", "3.1.0", "--at", "3.1.0", "--count", "2")
      let copied = try samples(daw)
      let bar = 2 * 48_000 * 8
      // But for 3 ms of fade at the edges that something else follows now.
      let fade = 144 * 8
      for number in 0..<3 {
        let (part, expected) = (copied.dropFirst((1 + number) * bar), whole.dropFirst(bar))
        let inner = bar - 2 * fade
        #expect(part.dropFirst(fade).prefix(inner) == expected.dropFirst(fade).prefix(inner), "\(number)")
      }
      #expect(copied.dropFirst(4 * bar) == whole.dropFirst(2 * bar))
      #expect(try daw("check").text.contains("All is well"))
    }
  }

  @Test("Each is one step of undo; a dry run says the counts; refusals change nothing")
  func steps() throws {
    try withSong { daw in
      let before = try daw("show", "--json", "--notes").text
      func revision() throws -> String { try daw("revision").text }
      let first = try revision()
      let tried = try daw("insert-time", "--at", "3.1.0", "--length", "1.0.0", "--dry-run", "--json").json(Edited.self)
      #expect(!tried.isChanged && tried.regions.cut == 3 && tried.regions.moved == 0 && tried.marks == 1)
      let said = try daw("delete-time", "--from", "2.1.0", "--to", "3.1.0", "--dry-run").text
      #expect(said.contains("3 regions cut") && said.contains("Only tried"), "\(said)")
      #expect(try revision() == first)
      for words in [
        ["insert-time", "--at", "3.1.0", "--length", "1.0.0"], ["delete-time", "--from", "1s", "--to", "3s"],
        ["copy-time", "--from", "1.1.0", "--to", "3.1.0", "--at", "@Chorus", "--count", "3"],
        ["insert-time", "--at", "1.3.0", "--length", "1b", "--track", "Keys", "--track", "drums"],
      ] {
        #expect(try daw.run(words).status == 0, "\(words)")
        #expect(try daw("undo").status == 0)
        #expect(try daw("show", "--json", "--notes").text.withoutDates == before.withoutDates, "\(words)")
      }
      try daw("add-meter", "3/4", "--at", "5.1.0")
      let last = try revision()
      for (words, status, code) in [
        (["insert-time", "--at", "2.1.0", "--length", "1b"], 65, "meterBar"),
        (["delete-time", "--from", "2.1.0", "--to", "2.2.0"], 65, "meterBar"),
        (["copy-time", "--from", "2.1.0", "--to", "2.2.0", "--at", "3.1.0"], 65, "meterBar"),
        (["delete-time", "--from", "2.1.0", "--to", "2.1.0"], 65, "invalidRange"),
        (["delete-time", "--from", "3.1.0", "--to", "2.1.0"], 65, "invalidRange"),
        (["insert-time", "--at", "2.1.0", "--length", "0s"], 65, "invalidTime"),
        (["insert-time", "--at", "0s", "--length", "1099511627776b"], 65, "invalidTime"),
        (["insert-time", "--at", "0s", "--length", "71000000b"], 65, "meterBar"),
        (["insert-time", "--at", "2.1.0", "--length", "1b", "--track", "Drum"], 66, "trackNotFound"),
        (["copy-time", "--from", "1.1.0", "--to", "2.1.0", "--at", "1.1.0", "--count", "0"], 64, "usage"),
        (["insert-time", "--at", "+1b", "--length", "1b"], 65, "invalidTime"),
      ] as [([String], Int32, String)] {
        let output = try daw.run(words + ["--json"])
        #expect(output.status == status && output.error.contains("\"\(code)\""), "\(words): \(output.error)")
      }
      try daw("add-tempo", "90", "--at", "2.1.0", "--ramp-to", "60", "--until", "4.1.0")
      let bent = try daw.run(["delete-time", "--from", "2.3.0", "--to", "3.3.0", "--json"])
      #expect(bent.status == 65 && bent.error.contains("tempoRampCut"), "\(bent.error)")
      try daw("undo")
      #expect(
        try Int(revision().trimmingCharacters(in: .newlines)) ?? 0 > Int(last.trimmingCharacters(in: .newlines)) ?? 0)
      let empty = try daw("insert-time", "--at", "100.1.0", "--length", "4.0.0").text
      #expect(empty.contains("nothing lies there"), "\(empty)")
    }
  }

  @Test("Seconds that are put in where a ramp ends are measured with the tempo that it arrives at")
  func secondsBehindRamp() throws {
    struct Result: Decodable {
      struct Time: Decodable { var lengthTicks: Int64 }
      var time: Time
    }
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song", "--tempo", "60")
      try daw("add-tempo", "60", "--at", "2.1.0", "--ramp-to", "120", "--until", "3.1.0")
      let inserted = try daw("insert-time", "--at", "3.1.0", "--length", "60s", "--json").json(Result.self)
      #expect(inserted.time.lengthTicks == 30 * 4 * 15_360)
    }
  }

  @Test("A copy on some tracks, to where it is slower, ends with what lay in the range")
  func copyToSlowerTempo() throws {
    try withSong { daw in
      try daw("add-tempo", "60", "--at", "8.1.0")
      try daw("copy-time", "--from", "1.1.0", "--to", "3.1.0", "--at", "9.1.0", "--track", "Drums")
      let regions = try daw("list-regions", "--track", "Drums", "--json").json([Placed].self)
      // The region begins at 0.3 s and lasts 10 s, and bar 3 begins at 4 s.
      #expect(regions.map { (($0.duration ?? 0) * 1000).rounded() } == [10_000, 3_700], "\(regions)")
      #expect(try daw("check").text.contains("All is well"))
    }
  }

  @Test("A copy on some tracks, to where it is faster, is faded where its range cuts it")
  func copyToFasterTempo() throws {
    struct Faded: Decodable {
      struct Fade: Decodable { var durationFlicks: Int64 }
      var duration: Double
      var fadeOut: Fade?
    }
    try withSong { daw in
      try daw("add-tempo", "240", "--at", "8.1.0")
      // The region begins at 0.3 s and ends with the range.
      try daw("copy-time", "--from", "1.1.0", "--to", "10.3s", "--at", "9.1.0", "--track", "Drums")
      let regions = try daw("list-regions", "--track", "Drums", "--json").json([Faded].self)
      #expect(regions.map { ($0.duration * 1000).rounded() } == [10_000, 5_000], "\(regions)")
      // 3 ms.
      #expect(regions.map { $0.fadeOut?.durationFlicks } == [nil, 2_116_800], "\(regions)")
      #expect(try daw("check").text.contains("All is well"))
    }
  }

  @Test("More copies of regions than one edit makes are refused before the first is made")
  func tooMany() throws {
    try withSong { daw in
      try daw("copy-region", "Keys/Verse", "--count", "12")
      let words = ["copy-time", "--from", "1.1.0", "--to", "100.1.0", "--at", "100.1.0", "--json", "--count"]
      let refused = try daw.run(words + ["10000"])
      #expect(refused.status == 65 && refused.error.contains("\"tooManyRegions\""), "\(refused.error)")
      #expect(try daw.run(words + ["2"]).status == 0)
    }
  }

  @Test("What a cut inside fades and crossfades changes is said, with a few of the regions")
  func cutFades() throws {
    try withSong { daw in
      func warnings(_ words: String...) throws -> [String] {
        struct Result: Decodable { var warnings: [String] }
        return try daw.run(words + ["--dry-run", "--json"]).json(Result.self).warnings
      }
      #expect(try warnings("insert-time", "--at", "2.2.0", "--length", "1.0.0").isEmpty)
      try daw("set-region", "Loop", "--fade-in", "500ms")
      #expect(try warnings("insert-time", "--at", "0.5s", "--length", "1.0.0").isEmpty)
      let fade = try warnings("delete-time", "--from", "0s", "--to", "0.5s")
      #expect(fade.count == 1 && fade[0].contains("a fade") && fade[0].contains("'Drums/Loop' at 1.2.0"), "\(fade)")
      try daw("set-track", "Voice", "--overlap", "crossfade")
      for number in 1...4 {
        try daw(
          "add-region", "Voice", "--file", "noise1.wav", "--name", "Late \(number)", "--at", "\(3 + number).1.0")
      }
      let crossfade = try warnings("insert-time", "--at", "5.2.0", "--length", "1.0.0")
      #expect(crossfade.count == 1 && crossfade[0].contains("a crossfade"), "\(crossfade)")
      #expect(crossfade[0].contains("'Voice/Take' and 'Voice/Late 1' and 'Voice/Late 2' at 5.2.0"), "\(crossfade)")
      #expect(try warnings("insert-time", "--at", "5.2.0", "--length", "1.0.0", "--track", "Drums").isEmpty)
      let more = try warnings("insert-time", "--at", "7.2.0", "--length", "1.0.0")
      #expect(more[0].contains("and 1 more at 7.2.0"), "\(more)")
      // Of the places, too, a few are said.
      for (number, ending) in [" (0:00.500).", " (0:00.500).", " (0:00.500), and 1 more."].enumerated() {
        try daw("add-track", "Layer \(number)")
        try daw("add-region", "Layer \(number)", "--file", "noise1.wav", "--at", "0.3s", "--fade-in", "0.5s")
        let fades = try warnings("delete-time", "--from", "0s", "--to", "0.5s")
        #expect(fades.count == 1 && fades[0].hasSuffix(ending), "\(fades)")
        #expect(fades[0].components(separatedBy: " at 1.2.0").count - 1 == min(3, number + 2), "\(fades)")
      }
    }
  }

  @Test("Where a copied key holds on, since there was none before, that is said")
  func lastingKeys() throws {
    try withSong { daw in
      func warnings(_ from: String, _ to: String, _ at: String, _ options: String...) throws -> [String] {
        struct Result: Decodable { var warnings: [String] }
        return try daw.run(["copy-time", "--from", from, "--to", to, "--at", at, "--dry-run", "--json"] + options)
          .json(Result.self).warnings
      }
      try daw("add-key", "D", "--at", "5.1.0")
      let behind = try warnings("5.1.0", "6.1.0", "2.1.0")
      #expect(behind.count == 1 && behind[0].hasPrefix("The key D major holds on at 3.1.0 (0:04.000)"), "\(behind)")
      let within = try warnings("1.1.0", "2.1.0", "7.1.0")
      #expect(within.count == 1 && within[0].hasPrefix("The key D major holds on at 7.1.0"), "\(within)")
      #expect(try warnings("5.1.0", "6.1.0", "6.1.0").isEmpty)
      #expect(try warnings("1.1.0", "2.1.0", "3.1.0").isEmpty)
      #expect(try warnings("5.1.0", "6.1.0", "2.1.0", "--track", "Keys").isEmpty)
      try daw("add-key", "Am")
      #expect(try warnings("5.1.0", "6.1.0", "2.1.0").isEmpty)
    }
  }

  @Test("Pedals, bends and programs in deleted time hold from the cut on, and a copy leaves none behind it")
  func controllers() throws {
    struct Event: Decodable {
      var kind: String
      var value: Int?
      var timelineTicks: Int64
    }
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song", "--tempo", "120")
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--name", "Verse", "--length", "32b")
      let list = "controller,1b,64,127\ncontroller,6b,64,0\npitchBend,1b,,4096\npitchBend,6b,,0\n"
      try daw("add-events", "Verse", input: "kind,start,controller,value\n" + list)
      try daw("add-event", "Verse", "--program", "40", "--at", "5b")
      /// The events of a kind by their quarter.
      func events(at quarter: Int64) throws -> [String] {
        try daw.run(["list-events", "--json"]).json([Event].self).filter { $0.timelineTicks == quarter * 15_360 }
          .map { event in event.value.map { "\(event.kind) \($0)" } ?? event.kind }.sorted()
      }
      try daw("delete-time", "--from", "4b", "--to", "8b")
      #expect(try events(at: 1) == ["controller 127", "pitchBend 4096"])
      #expect(try events(at: 4) == ["controller 0", "pitchBend 0", "program"])
      try daw("undo")
      try daw("copy-time", "--from", "0b", "--to", "4b", "--at", "16b")
      #expect(try events(at: 16).isEmpty)
      #expect(try events(at: 17) == ["controller 127", "pitchBend 4096"])
      #expect(try events(at: 20) == ["controller 0", "pitchBend 0"])
      #expect(try daw("check").text.contains("All is well"))
    }
  }

  @Test("In a batch, and of ten thousand regions at once")
  func many() throws {
    try withSong { daw in
      try daw("copy-region", "Verse", "--at", "10.1.0", "--count", "3000")
      try daw("batch", "-", input: "insert-time --at 2.1.0 --length 1.0.0\ndelete-time --from 2.1.0 --to 3.1.0\n")
      let output = try daw("insert-time", "--at", "2.1.0", "--length", "1.0.0", "--json").json(Edited.self)
      #expect(output.regions.moved >= 3000)
    }
  }
}

extension String {
  fileprivate var dropLastNote: String {
    split(separator: "\n").dropLast().map { $0 + "\n" }.joined()
  }

  /// JSON without what each edit changes.
  fileprivate var withoutDates: [Substring] {
    split(separator: "\n").filter { !$0.contains("modifiedDate") && !$0.contains("\"revision\"") }
  }
}
