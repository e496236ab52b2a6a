/// A tempo that changes linearly, per tick, from one value to another.
///
/// The time until its tick n is the integral of 1 / tempo, a logarithm: c · n / b₀ · ln(1 + u) / u, with u = (b₁ − b₀)
/// · n / (b₀ · length) and c flicks per tick at 1 BPM. A ramp lasts less than 2⁴³ of its shortest ticks, and the
/// relative error of the arithmetic is a few parts in 10¹⁶, less than a hundredth of a tick; so rounding never reorders
/// ticks. Up to 2⁵³ flicks, 147 days, it is exact to a flick or two.
struct TempoRamp: Hashable, Sendable {
  /// In ticks, at least 1.
  let length: Int64
  private let start: Tempo
  private let end: Tempo
  /// Flicks per tick at the start.
  private let flicksPerTick: Double
  /// The change of tempo per tick, relative to the tempo at the start.
  private let growth: Double

  init(from start: Tempo, to end: Tempo, length: Int64) {
    self.start = start
    self.end = end
    self.length = length
    flicksPerTick = Double(Tempo.nanoFlicksPerTickAtOneBPM) / Double(start.nanoBPM)
    growth = Double(end.nanoBPM - start.nanoBPM) / (Double(start.nanoBPM) * Double(length))
  }

  /// The flick nearest to a tick, both from the ramp's start.
  /// - Parameter ticks: 0 … `length`.
  func flicks(at ticks: Int64) -> Int64 {
    let ticks = Double(ticks)
    let flicks = flicksPerTick * ticks * ReproducibleMath.logOfOnePlusOverItself(growth * ticks)
    return Int64(flicks.rounded(.toNearestOrEven))
  }

  /// The tick whose flick is nearest, both from the ramp's start; ties to even.
  /// - Parameter flicks: at least 0 and at most those of the ramp's end.
  ///
  /// Starts from an estimate and searches with `flicks(at:)`, so that the two are inverse however good the estimate is.
  func ticks(at flicks: Int64) -> Int64 {
    let earlier = lastTick(notAfter: flicks, near: estimatedTick(at: flicks))
    guard earlier < length else { return earlier }
    let before = flicks - self.flicks(at: earlier)
    let after = self.flicks(at: earlier + 1) - flicks
    return before < after || (before == after && earlier.isMultiple(of: 2)) ? earlier : earlier + 1
  }

  /// The tempo at a tick, to the nearest 10⁻⁹ BPM.
  func tempo(at ticks: Int64) -> Tempo {
    let rise = Int128(end.nanoBPM - start.nanoBPM) * Int128(ticks)
    return Tempo(nanoBPM: start.nanoBPM + Int64(nearest(rise, over: Int128(length))))
  }

  private func estimatedTick(at flicks: Int64) -> Int64 {
    let straight = Double(flicks) / flicksPerTick
    let exponent = growth * straight
    let ticks =
      abs(exponent) < 1e-4
      ? straight * (1 + exponent * (0.5 + exponent / 6)) : (ReproducibleMath.exp(exponent) - 1) / growth
    return Int64(min(Double(length), max(0, ticks)))
  }

  private func lastTick(notAfter flicks: Int64, near guess: Int64) -> Int64 {
    var (low, high) = (guess, guess + 1)
    var step: Int64 = 1
    while low > 0, self.flicks(at: low) > flicks { (low, high, step) = (max(0, low - step), low, 2 * step) }
    step = 1
    while high <= length, self.flicks(at: high) <= flicks { (low, high, step) = (high, high + step, 2 * step) }
    high = min(high, length + 1)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if self.flicks(at: middle) <= flicks { low = middle } else { high = middle }
    }
    return low
  }
}
