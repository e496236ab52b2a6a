/// Peaks between samples. Below 96 kHz: fourfold oversampling by the filter of ITU-R BS.1770, annex 2, whose points lie
/// an eighth of a frame beside the quarters, and at the quarters by a sinc under a Hann window of the same length, as
/// libebur128 has them. From 96 kHz: twofold, by a sinc of twice that length.
///
/// A filter h and the same one backwards are computed together: with s the sum and d the difference of two frames that
/// lie opposite, Σ ½ (h + h′) s ± Σ ½ (h − h′) d.
///
/// - SeeAlso: ITU-R BS.1770-5, annex 2: 48 coefficients, 12 for each of four phases; the last two are the first two
///   backwards. libebur128, `interp_create`.
struct PeakInterpolator {
  /// Frames from a sample to the peaks beside it.
  static func delay(rate: Int) -> Int { rate < 96_000 ? 6 : 12 }

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

  /// A sinc under a Hann window, 48 places long, `factor` places to a frame, at those that begin with `first`.
  private static func sinc(factor: Int, first: Int) -> [Double] {
    stride(from: first, to: 48, by: factor).map { place in
      // sin(πm/4) is 0, ±√½ or ±1.
      let sines = [0, rootOfHalf, 1, rootOfHalf, 0, -rootOfHalf, -1, -rootOfHalf]
      let m = (place - 24) * 4 / factor
      let sine = sines[((m % 8) + 8) % 8]
      return sine / (Double.pi * Double(m) / 4) * 0.5 * (1 - cosine(ofTurns: Double(place) / 48))
    }
  }

  /// Frames that a peak is computed from.
  let tapCount: Int
  /// No peak between samples is greater than the greatest sample times this.
  let greatestGain: Double
  private let isFourfold: Bool
  /// For each pair of frames: ½ (h + h′) and ½ (h − h′) of the first phase, the second and the first quarter, then the
  /// half; where it is twofold, the half alone.
  private let taps: UnsafeMutablePointer<Double>
  /// The last frames, twice, so that all of them always lie side by side, the oldest first.
  private let frames: UnsafeMutablePointer<Sides>
  private var index = 0

  /// - Parameter rate: Hz.
  init(rate: Int) {
    isFourfold = rate < 96_000
    tapCount = isFourfold ? 12 : 24
    let half = Self.sinc(factor: isFourfold ? 4 : 2, first: isFourfold ? 2 : 1)
    let filters = isFourfold ? Self.annex2 + [Self.sinc(factor: 4, first: 1), half] : [half]
    let rowCount = 2 * filters.count - 1
    taps = .filled(with: 0, count: rowCount * tapCount / 2)
    frames = .filled(with: .zero, count: 2 * tapCount)
    greatestGain = filters.map { $0.reduce(0) { $0 + $1.magnitude } }.reduce(1) { max($0, $1) } * 1.000_001
    for pair in 0..<tapCount / 2 {
      for (number, filter) in filters.enumerated() {
        // The pair's first frame is the older one.
        let (older, newer) = (filter[tapCount - 1 - pair], filter[pair])
        taps[rowCount * pair + 2 * number] = (older + newer) * 0.5
        if number < filters.count - 1 { taps[rowCount * pair + 2 * number + 1] = (older - newer) * 0.5 }
      }
    }
  }

  func free() {
    taps.deallocate()
    frames.deallocate()
  }

  @_noLocks mutating func reset() {
    frames.update(repeating: .zero, count: 2 * tapCount)
    index = 0
  }

  @_noLocks @inline(__always) mutating func add(_ frame: Sides) {
    frames[index] = frame
    frames[index + tapCount] = frame
    index = index + 1 == tapCount ? 0 : index + 1
  }

  /// The greatest magnitude at and between the two samples that are `delay` and `delay` − 1 frames older than the
  /// newest.
  @_noLocks func peak() -> Double {
    let oldest = frames + index
    let middle = oldest + tapCount / 2
    let between = isFourfold ? fourfold(oldest) : twofold(oldest)
    let all = greater(between, greater(magnitude(middle[-1]), magnitude(middle[0])))
    return max(all.x, all.y)
  }

  @_noLocks private func twofold(_ oldest: UnsafePointer<Sides>) -> Sides {
    var half = Sides.zero
    for pair in 0..<12 { half += taps[pair] * (oldest[pair] + oldest[23 - pair]) }
    return magnitude(half)
  }

  @_noLocks private func fourfold(_ oldest: UnsafePointer<Sides>) -> Sides {
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
    return greater(greater(a, b), greater(c, magnitude(half)))
  }
}
