/// A first-order low pass by the trapezoidal rule, also as the high pass that it leaves.
struct CutFilter: BitwiseCopyable {
  /// Whether there is one: from 20 Hz.
  var isOn = false
  var factor = 0.0

  @_noLocks init() {}

  @_noLocks init(_ frequency: Double, rate: Double) {
    isOn = frequency >= 20
    let g = tangent(ofHalfTurns: limited(frequency / rate, 0, 0.45))
    factor = g / (1 + g)
  }

  /// As at the start where only one of the two is on.
  @_noLocks @inline(__always) init(from start: CutFilter, to end: CutFilter, at place: Double) {
    isOn = start.isOn
    factor = start.isOn && end.isOn ? between(start.factor, end.factor, place) : start.factor
  }

  /// - Returns: the low pass; `x` less it is the high pass.
  @_noLocks @inline(__always) func low(_ x: Sides, _ memory: inout Sides) -> Sides {
    let change = (x - memory) * factor
    let low = memory + change
    memory = low + change
    return low
  }
}
