/// A segment of a tempo map, from one change of meter to the next.
struct MeterSpan: Hashable, Sendable {
  let startTick: Int64
  /// From 0.
  let startBar: Int64
  let timeSignature: TimeSignature
  let barTicks: Int64
  let beatTicks: Int64

  init(startTick: Int64, startBar: Int64, timeSignature: TimeSignature) {
    self.startTick = startTick
    self.startBar = startBar
    self.timeSignature = timeSignature
    barTicks = timeSignature.bar.ticks
    beatTicks = timeSignature.beat.ticks
  }
}

extension TempoMap {
  /// The meter at a position; before the timeline's start the first one.
  public func timeSignature(at position: TickPosition) -> TimeSignature { span(at: position.ticks).timeSignature }

  /// Bar, beat and tick of a position; bars before the timeline's start are 0, −1, …
  public func barBeatTick(at position: TickPosition) -> BarBeatTick {
    let tick = position.withinReach
    let span = span(at: tick)
    var (bar, withinBar) = (tick - span.startTick).quotientAndRemainder(dividingBy: span.barTicks)
    if withinBar < 0 { (bar, withinBar) = (bar - 1, withinBar + span.barTicks) }
    let (beat, rest) = withinBar.quotientAndRemainder(dividingBy: span.beatTicks)
    return BarBeatTick(bar: span.startBar + bar + 1, beat: beat + 1, tick: rest)
  }

  /// The inverse of `barBeatTick(at:)`.
  /// - Throws: `noSuchBeat` or `noSuchTick` if the bar's meter has none, `beyondEnd` if it is more than 2⁴⁰ bars from
  ///   the start.
  public func ticks(at place: BarBeatTick) throws(TimelineError) -> TickPosition {
    guard place.bar.magnitude <= 1 << 40 else { throw .beyondEnd("\(place)") }
    let bar = place.bar - 1
    let span = meterSpans[lastIndex(of: meterSpans) { $0.startBar <= bar }]
    guard 1...Int64(span.timeSignature.numerator) ~= place.beat else { throw .noSuchBeat(place, span.timeSignature) }
    guard 0..<span.beatTicks ~= place.tick else { throw .noSuchTick(place, span.timeSignature) }
    let bars = (bar - span.startBar) * span.barTicks
    return TickPosition(ticks: span.startTick + bars + (place.beat - 1) * span.beatTicks + place.tick)
  }

  /// The length of bars, beats and ticks in the meter where they start.
  /// - Throws: `beyondEnd` if it is longer than the timeline.
  public func ticks(of distance: BarBeatTickCount, from start: TickPosition) throws(TimelineError) -> TickCount {
    let span = span(at: start.ticks)
    let sum =
      Int128(distance.bars) * Int128(span.barTicks) + Int128(distance.beats) * Int128(span.beatTicks)
      + Int128(distance.ticks)
    guard let ticks = Int64(exactly: sum), ticks.magnitude <= TickPosition.timelineEnd.ticks else {
      throw .beyondEnd("\(distance)")
    }
    return TickCount(ticks: ticks)
  }

  func span(at tick: Int64) -> MeterSpan { meterSpans[lastIndex(of: meterSpans) { $0.startTick <= tick }] }
}
