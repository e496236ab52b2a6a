import DAWTestSupport
import Foundation
import Testing

@testable import DAWEngine

/// The responses of the cookbook's analog prototypes after the bilinear transform, prewarped at `frequency`.
/// - SeeAlso: Robert Bristow-Johnson: Cookbook formulae for audio EQ biquad filter coefficients.
private struct Cookbook {
  var type: Int
  var frequency: Double
  var gain = 0.0
  var q = 0.5.squareRoot()
  var slope = 0.0

  /// dB.
  func level(at f: Double, rate: Double) -> Double {
    let w = tan(.pi * f / rate) / tan(.pi * frequency / rate)
    let a = pow(10, gain / 40)
    switch type {
    case 1: return ratio([1, a / q, 1], [1, 1 / (a * q), 1], w)
    case 2:
      return 20 * log10(a) + ratio([1, a.squareRoot() / q, a], [a, a.squareRoot() / q, 1], w)
    case 3:
      return 20 * log10(a) + ratio([a, a.squareRoot() / q, 1], [1, a.squareRoot() / q, a], w)
    case 6: return ratio([1, 0, 1], [1, 1 / q, 1], w)
    case 7: return ratio([0, 1 / q, 0], [1, 1 / q, 1], w)
    default:
      let order = [2, 4, 8][Int(slope)]
      let sections = order / 2
      return (0..<sections).map { k in
        // The poles of a Butterworth filter, in pairs: 1/Q = 2 cos θ.
        var damping = 2 * cos(.pi * Double(2 * k + 1) / Double(2 * order))
        if k == sections - 1 { damping *= 0.5.squareRoot() / q }
        return ratio(type == 4 ? [0, 0, 1] : [1, 0, 0], [1, damping, 1], w)
      }.reduce(0, +)
    }
  }

  /// |s² n₀ + s n₁ + n₂| ÷ |s² d₀ + s d₁ + d₂| in dB, at s = iw.
  private func ratio(_ n: [Double], _ d: [Double], _ w: Double) -> Double {
    func power(_ c: [Double]) -> Double {
      let (real, imaginary) = (c[2] - c[0] * w * w, c[1] * w)
      return real * real + imaginary * imaginary
    }
    return 10 * log10(power(n) / power(d))
  }

  func values(band: Int) -> [Double] {
    EffectKind.eq.values([
      "band\(band).type": Double(type), "band\(band).frequency": frequency,
      "band\(band).gain": gain,
      "band\(band).q": q, "band\(band).slope": slope,
    ])
  }
}

/// The level in dB of a filter's response to an impulse.
private func level(of response: [Float], at frequency: Double, rate: Double) -> Double {
  var (real, imaginary) = (0.0, 0.0)
  for (n, sample) in response.enumerated() where sample != 0 {
    let phase = 2 * .pi * (frequency * Double(n) / rate).truncatingRemainder(dividingBy: 1)
    real += Double(sample) * cos(phase)
    imaginary -= Double(sample) * sin(phase)
  }
  return 10 * log10(real * real + imaginary * imaginary)
}

@Test(arguments: [44_100, 48_000, 96_000])
func equalizerHasTheCookbooksResponses(rate: Int) {
  var bands: [Cookbook] = []
  for gain in [-24.0, -3, 6, 24] {
    bands.append(Cookbook(type: 1, frequency: 1_000, gain: gain, q: 1))
    bands.append(Cookbook(type: 2, frequency: 400, gain: gain))
    bands.append(Cookbook(type: 3, frequency: 5_000, gain: gain, q: 0.5))
  }
  bands.append(Cookbook(type: 1, frequency: 3_000, gain: 12, q: 30))
  bands.append(Cookbook(type: 1, frequency: 18_000, gain: 12, q: 2))
  bands.append(Cookbook(type: 6, frequency: 2_000, q: 3))
  bands.append(Cookbook(type: 7, frequency: 2_000, q: 3))
  for slope in 0...2 {
    bands.append(Cookbook(type: 4, frequency: 3_000, slope: Double(slope)))
    bands.append(Cookbook(type: 5, frequency: 500, q: 2, slope: Double(slope)))
  }
  for (index, band) in bands.enumerated() {
    let (response, _) = EffectRendering.impulse(12_000, isStereo: index % 2 == 0).through(
      EffectSetup(kind: .eq, sampleRate: rate), band.values(band: index % 8 + 1))
    for frequency in [60.0, 200, 390, 700, 1_000, 1_900, 3_010, 5_000, 9_000, 15_000, 20_000] {
      let expected = band.level(at: frequency, rate: Double(rate))
      // Below −100 dB, where only a pass is, the rounding of the response to Float counts.
      guard expected > -100 else { continue }
      let found = level(of: response, at: frequency, rate: Double(rate))
      #expect(abs(found - expected) < 0.001, "\(band), \(frequency) Hz")
    }
  }
}

@Test func bandsAreInSeries() {
  let first = Cookbook(type: 1, frequency: 300, gain: 6, q: 1)
  let second = Cookbook(type: 5, frequency: 100, slope: 2)
  var values = first.values(band: 2)
  for (index, value) in second.values(band: 7).enumerated() where index / 5 == 6 {
    values[index] = value
  }
  let (response, _) = EffectRendering.impulse(20_000).through(
    EffectSetup(kind: .eq, sampleRate: 48_000), values)
  for frequency in [80.0, 150, 300, 1_000, 10_000] {
    let expected =
      first.level(at: frequency, rate: 48_000) + second.level(at: frequency, rate: 48_000)
    #expect(abs(level(of: response, at: frequency, rate: 48_000) - expected) < 0.001)
  }
}

@Test func frequenciesEndBelowHalfTheRate() {
  let setup = EffectSetup(kind: .eq, sampleRate: 22_050)
  let high = Cookbook(type: 4, frequency: 20_000).values(band: 1)
  let highest = Cookbook(type: 4, frequency: 0.45 * 22_050).values(band: 1)
  let impulse = EffectRendering.impulse(1_000)
  #expect(impulse.through(setup, high).left == impulse.through(setup, highest).left)
}

@Test func bandThatMovesEndsWhereItRests() {
  let noise = EffectRendering(
    Signal.noise(seed: 1, frames: 9_600, channels: 1),
    Signal.noise(seed: 2, frames: 9_600, channels: 1))
  let setup = EffectSetup(kind: .eq, sampleRate: 48_000)
  let end = Cookbook(type: 1, frequency: 2_000, gain: 12).values(band: 1)
  var moving = noise
  moving.knots = { knot in
    Cookbook(
      type: 1, frequency: 200 + 1_800 * min(1, Double(knot) / 100),
      gain: 0.12 * Double(min(knot, 100))
    )
    .values(band: 1)
  }
  let found = moving.through(setup, end).left
  let expected = noise.through(setup, end).left
  #expect(found[0] == noise.left[0])
  #expect(found != expected)
  #expect(zip(found, expected).suffix(4_000).allSatisfy { abs($0 - $1) < 1e-6 })
}
