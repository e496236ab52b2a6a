/// A quantisation grid: lines across the timeline.
///
/// Steps restart at every bar line, so a step that does not divide the bar leaves a shorter cell at its end, and no
/// step crosses a change of meter. With steps of a bar or longer, only the bar lines remain.
///
/// **Swing** moves every second line of a bar. Steps are taken in pairs; swing is the position of the second line
/// within its pair, in percent: 50 is straight, 66.667 gives triplets, 75 a dotted note and a short one. Less than 50
/// is early.
public struct Grid: Hashable, Sendable {
  public enum Spacing: Hashable, Sendable {
    /// > 0.
    case steps(TickCount)
    /// Bars counted from the start of the timeline, at least 1.
    case bars(Int64)
  }

  public var spacing: Spacing
  /// Within `acceptedSwing`; bar lines do not swing.
  public var swing: Percentage

  public static let straight = Percentage(50)
  public static let acceptedSwing = Percentage(25)...Percentage(75)

  public init(_ spacing: Spacing, swing: Percentage = Self.straight) {
    self.spacing = spacing
    self.swing = swing
  }
}

extension TempoMap {
  /// The line nearest to a position; the later of two equally near.
  /// - Parameter position: on the timeline.
  public func line(of grid: Grid, nearest position: TickPosition) -> TickPosition {
    let (before, after) = lines(of: grid, around: position)
    return position - before < after - position ? before : after
  }

  /// The first line after a position.
  /// - Parameter position: on the timeline.
  public func line(of grid: Grid, after position: TickPosition) -> TickPosition {
    lines(of: grid, around: position).after
  }

  /// The last line at or before a position, and the first one after it.
  private func lines(of grid: Grid, around position: TickPosition) -> (before: TickPosition, after: TickPosition) {
    let tick = position.withinReach
    let span = span(at: tick)
    let bar = (tick - span.startTick).dividedFlooring(by: span.barTicks)
    switch grid.spacing {
    case .bars(let count):
      let count = min(max(1, count), 1 << 39)
      let first = (span.startBar + bar).dividedFlooring(by: count) * count
      return (barLine(first), barLine(first + count))
    case .steps(let step):
      let start = span.startTick + bar * span.barTicks
      // With a longer step, no second line precedes the bar's end.
      let step = min(max(1, step.ticks), 4 * span.barTicks)
      let (before, after) = grid.lines(around: tick - start, step: step, barTicks: span.barTicks)
      return (TickPosition(ticks: start + before), TickPosition(ticks: start + after))
    }
  }

  /// - Parameter bar: from 0.
  private func barLine(_ bar: Int64) -> TickPosition {
    let span = meterSpans[lastIndex(of: meterSpans) { $0.startBar <= bar }]
    return TickPosition(ticks: span.startTick + (bar - span.startBar) * span.barTicks)
  }
}

extension Grid {
  /// The lines around a tick within a bar; the bar's end counts as a line.
  /// - Parameter tick: from the bar's start, less than `barTicks`.
  fileprivate func lines(around tick: Int64, step: Int64, barTicks: Int64) -> (before: Int64, after: Int64) {
    let late = min(max(swing, Self.acceptedSwing.lowerBound), Self.acceptedSwing.upperBound).of(2 * step) - step
    func line(_ index: Int64) -> Int64 { index * step + (index.isMultiple(of: 2) ? 0 : late) }
    // Swing moves a line by half a step at most, and keeps the lines' order. One that would lie at the bar's end or
    // beyond it without swing is none, however early it would be.
    var index = tick / step + 1
    while index > 0, line(index) > tick || max(line(index), index * step) >= barTicks { index -= 1 }
    let isLast = (index + 1) * step >= barTicks
    return (line(index), isLast ? barTicks : min(line(index + 1), barTicks))
  }
}

extension Int64 {
  fileprivate func dividedFlooring(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
