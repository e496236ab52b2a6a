/// A reverb's coefficients at one knot.
struct ReverbKnot: BitwiseCopyable {
  static var valueCount: Int { @_noLocks get { 7 } }

  private var key = EffectKey()
  /// Of each line, per pass: how far the gain at 0 Hz is above that of the middle, as a ratio less 1; the gain of the
  /// middle; the gain at the highest frequencies.
  var lowRise = SixteenLines.zero
  var middle = SixteenLines.zero
  var high = SixteenLines.zero
  /// The output's gain, by which noise keeps its level at every decay.
  var level = 0.0
  /// The pre-delay, in frames.
  var frames = 0
  var width = 0.0
  var mix = 0.0

  @_noLocks init() {}

  @_noLocks init(_ values: UnsafePointer<Double>, rate: Double, lines: ReverbLines, preDelay: EchoLine) {
    key = EffectKey(values, count: Self.valueCount)
    let decay = limited(values[0], 0.05, 1_000)
    let low = decay * limited(values[2], 0.1, 10)
    let highest = decay * limited(values[3], 0.05, 1)
    var power = 0.0
    for line in 0..<ReverbLines.count {
      // After the decay time 10^(−3) is left: the gain of a line is 10^(−3 length ÷ decay), Jot's equation 1.
      let exponent = -3 * 3.321_928_094_887_362 * Double(lines.lengths[line]) / rate
      middle[line] = exp2(exponent / decay)
      lowRise[line] = low == decay ? 0 : exp2(exponent / low - exponent / decay) - 1
      high[line] = exp2(exponent / highest)
      power += middle[line] * middle[line]
    }
    level = exp2(0.5 * log2(max(1 - power / Double(ReverbLines.count), 0x1p-60)))
    frames = preDelay.frames(milliseconds: values[4], rate: rate, least: 0)
    width = limited(values[5], 0, 1)
    mix = limited(values[6], 0, 1)
  }

  @_noLocks func absorption(_ group: Int) -> ReverbAbsorption {
    ReverbAbsorption(
      lowRise: Self.group(group, lowRise), middle: Self.group(group, middle), high: Self.group(group, high))
  }

  @_noLocks private static func group(_ group: Int, _ lines: SixteenLines) -> FourLines {
    let half = group < 2 ? lines.lowHalf : lines.highHalf
    return group & 1 == 0 ? half.lowHalf : half.highHalf
  }

  @_noLocks func isMade(of values: UnsafePointer<Double>) -> Bool {
    key.isEqual(to: values, count: Self.valueCount)
  }
}

/// The absorption of four lines at one knot.
struct ReverbAbsorption: BitwiseCopyable {
  var lowRise: FourLines
  var middle: FourLines
  var high: FourLines

  @_noLocks init(lowRise: FourLines, middle: FourLines, high: FourLines) {
    self.lowRise = lowRise
    self.middle = middle
    self.high = high
  }

  @_noLocks @inline(__always) init(from start: ReverbAbsorption, to end: ReverbAbsorption, at place: Double) {
    lowRise = start.lowRise + (end.lowRise - start.lowRise) * place
    middle = start.middle + (end.middle - start.middle) * place
    high = start.high + (end.high - start.high) * place
  }
}
