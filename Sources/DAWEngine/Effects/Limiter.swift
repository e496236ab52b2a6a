/// A true-peak limiter. The gain that a peak allows is held as the least over the look-ahead, let go by the release,
/// and smoothed by a raised cosine of the look-ahead's length, so that it has arrived when the peak does.
///
/// With look-ahead N and the interpolator's delay d, the peak found at frame j lies between frames j − d and j − d + 1.
/// The smoothed gain at frame t weighs the least gains of frames t − N + 1 … t, each of which is that of N + 3 frames:
/// so it is no greater than what the peaks of j = t − N − 2 … t − N + 1 allow, and frame t − N − d is what comes out.
struct Limiter {
  /// Reductions below this, 10⁻¹¹ dB, end.
  private static var least: Double { @_noLocks get { 0x1p-40 } }

  private struct Knot: BitwiseCopyable {
    private var values = (Double.nan, Double.nan)
    /// Linear gain.
    var ceiling = 1.0
    var release = 0.0

    @_noLocks init() {}

    @_noLocks init(_ parameters: UnsafePointer<Double>, rate: Double) {
      values = (parameters[0], parameters[1])
      ceiling = gain(decibels: limited(values.0, -100, 100))
      release = remainder(perFrameOf: limited(values.1, 0.01, 1e6), rate: rate)
    }

    @_noLocks func isMade(of parameters: UnsafePointer<Double>) -> Bool {
      values.0 == parameters[0] && values.1 == parameters[1]
    }
  }

  private let rate: Double
  private var start = Knot()
  private var end = Knot()
  private var signal: DelayLine
  /// The ceiling of each frame, on its way with it.
  private var ceilings: DelayLine
  private var peaks: PeakInterpolator
  private var minimum: SlidingMinimum
  private var smoothing: RaisedCosine
  private var memory = Memory()

  private struct Memory: BitwiseCopyable {
    /// For how many more frames a peak may lie above the ceiling.
    var loudFrames = 0
    var lastCeiling = 0.0
    /// How far the released gain is below 1.
    var below = 0.0
    var reduction = Reduction()

    @_noLocks init() {}
  }

  /// - Parameter lookAhead: frames, at least 2.
  init(rate: Int, lookAhead: Int) {
    self.rate = Double(rate)
    let delay = PeakInterpolator.delay(rate: rate)
    signal = DelayLine(frameCount: lookAhead + delay)
    ceilings = DelayLine(frameCount: lookAhead + delay)
    peaks = PeakInterpolator(rate: rate)
    minimum = SlidingMinimum(length: lookAhead + 3)
    smoothing = RaisedCosine(length: lookAhead)
  }

  func free() {
    signal.free()
    ceilings.free()
    peaks.free()
    minimum.free()
    smoothing.free()
  }

  @_noLocks mutating func reset() {
    signal.reset()
    ceilings.reset()
    peaks.reset()
    minimum.reset()
    smoothing.reset()
    memory = Memory()
  }

  var reduction: Reduction { memory.reduction }

  mutating func clearReduction() { memory.reduction = Reduction() }

  @_noLocks mutating func process(_ piece: EffectPiece) {
    if !start.isMade(of: piece.start) {
      start = end.isMade(of: piece.start) ? end : Knot(piece.start, rate: rate)
    }
    if let values = piece.end, !end.isMade(of: values) { end = Knot(values, rate: rate) }
    for frame in 0..<piece.frameCount {
      if piece.end == nil {
        step(piece, frame, ceiling: start.ceiling, release: start.release)
      } else {
        let place = piece.fraction(frame)
        step(
          piece, frame, ceiling: between(start.ceiling, end.ceiling, place),
          release: between(start.release, end.release, place))
      }
    }
  }

  @_noLocks private mutating func step(_ piece: EffectPiece, _ frame: Int, ceiling: Double, release: Double) {
    let input = piece.signal(frame)
    let below = smoothing.next(reduction(of: input, ceiling: ceiling, release: release))
    let delayed = signal.next(input)
    let limit = Sides(repeating: ceilings.next(Sides(repeating: ceiling)).x)
    let gain = 1 - below
    memory.reduction.add(below > 0 ? Sides(repeating: -log2(max(gain, 0x1p-60))) : .zero)
    let output = (delayed * gain).clamped(lowerBound: -limit, upperBound: limit)
    piece.write(output, frame)
    // Rounding to Float may have gone beyond the ceiling.
    keepBelow(limit.x, &piece.left[frame])
    if let right = piece.right { keepBelow(limit.x, &right[frame]) }
  }

  /// How far the gain has to be below 1 for a peak at this frame.
  @_noLocks private mutating func reduction(of input: Sides, ceiling: Double, release: Double) -> Double {
    peaks.add(input)
    let size = magnitude(input)
    // Most of the time no peak can lie above the ceiling, and none is computed.
    if max(size.x, size.y) * peaks.greatestGain > ceiling || ceiling != memory.lastCeiling {
      memory.loudFrames = peaks.tapCount
      memory.lastCeiling = ceiling
    }
    var allowed = 1.0
    if memory.loudFrames > 0 {
      memory.loudFrames -= 1
      let peak = peaks.peak()
      if peak > ceiling { allowed = ceiling / peak }
    }
    let released = memory.below * release
    memory.below = max(1 - minimum.next(allowed), released < Self.least ? 0 : released)
    return memory.below
  }

  @_noLocks @inline(__always) private func keepBelow(_ limit: Double, _ sample: inout Float) {
    if Double(sample).magnitude > limit { sample = Float(bitPattern: sample.bitPattern - 1) }
  }
}
