import DAWTestSupport
import Foundation
import Testing

@Suite("Reversed regions")
struct ReverseRegionTests {
  private struct Region: Decodable, Equatable {
    struct Ramp: Decodable, Equatable { var durationFlicks: Int64 }
    var name: String
    var startTime: Double
    var duration: Double
    var audioOffset: Double?
    var isReversed: Bool?
    var fadeIn: Ramp?
    var fadeOut: Ramp?
  }

  /// A ramp over a second, so that each sample says which frame it is.
  private func withSong(rate: Int = 48_000, _ body: (DAWProgram) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      let side = (0..<rate).map { $0 * 30_000 / rate - 15_000 }
      try PlainWave.write([side, side.map(-)], bits: 16, rate: rate, to: folder.appending(path: "ramp.wav"))
      try daw("new", "Song")
      try daw("add-track", "T", "--channels", "2")
      try daw("add-region", "T", "--file", "ramp.wav", "--name", "Ramp")
      try body(daw)
    }
  }

  private func bounced(_ daw: DAWProgram) throws -> [[Double]] {
    try daw("bounce", "-o", "mix.wav", "--bits", "32f", "--overwrite", "--tail", "0s")
    return try PlainWave.read(daw.folder.appending(path: "mix.wav"))
  }

  private func regions(_ daw: DAWProgram) throws -> [Region] { try daw("list-regions", "--json").json([Region].self) }

  @Test("A reversed region is the bounce backwards, to the bit, and reversed again as it was")
  func backwards() throws {
    try withSong { (daw: DAWProgram) throws in
      let (before, forwards) = (try regions(daw), try bounced(daw))
      #expect(try daw("reverse-region", "T/Ramp").text == "Reversed 1 region.\n")
      #expect(try bounced(daw) == forwards.map { $0.reversed() })
      #expect(try daw("show").text.contains("reversed"))
      let cache = daw.folder.appending(path: "Song.daw/Cache")
      for file in try FileManager.default.contentsOfDirectory(at: cache, includingPropertiesForKeys: nil)
      where file.lastPathComponent.hasSuffix("-reversed.wav") {
        try FileManager.default.removeItem(at: file)
      }
      #expect(try bounced(daw) == forwards.map { $0.reversed() })
      try daw("reverse-region", "--all")
      #expect(try regions(daw) == before)
      #expect(try bounced(daw) == forwards)
      try daw("check")
    }
  }

  @Test("A part of a file is reversed within its edges, with its fades; a split of it sounds as the whole")
  func parts() throws {
    try withSong { (daw: DAWProgram) throws in
      try daw("trim-region", "T/Ramp", "--from", "0.25s")
      try daw("set-region", "T/Ramp", "--at", "0s", "--fade-in", "100ms", "--fade-out", "50ms")
      let (before, forwards) = (try regions(daw), try bounced(daw))
      try daw("reverse-region", "T/Ramp")
      let reversed = try #require(try regions(daw).first)
      #expect(reversed.audioOffset == 0 && reversed.duration == 0.75 && reversed.isReversed == true)
      #expect(reversed.fadeIn == before[0].fadeOut && reversed.fadeOut == before[0].fadeIn)
      let backwards = try bounced(daw)
      for (side, other) in zip(backwards, forwards) {
        for (a, b) in zip(side, other.reversed()) { #expect(abs(a - b) < 1e-3) }
      }
      try daw("split-region", "T/Ramp", "--at", "0.4s")
      #expect(try bounced(daw) == backwards)
      try daw("join-regions", "--all")
      #expect(try bounced(daw) == backwards)
      try daw("copy-region", "T/Ramp", "--at", "2s")
      #expect(try regions(daw).map(\.isReversed) == [true, true])
      try daw("reverse-region", "T/Ramp")
      #expect(try regions(daw)[0] == before[0])
    }
  }

  @Test("A file at another rate is converted, then reversed; what holds notes is refused")
  func converted() throws {
    try withSong(rate: 44_100) { (daw: DAWProgram) throws in
      let forwards = try bounced(daw)
      try daw("reverse-region", "T/Ramp")
      #expect(try bounced(daw) == forwards.map { $0.reversed() })
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--name", "Notes")
      for words in [["reverse-region", "Keys/Notes"], ["reverse-region", "--all"]] {
        let output = try daw.run(words)
        #expect(output.status == 65)
        #expect(output.error.contains("which are not reversed"))
      }
      #expect(try daw.run(["reverse-region"]).status == 64)
    }
  }

  @Test("One file forwards and backwards, on one track and on two, whichever of them is older")
  func bothWays() throws {
    for (track, reversed) in [("T", "T/Ramp"), ("T", "T/Later"), ("U", "T/Ramp"), ("U", "U/Later")] {
      try withSong { (daw: DAWProgram) throws in
        let forwards = try bounced(daw)
        let backwards = forwards.map { Array($0.reversed()) }
        if track == "U" { try daw("add-track", "U", "--channels", "2") }
        try daw("add-region", track, "--file", "ramp.wav", "--name", "Later", "--at", "1s")
        try daw("reverse-region", reversed)
        let isLater = reversed.hasSuffix("Later")
        let both = zip(forwards, backwards).map { isLater ? $0 + $1 : $1 + $0 }
        #expect(try bounced(daw) == both, "\(track) \(reversed)")
      }
    }
  }

  @Test("Regions that a split left get fades when they part, and none while they stay together")
  func parting() throws {
    try withSong { (daw: DAWProgram) throws in
      try daw("split-region", "T/Ramp", "--at", "0.5s")
      func fades() throws -> [Bool] { try regions(daw).flatMap { [$0.fadeIn != nil, $0.fadeOut != nil] } }
      try daw("move-regions", "--all", "--by", "1s")
      #expect(try fades() == [false, false, false, false])
      try daw("copy-regions", "--all", "--by", "4s")
      #expect(try fades() == [Bool](repeating: false, count: 8))
      try daw("undo")
      // The copy lies on the second half.
      try daw("copy-region", "T/Ramp")
      #expect(try fades() == [false, false, false, false, false, true])
      try daw("undo")
      try daw("move-regions", "T/Ramp 2", "--by", "10ms")
      #expect(try fades() == [false, true, true, false])
      try daw("undo")
      try daw("remove-regions", "T/Ramp 2")
      #expect(try fades() == [false, true])
      try daw("undo")
      try daw("reverse-region", "T/Ramp 2")
      #expect(try fades() == [false, true, false, true])
      try daw("undo")
      for _ in 0..<2 { try daw("reverse-region", "--all") }
      #expect(try fades() == [false, true, true, false])
    }
  }
}
