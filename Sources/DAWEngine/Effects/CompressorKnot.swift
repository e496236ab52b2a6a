import CSampleCodec

/// A compressor's coefficients at one knot. Levels are in powers of two.
struct CompressorKnot: BitwiseCopyable {
  static var valueCount: Int { @_noLocks get { 11 } }

  private var key = EffectKey()
  var threshold = 0.0
  /// 1 − 1 ÷ ratio.
  var slope = 0.0
  var halfKnee = 0.0
  /// 1 ÷ (2 × knee), 0 without one.
  var kneeFactor = 0.0
  var attack = 0.0
  var release = 0.0
  var makeUp = 0.0
  var mix = 0.0
  var isMeanSquare = false
  var isLinked = false
  var filter = KeyFilter()

  @_noLocks init() {}

  @_noLocks init(_ values: UnsafePointer<Double>, rate: Double) {
    key = EffectKey(values, count: Self.valueCount)
    threshold = values[0] * octavesPerDecibel
    slope = 1 - 1 / limited(values[1], 1, 1e6)
    halfKnee = limited(values[2], 0, 100) * octavesPerDecibel * 0.5
    kneeFactor = halfKnee > 0 ? 0.25 / halfKnee : 0
    attack = remainder(perFrameOf: limited(values[3], 0.01, 1e6), rate: rate)
    release = remainder(perFrameOf: limited(values[4], 0.01, 1e6), rate: rate)
    makeUp = values[5] * octavesPerDecibel
    isMeanSquare = values[6] >= 0.5
    isLinked = values[7] >= 0.5
    filter = KeyFilter(values[8], rate: rate)
    mix = limited(values[10], 0, 1)
  }

  @_noLocks @inline(__always) init(from start: CompressorKnot, to end: CompressorKnot, at place: Double) {
    threshold = between(start.threshold, end.threshold, place)
    slope = between(start.slope, end.slope, place)
    halfKnee = between(start.halfKnee, end.halfKnee, place)
    kneeFactor = between(start.kneeFactor, end.kneeFactor, place)
    attack = between(start.attack, end.attack, place)
    release = between(start.release, end.release, place)
    makeUp = between(start.makeUp, end.makeUp, place)
    mix = between(start.mix, end.mix, place)
    isMeanSquare = start.isMeanSquare
    isLinked = start.isLinked
  }

  @_noLocks func isMade(of values: UnsafePointer<Double>) -> Bool {
    key.isEqual(to: values, count: Self.valueCount)
  }

  /// Each level as `reduction` of it.
  @_noLocks func reduce(_ levels: UnsafeMutablePointer<Double>, _ count: Int, _ path: daw_sample_path) {
    daw_reduce_levels(path, threshold, halfKnee, kneeFactor, slope, count, levels)
  }

  /// How far a level is to be lowered: the gain computer's input minus its output, with a soft knee.
  /// - SeeAlso: Giannoulis, Massberg, Reiss, equation 4.
  @_noLocks @inline(__always) func reduction(of level: Sides) -> Sides {
    let over = level - threshold
    let inKnee = (over + halfKnee).clamped(
      lowerBound: .zero, upperBound: Sides(repeating: 2 * halfKnee))
    return slope * (inKnee * inKnee * kneeFactor + greater(over - halfKnee, .zero))
  }
}
