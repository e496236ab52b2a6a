import CSampleCodec

/// A gate: the gain goes to `range` below the threshold, after the hold, and comes back above it. It closes only below
/// the threshold less the hysteresis. The same level detector and log domain as the compressor's; the sides are linked.
struct Gate {
  private struct Knot: BitwiseCopyable {
    private var key = EffectKey()
    // Levels in powers of two.
    var threshold = 0.0
    var hysteresis = 0.0
    /// ≤ 0
    var range = 0.0
    var attack = 0.0
    /// Frames.
    var hold = 0.0
    var release = 0.0
    var filter = KeyFilter()

    static var valueCount: Int { @_noLocks get { 7 } }

    @_noLocks init() {}

    @_noLocks init(_ values: UnsafePointer<Double>, rate: Double) {
      key = EffectKey(values, count: Self.valueCount)
      threshold = values[0] * octavesPerDecibel
      hysteresis = limited(values[1], 0, 100) * octavesPerDecibel
      range = limited(values[2], -200, 0) * octavesPerDecibel
      attack = remainder(perFrameOf: limited(values[3], 0.01, 1e6), rate: rate)
      hold = limited(values[4], 0, 1e6) * rate / 1_000
      release = remainder(perFrameOf: limited(values[5], 0.01, 1e6), rate: rate)
      filter = KeyFilter(values[6], rate: rate)
    }

    @_noLocks @inline(__always) init(from start: Knot, to end: Knot, at place: Double) {
      threshold = between(start.threshold, end.threshold, place)
      hysteresis = between(start.hysteresis, end.hysteresis, place)
      range = between(start.range, end.range, place)
      attack = between(start.attack, end.attack, place)
      hold = between(start.hold, end.hold, place)
      release = between(start.release, end.release, place)
    }

    @_noLocks func isMade(of values: UnsafePointer<Double>) -> Bool {
      key.isEqual(to: values, count: Self.valueCount)
    }
  }

  private struct Memory: BitwiseCopyable {
    var isOpen = false
    /// Frames below the level at which it closes.
    var waited = 0.0
    /// 0 open … 1 closed.
    var closure = 1.0
    var reduction = Reduction()

    @_noLocks init() {}

    /// A frame's gain from its level.
    @_noLocks @inline(__always) mutating func next(_ level: Double, _ knot: Knot) -> Double {
      if level >= knot.threshold {
        isOpen = true
        waited = 0
      } else if level >= knot.threshold - knot.hysteresis {
        waited = 0
      } else if waited < knot.hold {
        waited += 1
      } else {
        isOpen = false
      }
      closure = isOpen ? knot.attack * closure : knot.release * closure + (1 - knot.release)
      let gain = knot.range * closure
      reduction.add(Sides(repeating: -gain))
      return gain
    }
  }

  private let rate: Double
  private let path: daw_sample_path
  private var start = Knot()
  private var end = Knot()
  /// A chunk of one side.
  private let signal: UnsafeMutablePointer<Double>
  private var detector: LevelDetector
  private var memory = Memory()

  init(rate: Int, path: daw_sample_path) {
    self.rate = Double(rate)
    self.path = path
    signal = .filled(with: 0, count: LevelDetector.chunk)
    detector = LevelDetector(rate: Double(rate), path: path)
  }

  func free() {
    signal.deallocate()
    detector.free()
  }

  @_noLocks mutating func reset() {
    memory = Memory()
    detector.reset()
  }

  var reduction: Reduction { memory.reduction }

  mutating func clearReduction() { memory.reduction = Reduction() }

  @_noLocks mutating func process(_ piece: EffectPiece) {
    if !start.isMade(of: piece.start) {
      start = end.isMade(of: piece.start) ? end : Knot(piece.start, rate: rate)
    }
    if let values = piece.end, !end.isMade(of: values) { end = Knot(values, rate: rate) }
    let isMoving = piece.end != nil
    var memory = memory
    let knot = start
    var first = 0
    while first < piece.frameCount {
      let count = min(LevelDetector.chunk, piece.frameCount - first)
      detector.measure(
        piece, first: first, count: count, filter: knot.filter, end: isMoving ? end.filter : nil,
        isMeanSquare: false, isLinked: true)
      for i in 0..<count {
        let level = detector.values[i]
        detector.values[i] =
          isMoving
          ? memory.next(level, Knot(from: knot, to: end, at: piece.fraction(first + i))) : memory.next(level, knot)
      }
      detector.raise(count: count, isLinked: true)
      write(piece.left + first, count)
      if let side = piece.right { write(side + first, count) }
      first += count
    }
    self.memory = memory
  }

  @_noLocks private func write(_ samples: UnsafeMutablePointer<Float>, _ count: Int) {
    daw_read_heard(path, samples, count, signal)
    daw_write_product(path, signal, detector.values, 0, 1, count, samples)
  }
}
