import DAWMedia
import DAWTestSupport
import Foundation
import Testing

@Suite("Takes")
struct TakeCommandTests {
  private struct Region: Decodable, Equatable {
    var id: String
    var name: String
    var startTime: Double
    var duration: Double
    /// Its id in the JSON; its name after `regions`.
    var take: String?
    var isInUse: Bool
  }
  private struct Song: Decodable {
    struct Take: Decodable {
      var id: String
      var name: String
    }
    struct Track: Decodable { var takes: [Take]? }
    var tracks: [Track]
  }
  private struct Note: Decodable, Equatable {
    var region: String
    var timelineTicks: Int64
    var durationTicks: Int64
  }
  private struct Used: Decodable {
    var take: String
    var regions: [Region]
    var removedRegions: [String]
    var isChanged: Bool
  }

  private static let length = 96_000

  /// 16-bit samples that differ from frame to frame, and from file to file.
  private static func samples(_ factor: Int) -> [Int] {
    (0..<length).map { ($0 * factor) % 12_001 - 6_000 }
  }

  /// A stereo track `T` with the take `One` in use over 0 … 2 s, and `Two` from 0.1 s on, not in use.
  private func withTakes(_ body: (DAWProgram) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      for (name, factor) in [("a.wav", 37), ("b.wav", 101)] {
        let side = Self.samples(factor)
        try PlainWave.write([side, side], bits: 16, rate: 48_000, to: folder.appendingPathComponent(name))
      }
      try daw("new", "Song")
      try daw("add-track", "T", "--channels", "2")
      try daw("new-take", "T", "--name", "One")
      try daw("new-take", "T", "--name", "Two")
      try daw("add-region", "T", "--file", "a.wav", "--name", "A")
      try daw("add-region", "T", "--file", "b.wav", "--name", "B", "--at", "0.1s")
      try daw("set-region", "A", "--take", "One")
      try daw("set-region", "B", "--take", "Two")
      try daw("use-take", "One")
      try body(daw)
    }
  }

  private func regions(_ daw: DAWProgram) throws -> [Region] {
    try named(daw("list-regions", "--json").json([Region].self), daw)
  }

  /// With the names of their takes.
  private func named(_ regions: [Region], _ daw: DAWProgram) throws -> [Region] {
    let takes = try daw("show", "--json").json(Song.self).tracks.flatMap { $0.takes ?? [] }
    let names = Dictionary(takes.map { ($0.id, $0.name) }) { first, _ in first }
    return regions.map { region in
      var region = region
      region.take = region.take.flatMap { names[$0] }
      return region
    }
  }

  private func bounced(_ daw: DAWProgram) throws -> [Double] {
    try daw("bounce", "-o", "mix.wav", "--bits", "32f", "--overwrite", "--tail", "0s")
    return try PlainWave.read(daw.folder.appendingPathComponent("mix.wav"))[0]
  }

  /// What a comp of `One` and `Two` sounds like: `Two` in a range of frames, crossfaded over 144 frames at its edges.
  private func expected(_ frame: Int, two range: Range<Int>) -> Double {
    func rise(_ place: Int) -> Double { min(1, max(0, Double(frame - place + 72) / 144)) }
    let share = rise(range.lowerBound) - rise(range.upperBound)
    func sample(_ factor: Int, _ frame: Int) -> Double {
      0..<Self.length ~= frame ? Double((frame * factor) % 12_001 - 6_000) / 32_768 : 0
    }
    return sample(37, frame) * (1 - share) + sample(101, frame - 4_800) * share
  }

  @Test("A comp is heard as its definition says, and undo takes it back to the bit")
  func comp() throws {
    try withTakes { daw in
      let before = try bounced(daw)
      let rows = try daw("list-regions", "--json").text
      let used = try daw("use-take", "Two", "--from", "0.5s", "--to", "0.9s", "--json").json(Used.self)
      #expect(used.regions.count == 6 && used.isChanged && used.removedRegions.isEmpty)
      let heard = try named(used.regions.filter(\.isInUse), daw)
      #expect(heard.map(\.take) == ["One", "Two", "One"], "\(used.regions)")
      let mix = try bounced(daw)
      #expect(mix.count == Self.length)
      for frame in mix.indices {
        let wanted = expected(frame, two: 24_000..<43_200)
        guard abs(mix[frame] - wanted) < 1e-6 else {
          Issue.record("frame \(frame): \(mix[frame]), not \(wanted)")
          break
        }
      }
      #expect(try daw("check").text.contains("All is well"))
      try daw("undo")
      #expect(try bounced(daw) == before)
      #expect(try daw("list-regions", "--json").text == rows)
      try daw("redo")
      #expect(try bounced(daw) == mix)
      let again = try daw("use-take", "Two", "--from", "0.5s", "--to", "0.9s", "--json").json(Used.self)
      #expect(!again.isChanged && again.regions.isEmpty)
      try daw("use-take", "One")
      #expect(try regions(daw).map(\.isInUse) == [true, false] && bounced(daw) == before)
    }
  }

  @Test("A comp of a take and its copy sounds as the take, at its seams too")
  func identical() throws {
    try withTakes { daw in
      let before = try bounced(daw)
      try daw("new-take", "T", "--copy", "--name", "Three")
      #expect(try regions(daw).filter(\.isInUse).map(\.take) == ["Three"])
      #expect(try bounced(daw) == before)
      for range in [("0.2s", "0.7s"), ("0.5s", "1.1s"), ("0.501s", "0.502s")] {
        try daw("use-take", "One", "--from", range.0, "--to", range.1)
        try daw("use-take", "Three", "--from", "0.3s", "--to", "0.4s")
        let mix = try bounced(daw)
        #expect(zip(mix, before).allSatisfy { abs($0 - $1) < 1e-6 }, "\(range)")
      }
    }
  }

  @Test("Regions of no take become a take when a new one copies them")
  func former() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--name", "Part", "--length", "8b")
      try daw("add-note", "Part", "60", "--at", "1b", "--length", "4b")
      let text = try daw("new-take", "Keys", "--copy").text
      #expect(
        text == "Made take 'Keys/Keys 2' with a copy of 1 region, and 'Keys/Keys' of what was in use.\n", "\(text)")
      #expect(try regions(daw).map(\.take) == ["Keys", "Keys 2"])
      #expect(try regions(daw).map(\.isInUse) == [false, true])
      try daw("use-take", "Keys/Keys", "--from", "2b", "--to", "4b")
      let rows = try regions(daw)
      #expect(rows.count == 6 && rows.filter(\.isInUse).map(\.take) == ["Keys 2", "Keys", "Keys 2"])
      let notes = try daw("list-notes", "--json").json([Note].self)
      let heard = Set(rows.filter(\.isInUse).map(\.name))
      let quarter: Int64 = 15_360
      // A note that crosses the edges of the range is cut there.
      #expect(
        notes.filter { heard.contains($0.region) }.map { [$0.timelineTicks, $0.durationTicks] }
          == [[quarter, quarter], [2 * quarter, 2 * quarter], [4 * quarter, quarter]])
      #expect(notes.reduce(0) { $0 + $1.durationTicks } == 8 * quarter)
      try daw("use-take", "Keys 2")
      #expect(try regions(daw).map(\.duration) == [4, 4])
      #expect(try daw("check").text.contains("All is well"))
      try daw("undo", "3")
      #expect(try regions(daw).map(\.take) == [nil] && regions(daw).map(\.isInUse) == [true])
    }
  }

  @Test("The take of what was in use does not get the name that the new one is given")
  func formerName() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--name", "Part", "--length", "8b")
      try daw("new-take", "Keys", "--copy", "--name", "Keys")
      #expect(try regions(daw).map(\.take) == ["Keys 2", "Keys"])
      #expect(try daw.run(["use-take", "Keys/Keys"]).status == 0)
    }
  }

  @Test("Edits of regions and of time keep the parts of a take in it, in use or not")
  func edits() throws {
    try withTakes { daw in
      try daw("use-take", "Two", "--from", "0.5s", "--to", "1s")
      func rows(_ take: String) throws -> [Region] { try regions(daw).filter { $0.take == take } }
      let both = try regions(daw)
      // Parts that are not in use are split, and stay out of use.
      let hidden = try #require(both.first { $0.take == "One" && !$0.isInUse })
      let part = try daw("split-region", hidden.id, "--at", "0.7s", "-q").line
      #expect(try rows("One").filter { !$0.isInUse }.count == 2)
      #expect(try rows("One").first { $0.id == part }?.isInUse == false)
      let refused = try daw.run(["join-regions", both[0].id, part])
      #expect(refused.status == 65 && refused.error.contains("cannotJoin") == false, "\(refused.error)")
      try daw("join-regions", hidden.id, part)
      #expect(try rows("One").filter { !$0.isInUse }.map(\.duration) == [0.5])
      try daw("trim-region", hidden.id, "--to", "0.9s")
      #expect(try rows("One").first { $0.id == hidden.id }?.isInUse == false)
      try daw("undo")
      let copied = try daw("copy-track", "T", "--name", "U", "-q").line
      #expect(!copied.isEmpty)
      #expect(try regions(daw).count == 2 * both.count)
      try daw("remove-track", "U")
      // Time at a seam takes it apart, and leaves nothing of one take in the other's place.
      try daw("insert-time", "--at", "0.5s", "--length", "1s")
      let apart = try regions(daw)
      #expect(apart.allSatisfy { $0.duration > 0.01 }, "\(apart)")
      #expect(apart.filter(\.isInUse).map(\.take) == ["One", "Two", "One"], "\(apart)")
      try daw("delete-time", "--from", "0.5s", "--to", "1.5s")
      try daw("use-take", "One")
      let whole = try rows("One").filter(\.isInUse)
      #expect(abs(whole.reduce(0) { $0 + $1.duration } - 2) < 0.001, "\(whole)")
    }
  }

  @Test("What cannot be used is said")
  func mistakes() throws {
    try withTakes { daw in
      func refused(_ arguments: String..., by code: String, status: Int32 = 65) throws {
        let before = try daw("revision").text
        let output = try daw.run(arguments + ["--json"])
        #expect(output.status == status && output.error.contains("\"\(code)\""), "\(output.error)\(output.text)")
        #expect(try daw("revision").text == before)
      }
      try refused("use-take", "Tow", by: "takeNotFound", status: 66)
      try refused("use-take", "One", "--from", "5s", by: "takeNotInRange")
      try refused("use-take", "One", "--from", "1s", "--to", "1s", by: "takeNotInRange")
      try refused("use-take", "One", "--from", "1s", "--to", "0.5s", by: "invalidRange")
      try daw("new-take", "T", "--name", "Empty")
      try refused("use-take", "Empty", by: "takeHasNoRegions")
      try refused("join-take", "One", "-o", "one.wav", by: "takeHasNoSound")
      try refused("join-take", "One", "-o", "-", by: "usage", status: 64)
      try refused("new-take", "master", "--copy", by: "regionFitsTrack")
      try refused("new-take", "T", "--name", " ", by: "name")
      try daw("add-track", "Other")
      try daw("new-take", "Other", "--name", "Elsewhere")
      try refused("set-region", "A", "--take", "Elsewhere", by: "regionOfTake")
      try daw("set-region", "A", "--take", "none")
      #expect(try regions(daw).map(\.take) == [nil, "Two"])
    }
  }

  @Test(
    "Time that is put in at a seam of takes ends one in silence, and begins the other in it",
    arguments: [48_000, 47_962, 48_053, 72_000])
  func timeAtASeam(place: Int) throws {
    try withTakes { daw in
      try daw("use-take", "Two", "--from", "1s", "--to", "1.5s")
      try daw("insert-time", "--at", "\(place)f", "--length", "100ms")
      let mix = try bounced(daw)
      // A fade of 3 ms is near 0 at its ends.
      #expect(abs(mix[place - 2]) < 0.005 && abs(mix[place + 4_801]) < 0.005)
      #expect(mix[place + 2..<place + 4_798].allSatisfy { $0 == 0 })
      #expect(mix[place - 300..<place - 200].contains { abs($0) > 0.05 })
    }
  }
}

extension PlayTests {
  @Suite("Takes as files")
  struct JoinTake {
    @Test("A recorded take is written as one file, sample for sample")
    func join() throws {
      try withScratchFolder { folder in
        let server = try JackServer(bufferSize: 256)
        let numbers = try NumberingClient(server: server.name)
        let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
        try daw("new", "Song")
        try daw("add-track", "Vox")
        try daw("set-track", "Vox", "--arm", "--input", "\(numbers.name):out_1", "--input", "\(numbers.name):out_2")
        let player = try LivePlayer(
          daw, "Song", on: server, command: "record", options: ["--no-connect", "--segment", "1s"])
        #expect(player.wait { !player.events("recordingBegan").isEmpty }, "\(player.said)")
        usleep(1_500_000)
        try player.transport("stop")
        #expect(player.wait { !player.events("recorded").isEmpty }, "\(player.said)")
        try player.transport("quit")
        #expect(player.finish().status == 0)

        // What regions show does not matter.
        try daw("trim-region", "Vox", "--from", "0.5s")
        try daw("join-take", "Vox/Vox", "-o", "vox.wav")
        let joined = try PlainWave.read(folder.appendingPathComponent("vox.wav"))
        let recordings = Place(root: folder.appending(path: "Song.daw").path, ["Audio", "Recordings"])
        let name = try #require(try recordings.open().names().first)
        let pass = try #require(try RecordingFolder(opening: recordings.appending(name)).describe().passes.first)
        #expect(Int64(joined[0].count) == pass.frames)
        var count: Int64 = 0
        for segment in pass.segments {
          let channels = try PlainWave.read(
            URL(fileURLWithPath: recordings.appending(name).appending(segment.name).path))
          let range = Int(segment.startFrame)..<Int(segment.end)
          #expect(channels.indices.allSatisfy { channels[$0][..<range.count] == joined[$0][range] })
          count += segment.frames
        }
        #expect(count == pass.frames && joined[1].contains { $0 != 0 })
        let again = try daw.run(["join-take", "Vox/Vox", "-o", "vox.wav"])
        #expect(again.status == 73 && again.error.contains("--overwrite"), "\(again.status) \(again.error)")
        try daw("join-take", "Vox/Vox", "-o", "vox.wav", "--overwrite", "--bits", "32f")
        #expect(try PlainWave.read(folder.appendingPathComponent("vox.wav")) == joined)
        try daw("join-take", "Vox/Vox", "-o", "vox.flac")
        #expect(try AudioFileReader(path: folder.appending(path: "vox.flac").path).facts.frames.frames == pass.frames)
        for (quality, rate, channelCount) in [("low", 16_000, 1), ("lossless", 48_000, 2)] {
          try daw("join-take", "Vox/Vox", "-o", "small", "--quality", quality, "--overwrite")
          let facts = try AudioFileReader(path: folder.appending(path: "small").path).facts
          #expect(facts.sampleRate.hertz == rate && facts.channelCount == channelCount, "\(facts)")
          #expect(abs(facts.frames.frames - pass.frames * Int64(rate) / 48_000) <= 1)
        }
        if isComplete || InstalledFFmpeg.isThere {
          try daw("join-take", "Vox/Vox", "-o", "small.m4a", "--quality", "medium")
          let facts = try InstalledFFmpeg.run(
            [
              "-v", "error", "-show_entries", "stream=codec_name,sample_rate,channels", "-of", "csv=p=0", "small.m4a",
            ], program: "ffprobe", in: folder)
          #expect(facts.trimmingCharacters(in: .whitespacesAndNewlines) == "aac,22050,1")
        }
        var lacking = daw
        lacking.environment["PATH"] = "/nowhere"
        let refused = try lacking.run(["join-take", "Vox/Vox", "-o", "none.m4a"])
        #expect(refused.status == 69 && refused.error.contains("apt install ffmpeg"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/none.m4a"))
        #expect(try daw.run(["join-take", "Vox/Vox", "-o", "small", "--quality", "best"]).status == 64)
        #expect(try daw.run(["join-take", "Vox/Vox", "-o", "vox.mid"]).status == 64)
        #expect(try daw.run(["join-take", "Vox/Vox", "-o", "vox.ogg", "--bits", "16"]).status == 64)
      }
    }
  }
}
