/// The high pass of a key at one knot.
struct KeyFilter: BitwiseCopyable {
  /// Whether there is one: from 20 Hz.
  var isOn = false
  var section = FilterSection()

  @_noLocks init() {}

  @_noLocks init(_ frequency: Double, rate: Double) {
    isOn = frequency >= 20
    if isOn { section = FilterSection(highPass: frequency, rate: rate) }
  }

  /// As at the start where only one of the two is on.
  @_noLocks @inline(__always) init(from start: KeyFilter, to end: KeyFilter, at place: Double) {
    self = start
    if start.isOn && end.isOn { section = FilterSection(from: start.section, to: end.section, at: place) }
  }
}
