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

  /// The states of four lines' shelves.
  private struct Shelves: BitwiseCopyable {
    var low = FourLines.zero
    var high = FourLines.zero

    @_noLocks init() {}

    /// A shelf at the low end, then the middle's gain with a shelf at the high end.
    @_noLocks @inline(__always) mutating func absorb(
      _ heard: FourLines, _ gains: ReverbAbsorption, lowFactor: Double, highFactor: Double
    ) -> FourLines {
      let lowChange = (heard - low) * lowFactor
      let lows = low + lowChange
      low = lows + lowChange
      let lifted = heard + gains.lowRise * lows
      let highChange = (lifted - high) * highFactor
      let middle = high + highChange
      high = middle + highChange
      return gains.middle * middle + gains.high * (lifted - middle)
    }
  }

  /// Lines are filtered four at a time.
  private static var groupCount: Int { @_noLocks get { 4 } }

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
  private let shelves: UnsafeMutablePointer<Shelves>
  /// A chunk of what goes into the lines (`early`), and of what is heard of them (`late`).
  private let early: UnsafeMutablePointer<Sides>
  private let late: UnsafeMutablePointer<Sides>

  init(rate: Int, size: Double) {
    self.rate = Double(rate)
    lowFactor = CutFilter(Self.lowFrequency, rate: Double(rate)).factor
    highFactor = CutFilter(Self.highFrequency, rate: Double(rate)).factor
    // 8 lines share the power of a side.
    inputSigns = 0.5 * rootOfHalf * SixteenLines(1, 1, 1, -1, 1, 1, 1, -1, 1, 1, 1, -1, -1, -1, -1, 1)
    outputSigns = SixteenLines(1, 1, -1, -1, 1, -1, -1, 1, 1, 1, 1, 1, 1, -1, 1, -1)
    preDelay = EchoLine(longest: (Self.longestPreDelay * rate + 999) / 1_000 + 1)
    lines = ReverbLines(size: size, rate: Double(rate))
    shelves = .filled(with: Shelves(), count: Self.groupCount)
    early = .filled(with: .zero, count: ReverbLines.chunk)
    late = .filled(with: .zero, count: ReverbLines.chunk)
  }

  func free() {
    preDelay.free()
    lines.free()
    shelves.deallocate()
    early.deallocate()
    late.deallocate()
  }

  @_noLocks mutating func reset() {
    preDelay.reset()
    lines.reset()
    shelves.update(repeating: Shelves(), count: Self.groupCount)
  }

  @_noLocks mutating func process(_ piece: EffectPiece) {
    if !start.isMade(of: piece.start) {
      start =
        end.isMade(of: piece.start) ? end : ReverbKnot(piece.start, rate: rate, lines: lines, preDelay: preDelay)
    }
    if let values = piece.end, !end.isMade(of: values) {
      end = ReverbKnot(values, rate: rate, lines: lines, preDelay: preDelay)
    }
    var first = 0
    while first < piece.frameCount {
      let count = min(ReverbLines.chunk, piece.frameCount - first)
      let isMoving = piece.end != nil
      lines.read(count)
      for i in 0..<count {
        let place = piece.fraction(first + i)
        preDelay.write(piece.signal(first + i))
        early[i] = preDelay.read(
          between: isMoving ? between(Double(start.frames), Double(end.frames), place) + 1 : Double(start.frames) + 1)
        late[i] = tapped(lines.frames[i])
      }
      absorb(piece, first, count)
      for i in 0..<count { lines.frames[i] = mixed(lines.frames[i]) + spread(early[i]) }
      lines.write(count)
      for i in 0..<count { mix(piece, first + i, late[i], isMoving: isMoving) }
      first += count
    }
  }

  /// What is heard of the lines.
  @_noLocks @inline(__always) private func tapped(_ frame: SixteenLines) -> Sides {
    let signed = outputSigns * frame
    let halves = signed.lowHalf + signed.highHalf
    let quarters = halves.lowHalf + halves.highHalf
    return quarters.lowHalf + quarters.highHalf
  }

  /// What goes into the lines.
  @_noLocks @inline(__always) private func spread(_ input: Sides) -> SixteenLines {
    let four = FourLines(lowHalf: input, highHalf: input)
    let eight = SIMD8(lowHalf: four, highHalf: four)
    return inputSigns * SixteenLines(lowHalf: eight, highHalf: eight)
  }

  /// Absorption, in the chunk of the lines.
  @_noLocks private func absorb(_ piece: EffectPiece, _ first: Int, _ count: Int) {
    let frames = UnsafeMutableRawPointer(lines.frames).assumingMemoryBound(to: FourLines.self)
    for group in 0..<Self.groupCount {
      var memory = shelves[group]
      let gains = start.absorption(group)
      if piece.end == nil {
        for i in 0..<count {
          let place = Self.groupCount &* i &+ group
          frames[place] = memory.absorb(frames[place], gains, lowFactor: lowFactor, highFactor: highFactor)
        }
      } else {
        let last = end.absorption(group)
        for i in 0..<count {
          let place = Self.groupCount &* i &+ group
          let moved = ReverbAbsorption(from: gains, to: last, at: piece.fraction(first + i))
          frames[place] = memory.absorb(frames[place], moved, lowFactor: lowFactor, highFactor: highFactor)
        }
      }
      shelves[group] = memory
    }
  }

  @_noLocks @inline(__always) private func mix(_ piece: EffectPiece, _ frame: Int, _ late: Sides, isMoving: Bool) {
    var (level, width, mix) = (start.level, start.width, start.mix)
    if isMoving {
      let place = piece.fraction(frame)
      level = between(level, end.level, place)
      width = between(width, end.width, place)
      mix = between(mix, end.mix, place)
    }
    let sides = level * late
    let (center, side) = ((sides.x + sides.y) * 0.5, (sides.x - sides.y) * 0.5 * width)
    piece.write((1 - mix) * piece.signal(frame) + mix * Sides(center + side, center - side), frame)
  }
}
