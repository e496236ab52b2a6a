/// The level of a key, frame by frame, before any smoothing.
struct LevelDetector {
  /// The most frames measured at a time.
  static var chunk: Int { @_noLocks get { 64 } }
  /// Of the mean square, in ms.
  private static var meanTime: Double { @_noLocks get { 10 } }

  /// The results: for each frame one value, or two where the sides are not linked. The caller may overwrite them.
  let values: UnsafeMutablePointer<Double>
  private let sizes: UnsafeMutablePointer<Sides>
  private let meanFactor: Double
  private var filterMemory = FilterMemory()
  private var meanSquare = Sides.zero

  init(rate: Double) {
    values = .filled(with: 0, count: 2 * Self.chunk)
    sizes = .filled(with: .zero, count: Self.chunk)
    meanFactor = 1 - remainder(perFrameOf: Self.meanTime, rate: rate)
  }

  func free() {
    values.deallocate()
    sizes.deallocate()
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
    for i in 0..<count { sizes[i] = piece.key(first + i) }
    if filter.isOn {
      self.filter(piece, first, count, filter, end)
    } else {
      filterMemory = FilterMemory()
    }
    if isMeanSquare {
      var mean = meanSquare
      for i in 0..<count {
        mean += meanFactor * (sizes[i] * sizes[i] - mean)
        sizes[i] = mean
      }
      meanSquare = mean
    } else {
      meanSquare = .zero
      for i in 0..<count { sizes[i] = magnitude(sizes[i]) }
    }
    if isLinked {
      for i in 0..<count { values[i] = max(sizes[i].x, sizes[i].y) }
      // The last of an odd number has a neighbour that is not read.
      values[count] = 1
    } else {
      for i in 0..<count { store(sizes[i], 2 * i) }
    }
    let least = Sides(repeating: isMeanSquare ? 0x1p-60 : 0x1p-30)
    let factor = isMeanSquare ? 0.5 : 1
    for i in stride(from: 0, to: isLinked ? count : 2 * count, by: 2) {
      store(factor * log2(greater(pair(i), least)), i)
    }
  }

  @_noLocks private mutating func filter(
    _ piece: EffectPiece, _ first: Int, _ count: Int, _ start: KeyFilter, _ end: KeyFilter?
  ) {
    var memory = filterMemory
    if let end {
      for i in 0..<count {
        let filter = KeyFilter(from: start, to: end, at: piece.fraction(first + i))
        sizes[i] = memory.step(sizes[i], filter.section)
      }
    } else {
      let section = start.section
      for i in 0..<count { sizes[i] = memory.step(sizes[i], section) }
    }
    filterMemory = memory
  }

  /// 2 to the power of the values that the caller left in `values`.
  /// - Parameter count: frames.
  @_noLocks func raise(count: Int, isLinked: Bool) {
    for i in stride(from: 0, to: isLinked ? count : 2 * count, by: 2) { store(exp2(pair(i)), i) }
  }

  /// A frame's value for each side.
  @_noLocks @inline(__always) func sides(_ frame: Int, isLinked: Bool) -> Sides {
    isLinked ? Sides(repeating: values[frame]) : pair(2 * frame)
  }

  @_noLocks @inline(__always) func set(_ value: Sides, _ frame: Int, isLinked: Bool) {
    if isLinked { values[frame] = value.x } else { store(value, 2 * frame) }
  }

  @_noLocks @inline(__always) private func pair(_ index: Int) -> Sides { Sides(values[index], values[index + 1]) }

  @_noLocks @inline(__always) private func store(_ value: Sides, _ index: Int) {
    values[index] = value.x
    values[index + 1] = value.y
  }
}
