import CSampleCodec
import DAWMedia
import DAWTestSupport
import Testing

@testable import DAWEngine

/// All code paths that this processor supports.
private let everyPath = (0...daw_best_path().rawValue).map { daw_sample_path(rawValue: $0) }

@Test(arguments: SampleEncoding.allCases, [Float(1), 0.7, 0.001, 3.98])
func everyPathUnpacksToTheBitOfOneSampleAtATime(format: SampleEncoding, gain: Float) {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  for count in Array(0...40) + [1_000] {
    let samples = (0..<count).map { _ in TestSource.sample(format, using: &random) }
    // One byte aside, so that nothing is aligned.
    let bytes = [0] + samples.flatMap(\.bytes)
    let expected = samples.map { (Float($0.value) * gain).bitPattern }
    for path in everyPath {
      var out = [Float](repeating: .nan, count: count + 1)
      let invalid = bytes.withUnsafeBytes { stream in
        stream.baseAddress.map { daw_unpack(path, format.codecFormat, $0 + 1, count, gain, &out) }
      }
      #expect(invalid == 0)
      #expect(out[..<count].map(\.bitPattern) == expected, "seed \(seed), \(count) samples, path \(path.rawValue)")
      #expect(out[count].isNaN, "nothing is written past the end")
    }
  }
}

@Test(arguments: SampleEncoding.allCases)
func everyPathAddsToBothSidesToTheBitOfOneSampleAtATime(format: SampleEncoding) {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  for count in Array(0...40) + [1_300] {
    let samples = (0..<count).map { _ in TestSource.sample(format, using: &random) }
    let bytes = [0] + samples.flatMap(\.bytes)
    let before = (0...count).map { _ in Float.random(in: -1...1, using: &random) }
    let expected = [Float(0.3), 0.9].map { side in
      zip(before, samples).map { sum, sample in
        let product = Float(sample.value) * 0.7 * side
        return (sum + product).bitPattern
      }
    }
    for path in everyPath {
      var (left, right) = (before, before)
      let invalid = bytes.withUnsafeBytes { stream in
        stream.baseAddress.map {
          daw_add_to_both(path, format.codecFormat, $0 + 1, count, 0.7, 0.3, 0.9, &left, &right)
        }
      }
      #expect(invalid == 0)
      #expect(left[..<count].map(\.bitPattern) == expected[0], "seed \(seed), \(count) samples")
      #expect(right[..<count].map(\.bitPattern) == expected[1], "seed \(seed), \(count) samples")
      #expect(left[count] == before[count] && right[count] == before[count], "nothing is written past the end")
    }
  }
}

@Test func theExtremesOf24BitsAreExact() {
  let bytes: [UInt8] = [0, 0, 0x80, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 1, 0, 0] + [UInt8](repeating: 0, count: 36)
  let expected: [Float] = [-0x1p0, 0x1p0 - 0x1p-23, -0x1p-23, 0x1p-23, 0]
  for path in everyPath {
    var out = [Float](repeating: .nan, count: 16)
    _ = daw_unpack(path, DAW_SAMPLE_S24, bytes, 16, 1, &out)
    #expect(Array(out[..<5]) == expected)
  }
}

@Test func doublesBeyondFloatAreNotFinite() {
  let values: [Double] = [1e300, -1e300, .nan, 0.5]
  let bytes = values.flatMap { TestSource.bytes(of: $0.bitPattern) }
  for path in everyPath {
    var out = [Float](repeating: .nan, count: 4)
    #expect(daw_unpack(path, DAW_SAMPLE_F64, bytes, 4, 1, &out) == 3)
    #expect(out == [0, 0, 0, 0.5])
  }
}

@Test func everyPathFindsTheGreatestMagnitudeAndTheSameSumsInAnyPieces() {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  for count in Array(0...40) + [1_300] {
    let samples = (0..<count).map { _ in Float.random(in: -1.2...1.2, using: &random) }
    let greatest = samples.map(\.magnitude.bitPattern).max() ?? 0
    let beyond = samples.count { $0.magnitude > 1 }
    let first = Int.random(in: 0..<8, using: &random)
    var sums = [Double](repeating: 0.1, count: 8)
    for (i, sample) in samples.enumerated() { sums[(first + i) % 8] += Double(sample) }
    let cut = Int.random(in: 0...count, using: &random)
    for path in everyPath {
      var found = -1
      #expect(daw_greatest_magnitude(path, samples, count, &found) == greatest, "seed \(seed), \(count) samples")
      #expect(found == beyond, "seed \(seed), \(count) samples")
      var pieces = [Double](repeating: 0.1, count: 8)
      daw_add_to_eight_sums(path, samples, cut, first, &pieces)
      daw_add_to_eight_sums(path, Array(samples[cut...]), count - cut, first + cut, &pieces)
      #expect(pieces == sums, "seed \(seed), \(count) samples, cut at \(cut), path \(path.rawValue)")
    }
  }
}

@Test func nanIsTheGreatestMagnitude() {
  for path in everyPath {
    var beyond = 0
    let samples: [Float] = [0, 3, -.infinity, .nan, 1] + [Float](repeating: 0.5, count: 40)
    #expect(daw_greatest_magnitude(path, samples, samples.count, &beyond) > Float.infinity.bitPattern)
    #expect(beyond == 3)
  }
}

/// Times a power of two, rounded to nearest, ties to even, by Swift's own rounding.
private func packed(_ sample: Float, bits: Int) -> (bytes: [UInt8], isClipped: Bool) {
  let scale = Double(1 << (bits - 1))
  let rounded = (Double(sample) * scale).rounded(.toNearestOrEven)
  let held = rounded.isNaN ? 0 : min(max(rounded, -scale), scale - 1)
  let integer = UInt32(bitPattern: Int32(held))
  return ((0..<bits / 8).map { UInt8(truncatingIfNeeded: integer >> (8 * UInt32($0))) }, held != rounded)
}

@Test(arguments: [(DAW_SAMPLE_S16, 16), (DAW_SAMPLE_S24, 24)])
func everyPathPacksToTheBitOfOneSampleAtATime(format: daw_sample_format, bits: Int) {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  let step = Float(sign: .plus, exponent: 1 - bits, significand: 1)
  let edges: [Float] = [
    1, -1, 1.5, -1.5, 1 - step, 1 - step / 2, (1 - step / 2).nextDown, Float(-1).nextDown, -1 - step / 2, -1 - step,
    step / 2,
    -step / 2, 1.5 * step, -1.5 * step, 2.5 * step, 0, -0.0, .infinity, -.infinity, .nan, .greatestFiniteMagnitude,
    .leastNonzeroMagnitude,
  ]
  for count in Array(0...40) + [1_000] {
    let samples = (0..<count).map { _ in
      switch Int.random(in: 0..<4, using: &random) {
      case 0: edges.randomElement(using: &random) ?? 0
      // Halfway between two integers.
      case 1: (Float(Int32.random(in: -1_000...1_000, using: &random)) + 0.5) * step
      default: Float.random(in: -1.01...1.01, using: &random)
      }
    }
    let expected = samples.map { packed($0, bits: bits) }
    for path in everyPath {
      // One byte aside, so that nothing is aligned, and one behind, which stays.
      var bytes = [UInt8](repeating: 0xaa, count: count * bits / 8 + 2)
      let clipped = bytes.withUnsafeMutableBytes { bytes in
        bytes.baseAddress.map { daw_pack(path, format, samples, count, $0 + 1) }
      }
      #expect(clipped == expected.count { $0.isClipped }, "seed \(seed), \(count) samples, path \(path.rawValue)")
      #expect(bytes == [0xaa] + expected.flatMap(\.bytes) + [0xaa], "seed \(seed), \(count), path \(path.rawValue)")
    }
  }
}

@Test("Effects read and write samples alike at the ends of what they hear", arguments: everyPath)
func endsOfEffectSamples(path: daw_sample_path) {
  let ends: [Float] = [
    0, 1, 0x1p-126, Float(0x1p-126).nextUp, Float(0x1p-126).nextDown, .leastNonzeroMagnitude, 0x1p64,
    Float(0x1p64).nextDown, Float(0x1p64).nextUp, 0x1.8p64, .greatestFiniteMagnitude, .infinity, .nan,
  ]
  // At each place of a vector, and behind the last whole one.
  for count in [1, 3, 4, 8, 16, 26 + 37] {
    for first in ends.indices {
      let samples = (0..<count).map { ends[(first + $0) % ends.count] * ($0 % 3 == 1 ? -1 : 1) }
      var heard = [Double](repeating: 7, count: count)
      daw_read_heard(path, samples, count, &heard)
      let expected = samples.map { $0.magnitude >= 0x1p-126 && $0.magnitude < 0x1p64 ? Double($0) : 0 }
      #expect(heard == expected)
    }
  }
  let values: [Double] = [0, 1, 0x1p-126, Double(0x1p-126).nextUp, Double(0x1p-126).nextDown, 0x1p-127, 0x1p-300, 0.1]
  for count in [1, 3, 4, 8, 16, 61] {
    for first in values.indices {
      let signal = (0..<count).map { values[(first + $0) % values.count] * ($0 % 3 == 1 ? -1 : 1) }
      let expected = signal.map { $0.magnitude < 0x1p-126 ? 0 : Float($0) }
      var (written, product) = ([Float](repeating: 7, count: count), [Float](repeating: 7, count: count))
      daw_write_values(path, signal, count, &written)
      daw_write_product(path, signal, [Double](repeating: 4, count: count), 0.5, 0.125, count, &product)
      #expect(written == expected && product == expected)
    }
  }
}

@Test("Powers, pans, levels and reductions of every path have the bits of one value at a time", arguments: everyPath)
func everyPathComputesCurvesToTheBit(path: daw_sample_path) {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  func values(_ range: ClosedRange<Double>) -> [Double] { (0..<2_003).map { _ in .random(in: range, using: &random) } }
  func expectSame(_ found: [Double], _ expected: [Double], _ what: String) {
    #expect(found.map(\.bitPattern) == expected.map(\.bitPattern), "seed \(seed), path \(path.rawValue): \(what)")
  }
  let exponents = values(-80...20)
  var powers = exponents
  daw_powers_of_two(path, powers.count, &powers)
  expectSame(powers, exponents.map(daw_power_of_two), "powers")

  let positions = values(-1...1)
  for law in [DAW_PAN_CONSTANT_POWER, DAW_PAN_LINEAR, DAW_PAN_COMPROMISE, DAW_PAN_BALANCE] {
    var gains = positions
    daw_pan_gains(path, law, -0.5, gains.count, &gains)
    expectSame(gains, positions.map { daw_pan_gain(law, 0.5 + $0 * -0.5) }, "pan law \(law.rawValue)")
  }

  let (levels, others) = (values(0...2), values(-2...2))
  var measured = levels
  daw_measure_levels(path, 0x1p-100, 0.5, measured.count, &measured)
  expectSame(measured, levels.map { 0.5 * daw_logarithm(max($0, 0x1p-100)) }, "levels")
  measured = levels
  daw_measure_peaks(path, others, 0x1p-100, measured.count, &measured)
  expectSame(measured, zip(levels, others).map { daw_logarithm(max($0, $1.magnitude, 0x1p-100)) }, "peaks")

  let over = values(-10...10)
  var reduced = over
  daw_reduce_levels(path, 1, 3, 1 / 12.0, -0.75, reduced.count, &reduced)
  expectSame(
    reduced,
    over.map { level in
      let (knee, above) = (min(max(level - 1 + 3, 0), 6), max(level - 1 - 3, 0))
      let product = knee * knee * (1 / 12.0)
      return -0.75 * (product + above)
    }, "reductions")
}
