import DAWInstruments
import DAWTestSupport
import Foundation
import Testing

extension InstrumentTests {
  @Suite struct SoundFontDamage {
    /// The error for a file of these bytes; `nil` if it is valid.
    private func refusal(_ bytes: Data) throws -> InstrumentError? {
      let url = FileManager.default.temporaryDirectory.appendingPathComponent("daw-\(UUID().uuidString).sf2")
      try bytes.write(to: url)
      defer { try? FileManager.default.removeItem(at: url) }
      do throws(InstrumentError) {
        try SoundFontLibrary.check(path: url.path)
        return nil
      } catch {
        return error
      }
    }

    private func isBroken(_ bytes: Data) throws -> Bool {
      if case .soundFontBroken = try refusal(bytes) { true } else { false }
    }

    @Test func trailingBytesDoNotMakeASoundFontInvalid() throws {
      try requireSoundFont()
      let whole = try Data(contentsOf: URL(fileURLWithPath: soundFont))
      #expect(try refusal(whole) == nil)
      #expect(try refusal(whole + Data([1, 2, 3])) == nil)
    }

    @Test func aTruncatedSoundFontIsBroken() throws {
      try requireSoundFont()
      let whole = try Data(contentsOf: URL(fileURLWithPath: soundFont))
      let seed = Seed.current()
      var random = SeededGenerator(seed: seed)
      for length in [12, 13, 19, 20, whole.count - 1]
        + (0..<8).map({ _ in Int.random(in: 12..<whole.count, using: &random) })
      {
        #expect(try isBroken(whole.prefix(length)), "seed \(seed), \(length) bytes")
      }
    }

    @Test(arguments: ["INFO", "sdta", "pdta", "phdr", "pbag", "pgen", "inst", "ibag", "shdr"])
    func aChunkWithAWrongNameOrSizeIsBroken(name: String) throws {
      try requireSoundFont()
      let whole = try Data(contentsOf: URL(fileURLWithPath: soundFont))
      let place = try #require(whole.range(of: Data(name.utf8), options: [], in: 0..<whole.count))
      var renamed = whole
      renamed[place.lowerBound] = UInt8(ascii: "X")
      #expect(try isBroken(renamed))
      // A list's size precedes its name.
      let size = ["INFO", "sdta", "pdta"].contains(name) ? place.lowerBound - 4 : place.upperBound
      var long = whole
      long[size + 3] = 0x7f
      #expect(try isBroken(long))
    }

    @Test func tablesThatContradictEachOtherAreBroken() throws {
      try requireSoundFont()
      let whole = try Data(contentsOf: URL(fileURLWithPath: soundFont))
      for (table, byte) in [("phdr", 24), ("pbag", 0), ("inst", 20), ("ibag", 0), ("ibag", 2)] {
        let place = try #require(whole.range(of: Data(table.utf8)))
        var broken = whole
        for offset in 0...1 { broken[place.upperBound + 4 + byte + offset] = 0xff }
        #expect(try isBroken(broken), "\(table) at \(byte)")
      }
    }
  }
}
