import DAWMedia
import DAWTime

/// Converts a file's ticks to timeline positions. Each is rounded separately, so that errors do not accumulate.
struct MIDIFileClock {
  private let division: MIDIFileDivision
  /// Where the file's tick 0 lies.
  let start: TickPosition
  private let map: TempoMap
  private let startFlicks: FlickPosition

  /// - Parameter map: the project's, which a file that counts frames lies on.
  init(_ division: MIDIFileDivision, from start: TickPosition, in map: TempoMap) {
    self.division = division
    self.start = start
    self.map = map
    startFlicks = map.flicks(at: start)
  }

  /// Whether every position converts exactly.
  var isExact: Bool {
    guard case .ticksPerQuarter(let ticks) = division else { return false }
    return TickCount.perQuarter.isMultiple(of: Int64(ticks))
  }

  /// From the file's start: the nearest tick, ties to even.
  func distance(_ tick: Int64) -> TickCount {
    if case .ticksPerQuarter(let perQuarter) = division {
      return TickCount(ticks: Self.scaled(tick, by: TickCount.perQuarter, over: Int64(perQuarter)))
    }
    guard let rate = division.ticksPerSecond else { return .zero }
    let flicks = Self.scaled(tick, by: FlickCount.perSecond * rate.denominator, over: rate.numerator)
    return map.ticks(at: startFlicks + FlickCount(flicks: flicks)) - start
  }

  func position(_ tick: Int64) -> TickPosition { start + distance(tick) }

  private static func scaled(_ tick: Int64, by factor: Int64, over divisor: Int64) -> Int64 {
    // Such a quotient is below 2²⁵, so that the product is below 2⁶⁰.
    if factor.isMultiple(of: divisor), tick.magnitude < 1 << 35 { return tick * (factor / divisor) }
    let (quotient, rest) = (Int128(tick) * Int128(factor)).quotientAndRemainder(dividingBy: Int128(divisor))
    let isUp = 2 * rest > divisor || 2 * rest == divisor && !quotient.isMultiple(of: 2)
    // Far beyond the end of any timeline, where a rule refuses it.
    return Int64(clamping: min(quotient + (isUp ? 1 : 0), Int128(1 << 60)))
  }
}
