import DAWTestSupport
import Foundation
import Testing

@Suite("The timeline through the command line")
struct TimelineCommandTests {
  private struct Map: Decodable {
    struct Tempo: Decodable {
      var startTicks: Int64
      var startTime: Double
      var bpm: Double
      var isRamp: Bool
    }
    struct Meter: Decodable {
      var bar: Int64
      var startTicks: Int64
      var timeSignature: String
    }
    var tempos: [Tempo]
    var meters: [Meter]
  }
  private struct Marker: Decodable {
    var name: String
    var startTime: Double
    var startTicks: Int64?
    var startFlicks: Int64?
    var durationTicks: Int64?
    var duration: Double?
    var color: String?
    var kind: String
  }
  private struct Document: Decodable { var tempoMap: Map }
  private struct Region: Decodable {
    var name: String
    var startTime: Double
    var duration: Double
  }

  private func withSong(_ body: (DAWProgram) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song")
      try body(daw)
    }
  }

  private func map(_ daw: DAWProgram) throws -> Map { try daw("show", "--json").json(Document.self).tempoMap }

  @Test("A ramp that goes nowhere warns; --ramp-to adds the tempo that it goes to, in one edit")
  func ramps() throws {
    try withSong { daw in
      let lonely = try daw.run(["add-tempo", "90", "--at", "17.1.0", "--ramp"])
      #expect(lonely.status == 0 && lonely.error.contains("there is none"), "\(lonely.error)")
      #expect(try daw.run(["set-tempo", "17.1.0", "--ramp"]).error.contains("there is none"))
      #expect(try daw.run(["set-tempo", "@start", "--ramp"]).error.isEmpty)
      #expect(try daw.run(["add-tempo", "100", "--at", "3.1.0", "--ramp"]).error.isEmpty)
      try daw("add-tempo", "120", "--at", "5.1.0", "--ramp-to", "60", "--until", "9.1.0")
      let tempos = try map(daw).tempos
      #expect(tempos.map(\.bpm) == [120, 100, 120, 60, 90])
      #expect(tempos.map(\.isRamp) == [true, true, true, false, true])
      for (end, status) in [("18.1.0", Int32(65)), ("17.1.0", 65), ("10.1.0", 65), ("11.1.0", 0)] {
        let output = try daw.run(["add-tempo", "70", "--at", "10.1.0", "--ramp-to", "80", "--until", end])
        #expect(output.status == status, "\(end): \(output.error)")
      }
      #expect(try daw.run(["add-tempo", "70", "--at", "12.1.0", "--ramp-to", "80"]).status == 64)
      try daw("undo", "2")
      #expect(try map(daw).tempos.map(\.bpm) == [120, 100, 90])
    }
  }

  @Test("A note that is given no length is a quarter, and a MIDI region one bar, whatever the tempo and the meter")
  func usualLengths() throws {
    struct Added: Decodable {
      struct Part: Decodable { var durationTicks: Int64 }
      var region: Part?
      var note: Part?
    }
    try withSong { daw in
      try daw("set-project", "--tempo", "77", "--time-signature", "3/4")
      try daw("add-meter", "7/8", "--at", "3.1.0")
      try daw("add-track", "Keys", "--type", "midi")
      #expect(try daw("add-region", "Keys", "--json").json(Added.self).region?.durationTicks == 46_080)
      let later = try daw("add-region", "Keys", "--at", "3.1.0", "--name", "Later", "--json").json(Added.self)
      #expect(later.region?.durationTicks == 53_760)
      #expect(try daw("add-note", "Later", "C4", "--json").json(Added.self).note?.durationTicks == 15_360)
      try daw("add-notes", "Later", input: "pitch,start\nD4,1b\n")
      #expect(try daw("list-notes", "--pitch", "D4", "--json").json([Added.Part].self).map(\.durationTicks) == [15_360])
    }
  }

  @Test("Key signatures are added, moved, set, removed and undone, and refused where they cannot be")
  func keys() throws {
    struct Signature: Decodable, Equatable {
      var startTicks: Int64
      var fifths: Int
      var isMinor: Bool
    }
    try withSong { daw in
      func keys() throws -> [Signature] { try daw("list-keys", "--json").json([Signature].self) }
      #expect(try daw("list-keys").line == "No key signatures.")
      try daw("add-key", "Bbm")
      let id = try daw("add-key", "F# minor", "--at", "5.1.0", "--quiet").line
      #expect(
        try keys() == [
          Signature(startTicks: 0, fifths: -5, isMinor: true),
          Signature(startTicks: 16 * 15_360, fifths: 3, isMinor: true),
        ])
      #expect(try daw("list-keys", "-q").text.contains(id))
      #expect(try daw("list-keys").text.contains("5.1.0 (0:08.000)  F# minor"))
      try daw("set-key", "5.1.0", "--key", "D", "--at", "7.1.0")
      #expect(try keys().last == Signature(startTicks: 24 * 15_360, fifths: 2, isMinor: false))
      for (arguments, status, word) in [
        (["add-key", "C", "--at", "7.1.0"], 65, "set-key"), (["add-key", "H"], 64, "a key is such as"),
        (["add-key", "F##"], 65, "0 … 7 sharps"), (["set-key", "9.1.0", "--key", "C"], 66, "list-keys"),
        (["set-key", "7.1.0"], 64, "--key or --at"), (["set-key", "7.1.0", "--at", "1.1.0"], 65, "one key signature"),
        (["remove-key", "2.1.0"], 66, "There is no key signature at 2.1.0"),
      ] as [([String], Int32, String)] {
        let output = try daw.run(arguments)
        #expect(output.status == status && output.error.contains(word), "\(arguments): \(output.error)")
      }
      try daw("remove-key", "7.1.0", "7.1.0", "1.1.0")
      #expect(try keys().isEmpty)
      try daw("undo")
      #expect(try keys().count == 2)
    }
  }

  @Test("What an add command prints with --quiet is taken where a place is")
  func marksByID() throws {
    try withSong { daw in
      func made(_ words: String...) throws -> String {
        try daw.run(words + ["--quiet"]).text.trimmingCharacters(in: .whitespacesAndNewlines)
      }
      let (tempo, meter, key) = (
        try made("add-tempo", "60", "--at", "5.1.0"), try made("add-meter", "3/4", "--at", "3.1.0"),
        try made("add-key", "D", "--at", "2.1.0")
      )
      try daw("set-tempo", tempo, "--bpm", "66")
      try daw("set-meter", "id:" + meter.suffix(12), "--time-signature", "5/4")
      try daw("set-key", key, "--at", "4.1.0")
      #expect(try map(daw).tempos.map(\.bpm) == [120, 66])
      #expect(try daw.run(["list-meters"]).text.contains("5/4"))
      #expect(try daw.run(["set-tempo", meter, "--bpm", "70"]).status == 66)
      #expect(try daw.run(["set-tempo", "zzz", "--bpm", "70"]).status == 64)
      try daw("remove-tempo", tempo)
      try daw("remove-meter", meter)
      try daw("remove-key", key)
      #expect(try map(daw).tempos.count == 1)
      #expect(try !daw.run(["list-meters"]).text.contains("5/4"))
    }
  }

  @Test("Tempi are added, ramped, moved, set and removed, the first one's own too")
  func tempos() throws {
    try withSong { daw in
      try daw("add-tempo", "60", "--at", "5.1.0")
      try daw("add-tempo", "240", "--at", "7.1.0", "--ramp")
      #expect(try map(daw).tempos.map(\.bpm) == [120, 60, 240])
      #expect(try map(daw).tempos.map(\.startTime) == [0, 8, 16])
      try daw("set-tempo", "5.1.0", "--bpm", "120", "--at", "6.1.0")
      try daw("set-tempo", "@start", "--ramp")
      try daw("set-tempo", "7.1.0", "--no-ramp")
      #expect(try map(daw).tempos.map(\.isRamp) == [true, false, false])
      #expect(try map(daw).tempos.map(\.startTicks) == [0, 20 * 15_360, 24 * 15_360])
      try daw("remove-tempo", "6.1.0", "7.1.0")
      #expect(try map(daw).tempos.count == 1)
      #expect(try daw.run(["remove-tempo", "1.1.0"]).status == 65)
      #expect(try daw.run(["set-tempo", "5.1.0", "--bpm", "90"]).status == 66)
      try daw("undo", "6")
      #expect(try map(daw).tempos.map(\.bpm) == [120])
      #expect(try daw("list-tempos").text.contains("120 BPM"))
    }
  }

  @Test("A meter begins at a bar line and stays at its bar when an earlier one changes")
  func meters() throws {
    try withSong { daw in
      try daw("add-meter", "7/8", "--at", "9.1.0")
      try daw("add-meter", "3/4", "--at", "3.1.0")
      #expect(try map(daw).meters.map(\.bar) == [1, 3, 9])
      #expect(try map(daw).meters.map(\.startTicks) == [0, 8 * 15_360, 26 * 15_360])
      try daw("set-meter", "1.1.0", "--time-signature", "2/4")
      #expect(try map(daw).meters.map(\.startTicks) == [0, 4 * 15_360, 22 * 15_360])
      try daw("set-meter", "9.1.0", "--at", "10.1.0")
      try daw("remove-meter", "3.1.0")
      #expect(try map(daw).meters.map(\.timeSignature) == ["2/4", "7/8"])
      let refused = try daw.run(["add-meter", "3/4", "--at", "4.2.0"])
      #expect(refused.status == 65 && refused.error.contains("4.1.0"))
      #expect(try daw("list-meters").text.contains("7/8"))
    }
  }

  @Test("Notes and musical regions go with a change of tempo exactly; audio goes or stays by its time base")
  func following() throws {
    try withSong { daw in
      try PlainWave.write(
        [[Int](repeating: 100, count: 48_000)], bits: 16, rate: 48_000, to: daw.folder.appendingPathComponent("a.wav")
      )
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--name", "Part", "--at", "3.1.0", "--length", "4b")
      try daw("add-note", "Part", "60", "--at", "1b", "--length", "1b")
      try daw("add-track", "Tape")
      try daw("add-region", "Tape", "--file", "a.wav", "--name", "Stays", "--at", "8b")
      try daw("add-region", "Tape", "--file", "a.wav", "--name", "Goes", "--at", "8b", "--time-base", "musical")
      try daw("add-marker", "Beat", "--at", "3.1.0", "--length", "4b")
      try daw("add-marker", "Second", "--at", "4s", "--length", "1s")
      try daw("add-tempo", "60", "--at", "1b")
      let regions = try daw("list-regions", "--json").json([Region].self)
      let places = Dictionary(uniqueKeysWithValues: regions.map { ($0.name, [$0.startTime, $0.duration]) })
      #expect(places == ["Part": [7.5, 4], "Stays": [4, 1], "Goes": [7.5, 1]])
      let markers = try daw("list-markers", "--json").json([Marker].self)
      #expect(markers.map(\.name) == ["Second", "Beat"])
      #expect(markers.map(\.startTime) == [4, 7.5])
      #expect(markers.map(\.duration) == [1, 4])
      #expect(try daw("list-notes", "--json").text.contains("\"timelineTicks\" : 138240"))
    }
  }

  @Test("Markers name positions: with a distance, by id, and @start and @end always")
  func positions() throws {
    try withSong { daw in
      try daw("add-track", "Keys", "--type", "midi")
      let verse = try daw("add-marker", "Verse", "--at", "5.1.0", "--length", "2.0.0", "--color", "red", "-q").line
      try daw("add-marker", "Verse + more", "--at", "2s", "--kind", "cue")
      func start(_ position: String) throws -> Double {
        try daw("add-region", "Keys", "--at", position, "--name", "R", "--length", "1b")
        defer { _ = try? daw("undo") }
        let regions = try daw("list-regions", "--json").json([Region].self)
        return try #require(regions.first { $0.name == "R" }).startTime
      }
      for (position, seconds) in [
        ("@verse", 8.0), ("@VERSE+2b", 9), ("@verse+1.0.0", 10), ("@verse-0.5s", 7.5), ("@verse + more", 2),
        ("@verse + more+1s", 3), ("@start", 0), ("@start+1b", 0.5), ("@end", 0), ("@id:\(verse)", 8),
        ("@id:\(verse.suffix(6))", 8),
      ] {
        #expect(try start(position) == seconds, "\(position)")
      }
      try daw("add-region", "Keys", "--at", "2.1.0", "--length", "1.0.0", "--name", "Last")
      #expect(try start("@end") == 4)
      let missing = try daw.run(["add-region", "Keys", "--at", "@vers"])
      #expect(missing.status == 66 && missing.error.contains("'@Verse'"), "\(missing.error)")
      #expect(try daw.run(["add-region", "Keys", "--at", "@"]).status == 64)
      #expect(try daw.run(["add-region", "Keys", "--at", "@start-1b"]).status == 65)
      try daw("add-marker", "verse", "--at", "1b")
      let ambiguous = try daw.run(["add-region", "Keys", "--at", "@verse"])
      #expect(ambiguous.status == 65 && ambiguous.error.contains("5.1.0"), "\(ambiguous.error)")
      try daw(
        "set-marker", "id:\(verse)", "--name", "Chorus", "--time-base", "absolute", "--length", "none", "--color",
        "none")
      let markers = try daw("list-markers", "--json").json([Marker].self)
      let chorus = try #require(markers.first { $0.name == "Chorus" })
      #expect(chorus.startFlicks == 8 * 705_600_000 && chorus.duration == nil && chorus.color == nil)
      #expect(markers.first { $0.name == "Verse + more" }?.kind == "cue")
      try daw("remove-marker", "Chorus", "verse")
      #expect(try daw("list-markers", "-q").text.split(separator: "\n").count == 1)
      try daw("check")
    }
  }
}
