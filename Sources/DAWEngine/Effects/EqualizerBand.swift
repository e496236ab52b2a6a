/// One band of an equalizer at one knot: its parameters and the sections that follow from them.
struct EqualizerBand: BitwiseCopyable {
  /// In the order of the parameter `type`.
  enum Shape: Int {
    case off
    case bell
    case lowShelf
    case highShelf
    case lowPass
    case highPass
    case notch
    case bandPass
  }

  static var valueCount: Int { @_noLocks get { 5 } }

  private(set) var shape = Shape.off
  /// 0 … 4.
  private(set) var sectionCount = 0
  /// Whether it leaves the sound as it is.
  private(set) var isNeutral = true
  /// The parameters; NaN is equal to none.
  private var values = (Double.nan, Double.nan, Double.nan, Double.nan, Double.nan)
  private var sections = (FilterSection(), FilterSection(), FilterSection(), FilterSection())

  @_noLocks init() {}

  /// - Parameters:
  ///   - values: type, frequency in Hz, gain in dB, Q, slope.
  ///   - rate: Hz.
  @_noLocks init(_ values: UnsafePointer<Double>, rate: Double) {
    self.values = (values[0], values[1], values[2], values[3], values[4])
    shape = Shape(rawValue: Int(limited(values[0] + 0.5, 0, 7))) ?? .off
    let g = tangent(ofHalfTurns: limited(values[1] / rate, 1e-6, 0.45))
    let q = limited(values[3], 0.01, 1_000)
    let damping = 1 / q
    sectionCount = 1
    isNeutral = false
    switch shape {
    case .off:
      sectionCount = 0
      isNeutral = true
    case .bell, .lowShelf, .highShelf: setGain(limited(values[2], -48, 48), g: g, damping: damping)
    case .notch: sections.0 = FilterSection(g: g, damping: damping, direct: 1, band: -damping, low: 0)
    case .bandPass: sections.0 = FilterSection(g: g, damping: damping, direct: 0, band: damping, low: 0)
    case .lowPass, .highPass: setPass(slope: Int(limited(values[4] + 0.5, 0, 2)), g: g, damping: damping)
    }
  }

  @_noLocks private mutating func setGain(_ level: Double, g: Double, damping: Double) {
    isNeutral = level == 0
    // A, the square root of the linear gain, and its own root.
    let a = gain(decibels: level * 0.5)
    let root = gain(decibels: level * 0.25)
    switch shape {
    case .lowShelf:
      sections.0 = FilterSection(g: g / root, damping: damping, direct: 1, band: damping * (a - 1), low: a * a - 1)
    case .highShelf:
      sections.0 = FilterSection(
        g: g * root, damping: damping, direct: a * a, band: damping * (1 - a) * a, low: 1 - a * a)
    default:
      let damping = damping / a
      sections.0 = FilterSection(g: g, damping: damping, direct: 1, band: damping * (a * a - 1), low: 0)
    }
  }

  /// A pass of 12, 24 or 48 dB an octave: sections with the Qs of a Butterworth filter, the last one's times Q ÷ √½.
  @_noLocks private mutating func setPass(slope: Int, g: Double, damping: Double) {
    let last = damping * rootOfHalf
    switch slope {
    case 0: sections.0 = pass(g, damping)
    case 1:
      sectionCount = 2
      sections.0 = pass(g, 1.847_759_065_022_573_5)
      sections.1 = pass(g, 0.765_366_864_730_179_6 * last)
    default:
      sectionCount = 4
      sections.0 = pass(g, 1.961_570_560_806_460_9)
      sections.1 = pass(g, 1.662_939_224_605_090_5)
      sections.2 = pass(g, 1.111_140_466_039_204_4)
      sections.3 = pass(g, 0.390_180_644_032_256_5 * last)
    }
  }

  @_noLocks private func pass(_ g: Double, _ damping: Double) -> FilterSection {
    shape == .lowPass
      ? FilterSection(g: g, damping: damping, direct: 0, band: 0, low: 1)
      : FilterSection(g: g, damping: damping, direct: 1, band: -damping, low: -1)
  }

  @_noLocks func section(_ index: Int) -> FilterSection {
    switch index {
    case 0: sections.0
    case 1: sections.1
    case 2: sections.2
    default: sections.3
    }
  }

  @_noLocks func isMade(of other: UnsafePointer<Double>) -> Bool {
    values.0 == other[0] && values.1 == other[1] && values.2 == other[2] && values.3 == other[3]
      && values.4 == other[4]
  }

  /// Whether the two differ in no choice, so that one can go over into the other.
  @_noLocks func hasShape(of other: EqualizerBand) -> Bool {
    shape == other.shape && sectionCount == other.sectionCount
  }
}
