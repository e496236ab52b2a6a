import DAWTestSupport
import Foundation
import Testing

@Suite("Fades and crossfades")
struct FadeTests {
  private struct Ramp: Decodable, Equatable {
    var durationFlicks: Int64
    var cutFlicks: Int64
    var shape: String
  }
  private struct Region: Decodable {
    var name: String
    var fadeIn: Ramp?
    var fadeOut: Ramp?
  }

  private static let perFrame: Int64 = 14_700
  private static let threeMilliseconds = Ramp(durationFlicks: 144 * perFrame, cutFlicks: 0, shape: "linear")

  /// A project with a stereo track `T` and a file of a second whose samples are all at half of full scale.
  private func withSong(_ body: (DAWProgram) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try PlainWave.write(
        [[Int]](repeating: [Int](repeating: 1 << 14, count: 48_000), count: 2), bits: 16, rate: 48_000,
        to: folder.appendingPathComponent("half.wav"))
      try daw("new", "Song")
      try daw("add-track", "T", "--channels", "2")
      try body(daw)
    }
  }

  /// The left side, as a share of the file's own level.
  private func bounced(_ daw: DAWProgram, _ name: String = "mix") throws -> [Double] {
    try daw("bounce", "-o", "\(name).wav", "--bits", "32f", "--overwrite", "--tail", "0s")
    return try PlainWave.read(daw.folder.appendingPathComponent("\(name).wav"))[0].map { $0 * 2 }
  }

  private func regions(_ daw: DAWProgram) throws -> [Region] { try daw("list-regions", "--json").json([Region].self) }

  @Test("A whole file keeps its samples; an edge inside it gets 3 ms, or what was asked for, or nothing")
  func cutEdges() throws {
    try withSong { daw in
      try daw("add-region", "T", "--file", "half.wav", "--name", "Whole")
      #expect(try bounced(daw) == [Double](repeating: 1, count: 48_000))
      try daw("add-region", "T", "--file", "half.wav", "--name", "Cut", "--at", "2s", "--offset", "0.25s")
      try daw(
        "add-region", "T", "--file", "half.wav", "--name", "Hard", "--at", "4s", "--length", "0.5s", "--fade-out", "0s")
      try daw("add-region", "T", "--file", "half.wav", "--name", "Short", "--at", "6s", "--length", "40f")
      let regions = try regions(daw)
      #expect(regions.map(\.fadeIn) == [nil, Self.threeMilliseconds, nil, nil])
      #expect(
        regions.map(\.fadeOut)
          == [nil, nil, nil, Ramp(durationFlicks: 20 * Self.perFrame, cutFlicks: 0, shape: "linear")])
      let mix = try bounced(daw)
      for frame in 0..<200 {
        #expect(abs(mix[96_000 + frame] - min(1, Double(frame) / 144)) < 1e-6)
      }
      #expect(mix[192_000 + 23_999] == 1 && mix[192_000 + 24_000] == 0)
    }
  }

  @Test(
    "Shapes follow their formulas, and a fade-out is its fade-in backwards",
    arguments: ["linear", "equalPower", "exponential", "sCurve"])
  func shapes(name: String) throws {
    try withSong { daw in
      try daw(
        "add-region", "T", "--file", "half.wav", "--fade-in", "4800f", "--fade-in-shape", name, "--fade-out", "0.1s",
        "--fade-out-shape", name)
      let mix = try bounced(daw)
      for knot in stride(from: 0, through: 4800, by: 16) {
        let x = Double(knot) / 4800
        let expected =
          switch name {
          case "equalPower": sin(.pi * x / 2)
          case "exponential": (exp(4 * x) - 1) / (exp(4) - 1)
          case "sCurve": x * x * (3 - 2 * x)
          default: x
          }
        #expect(abs(mix[knot] - expected) < 1e-6, "\(knot)")
        if knot > 0 { #expect(abs(mix[48_000 - knot] - expected) < 1e-6, "\(knot) before the end") }
        // Straight between the knots.
        if knot < 4800 { #expect(abs(mix[knot + 8] - (mix[knot] + mix[knot + 16]) / 2) < 1e-6, "after \(knot)") }
      }
    }
  }

  @Test("The halves of a split bounce as the whole did, even inside a fade; moving or removing one fades the cut")
  func split() throws {
    try withSong { daw in
      try daw(
        "add-region", "T", "--file", "half.wav", "--name", "A", "--at", "1001f", "--fade-in", "0.5s",
        "--fade-in-shape", "exponential", "--fade-out", "0.6s", "--fade-out-shape", "equalPower")
      let whole = try bounced(daw)
      let second = try daw("split-region", "A", "--at", "9000f", "-q").line
      let third = try daw("split-region", second, "--at", "22000f", "-q").line
      try daw("split-region", third, "--at", "40000f")
      #expect(try bounced(daw) == whole)
      #expect(try daw("check").text.contains("All is well"))
      try daw("new", "Again", "--from", "-", input: try daw("show", "--json").text)
      #expect(try daw("show", "--json", "-p", "Again").text.contains("cutFlicks"))
      try daw("set-region", third, "--at", "3s")
      let mix = try bounced(daw)
      #expect(mix[144_000] == 0, "the moved part begins in silence")
      #expect(mix[143_999] == 0 && abs(mix[21_999]) < 0.02, "what stays ends in silence")
      try daw("undo")
      #expect(try bounced(daw) == whole)
    }
    try withSong { daw in
      try daw("add-region", "T", "--file", "half.wav", "--name", "A")
      try daw("split-region", "A", "--at", "0.5s")
      try daw("split-region", "A 2", "--at", "0.75s")
      #expect(try regions(daw).allSatisfy { $0.fadeIn == nil && $0.fadeOut == nil })
      try daw("trim-region", "A", "--from", "0.1s")
      #expect(try regions(daw).map(\.fadeOut) == [nil, nil, nil], "the other edge has not moved")
      try daw("undo")
      try daw("remove-region", "A 2")
      #expect(try regions(daw).map(\.fadeOut) == [Self.threeMilliseconds, nil])
      #expect(try regions(daw).map(\.fadeIn) == [nil, Self.threeMilliseconds])
      try daw("trim-region", "A", "--to", "1s")
      #expect(try regions(daw).map(\.fadeOut) == [nil, nil], "the edge is the file's own again")
      try daw("trim-region", "A", "--to", "0.25s")
      try daw("set-region", "A", "--fade-out", "0s")
      try daw("set-region", "A", "--at", "10s")
      #expect(try regions(daw).last?.fadeOut == nil, "what was said stays")
    }
  }

  @Test("A fade that is longer than what a trim leaves ends with the region; a copy of a split's half is faded")
  func shortened() throws {
    try withSong { daw in
      try daw("add-region", "T", "--file", "half.wav", "--name", "A", "--fade-in", "0.5s", "--fade-out", "0.5s")
      try daw("trim-region", "A", "--to", "0.2s")
      let fifth = Ramp(durationFlicks: 9_600 * Self.perFrame, cutFlicks: 0, shape: "linear")
      #expect(try regions(daw).map(\.fadeIn) == [fifth] && regions(daw).map(\.fadeOut) == [fifth])
      try daw("remove-region", "A")
      try daw("add-region", "T", "--file", "half.wav", "--name", "B")
      try daw("split-region", "B", "--at", "0.5s")
      try daw("copy-region", "B", "--at", "2s")
      try daw("copy-regions", "--track", "T", "--to", "1s", "--at", "4s")
      let cut = Self.threeMilliseconds
      #expect(try regions(daw).map(\.fadeIn) == [nil, nil, nil, nil, nil])
      #expect(try regions(daw).map(\.fadeOut) == [nil, nil, cut, nil, nil])
      try daw("move-regions", "--track", "T", "--from", "4s", "--to", "4.1s", "--by", "-100ms")
      #expect(try regions(daw).map(\.fadeOut) == [nil, nil, cut, cut, nil])
      #expect(try regions(daw).map(\.fadeIn) == [nil, nil, nil, nil, cut])
    }
  }

  @Test("Overlapping regions are summed; on a crossfading track the later one is faded in over the earlier one")
  func crossfade() throws {
    try withSong { daw in
      try daw("add-region", "T", "--file", "half.wav", "--name", "A")
      try daw("add-region", "T", "--file", "half.wav", "--name", "B", "--at", "0.5s")
      try daw(
        "add-region", "T", "--file", "half.wav", "--name", "C", "--at", "0.1s", "--length", "0.2s", "--gain", "6",
        "--fade-out", "0s")
      let sum = try bounced(daw)
      #expect(sum[36_000] == 2 && sum[10_000] > 2.9)
      try daw("set-track", "T", "--overlap", "crossfade")
      let mix = try bounced(daw)
      // sin + cos in the middle of the overlap, and the power of noise is kept.
      #expect(abs(mix[36_000] - 2.squareRoot()) < 1e-3)
      #expect(mix[23_999] == 1 && mix[24_000] == 1 && abs(mix[47_999] - 1) < 1e-3 && mix[48_000] == 1)
      // What lies within replaces what is below it, after 10 ms.
      #expect(mix[4_799] == 1 && abs(mix[4_800 + 480] - 1.9953) < 1e-3 && abs(mix[14_399 - 480] - 1.9953) < 1e-3)
      #expect(try daw("list-tracks").text.contains("crossfades"))
    }
  }

  @Test("On a crossfading track, too, what a split leaves sounds as the whole did; until the parts part")
  func splitInACrossfade() throws {
    try withSong { daw in
      try daw("add-region", "T", "--file", "half.wav", "--name", "A")
      try daw("add-region", "T", "--file", "half.wav", "--name", "B", "--at", "0.5s", "--gain", "-6")
      try daw(
        "add-region", "T", "--file", "half.wav", "--name", "C", "--at", "0.6s", "--length", "0.2s", "--gain", "6")
      try daw("set-track", "T", "--overlap", "crossfade")
      let whole = try bounced(daw)
      for name in ["A", "B", "C"] {
        try daw("split-region", "T/\(name)", "--at", "0.62s")
        try daw("split-region", "T/\(name) 2", "--at", "0.75s")
        let difference = zip(try bounced(daw), whole).map { abs($0 - $1) }.max() ?? 1
        // Three regions are summed in another order.
        #expect(difference < 1e-6, "\(name)")
        try daw("undo", "2")
      }
      // Where another region of the file ends, at the same alignment.
      try daw("remove-regions", "--all")
      try daw("add-region", "T", "--file", "half.wav", "--name", "A", "--length", "0.6s")
      try daw(
        "add-region", "T", "--file", "half.wav", "--name", "B", "--at", "0.3s", "--offset", "0.3s", "--gain", "-6")
      let aligned = try bounced(daw)
      try daw("split-region", "T/B", "--at", "0.6s")
      #expect(try bounced(daw) == aligned)
      try daw("undo", "4")

      try daw("split-region", "T/B", "--at", "0.75s")
      try daw("set-region", "T/B", "--gain", "-12")
      #expect(try bounced(daw)[..<24_000] == whole[..<24_000])
      try daw("move-regions", "T/B 2", "--by", "10ms")
      // The first part lies within A now, and replaces it.
      #expect(abs(try bounced(daw)[26_000] - pow(10, -12.0 / 20)) < 1e-3)
    }
  }

  @Test("What cannot be is refused, and changes nothing")
  func refusals() throws {
    try withSong { daw in
      try daw("add-region", "T", "--file", "half.wav", "--name", "A")
      try daw("add-track", "Keys", "--type", "midi")
      try daw("add-region", "Keys", "--name", "Part")
      let before = try daw("revision").text
      for (words, status, said) in [
        (["set-region", "A", "--fade-in", "1.1s"], 65, "longer than region 'A'"),
        (["set-region", "A", "--fade-in-shape", "sCurve"], 65, "--fade-in 20ms"),
        (["set-region", "Part", "--fade-out", "1b"], 65, "holds notes"),
        (["add-region", "Keys", "--fade-out", "1b"], 64, "no fades"),
        (["set-region", "A", "--fade-in", "20"], 64, "lacks a unit"),
        (["set-region", "A", "--fade-out", "1b", "--fade-out-shape", "scurv"], 64, "the shapes are linear"),
        (["set-region", "A", "--fade-in", "99999999999999s"], 65, "beyond the end"),
        (["set-track", "Keys", "--overlap", "crossfade"], 65, "audio track"),
        (["set-track", "T", "--overlap", "mix"], 64, "as a crossfade"),
      ] {
        let output = try daw.run(words)
        #expect(output.status == status && output.error.contains(said), "\(words): \(output.error)")
      }
      #expect(try daw("revision").text == before)
      // A fade in beats is measured where it is.
      try daw("set-region", "A", "--fade-out", "1b")
      #expect(try regions(daw).first { $0.name == "A" }?.fadeOut?.durationFlicks == 24_000 * Self.perFrame)
    }
  }
}
