/// A feedback delay network of 16 lines: pre-delay, lines, absorption of each line, Hadamard matrix. It is not
/// modulated, so that it has no pitch of its own.
///
/// - SeeAlso: Jean-Marc Jot, Antoine Chaigne: Digital Delay Networks for Designing Artificial Reverberators, 90th
///   Convention of the AES, 1991.
struct Reverb {
  /// ms
  private static var longestPreDelay: Int { 250 }
  /// Hz: below the first, decays go towards that of the lows; above the second, towards that of the highs.
  private static var lowFrequency: Double { 250 }
  private static var highFrequency: Double { 4_000 }

  private struct Memory: BitwiseCopyable {
    var low = SixteenLines.zero
    var high = SixteenLines.zero

    @_noLocks init() {}
  }

  private let rate: Double
  private let lowFactor: Double
  private let highFactor: Double
  /// Even lines take and give the left side, odd ones the right. The signs are those of bent functions, so that a sound
  /// on both sides goes to all lines alike.
  private let inputSigns: SixteenLines
  private let outputSigns: SixteenLines
  private var start = ReverbKnot()
  private var end = ReverbKnot()
  private var preDelay: EchoLine
  private var lines: ReverbLines
  private var memory = Memory()

  init(rate: Int, size: Double) {
    self.rate = Double(rate)
    lowFactor = CutFilter(Self.lowFrequency, rate: Double(rate)).factor
    highFactor = CutFilter(Self.highFrequency, rate: Double(rate)).factor
    // 8 lines share the power of a side.
    inputSigns = 0.5 * rootOfHalf * SixteenLines(1, 1, 1, -1, 1, 1, 1, -1, 1, 1, 1, -1, -1, -1, -1, 1)
    outputSigns = SixteenLines(1, 1, -1, -1, 1, -1, -1, 1, 1, 1, 1, 1, 1, -1, 1, -1)
    preDelay = EchoLine(longest: (Self.longestPreDelay * rate + 999) / 1_000 + 1)
    lines = ReverbLines(size: size, rate: Double(rate))
  }

  func free() {
    preDelay.free()
    lines.free()
  }

  @_noLocks mutating func reset() {
    preDelay.reset()
    lines.reset()
    memory = Memory()
  }

  @_noLocks mutating func process(_ piece: EffectPiece) {
    if !start.isMade(of: piece.start) {
      start =
        end.isMade(of: piece.start) ? end : ReverbKnot(piece.start, rate: rate, lines: lines, preDelay: preDelay)
    }
    if let values = piece.end, !end.isMade(of: values) {
      end = ReverbKnot(values, rate: rate, lines: lines, preDelay: preDelay)
    }
    var memory = memory
    var first = 0
    while first < piece.frameCount {
      let count = min(ReverbLines.chunk, piece.frameCount - first)
      lines.read(count)
      if piece.end == nil {
        let knot = start
        for i in 0..<count { step(piece, first + i, i, knot, Double(knot.frames), &memory) }
      } else {
        let (from, to) = (Double(start.frames), Double(end.frames))
        for i in 0..<count {
          let place = piece.fraction(first + i)
          step(
            piece, first + i, i, ReverbKnot(from: start, to: end, at: place), between(from, to, place), &memory)
        }
      }
      lines.write(count)
      first += count
    }
    self.memory = memory
  }

  @_noLocks @inline(__always) private mutating func step(
    _ piece: EffectPiece, _ frame: Int, _ index: Int, _ knot: ReverbKnot, _ delay: Double, _ memory: inout Memory
  ) {
    let input = piece.signal(frame)
    preDelay.write(input)
    let early = preDelay.read(between: delay + 1)
    let heard = lines.frames[index]

    // Absorption: a shelf at the low end, then the middle's gain with a shelf at the high end.
    let lowChange = (heard - memory.low) * lowFactor
    let low = memory.low + lowChange
    memory.low = low + lowChange
    let lifted = heard + knot.lowRise * low
    let highChange = (lifted - memory.high) * highFactor
    let middle = memory.high + highChange
    memory.high = middle + highChange
    let absorbed = knot.middle * middle + knot.high * (lifted - middle)

    let four = SIMD4(lowHalf: early, highHalf: early)
    let eight = SIMD8(lowHalf: four, highHalf: four)
    lines.frames[index] = mixed(absorbed) + inputSigns * SixteenLines(lowHalf: eight, highHalf: eight)

    let signed = outputSigns * heard
    let halves = signed.lowHalf + signed.highHalf
    let quarters = halves.lowHalf + halves.highHalf
    let sides = knot.level * (quarters.lowHalf + quarters.highHalf)
    let (center, side) = ((sides.x + sides.y) * 0.5, (sides.x - sides.y) * 0.5 * knot.width)
    piece.write((1 - knot.mix) * input + knot.mix * Sides(center + side, center - side), frame)
  }
}
