/// A second-order section: Andrew Simper's state-variable filter by the trapezoidal rule, with the doubling of its
/// states' new values folded into the coefficients. Per frame, of input x and states s₁, s₂:
///
///     d = x − s₂
///     s₁′ = turn × s₁ + swing × d
///     s₂′ = s₂ + swing × s₁ + follow × d
///     y = direct × x + band × (s₁ + s₁′) + low × (s₂ + s₂′)
///
/// - SeeAlso: Andrew Simper: Linear Trapezoidal Integrated State Variable Filter With Low Noise Optimisation,
///   Cytomic, 2013; Robert Bristow-Johnson: Cookbook formulae for audio EQ biquad filter coefficients.
struct FilterSection: BitwiseCopyable {
  var turn = 0.0
  var swing = 0.0
  var follow = 0.0
  var direct = 1.0
  var band = 0.0
  var low = 0.0

  @_noLocks init() {}

  /// - Parameters:
  ///   - g: tan(π × frequency ÷ rate).
  ///   - damping: 1 ÷ Q.
  ///   - direct: times the input.
  ///   - band: times the band-pass output.
  ///   - low: times the low-pass output.
  @_noLocks init(g: Double, damping: Double, direct: Double, band: Double, low: Double) {
    let a1 = 1 / (1 + g * (g + damping))
    let a2 = g * a1
    turn = 2 * a1 - 1
    swing = 2 * a2
    follow = 2 * (g * a2)
    self.direct = direct
    self.band = band * 0.5
    self.low = low * 0.5
  }

  /// As one of four for `daw_filter`.
  @_noLocks func put(into coefficients: UnsafeMutablePointer<Double>) {
    coefficients[0] = turn
    coefficients[4] = swing
    coefficients[8] = follow
    coefficients[12] = direct
    coefficients[16] = band
    coefficients[20] = low
  }

  /// Straight from one section to another.
  @_noLocks @inline(__always) init(from start: FilterSection, to end: FilterSection, at place: Double) {
    turn = between(start.turn, end.turn, place)
    swing = between(start.swing, end.swing, place)
    follow = between(start.follow, end.follow, place)
    direct = between(start.direct, end.direct, place)
    band = between(start.band, end.band, place)
    low = between(start.low, end.low, place)
  }

  /// A Butterworth high pass of the second order.
  @_noLocks init(highPass frequency: Double, rate: Double) {
    let damping = 2 * rootOfHalf
    let g = tangent(ofHalfTurns: min(frequency / rate, 0.45))
    self.init(g: g, damping: damping, direct: 1, band: -damping, low: -1)
  }
}

/// A section's states, for two sides.
struct FilterMemory: BitwiseCopyable {
  var first = Sides.zero
  var second = Sides.zero

  @_noLocks init() {}

  /// One of four of `daw_filter`, of both sides.
  @_noLocks init(_ states: UnsafePointer<Double>) {
    first = Sides(states[0], states[8])
    second = Sides(states[4], states[12])
  }

  /// As one of four for `daw_filter`, for both sides.
  @_noLocks func put(into states: UnsafeMutablePointer<Double>) {
    states[0] = first.x
    states[8] = first.y
    states[4] = second.x
    states[12] = second.y
  }

  @_noLocks @inline(__always) mutating func step(_ x: Sides, _ section: FilterSection) -> Sides {
    let d = x - second
    let nextFirst = section.turn * first + section.swing * d
    let nextSecond = second + section.swing * first + section.follow * d
    let y = section.direct * x + section.band * (first + nextFirst) + section.low * (second + nextSecond)
    first = nextFirst
    second = nextSecond
    return y
  }
}
