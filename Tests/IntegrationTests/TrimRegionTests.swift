import DAWTestSupport
import Foundation
import Testing

@Suite("Moving a region's edges")
struct TrimRegionTests {
  private struct Region: Decodable {
    var startTime: Double
    var duration: Double
    var audioOffset: Double?
  }
  private struct Note: Decodable, Equatable {
    var timelineTicks: Int64
    var durationTicks: Int64
  }

  @Test("Notes and events of a MIDI region keep their place; those outside are refused, or cut")
  func midi() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song")
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--name", "Part", "--at", "4b", "--length", "4b")
      for at in ["0b", "1b", "3b"] { try daw("add-note", "Part", "60", "--at", at, "--length", "1b") }
      try daw("add-event", "Part", "--program", "4", "--at", "1b")
      func notes() throws -> [[Int64]] {
        try daw("list-notes", "--json").json([Note].self).map { [$0.timelineTicks, $0.durationTicks] }
      }
      let before = try notes()
      try daw("trim-region", "Part", "--from", "2b", "--to", "10b")
      #expect(try notes() == before)
      #expect(try daw("list-events", "--from", "5b", "--to", "5.1b", "-q").text.split(separator: "\n").count == 1)
      let refused = try daw.run(["trim-region", "Part", "--from", "4.5b"])
      #expect(refused.status == 65 && refused.error.contains("1 note "))
      let events = try daw.run(["trim-region", "Part", "--to", "4.9b", "--cut-notes", "--dry-run"])
      #expect(events.status == 0)
      try daw("trim-region", "Part", "--from", "4.5b", "--to", "7.25b", "--cut-notes")
      let quarter: Int64 = 15_360
      #expect(try notes() == [[9 * quarter / 2, quarter / 2], [5 * quarter, quarter], [7 * quarter, quarter / 4]])
      try daw("trim-region", "Part", "--from", "6b", "--cut-notes")
      #expect(try daw("list-events", "-q").text.isEmpty)
      #expect(try daw.run(["trim-region", "Part", "--from", "8b"]).status == 65)
      try daw("undo", "3")
      #expect(try notes() == before)
      let fewer = try daw.run(["undo", "99"])
      #expect(fewer.status == 65 && fewer.error.contains("there are 6"), "\(fewer.error)")
    }
  }

  @Test("Both edges may move to the left, and notes beyond the right one are cut")
  func bothEdgesToTheLeft() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song")
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--name", "Part", "--at", "8b", "--length", "8b")
      try daw("add-note", "Part", "60", "--at", "1b", "--length", "7b")
      try daw("add-note", "Part", "62", "--at", "2b", "--length", "1b")
      let refused = try daw.run(["trim-region", "Part", "--from", "4b", "--to", "10b"])
      #expect(refused.status == 65 && refused.error.contains("2 notes "), "\(refused.error)")
      try daw("trim-region", "Part", "--from", "4b", "--to", "10b", "--cut-notes")
      let quarter: Int64 = 15_360
      let notes = try daw("list-notes", "--json").json([Note].self)
      #expect(notes == [Note(timelineTicks: 9 * quarter, durationTicks: quarter)])
      let region = try #require(try daw("list-regions", "--json").json([Region].self).first)
      #expect([region.startTime, region.duration] == [2, 3])
    }
  }

  @Test("A frame of audio stays where it is, and the file's ends are the limit")
  func audio() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song")
      try PlainWave.write(
        [[Int](repeating: 100, count: 96_000)], bits: 16, rate: 48_000, to: folder.appendingPathComponent("a.wav"))
      try daw("add-track", "Tape")
      try daw("add-region", "Tape", "--file", "a.wav", "--name", "Take", "--at", "1s", "--offset", "0.5s")
      func region() throws -> [Double?] {
        let region = try #require(try daw("list-regions", "--json").json([Region].self).first)
        return [region.startTime, region.duration, region.audioOffset]
      }
      try daw("trim-region", "Take", "--from", "1.25s", "--to", "2s")
      #expect(try region() == [1.25, 0.75, 0.75])
      try daw("trim-region", "Take", "--from", "0.5s")
      #expect(try region() == [0.5, 1.5, 0])
      #expect(try daw.run(["trim-region", "Take", "--from", "0.4s"]).status == 65)
      #expect(try daw.run(["trim-region", "Take", "--to", "3s"]).status == 65)
    }
  }
}
