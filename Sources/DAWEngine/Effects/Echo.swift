/// The effect `delay`. What comes out of the line is filtered, heard, and goes back into it by the feedback.
struct Echo {
  /// ms
  private static var longestTime: Int { 5_000 }

  private struct Knot: BitwiseCopyable {
    private var key = EffectKey()
    var frames = 1
    var feedback = 0.0
    var isPingPong = false
    var lowCut = CutFilter()
    var highCut = CutFilter()
    var mix = 0.0

    static var valueCount: Int { @_noLocks get { 7 } }

    @_noLocks init() {}

    @_noLocks init(_ values: UnsafePointer<Double>, rate: Double, line: EchoLine) {
      key = EffectKey(values, count: Self.valueCount)
      frames = line.frames(milliseconds: values[0], rate: rate, least: 1)
      feedback = limited(values[2], 0, 0.95)
      isPingPong = values[3] >= 0.5
      lowCut = CutFilter(values[4], rate: rate)
      highCut = CutFilter(values[5], rate: rate)
      mix = limited(values[6], 0, 1)
    }

    @_noLocks @inline(__always) init(from start: Knot, to end: Knot, at place: Double) {
      feedback = between(start.feedback, end.feedback, place)
      isPingPong = start.isPingPong
      lowCut = CutFilter(from: start.lowCut, to: end.lowCut, at: place)
      highCut = CutFilter(from: start.highCut, to: end.highCut, at: place)
      mix = between(start.mix, end.mix, place)
    }

    @_noLocks func isMade(of values: UnsafePointer<Double>) -> Bool {
      key.isEqual(to: values, count: Self.valueCount)
    }
  }

  private struct Memory: BitwiseCopyable {
    var lowCut = Sides.zero
    var highCut = Sides.zero

    @_noLocks init() {}
  }

  private let rate: Double
  private var start = Knot()
  private var end = Knot()
  private var line: EchoLine
  private var memory = Memory()

  init(rate: Int) {
    self.rate = Double(rate)
    line = EchoLine(longest: (Self.longestTime * rate + 999) / 1_000)
  }

  func free() { line.free() }

  @_noLocks mutating func reset() {
    line.reset()
    memory = Memory()
  }

  @_noLocks mutating func process(_ piece: EffectPiece) {
    if !start.isMade(of: piece.start) {
      start = end.isMade(of: piece.start) ? end : Knot(piece.start, rate: rate, line: line)
    }
    if let values = piece.end, !end.isMade(of: values) { end = Knot(values, rate: rate, line: line) }
    if piece.end == nil {
      let knot = start
      for frame in 0..<piece.frameCount { step(piece, frame, knot, line.read(knot.frames)) }
    } else {
      let (first, last) = (Double(start.frames), Double(end.frames))
      for frame in 0..<piece.frameCount {
        let place = piece.fraction(frame)
        step(
          piece, frame, Knot(from: start, to: end, at: place),
          line.read(between: between(first, last, place)))
      }
    }
  }

  @_noLocks @inline(__always) private mutating func step(
    _ piece: EffectPiece, _ frame: Int, _ knot: Knot, _ earlier: Sides
  ) {
    let input = piece.signal(frame)
    var echo = earlier
    if knot.lowCut.isOn { echo -= knot.lowCut.low(echo, &memory.lowCut) }
    if knot.highCut.isOn { echo = knot.highCut.low(echo, &memory.highCut) }
    if knot.isPingPong {
      // The middle goes in on the left; what comes out on one side goes back in on the other.
      line.write(Sides((input.x + input.y) * 0.5 + knot.feedback * echo.y, knot.feedback * echo.x))
    } else {
      line.write(input + knot.feedback * echo)
    }
    piece.write((1 - knot.mix) * input + knot.mix * echo, frame)
  }
}
