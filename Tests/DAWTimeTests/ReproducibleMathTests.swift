import DAWTestSupport
import DAWTime
import Foundation
import Testing

@Suite struct ReproducibleMathTests {
  /// The difference of two numbers in units in the last place of the reference.
  private func units(_ found: Double, _ expected: Double) -> Double {
    found == expected ? 0 : abs(found - expected) / expected.ulp
  }

  @Test func functionsAreWithinTwoUnitsOfThePlatform() {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20_000 {
      let x = Double.random(in: -745...709.7, using: &generator)
      #expect(units(ReproducibleMath.exp(x), Foundation.exp(x)) <= 2, "seed \(seed), exp \(x)")
      let decade = Double.random(in: -10...10, using: &generator)
      #expect(units(ReproducibleMath.exp10(decade), Foundation.pow(10, decade)) <= 2, "seed \(seed), exp10 \(decade)")
      let positive = Foundation.exp(x / (generator.next() % 2 == 0 ? 1 : 1e4))
      guard positive > 0 else { continue }
      #expect(units(ReproducibleMath.log(positive), Foundation.log(positive)) <= 2, "seed \(seed), log \(positive)")
      let share = Double.random(in: 0...0.5, using: &generator)
      let (cosine, sine) = ReproducibleMath.quarterTurn(share)
      #expect(units(sine, Foundation.sin(share * (.pi / 2))) <= 2, "seed \(seed), sine \(share)")
      #expect(units(cosine, Foundation.cos(share * (.pi / 2))) <= 2, "seed \(seed), cosine \(share)")
      let level = Double.random(in: -120...12, using: &generator)
      let gain = ReproducibleMath.gain(decibels: level)
      #expect(units(gain, Foundation.pow(10, level / 20)) <= 2, "seed \(seed), gain \(level)")
      #expect(abs(ReproducibleMath.decibels(gain: gain) - level) < 1e-13, "seed \(seed), decibels \(level)")
    }
  }

  @Test func limitsAreExact() {
    #expect(ReproducibleMath.gain(decibels: 0) == 1)
    #expect(ReproducibleMath.gain(decibels: -.infinity) == 0)
    #expect(ReproducibleMath.decibels(gain: 1) == 0)
    #expect(ReproducibleMath.decibels(gain: 0) == -.infinity)
    #expect(ReproducibleMath.exp(0) == 1 && ReproducibleMath.exp(-.infinity) == 0)
    #expect(ReproducibleMath.exp(.infinity) == .infinity && ReproducibleMath.exp(709.9) == .infinity)
    #expect(ReproducibleMath.exp10(-.infinity) == 0 && ReproducibleMath.exp10(400) == .infinity)
    #expect(ReproducibleMath.log(1) == 0 && ReproducibleMath.log(.infinity) == .infinity)
    #expect(ReproducibleMath.log(-1).isNaN && ReproducibleMath.log(.nan).isNaN && ReproducibleMath.exp(.nan).isNaN)
    #expect(ReproducibleMath.log(.leastNonzeroMagnitude) == Foundation.log(Double.leastNonzeroMagnitude))
  }

  @Test func halfAQuarterTurnIsTheRootOfHalfOnBothSides() {
    let root = 0.5.squareRoot()
    #expect(ReproducibleMath.quarterTurn(0.5) == (root, root))
    #expect(ReproducibleMath.quarterTurn(0) == (1, 0) && ReproducibleMath.quarterTurn(1) == (0, 1))
  }

  @Test func aQuarterTurnIsMirroredAndOfUnitPower() {
    for step in 0...1024 {
      let share = Double(step) / 1024
      let (cosine, sine) = ReproducibleMath.quarterTurn(share)
      #expect(ReproducibleMath.quarterTurn(1 - share) == (sine, cosine))
      #expect(abs(cosine * cosine + sine * sine - 1) < 1e-15)
      #expect(units(sine, Foundation.sin(share * .pi / 2)) <= 2)
    }
  }

  /// A change of these bits changes every mix: it is a change of format.
  @Test(arguments: [
    (-6.0, 0x1.009b9cf334252p-1), (-60.0, 0x1.0624dd2f1a9fcp-10), (12.0, 0x1.fd93c1f526ddfp+1),
  ])
  func gainsHaveTheirBits(decibels: Double, gain: Double) {
    #expect(ReproducibleMath.gain(decibels: decibels) == gain)
  }
}
