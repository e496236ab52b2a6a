/// Peaks between samples: fourfold oversampling by the filter of ITU-R BS.1770, annex 2, whose points lie an eighth of a
/// frame beside the quarters, and at the quarters by a sinc under a Hann window of the same length, as libebur128 has
/// them.
///
/// A filter h and the same one backwards are computed together: with s the sum and d the difference of two frames that
/// lie opposite, Σ ½ (h + h′) s ± Σ ½ (h − h′) d.
///
/// - SeeAlso: ITU-R BS.1770-5, annex 2: 48 coefficients, 12 for each of four phases; the last two are the first two
///   backwards. libebur128, `interp_create`.
struct PeakInterpolator {
  /// Frames that a peak is computed from.
  static var tapCount: Int { @_noLocks get { 12 } }

  /// Newest frame first.
  private static let annex2: [[Double]] = [
    [
      0.001_708_984_375, 0.010_986_328_125, -0.019_653_320_312_5, 0.033_203_125, -0.059_448_242_187_5,
      0.137_329_101_562_5, 0.972_167_968_75, -0.102_294_921_875, 0.047_607_421_875, -0.026_611_328_125,
      0.014_892_578_125, -0.008_300_781_25,
    ],
    [
      -0.029_174_804_687_5, 0.029_296_875, -0.051_757_812_5, 0.089_111_328_125, -0.166_503_906_25, 0.465_087_890_625,
      0.779_785_156_25, -0.200_317_382_812_5, 0.101_562_5, -0.058_227_539_062_5, 0.033_081_054_687_5,
      -0.018_920_898_437_5,
    ],
  ]

  /// The sinc at `quarters` quarters after the seventh newest frame.
  private static func sinc(quarters: Int) -> [Double] {
    (0..<tapCount).map { tap in
      let place = 4 * tap + quarters
      // sin(πm/4) is 0, ±√½ or ±1.
      let sines = [0, rootOfHalf, 1, rootOfHalf, 0, -rootOfHalf, -1, -rootOfHalf]
      let m = place - 24
      let sine = sines[((m % 8) + 8) % 8]
      return sine / (Double.pi * Double(m) / 4) * 0.5 * (1 - cosine(ofTurns: Double(place) / 48))
    }
  }

  /// No peak between samples is greater than the greatest sample times this.
  let greatestGain: Double
  /// For each of six pairs of frames: ½ (h + h′) and ½ (h − h′) of the first phase, the second and the first quarter,
  /// then the half.
  private let taps: UnsafeMutablePointer<Double>
  /// The last frames, twice, so that 12 of them always lie side by side, the oldest first.
  private let frames: UnsafeMutablePointer<Sides>
  private var index = 0

  init() {
    let filters = Self.annex2 + [Self.sinc(quarters: 1), Self.sinc(quarters: 2)]
    taps = .filled(with: 0, count: 7 * 6)
    frames = .filled(with: .zero, count: 2 * Self.tapCount)
    greatestGain = filters.map { $0.reduce(0) { $0 + $1.magnitude } }.reduce(1) { max($0, $1) } * 1.000_001
    for pair in 0..<6 {
      for (number, filter) in filters.enumerated() {
        // The pair's first frame is the older one.
        let (older, newer) = (filter[11 - pair], filter[pair])
        taps[7 * pair + 2 * number] = (older + newer) * 0.5
        if number < 3 { taps[7 * pair + 2 * number + 1] = (older - newer) * 0.5 }
      }
    }
  }

  func free() {
    taps.deallocate()
    frames.deallocate()
  }

  @_noLocks mutating func reset() {
    frames.update(repeating: .zero, count: 2 * Self.tapCount)
    index = 0
  }

  @_noLocks @inline(__always) mutating func add(_ frame: Sides) {
    frames[index] = frame
    frames[index + Self.tapCount] = frame
    index = index + 1 == Self.tapCount ? 0 : index + 1
  }

  /// The greatest magnitude, at and between the samples, from 6 to 5 frames before the newest one.
  @_noLocks func peak() -> Double {
    let oldest = frames + index
    var (evenA, oddA, evenB, oddB) = (Sides.zero, Sides.zero, Sides.zero, Sides.zero)
    var (evenC, oddC, half) = (Sides.zero, Sides.zero, Sides.zero)
    for pair in 0..<6 {
      let sum = oldest[pair] + oldest[11 - pair]
      let difference = oldest[pair] - oldest[11 - pair]
      let taps = taps + 7 * pair
      evenA += taps[0] * sum
      oddA += taps[1] * difference
      evenB += taps[2] * sum
      oddB += taps[3] * difference
      evenC += taps[4] * sum
      oddC += taps[5] * difference
      half += taps[6] * sum
    }
    // |e + o| and |e − o|: the greater one is |e| + |o|.
    let a = magnitude(evenA) + magnitude(oddA)
    let b = magnitude(evenB) + magnitude(oddB)
    let c = magnitude(evenC) + magnitude(oddC)
    let between = greater(greater(a, b), greater(c, magnitude(half)))
    let all = greater(between, greater(magnitude(oldest[5]), magnitude(oldest[6])))
    return max(all.x, all.y)
  }
}
