/// Gain reduction over time, in powers of two of the gain.
struct Reduction: BitwiseCopyable {
  private var greatest = Sides.zero
  private var sum = Sides.zero
  private var count = 0

  @_noLocks init() {}

  @_noLocks @inline(__always) mutating func add(_ reduction: Sides) {
    greatest = greater(greatest, reduction)
    sum += reduction
    count += 1
  }

  /// dB; the mean over frames and sides.
  var levels: (greatest: Double, mean: Double) {
    guard count > 0 else { return (0, 0) }
    return (
      max(greatest.x, greatest.y) / octavesPerDecibel, (sum.x + sum.y) / (2 * Double(count)) / octavesPerDecibel
    )
  }
}
