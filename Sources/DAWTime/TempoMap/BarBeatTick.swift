/// A position in bars, beats and ticks: `3.1.0` is the first beat of the third bar. A beat is the meter's note, so 7/8
/// has beats 1 … 7 of 7,680 ticks.
public struct BarBeatTick: Hashable, Comparable, Sendable {
  /// From 1; 0 and less are before the timeline's start.
  public var bar: Int64
  /// From 1.
  public var beat: Int64
  /// From 0, within the beat.
  public var tick: Int64

  public init(bar: Int64, beat: Int64 = 1, tick: Int64 = 0) {
    self.bar = bar
    self.beat = beat
    self.tick = tick
  }

  public static func < (a: Self, b: Self) -> Bool { (a.bar, a.beat, a.tick) < (b.bar, b.beat, b.tick) }
}

extension BarBeatTick: CustomStringConvertible {
  public var description: String { "\(bar).\(beat).\(tick)" }
}

/// A distance in bars, beats and ticks, each from 0: `2.0.0` is two bars. Its length depends on the meter where it
/// starts.
public struct BarBeatTickCount: Hashable, Sendable {
  public var bars: Int64
  public var beats: Int64
  public var ticks: Int64

  public init(bars: Int64, beats: Int64 = 0, ticks: Int64 = 0) {
    self.bars = bars
    self.beats = beats
    self.ticks = ticks
  }
}

extension BarBeatTickCount: CustomStringConvertible {
  public var description: String { "\(bars).\(beats).\(ticks)" }
}
