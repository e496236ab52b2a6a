/// A feed-forward compressor in the log domain: level, gain computer with a soft knee, smooth decoupled peak detector.
///
/// - SeeAlso: Dimitrios Giannoulis, Michael Massberg, Joshua D. Reiss: Digital Dynamic Range Compressor Design, Journal
///   of the AES 60 (6), 2012, equations 4 and 17.
struct Compressor {
  private let rate: Double
  private var start = CompressorKnot()
  private var end = CompressorKnot()
  private var line: DelayLine
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

    /// A frame's gain from its level.
    @_noLocks @inline(__always) mutating func next(_ level: Sides, _ knot: CompressorKnot) -> Sides {
      let reduction = knot.reduction(of: level)
      released = greater(reduction, knot.release * released + (1 - knot.release) * reduction)
      smooth = knot.attack * smooth + (1 - knot.attack) * released
      self.reduction.add(smooth)
      return knot.makeUp - smooth
    }
  }

  init(rate: Int, lookAhead: Int) {
    self.rate = Double(rate)
    line = DelayLine(frameCount: lookAhead)
    detector = LevelDetector(rate: Double(rate))
  }

  func free() {
    line.free()
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
      for i in 0..<count {
        let mix = isMoving ? between(start.mix, end.mix, piece.fraction(first + i)) : start.mix
        let gain = (1 - mix) + mix * detector.sides(i, isLinked: isLinked)
        piece.write(line.next(piece.signal(first + i)) * gain, first + i)
      }
      first += count
    }
  }

  /// Levels to gains, as powers of two.
  @_noLocks private mutating func smooth(
    _ piece: EffectPiece, _ first: Int, _ count: Int, isMoving: Bool, isLinked: Bool
  ) {
    var memory = memory
    let knot = start
    for i in 0..<count {
      let level = detector.sides(i, isLinked: isLinked)
      let gain =
        isMoving
        ? memory.next(level, CompressorKnot(from: knot, to: end, at: piece.fraction(first + i)))
        : memory.next(level, knot)
      detector.set(gain, i, isLinked: isLinked)
    }
    self.memory = memory
  }
}
