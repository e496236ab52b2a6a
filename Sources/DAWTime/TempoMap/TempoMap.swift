/// The changes of tempo and meter, which map between the musical and the absolute timeline.
///
/// Tick 0 is flick 0. Each change of tempo is on a whole flick: the nearest one, computed from the change before. Before
/// tick 0 the first tempo and meter apply. A constant tempo is converted in integer arithmetic, a ramp by
/// `ReproducibleMath`, so every conversion is the same on every machine. All conversions are monotonic, and tick → flick
/// → tick returns the same tick.
///
/// Conversions never trap: a position beyond 2⁴³ ticks or 2⁶² flicks, far outside of the timeline, is clamped to that
/// limit.
public struct TempoMap: Hashable, Sendable {
  /// In order; the first is at tick 0.
  public private(set) var tempos: [TempoPoint]
  /// In order; the first is at tick 0.
  public private(set) var meters: [MeterPoint]
  /// In order, at least one; the first has a constant tempo.
  private(set) var segments: [TempoSegment]
  /// In order, at least one.
  private(set) var meterSpans: [MeterSpan]

  /// A map with one tempo and one meter.
  /// - Parameters:
  ///   - tempo: clamped to 5 … 999 BPM.
  ///   - timeSignature: replaced by 4/4 if it is not accepted.
  public init(tempo: Tempo, timeSignature: TimeSignature) {
    let tempo = min(max(tempo, Tempo.accepted.lowerBound), Tempo.accepted.upperBound)
    let timeSignature = timeSignature.isAccepted ? timeSignature : .fourFour
    tempos = [TempoPoint(at: .zero, tempo)]
    meters = [MeterPoint(at: .zero, timeSignature)]
    segments = [TempoSegment(startTick: 0, startFlick: 0, tempo: tempo)]
    meterSpans = [MeterSpan(startTick: 0, startBar: 0, timeSignature: timeSignature)]
  }

  /// - Parameters:
  ///   - tempos: in any order, one of them at tick 0, no two at one tick.
  ///   - meters: in any order, one of them at tick 0, each of the others at a bar line of the one before.
  /// - Throws: `TempoMapError` for the first change that breaks this, or is out of range.
  public init(tempos: [TempoPoint], meters: [MeterPoint]) throws(TempoMapError) {
    self.tempos = tempos.sorted { $0.position < $1.position }
    self.meters = meters.sorted { $0.position < $1.position }
    segments = try Self.segments(of: self.tempos)
    meterSpans = try Self.spans(of: self.meters)
  }

  /// Adds a change of tempo. Only what begins at the change before it, or later, is computed again.
  /// - Throws: `TempoMapError` if it is out of range, or there is one at its position; the map is as it was.
  public mutating func insert(_ change: TempoPoint) throws(TempoMapError) {
    guard change.position.isOnTimeline else { throw .outsideTimeline(change.position) }
    guard Tempo.accepted.contains(change.tempo) else { throw .tempo(change) }
    let before = lastIndex(of: tempos) { $0.position <= change.position }
    let start = tempos[before].position
    if start == change.position { throw .twoTempos(at: start) }
    tempos.insert(change, at: before + 1)
    while let last = segments.last, last.startTick >= start.ticks { segments.removeLast() }
    try Self.append(tempos, from: before, to: &segments)
  }

  /// Puts a change of tempo in the place of the one at its position. Only what begins at the change before it, which
  /// may be a ramp that leads to it, or later, is computed again.
  /// - Returns: whether there is one; the map is as it was if there is none.
  /// - Throws: `TempoMapError` if it is out of range; the map is as it was.
  public mutating func replace(_ change: TempoPoint) throws(TempoMapError) -> Bool {
    guard Tempo.accepted.contains(change.tempo) else { throw .tempo(change) }
    let index = lastIndex(of: tempos) { $0.position <= change.position }
    guard tempos[index].position == change.position else { return false }
    tempos[index] = change
    let first = max(0, index - 1)
    let start = tempos[first].position
    while let last = segments.last, last.startTick >= start.ticks { segments.removeLast() }
    try Self.append(tempos, from: first, to: &segments)
    return true
  }

  /// Adds a change of meter; later ones keep the numbers of their bars.
  /// - Parameter bar: from 0, less than 2⁴⁰.
  /// - Throws: `TempoMapError` if it is out of range, there is one at its bar, or a later one would lie beyond the
  ///   timeline; the map is as it was.
  public mutating func insert(_ timeSignature: TimeSignature, atBar bar: Int64) throws(TempoMapError) {
    let before = lastIndex(of: meterSpans) { $0.startBar <= bar }
    guard timeSignature.isAccepted else { throw .meter(MeterPoint(at: meters[before].position, timeSignature)) }
    guard meterSpans[before].startBar < bar else { throw .twoMeters(at: meters[before].position) }
    let behind = [(bar: bar, timeSignature: timeSignature)] + changes(after: before)
    try layOut(behind, after: meterSpans[before], at: before)
  }

  /// Puts a change of meter in the place of the one at its bar; later ones keep the numbers of their bars.
  /// - Parameter bar: from 0, less than 2⁴⁰.
  /// - Returns: whether there is one; the map is as it was if there is none.
  /// - Throws: `TempoMapError` if it is out of range, or a later one would lie beyond the timeline; the map is as it
  ///   was.
  public mutating func replace(_ timeSignature: TimeSignature, atBar bar: Int64) throws(TempoMapError) -> Bool {
    let index = lastIndex(of: meterSpans) { $0.startBar <= bar }
    guard timeSignature.isAccepted else { throw .meter(MeterPoint(at: meters[index].position, timeSignature)) }
    guard meterSpans[index].startBar == bar else { return false }
    let span = MeterSpan(startTick: meterSpans[index].startTick, startBar: bar, timeSignature: timeSignature)
    try layOut(changes(after: index), after: span, at: index)
    return true
  }

  /// The changes of meter behind one.
  private func changes(after index: Int) -> [(bar: Int64, timeSignature: TimeSignature)] {
    meterSpans[(index + 1)...].map { (bar: $0.startBar, timeSignature: $0.timeSignature) }
  }

  /// Puts a meter, and changes that follow it at the numbers of their bars, in the place of all from an index on.
  private mutating func layOut(
    _ changes: [(bar: Int64, timeSignature: TimeSignature)], after first: MeterSpan, at index: Int
  ) throws(TempoMapError) {
    var span = first
    var spans = [span]
    for change in changes {
      let start = TickPosition(ticks: span.startTick + (change.bar - span.startBar) * span.barTicks)
      guard start.isOnTimeline else { throw .outsideTimeline(start) }
      span = MeterSpan(startTick: start.ticks, startBar: change.bar, timeSignature: change.timeSignature)
      spans.append(span)
    }
    meterSpans.replaceSubrange(index..., with: spans)
    meters.replaceSubrange(
      index..., with: spans.map { MeterPoint(at: TickPosition(ticks: $0.startTick), $0.timeSignature) })
  }

  public static func == (a: Self, b: Self) -> Bool { a.tempos == b.tempos && a.meters == b.meters }

  /// Constant time; maps that only differ in the middle collide.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(tempos.count)
    hasher.combine(tempos.first)
    hasher.combine(tempos.last)
    hasher.combine(meters.count)
    hasher.combine(meters.first)
    hasher.combine(meters.last)
  }

  private static func segments(of tempos: [TempoPoint]) throws(TempoMapError) -> [TempoSegment] {
    guard let first = tempos.first, first.position <= .zero else { throw .noTempoAtStart }
    var segments: [TempoSegment] = []
    segments.reserveCapacity(tempos.count + 1)
    try append(tempos, from: 0, to: &segments)
    return segments
  }

  /// Appends the segments of the tempos from an index on to those of the tempos before it.
  private static func append(
    _ tempos: [TempoPoint], from first: Int, to segments: inout [TempoSegment]
  ) throws(TempoMapError) {
    for index in first..<tempos.count {
      let change = tempos[index]
      guard change.position.isOnTimeline else { throw .outsideTimeline(change.position) }
      guard Tempo.accepted.contains(change.tempo) else { throw .tempo(change) }
      let next = index + 1 < tempos.count ? tempos[index + 1] : nil
      if next?.position == change.position { throw .twoTempos(at: change.position) }
      let start = change.position.ticks
      let startFlick = segments.last?.flicks(at: start) ?? 0
      if change.isRamp, let next, next.tempo != change.tempo {
        // Before tick 0 the ramp's first tempo applies.
        if index == 0 { segments.append(TempoSegment(startTick: 0, startFlick: 0, tempo: change.tempo)) }
        let ramp = TempoRamp(from: change.tempo, to: next.tempo, length: next.position.ticks - start)
        segments.append(TempoSegment(startTick: start, startFlick: startFlick, ramp: ramp))
      } else {
        segments.append(TempoSegment(startTick: start, startFlick: startFlick, tempo: change.tempo))
      }
    }
  }

  private static func spans(of meters: [MeterPoint]) throws(TempoMapError) -> [MeterSpan] {
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
  /// The last tick of a project's timeline: far enough for any music, and small enough that a sum of two positions does
  /// not overflow.
  public static let timelineEnd = TickPosition(ticks: 1 << 40)

  var isOnTimeline: Bool { self >= .zero && self <= .timelineEnd }
}

extension FlickPosition {
  /// The last flick of a project's timeline, after more than three years.
  public static let timelineEnd = FlickPosition(flicks: 1 << 56)
}
