import Foundation
import Testing

@Suite("How long things are kept")
struct KeptTests {
  private struct Kept: Decodable {
    struct Retention: Decodable, Equatable {
      var recordings: Int?
      var transcripts: Int?
      var newest: Int?
      var thread: Int
      var compressAfter: Int?
      var quality: String
      var trash: Int
      var scope: String
    }
    var retention: Retention
  }

  private func withSong(_ body: (DAWProgram, URL) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try body(daw, folder)
    }
  }

  @Test("Each setting of the retention is stored, said and taken back; the others stay")
  func retention() throws {
    try withSong { daw, _ in
      func kept() throws -> Kept.Retention { try daw("show-retention", "--json").json(Kept.self).retention }
      var expected = try kept()
      #expect(expected.recordings == nil && expected.transcripts == nil && expected.compressAfter == nil)
      #expect(try daw("show-retention").line == "Recordings and transcripts are kept as they are.")
      try daw("set-retention", "--recordings", "on")
      expected.recordings = 90
      #expect(try kept() == expected)
      try daw("set-retention", "--newest", "10", "--thread", "5", "--scope", "all", "--trash", "2w")
      (expected.newest, expected.thread, expected.scope, expected.trash) = (10, 5, "all", 14)
      #expect(try kept() == expected)
      let said = try daw("set-retention", "--transcripts", "30d", "--compress-after", "12w", "--quality", "medium")
      (expected.transcripts, expected.compressAfter, expected.quality) = (30, 84, "medium")
      #expect(try kept() == expected)
      let text =
        "Recordings are kept for 90 days, the newest 10 longer, also if regions play them; transcripts for 30 days; "
        + "unused sound is compressed after 84 days, medium; what is in the trash for 14 days."
      #expect(said.line == text)
      #expect(try daw("show-retention").line == text)
      try daw("undo")
      try daw("set-retention", "--recordings", "off", "--newest", "off")
      (expected.recordings, expected.newest) = (nil, nil)
      (expected.transcripts, expected.compressAfter, expected.quality) = (nil, nil, "lossless")
      #expect(try kept() == expected)
    }
  }

  @Test("A retention that is none is refused, and nothing is changed")
  func refusals() throws {
    try withSong { daw, _ in
      let before = try daw("show-retention", "--json").text
      for (words, status) in [
        ([], 64), (["--recordings", "90"], 64), (["--recordings", "1y"], 64), (["--trash", "off"], 64),
        (["--scope", "some"], 64), (["--quality", "best"], 64), (["--newest", "many"], 64), (["--newest", "0"], 65),
        (["--thread", "0"], 65), (["--recordings", "0d"], 65), (["--transcripts", "36501d"], 65),
      ] as [([String], Int32)] {
        #expect(try daw.run(["set-retention"] + words).status == status, "\(words)")
      }
      #expect(try daw("show-retention", "--json").text == before)
    }
  }

  @Test("A backup lets the older ones go that neither number nor age keeps; off keeps all")
  func backups() throws {
    try withSong { daw, folder in
      let backups = folder.appending(path: "Song.daw/Backups").path
      func count() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: backups).count }
      func backUp(daysAgo days: Double) throws {
        let path = try daw("backup", "-q").line
        let date = Date(timeIntervalSinceNow: -86_400 * days)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
      }
      for days in [200.0, 100, 50, 10] { try backUp(daysAgo: days) }
      #expect(try daw("backup", "--keep", "1", "--keep-for", "off").text.contains("Removed") == false)
      #expect(try count() == 5)
      // The usual age is 90 days.
      #expect(try daw("backup", "--keep", "4").text.contains("Removed 2 old backups: "))
      #expect(try count() == 4)
      #expect(try daw("backup", "--keep", "1", "--keep-for", "4w").text.contains("Removed 1 old backup: "))
      #expect(try count() == 4)
      for words in [["--keep", "0"], ["--keep-for", "soon"]] {
        #expect(try daw.run(["backup"] + words).status == 64, "\(words)")
      }
      #expect(try count() == 4)
    }
  }
}
