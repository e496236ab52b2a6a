import CSampleCodec

/// A feed-forward compressor in the log domain: level, gain computer with a soft knee, smooth decoupled peak detector.
///
/// - SeeAlso: Dimitrios Giannoulis, Michael Massberg, Joshua D. Reiss: Digital Dynamic Range Compressor Design, Journal
///   of the AES 60 (6), 2012, equations 4 and 17.
struct Compressor {
  private let rate: Double
  private let path: daw_sample_path
  private var start = CompressorKnot()
  private var end = CompressorKnot()
  private var line: DelayLine
  /// The chunk of each side.
  private let left: UnsafeMutablePointer<Double>
  private let right: UnsafeMutablePointer<Double>
  private var detector: LevelDetector
  private var memory = Memory()

  private struct Memory: BitwiseCopyable {
    /// The reduction after the release, and after the attack.
    var released = Sides.zero
    var smooth = Sides.zero
    var reduction = Reduction()

    @_noLocks init() {}

    /// Both sides as the one that is lowered more.
    @_noLocks mutating func link() {
      released = Sides(repeating: max(released.x, released.y))
      smooth = Sides(repeating: max(smooth.x, smooth.y))
    }

    /// A frame's gain from what the gain computer lowers it by.
    @_noLocks @inline(__always) mutating func next(_ reduction: Sides, _ knot: CompressorKnot) -> Sides {
      released = greater(reduction, knot.release * released + (1 - knot.release) * reduction)
      smooth = knot.attack * smooth + (1 - knot.attack) * released
      self.reduction.add(smooth)
      return knot.makeUp - smooth
    }
  }

  init(rate: Int, lookAhead: Int, path: daw_sample_path) {
    self.rate = Double(rate)
    self.path = path
    line = DelayLine(frameCount: lookAhead)
    left = .filled(with: 0, count: LevelDetector.chunk)
    right = .filled(with: 0, count: LevelDetector.chunk)
    detector = LevelDetector(rate: Double(rate), path: path)
  }

  func free() {
    line.free()
    left.deallocate()
    right.deallocate()
    detector.free()
  }

  @_noLocks mutating func reset() {
    memory = Memory()
    detector.reset()
    line.reset()
  }

  var reduction: Reduction { memory.reduction }

  mutating func clearReduction() { memory.reduction = Reduction() }

  @_noLocks mutating func process(_ piece: EffectPiece) {
    if !start.isMade(of: piece.start) {
      start = end.isMade(of: piece.start) ? end : CompressorKnot(piece.start, rate: rate)
    }
    if let values = piece.end, !end.isMade(of: values) { end = CompressorKnot(values, rate: rate) }
    let isMoving = piece.end != nil
    let isLinked = start.isLinked || piece.right == nil
    if isLinked { memory.link() }
    var first = 0
    while first < piece.frameCount {
      let count = min(LevelDetector.chunk, piece.frameCount - first)
      detector.measure(
        piece, first: first, count: count, filter: start.filter, end: isMoving ? end.filter : nil,
        isMeanSquare: start.isMeanSquare, isLinked: isLinked)
      smooth(piece, first, count, isMoving: isMoving, isLinked: isLinked)
      detector.raise(count: count, isLinked: isLinked)
      if isMoving { mix(piece, first, count, isLinked: isLinked) }
      readSignal(piece, first, count)
      let mix = isMoving ? 1 : start.mix
      daw_write_product(path, left, detector.values, 1 - mix, mix, count, piece.left + first)
      if let side = piece.right {
        daw_write_product(
          path, right, isLinked ? detector.values : detector.rightValues, 1 - mix, mix, count, side + first)
      }
      first += count
    }
  }

  /// Levels to gains, as powers of two.
  @_noLocks private mutating func smooth(
    _ piece: EffectPiece, _ first: Int, _ count: Int, isMoving: Bool, isLinked: Bool
  ) {
    if !isMoving {
      start.reduce(detector.values, count, path)
      if !isLinked { start.reduce(detector.rightValues, count, path) }
    }
    var memory = memory
    let knot = start
    for i in 0..<count {
      let value = isLinked ? Sides(repeating: detector.values[i]) : detector.sides(i)
      let gain: Sides
      if isMoving {
        let knot = CompressorKnot(from: knot, to: end, at: piece.fraction(first + i))
        gain = memory.next(knot.reduction(of: value), knot)
      } else {
        gain = memory.next(value, knot)
      }
      if isLinked { detector.values[i] = gain.x } else { detector.set(gain, i) }
    }
    self.memory = memory
  }

  /// Gains with the unprocessed signal's share, where that moves.
  @_noLocks private func mix(_ piece: EffectPiece, _ first: Int, _ count: Int, isLinked: Bool) {
    for i in 0..<count {
      let mix = between(start.mix, end.mix, piece.fraction(first + i))
      detector.values[i] = (1 - mix) + mix * detector.values[i]
      if !isLinked { detector.rightValues[i] = (1 - mix) + mix * detector.rightValues[i] }
    }
  }

  /// The signal, as late as the look-ahead.
  @_noLocks private mutating func readSignal(_ piece: EffectPiece, _ first: Int, _ count: Int) {
    daw_read_heard(path, piece.left + first, count, left)
    if let side = piece.right { daw_read_heard(path, side + first, count, right) }
    guard line.frameCount > 0 else { return }
    for i in 0..<count {
      let frame = line.next(Sides(left[i], piece.right == nil ? left[i] : right[i]))
      left[i] = frame.x
      right[i] = frame.y
    }
  }
}
