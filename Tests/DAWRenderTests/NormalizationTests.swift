import DAWErrors
import DAWMedia
import Testing

@testable import DAWRender

@Suite("Normalising")
struct NormalizationTests {
  /// −20 LUFS, with a true peak of −6.02 dBTP.
  private let loudness = Loudness(integrated: -20, range: 0, truePeak: 0.5)

  @Test("The gain leads from what was measured to the target")
  func gain() throws {
    #expect(try NormalizationTarget.loudness(-23).gain(from: loudness, peak: -7, ceiling: nil) == -3)
    #expect(try NormalizationTarget.samplePeak(-1).gain(from: loudness, peak: -7, ceiling: nil) == 6)
    let truePeak = try NormalizationTarget.truePeak(-2).gain(from: loudness, peak: -7, ceiling: nil)
    #expect(abs(truePeak - 4.0206) < 0.0001)
  }

  @Test("A gain that leads above the ceiling is refused, and the highest possible level named")
  func ceiling() throws {
    let target = NormalizationTarget.loudness(-14)
    let failure = try #require(throws: Failure.self) { try target.gain(from: loudness, peak: -7, ceiling: nil) }
    #expect(failure.code == "ceilingExceeded")
    #expect(failure.hint?.contains("-15.0 LUFS") == true)
    #expect(try target.gain(from: loudness, peak: -7, ceiling: 0) == 6)
  }

  @Test("Silence cannot be normalised")
  func silence() throws {
    let silence = Loudness(integrated: nil, range: 0, truePeak: 0)
    for target in [NormalizationTarget.loudness(-23), .truePeak(-1), .samplePeak(-1)] {
      let failure = try #require(throws: Failure.self) {
        try target.gain(from: silence, peak: -.infinity, ceiling: nil)
      }
      #expect(failure.code == "silent")
    }
  }
}
