/// What joins the musical and the absolute clock: where the tempo and the meter change.
///
/// A value that never changes, so a calculation in several steps sees one map throughout. Tick 0 is flick 0. Each later
/// change of tempo lies on a whole flick: the one nearest to it, measured from the change before. Before tick 0 the
/// first tempo and meter hold. Constant tempo is integer arithmetic, a ramp is `ReproducibleMath`; so every conversion
/// is the same on every machine. All of them are monotonic, and tick → flick → tick comes back to the same tick.
///
/// Conversions never trap: a place further from the start than 2⁴³ ticks or 2⁶² flicks, far outside the timeline, is
/// taken for that limit.
public struct TempoMap: Hashable, Sendable {
  /// In order; the first is at tick 0.
  public let tempos: [TempoChange]
  /// In order; the first is at tick 0.
  public let meters: [MeterChange]
  /// In order, at least one; the first has a constant tempo.
  let segments: [TempoSegment]
  /// In order, at least one.
  let meterSpans: [MeterSpan]

  /// One tempo and one meter throughout.
  /// - Parameters:
  ///   - tempo: taken for 5 or 999 BPM where it is outside.
  ///   - timeSignature: taken for 4/4 where it is none that is accepted.
  public init(tempo: Tempo, timeSignature: TimeSignature) {
    let tempo = min(max(tempo, Tempo.accepted.lowerBound), Tempo.accepted.upperBound)
    let timeSignature = timeSignature.isAccepted ? timeSignature : .fourFour
    tempos = [TempoChange(at: .zero, tempo)]
    meters = [MeterChange(at: .zero, timeSignature)]
    segments = [TempoSegment(startTick: 0, startFlick: 0, tempo: tempo)]
    meterSpans = [MeterSpan(startTick: 0, startBar: 0, timeSignature: timeSignature)]
  }

  /// - Parameters:
  ///   - tempos: in any order, one of them at tick 0, no two at one tick.
  ///   - meters: in any order, one of them at tick 0, each of the others at a bar line of the one before.
  public init(tempos: [TempoChange], meters: [MeterChange]) throws(TempoMapError) {
    self.tempos = tempos.sorted { $0.position < $1.position }
    self.meters = meters.sorted { $0.position < $1.position }
    segments = try Self.segments(of: self.tempos)
    meterSpans = try Self.spans(of: self.meters)
  }

  public static func == (a: Self, b: Self) -> Bool { a.tempos == b.tempos && a.meters == b.meters }

  /// Costs the same for maps of any size; maps that differ only in their middle collide.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(tempos.count)
    hasher.combine(tempos.first)
    hasher.combine(tempos.last)
    hasher.combine(meters.count)
    hasher.combine(meters.first)
    hasher.combine(meters.last)
  }

  private static func segments(of tempos: [TempoChange]) throws(TempoMapError) -> [TempoSegment] {
    guard let first = tempos.first, first.position <= .zero else { throw .noTempoAtStart }
    var segments: [TempoSegment] = []
    segments.reserveCapacity(tempos.count + 1)
    var startFlick: Int64 = 0
    for (index, change) in tempos.enumerated() {
      guard change.position.isOnTimeline else { throw .outsideTimeline(change.position) }
      guard Tempo.accepted.contains(change.tempo) else { throw .tempo(change) }
      let next = index + 1 < tempos.count ? tempos[index + 1] : nil
      if next?.position == change.position { throw .twoTempos(at: change.position) }
      let start = change.position.ticks
      if change.isRamp, let next, next.tempo != change.tempo {
        // What comes before tick 0 has the tempo that the ramp begins with.
        if index == 0 { segments.append(TempoSegment(startTick: 0, startFlick: 0, tempo: change.tempo)) }
        let ramp = TempoRamp(from: change.tempo, to: next.tempo, length: next.position.ticks - start)
        segments.append(TempoSegment(startTick: start, startFlick: startFlick, ramp: ramp))
      } else {
        segments.append(TempoSegment(startTick: start, startFlick: startFlick, tempo: change.tempo))
      }
      if let next, let segment = segments.last { startFlick = segment.flicks(at: next.position.ticks) }
    }
    return segments
  }

  private static func spans(of meters: [MeterChange]) throws(TempoMapError) -> [MeterSpan] {
    guard let first = meters.first, first.position <= .zero else { throw .noMeterAtStart }
    var spans: [MeterSpan] = []
    spans.reserveCapacity(meters.count)
    for change in meters {
      guard change.position.isOnTimeline else { throw .outsideTimeline(change.position) }
      guard change.timeSignature.isAccepted else { throw .meter(change) }
      var startBar: Int64 = 0
      if let last = spans.last {
        if last.startTick == change.position.ticks { throw .twoMeters(at: change.position) }
        let (bars, rest) = (change.position.ticks - last.startTick).quotientAndRemainder(dividingBy: last.barTicks)
        guard rest == 0 else {
          throw .meterInsideBar(change, barLine: TickPosition(ticks: change.position.ticks - rest))
        }
        startBar = last.startBar + bars
      }
      spans.append(
        MeterSpan(startTick: change.position.ticks, startBar: startBar, timeSignature: change.timeSignature))
    }
    return spans
  }
}

extension TickPosition {
  /// The last tick that a project can use: far enough for any music, near enough that no sum of two places overflows.
  public static let timelineEnd = TickPosition(ticks: 1 << 40)

  var isOnTimeline: Bool { self >= .zero && self <= .timelineEnd }
}

extension FlickPosition {
  /// The last flick that a project can use, after more than three years.
  public static let timelineEnd = FlickPosition(flicks: 1 << 56)

  var isOnTimeline: Bool { self >= .zero && self <= .timelineEnd }
}
