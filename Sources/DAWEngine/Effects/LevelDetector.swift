import CSampleCodec

/// The level of a key, frame by frame, before any smoothing.
struct LevelDetector {
  /// The most frames measured at a time.
  static var chunk: Int { @_noLocks get { 256 } }
  /// The time constant of the mean square, in ms.
  private static var meanTime: Double { @_noLocks get { 10 } }

  /// The levels of both sides if they are linked, else of the left one. The caller may overwrite them.
  let values: UnsafeMutablePointer<Double>
  /// The levels of the right side, if the sides are not linked.
  let rightValues: UnsafeMutablePointer<Double>
  private let path: daw_sample_path
  private let meanFactor: Double
  private var filterMemory = FilterMemory()
  private var meanSquare = Sides.zero

  init(rate: Double, path: daw_sample_path) {
    values = .filled(with: 0, count: Self.chunk)
    rightValues = .filled(with: 0, count: Self.chunk)
    self.path = path
    meanFactor = 1 - remainder(perFrameOf: Self.meanTime, rate: rate)
  }

  func free() {
    values.deallocate()
    rightValues.deallocate()
  }

  @_noLocks mutating func reset() {
    filterMemory = FilterMemory()
    meanSquare = .zero
  }

  /// Measures log₂ of the peak or of the root of the mean square, at least −30.
  /// - Parameters:
  ///   - first: frame of the piece.
  ///   - count: at most `chunk`.
  ///   - filter: at the knot before; `end` at the one after, where parameters move.
  @_noLocks mutating func measure(
    _ piece: EffectPiece, first: Int, count: Int, filter: KeyFilter, end: KeyFilter?, isMeanSquare: Bool,
    isLinked: Bool
  ) {
    daw_read_heard(path, piece.keyLeft + first, count, values)
    if let right = piece.keyRight {
      daw_read_heard(path, right + first, count, rightValues)
    } else {
      for i in 0..<count { rightValues[i] = values[i] }
    }
    if filter.isOn {
      self.filter(piece, first, count, filter, end)
    } else {
      filterMemory = FilterMemory()
    }
    let least = isMeanSquare ? 0x1p-60 : 0x1p-30
    if isLinked, !isMeanSquare {
      meanSquare = .zero
      return daw_measure_peaks(path, rightValues, least, count, values)
    }
    if isMeanSquare {
      var mean = meanSquare
      for i in 0..<count {
        let frame = sides(i)
        mean += meanFactor * (frame * frame - mean)
        set(mean, i)
      }
      meanSquare = mean
    } else {
      meanSquare = .zero
      for i in 0..<count { set(magnitude(sides(i)), i) }
    }
    if isLinked {
      for i in 0..<count { values[i] = max(values[i], rightValues[i]) }
    }
    let factor = isMeanSquare ? 0.5 : 1
    daw_measure_levels(path, least, factor, count, values)
    if !isLinked { daw_measure_levels(path, least, factor, count, rightValues) }
  }

  @_noLocks private mutating func filter(
    _ piece: EffectPiece, _ first: Int, _ count: Int, _ start: KeyFilter, _ end: KeyFilter?
  ) {
    var memory = filterMemory
    if let end {
      for i in 0..<count {
        let filter = KeyFilter(from: start, to: end, at: piece.fraction(first + i))
        set(memory.step(sides(i), filter.section), i)
      }
    } else {
      let section = start.section
      for i in 0..<count { set(memory.step(sides(i), section), i) }
    }
    filterMemory = memory
  }

  /// 2 to the power of the values that the caller left.
  /// - Parameter count: frames.
  @_noLocks func raise(count: Int, isLinked: Bool) {
    daw_powers_of_two(path, count, values)
    if !isLinked { daw_powers_of_two(path, count, rightValues) }
  }

  /// A frame's values, if the sides are not linked.
  @_noLocks @inline(__always) func sides(_ frame: Int) -> Sides { Sides(values[frame], rightValues[frame]) }

  @_noLocks @inline(__always) func set(_ value: Sides, _ frame: Int) {
    values[frame] = value.x
    rightValues[frame] = value.y
  }
}
