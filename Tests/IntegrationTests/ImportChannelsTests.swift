import DAWTestSupport
import Foundation
import Testing

@Suite("Importing some channels of a file")
struct ImportChannelsTests {
  private struct Imported: Decodable {
    struct Entry: Decodable {
      var track: String
      var channels: String?
    }
    var regions: [Entry]
  }

  private struct Failed: Decodable {
    struct Detail: Decodable {
      var code: String
      var message: String
      var hint: String
    }
    var error: Detail
  }

  /// Five channels, each of a level of its own.
  private static let levels = [1_000, 2_000, 4_000, 8_000, 16_000]

  private func withSong(_ body: (DAWProgram, URL) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try PlainWave.write(
        Self.levels.map { Array(repeating: $0, count: 64) }, bits: 16, rate: 48_000,
        to: folder.appendingPathComponent("five.wav"))
      try PlainWave.write(
        [[1], [2]].map { Array(repeating: $0[0], count: 64) }, bits: 16, rate: 48_000,
        to: folder.appendingPathComponent("two.wav"))
      try body(daw, folder)
    }
  }

  /// The level of each side of the mix, in units of a 16-bit sample.
  private func heard(_ daw: DAWProgram, _ folder: URL) throws -> [Double] {
    try daw("bounce", "-o", "mix.wav", "--bits", "32f", "--overwrite", "--quiet")
    return try PlainWave.read(folder.appendingPathComponent("mix.wav")).map { ($0[32] * 32_768).rounded() }
  }

  @Test("A file of five channels is refused with a hint that import itself can follow")
  func hintIsTrue() throws {
    try withSong { daw, folder in
      let refused = try daw.run(["import", "five.wav", "--json"])
      #expect(refused.status == 65)
      let error = try JSONDecoder().decode(Failed.self, from: Data(refused.error.utf8)).error
      #expect(error.code == "channelsFitFile" && (error.message + error.hint).contains("--channels A,B"))
      let imported = try daw("import", "five.wav", "--channels", "3,4", "--json").json(Imported.self)
      #expect(imported.regions.map(\.track) == ["five"] && imported.regions.first?.channels == "3,4")
      #expect(try heard(daw, folder) == [4_000, 8_000])
    }
  }

  @Test("Its channels come in pair by pair, from one copy of the file, and each track is as wide as what it plays")
  func pairs() throws {
    struct Track: Decodable {
      var name: String
      var channelCount: Int?
    }
    try withSong { daw, folder in
      try daw("import", "five.wav", "--channels", "1,2", "--track", "Front")
      try daw("import", "five.wav", "--channels", "5", "--track", "Centre")
      let copies = try FileManager.default.contentsOfDirectory(
        atPath: folder.appendingPathComponent("Song.daw/Audio").path)
      #expect(copies.filter { !$0.hasPrefix(".") } == ["five.wav"])
      let tracks = try daw("list-tracks", "--json").json([Track].self)
      #expect(tracks.first { $0.name == "Front" }?.channelCount == 2)
      #expect(tracks.first { $0.name == "Centre" }?.channelCount == 1)
      try daw("check")
    }
  }

  @Test("Of a stereo file one side, or the mean, goes on a mono track", arguments: ["left", "right", "mix"])
  func sides(channel: String) throws {
    try withSong { daw, folder in
      try daw("add-track", "Voice", "--channels", "1")
      #expect(try daw.run(["import", "two.wav", "--track", "Voice"]).status == 65)
      let imported = try daw("import", "two.wav", "--track", "Voice", "--channel", channel, "--json")
      #expect(try imported.json(Imported.self).regions.first?.channels == channel)
    }
  }

  @Test("Channels that a file does not have are refused, and so are those of MIDI files; neither changes anything")
  func refused() throws {
    try withSong { daw, folder in
      #expect(try daw.run(["import", "five.wav", "--channels", "5,6"]).status == 65)
      #expect(try daw.run(["import", "five.wav", "--channels", "x"]).status == 64)
      // A conductor's track that ends at once.
      let header: [UInt8] = Array("MThd".utf8) + [0, 0, 0, 6, 0, 1, 0, 1, 1, 0xe0]
      let track: [UInt8] = Array("MTrk".utf8) + [0, 0, 0, 4, 0, 0xff, 0x2f, 0]
      try Data(header + track).write(to: folder.appendingPathComponent("song.mid"))
      let output = try daw.run(["import", "song.mid", "--channels", "1,2"])
      #expect(output.status == 64 && output.error.contains("audio files"))
      try daw("import", "song.mid", "five.wav", "--channels", "1,2")
      #expect(try daw("list-regions", "-q").text.split(separator: "\n").count == 1)
    }
  }
}
