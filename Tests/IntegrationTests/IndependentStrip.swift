/// What a strip gives, somewhere on its way. The sides of a mono strip are equal.
struct IndependentStrip {
  var left: [Double]
  var right: [Double]
  /// For each sample, the sum of the absolute values of all that was added up: what rounding errors grow with.
  var magnitude: [Double]
  /// At most as many roundings has each term met.
  var roundings = 2
  var isMono: Bool

  init(frames: Int, isMono: Bool = false) {
    left = [Double](repeating: 0, count: frames)
    right = left
    magnitude = left
    self.isMono = isMono
  }

  /// What all roundings can have come to.
  func error(at frame: Int) -> Double {
    // What is below the least normal `Float` may become 0.
    Double(roundings) * 0x1p-24 * magnitude[frame] + 0x1p-120
  }

  /// Its roundings are those of the gain, the product and the sum.
  mutating func add(_ source: IndependentStrip, gains: SideGains) {
    for frame in 0..<left.count {
      let (leftGain, rightGain) = (gains.left[frame], gains.right[frame])
      left[frame] += source.left[frame] * leftGain
      right[frame] += source.right[frame] * rightGain
      magnitude[frame] += source.magnitude[frame] * max(abs(leftGain), abs(rightGain))
    }
    roundings = max(roundings, source.roundings) + 3
  }

  func times(_ gains: SideGains) -> IndependentStrip {
    var product = IndependentStrip(frames: left.count)
    product.add(self, gains: gains)
    return product
  }

  func times(_ gain: Course) -> IndependentStrip { times(SideGains(left: gain, right: gain)) }

  /// Trim, inversion and width.
  mutating func shape(_ track: IndependentSong.Strip, _ lanes: IndependentLanes) {
    let trim = lanes.level("trim", track.lanes, or: track.trim)
    let stereoWidth = lanes.course("stereoWidth", track.lanes, in: .plain) ?? Course(track.stereoWidth)
    let leftSign = ["left", "both"].contains(track.invertedSides) ? -1.0 : 1
    // A mono strip has the left side alone.
    let rightSign = isMono ? leftSign : ["right", "both"].contains(track.invertedSides) ? -1.0 : 1
    for frame in 0..<left.count {
      let (l, r) = (left[frame] * trim[frame] * leftSign, right[frame] * trim[frame] * rightSign)
      let width = isMono ? 1 : stereoWidth[frame]
      left[frame] = width == 1 ? l : (l + r) / 2 + width * (l - r) / 2
      right[frame] = width == 1 ? r : (l + r) / 2 - width * (l - r) / 2
      magnitude[frame] *= abs(trim[frame]) * (width == 1 ? 1 : 1 + abs(width))
    }
    roundings += 8
  }
}
