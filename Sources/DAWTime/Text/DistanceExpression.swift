/// A parsed distance: `2s`, `500ms`, `1:02.500`, `48000f`, `4b`, `2.0.0`, `2|0|0`.
///
/// Its length may depend on where it starts: bars on the meter, notes in seconds on the tempo.
public enum DistanceExpression: Hashable, Sendable {
  case absolute(FlickCount)
  /// At the project's rate.
  case frames(FrameCount)
  case musical(TickCount)
  case barsBeatsTicks(BarBeatTickCount)

  /// Parses a distance. Decimals are rounded once, to the nearest flick or tick, ties to even.
  /// - Throws: `TimeParseError` for a text that is no distance, or a distance longer than the timeline.
  public init(parsing text: String) throws(TimeParseError) {
    switch try TimeForm(parsing: text, as: .distance) {
    case .flicks(let flicks): self = .absolute(FlickCount(flicks: flicks))
    case .frames(let frames): self = .frames(FrameCount(frames: frames))
    case .ticks(let ticks): self = .musical(TickCount(ticks: ticks))
    case .triple(let bars, let beats, let ticks):
      self = .barsBeatsTicks(BarBeatTickCount(bars: bars, beats: beats, ticks: ticks))
    }
  }

  /// The length on the absolute timeline.
  /// - Parameter start: where it begins; a musical distance begins at the nearest tick.
  /// - Throws: where it is longer than the timeline.
  public func flicks(from start: TimelinePosition, in map: TempoMap, rate: SampleRate) throws(TimelineError)
    -> FlickCount
  {
    let length: FlickCount
    switch self {
    case .absolute(let flicks): length = flicks
    case .frames(let frames): length = frames.flicks(at: rate)
    case .musical, .barsBeatsTicks:
      let first = map.ticks(at: start)
      length = map.flicks(at: first + (try ticks(from: start, in: map, rate: rate))) - map.flicks(at: first)
    }
    guard length.flicks <= FlickPosition.timelineEnd.flicks else { throw .beyondEnd(description) }
    return length
  }

  /// The length on the musical timeline; a distance in seconds or frames ends at the nearest tick.
  /// - Parameter start: where it begins.
  /// - Throws: where it is longer than the timeline.
  public func ticks(from start: TimelinePosition, in map: TempoMap, rate: SampleRate) throws(TimelineError)
    -> TickCount
  {
    let length: TickCount
    switch self {
    case .absolute, .frames:
      let end = map.flicks(at: start) + (try flicks(from: start, in: map, rate: rate))
      length = map.ticks(at: end) - map.ticks(at: start)
    case .musical(let ticks): length = ticks
    case .barsBeatsTicks(let count): length = try map.ticks(of: count, from: map.ticks(at: start))
    }
    guard length.ticks <= TickPosition.timelineEnd.ticks else { throw .beyondEnd(description) }
    return length
  }

  /// The length in a time base.
  /// - Parameter start: where it begins.
  /// - Throws: where it is longer than the timeline.
  public func distance(from start: TimelinePosition, in map: TempoMap, rate: SampleRate, as timeBase: TimeBase)
    throws(TimelineError) -> TimelineDistance
  {
    switch timeBase {
    case .absolute: .absolute(try flicks(from: start, in: map, rate: rate))
    case .musical: .musical(try ticks(from: start, in: map, rate: rate))
    }
  }
}

extension DistanceExpression: CustomStringConvertible {
  /// A text that parses to the same expression.
  public var description: String {
    switch self {
    case .absolute(let flicks): "\(flicks)"
    case .frames(let frames): "\(frames)"
    case .musical(let ticks): "\(ticks)"
    case .barsBeatsTicks(let count): "\(count)"
    }
  }
}
