import DAWTestSupport
import Foundation
import Testing

@Suite("Edits of whole tracks and regions")
struct RegionEditTests {
  private struct Region: Decodable, Equatable {
    var name: String
    var startTime: Double
    var duration: Double
    var gain: Double
    var audioFile: String?
    var noteCount: Int?
  }
  private struct Track: Decodable {
    struct Instrument: Decodable { var program: Int }
    var name: String
    var volume: Double
    var isMuted: Bool
    var color: String?
    var instrument: Instrument?
  }

  /// Drums with Loop, a second of a square wave at half of full scale; Keys with two regions of two notes.
  private func withSong(_ body: (DAWProgram) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try wave(48_000, level: 16_384, to: folder.appending(path: "loop.wav"))
      try daw("new", "Song")
      try daw(
        "batch",
        input: """
          add-track Drums --volume -3 --color red
          add-track Keys --type midi --program 4 --mute
          add-region Drums --file loop.wav --name Loop
          add-region Keys --name Verse
          add-region Keys --name Chorus --at 3.1.0
          """)
      for region in ["Verse", "Chorus"] { try daw("add-notes", region, input: "pitch,start\n60,0b\n62,1b\n") }
      try body(daw)
    }
  }

  private func wave(_ frames: Int, level: Int, to url: URL) throws {
    try PlainWave.write([(0..<frames).map { $0 / 50 % 2 == 0 ? level : -level }], bits: 16, rate: 48_000, to: url)
  }

  private func regions(_ daw: DAWProgram, _ options: String...) throws -> [Region] {
    try daw.run(["list-regions", "--json"] + options).json([Region].self)
  }

  /// The error's code.
  private func refusal(_ daw: DAWProgram, _ words: String...) throws -> String {
    struct Report: Decodable {
      struct Failure: Decodable { var code: String }
      var error: Failure
    }
    return try JSONDecoder().decode(Report.self, from: Data(daw.run(words + ["--json"]).error.utf8)).error.code
  }

  @Test("A copied track has the settings, the instrument, the regions and their notes, behind the original")
  func copyTrack() throws {
    try withSong { (daw: DAWProgram) throws in
      try daw("copy-track", "Drums", "--no-regions")
      try daw("copy-track", "keys")
      try daw("copy-track", "Keys", "--name", "Pad")
      let tracks = try daw("list-tracks", "--json").json([Track].self)
      #expect(tracks.map(\.name) == ["Drums", "Drums 2", "Keys", "Pad", "Keys 2", "Master"])
      #expect(tracks.map(\.volume) == [-3, -3, 0, 0, 0, 0])
      #expect(tracks[2...4].allSatisfy { $0.isMuted && $0.instrument?.program == 4 })
      #expect(tracks[1].color == tracks[0].color)
      #expect(try regions(daw, "--track", "Drums 2").isEmpty)
      #expect(try regions(daw, "--track", "Pad") == regions(daw, "--track", "Keys"))
      #expect(try refusal(daw, "copy-track", "Master") == "masterIsOne")
      #expect(try refusal(daw, "copy-track", "Keys", "--name", "DRUMS") == "trackNameIsUnique")
      try daw("check")
      try daw("undo")
      #expect(try daw("list-tracks", "--json").json([Track].self).count == 5)
    }
  }

  @Test("Joining takes back a split, of audio to the bit")
  func joinAudio() throws {
    try withSong { (daw: DAWProgram) throws in
      let before = try regions(daw, "--track", "Drums")
      try daw("split-region", "Drums/Loop", "--at", "0.3s")
      try daw("split-region", "Drums/Loop 2", "--at", "0.7s")
      #expect(try daw("join-regions", "--track", "Drums").text.hasPrefix("Joined 3 regions into 'Drums/Loop'"))
      #expect(try regions(daw, "--track", "Drums") == before)
      try daw("split-region", "Drums/Loop", "--at", "0.5s")
      try daw("set-region", "Drums/Loop 2", "--gain", "-1")
      let refused = try daw.run(["join-regions", "--track", "Drums"])
      #expect(refused.status == 65)
      #expect(refused.error.contains("'Loop' and 'Loop 2': their gains differ. Nothing was changed."))
      #expect(try refusal(daw, "join-regions", "Drums/Loop") == "cannotJoin")
      #expect(try refusal(daw, "join-regions", "Drums/Loop", "Keys/Verse") == "cannotJoin")
    }
  }

  @Test("Regions of notes join across a gap; the notes and comments stay where they were")
  func joinNotes() throws {
    struct Note: Decodable, Equatable { var timelineTicks: Int64 }
    try withSong { (daw: DAWProgram) throws in
      let before = try daw("list-notes", "--json").json([Note].self)
      try daw("add-comment", "Softer", "--region", "Keys/Chorus")
      try daw("join-regions", "Chorus", "Verse")
      #expect(try regions(daw, "--track", "Keys").map(\.duration) == [6])
      #expect(try daw("list-notes", "--json").json([Note].self) == before)
      #expect(try daw("list-comments").text.contains("Softer"))
      try daw("check")
      try daw("undo")
      #expect(try regions(daw, "--track", "Keys").map(\.noteCount) == [2, 2])
    }
  }

  @Test("A normalised region has the gain that brings its own part of the file to the level")
  func normalize() throws {
    try withSong { (daw: DAWProgram) throws in
      try daw("normalize-region", "Drums/Loop", "--to", "-1dBFS")
      // Half of full scale is -6.0206 dBFS.
      #expect(try regions(daw, "--track", "Drums").map(\.gain) == [5.02])
      try daw("normalize-region", "--track", "Drums", "--to", "-6.02dBFS")
      #expect(try regions(daw, "--track", "Drums").map(\.gain) == [0])
      // A true peak is no lower than the highest sample.
      #expect(
        try refusal(daw, "normalize-region", "--all", "--track", "Drums", "--to", "-1dBTP") == "invalidCombination")
      try daw("normalize-region", "--track", "Drums", "--to", "-1dBTP")
      let gain = try #require(try regions(daw, "--track", "Drums").first?.gain)
      #expect(gain < 5.02 && gain > 2)
      #expect(try daw("normalize-region", "Drums/Loop", "--to", "-1dBTP").text.contains("Nothing to change."))
      try daw("normalize-region", "Drums/Loop", "--to", "-18LUFS", "--dry-run")
      #expect(try refusal(daw, "normalize-region", "Keys/Verse", "--to", "-1dBFS") == "gain")
      #expect(try refusal(daw, "normalize-region", "--all", "--to", "-1dBFS") == "gain")
      #expect(try refusal(daw, "normalize-region", "Drums/Loop", "--to", "2dBFS") == "usage")
      try wave(48_000, level: 0, to: daw.folder.appending(path: "silence.wav"))
      try wave(48_000, level: 10, to: daw.folder.appending(path: "whisper.wav"))
      try daw("replace-file", "Drums/Loop", "silence.wav")
      #expect(try refusal(daw, "normalize-region", "Drums/Loop", "--to", "-1dBTP") == "silent")
      #expect(try refusal(daw, "normalize-region", "Drums/Loop", "--to", "-18LUFS") == "silent")
      try daw("replace-file", "Drums/Loop", "whisper.wav")
      #expect(try refusal(daw, "normalize-region", "Drums/Loop", "--to", "-1dBFS") == "gain")
    }
  }

  @Test("Another file takes the place of a region's file, and a shorter one shortens it with a word")
  func replaceFile() throws {
    try withSong { (daw: DAWProgram) throws in
      try wave(24_000, level: 9000, to: daw.folder.appending(path: "short.wav"))
      try daw("copy-region", "Drums/Loop", "--count", "2")
      let one = try daw("replace-file", "Drums/Loop", "short.wav")
      #expect(one.error.contains("'Drums/Loop' ends where the file does: 0:00.500 long now."))
      #expect(try regions(daw, "--track", "Drums").map(\.duration) == [0.5, 1, 1])
      #expect(
        try daw("replace-file", "Drums/Loop 2", "short.wav", "--all-of").text.hasPrefix(
          "Replaced the file of 2 regions"))
      #expect(try regions(daw, "--track", "Drums").map(\.audioFile) == Array(repeating: "Audio/short.wav", count: 3))
      try daw("undo")
      #expect(try regions(daw, "--track", "Drums").map(\.duration) == [0.5, 1, 1])
      try daw("trim-region", "Drums/Loop 2", "--from", "1.6s")
      #expect(try refusal(daw, "replace-file", "Drums/Loop 2", "short.wav") == "regionWithinFile")
      #expect(try refusal(daw, "replace-file", "Keys/Verse", "short.wav") == "regionType")
      #expect(try refusal(daw, "replace-file", "Drums/Loop", "none.wav") == "fileNotFound")
      try daw(
        "batch", input: "replace-file 'Drums/Loop 3' short.wav --link\nnormalize-region --track Drums --to -3dBFS\n")
      try daw("check")
    }
  }
}
