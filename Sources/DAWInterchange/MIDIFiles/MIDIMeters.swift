import DAWTime

/// Meters of a MIDI file as a project has them: each from a bar on.
///
/// In a file a meter may begin anywhere. If that is within a bar, the bar is shortened: it gets a meter of
/// its own. If no meter is that short, the change waits for the next bar.
struct MIDIMeters {
  /// Bars from 1 and the meters from there, in order.
  private(set) var changes: [(bar: Int64, timeSignature: TimeSignature)] = []
  /// The number of bars that were shortened.
  private(set) var shortenedCount = 0
  /// The number of changes that were moved to the next bar.
  private(set) var movedCount = 0

  /// Where the newest meter begins.
  private var bar: Int64
  private var position: TickPosition
  private var timeSignature: TimeSignature

  /// - Parameters:
  ///   - bar: one at or before all changes, from 1.
  ///   - position: where it begins.
  init(bar: Int64, at position: TickPosition, _ timeSignature: TimeSignature) {
    self.bar = bar
    self.position = position
    self.timeSignature = timeSignature
  }

  /// - Parameter place: at or after that of the change before.
  mutating func change(to next: TimeSignature, at place: TickPosition) {
    let (bars, rest) = max(0, (place - position).ticks).quotientAndRemainder(dividingBy: timeSignature.bar.ticks)
    guard rest > 0 else { return begin(next, afterBars: bars) }
    if let short = timeSignature(of: rest) {
      shortenedCount += 1
      begin(short, afterBars: bars)
      begin(next, afterBars: 1)
    } else {
      movedCount += 1
      begin(next, afterBars: bars + 1)
    }
  }

  private mutating func begin(_ next: TimeSignature, afterBars bars: Int64) {
    bar += bars
    position = position + TickCount(ticks: bars * timeSignature.bar.ticks)
    timeSignature = next
    if changes.last?.bar == bar { changes.removeLast() }
    changes.append((bar, next))
  }

  /// The meter whose bar has this many ticks, in beats of the current meter, or else in the longest beats that divide it;
  /// `nil` if there is none.
  private func timeSignature(of ticks: Int64) -> TimeSignature? {
    ([timeSignature.denominator] + TimeSignature.acceptedDenominators).lazy.compactMap { denominator in
      let (beats, rest) = ticks.quotientAndRemainder(dividingBy: 4 * TickCount.perQuarter / Int64(denominator))
      let isMeter = rest == 0 && TimeSignature.acceptedNumerators.contains(Int(beats))
      return isMeter ? TimeSignature(Int(beats), over: denominator) : nil
    }.first
  }
}
