import DAWTestSupport
import Foundation
import Testing

@testable import DAWEngine

@Test func powersOfTwoAreWithinTheirBound() {
  for step in -80_000...80_000 {
    let x = Double(step) * 0.0123
    let expected = Foundation.exp2(min(max(x, -1_000), 1_000))
    #expect(abs(DAWEngine.exp2(x) / expected - 1) < 2e-15, "\(x)")
    if abs(DAWEngine.exp2(x) / expected - 1) >= 2e-15 { break }
  }
  for exponent in -1_000...1_000 {
    #expect(DAWEngine.exp2(Double(exponent)) == Foundation.exp2(Double(exponent)))
  }
  #expect(DAWEngine.exp2(.infinity) == Foundation.exp2(1_000))
  #expect(gain(decibels: 0) == 1)
}

@Test func logarithmsAreWithinTheirBound() {
  var random = SeededGenerator(seed: 7)
  for _ in 0..<100_000 {
    let x =
      Double.random(in: 1..<2, using: &random)
      * Foundation.exp2(Double(Int.random(in: -1_022...1_023, using: &random)))
    let difference = abs(DAWEngine.log2(x) - Foundation.log2(x))
    // Foundation's own value is rounded to a double, which near ±1,000 has steps of 10⁻¹³.
    let bound = 1e-13 + Foundation.log2(x).ulp
    #expect(difference < bound, "\(x)")
    if difference >= bound { break }
  }
  for exponent in -1_022...1_023 {
    #expect(DAWEngine.log2(Foundation.exp2(Double(exponent))) == Double(exponent))
  }
}

@Test func tangentsAndCosinesAreWithinTheirBounds() {
  for step in 0...45_000 {
    let x = Double(step) / 100_000
    let expected = tan(Double.pi * x)
    #expect(abs(tangent(ofHalfTurns: x) - expected) <= 4e-15 * expected, "\(x)")
  }
  for step in 0...100_000 {
    let x = Double(step) / 100_000
    #expect(abs(cosine(ofTurns: x) - cos(2 * Double.pi * x)) < 1e-15, "\(x)")
  }
}

@Test func remaindersAreThoseOfTimeConstants() {
  for milliseconds in [0.1, 1, 10, 2_500] {
    let expected = exp(-1 / (milliseconds * 0.001 * 48_000))
    #expect(abs(remainder(perFrameOf: milliseconds, rate: 48_000) - expected) < 1e-14)
  }
}
