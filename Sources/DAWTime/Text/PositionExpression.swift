/// A parsed position: `12.5s`, `500ms`, `1:02.500`, `1:00:00`, `48000f`, `3.1.0`, `3|1|0`, `2.5b`.
///
/// Some forms depend on the project's tempo map and rate, which `flicks(in:rate:)` and the other functions take.
public enum PositionExpression: Hashable, Sendable {
  case absolute(FlickPosition)
  /// At the project's rate.
  case frames(FramePosition)
  case musical(TickPosition)
  case barBeatTick(BarBeatTick)

  /// Parses a position. Decimals are rounded once, to the nearest flick or tick, ties to even.
  /// - Throws: `TimeParseError` for a text that is no position, or a position outside the timeline.
  public init(parsing text: String) throws(TimeParseError) {
    switch try TimeForm(parsing: text, as: .position) {
    case .flicks(let flicks): self = .absolute(FlickPosition(flicks: flicks))
    case .frames(let frames): self = .frames(FramePosition(frames: frames))
    case .ticks(let ticks): self = .musical(TickPosition(ticks: ticks))
    case .triple(let bar, let beat, let tick):
      guard bar > 0, beat > 0 else { throw TimeParseError(.position, .countsFromOne, text: text) }
      self = .barBeatTick(BarBeatTick(bar: bar, beat: beat, tick: tick))
    }
  }

  /// The position on the absolute timeline.
  /// - Throws: where the bar has no such beat or tick, or the place is after the timeline's end.
  public func flicks(in map: TempoMap, rate: SampleRate) throws(TimelineError) -> FlickPosition {
    let place =
      switch self {
      case .absolute(let flicks): flicks
      case .frames(let frames): frames.flicks(at: rate)
      case .musical(let ticks): map.flicks(at: ticks)
      case .barBeatTick(let place): map.flicks(at: try map.ticks(at: place))
      }
    guard place <= .timelineEnd else { throw .beyondEnd(description) }
    return place
  }

  /// The position on the musical timeline; the nearest tick for a position in seconds or frames.
  /// - Throws: where the bar has no such beat or tick, or the place is after the timeline's end.
  public func ticks(in map: TempoMap, rate: SampleRate) throws(TimelineError) -> TickPosition {
    let place =
      switch self {
      case .absolute(let flicks): map.ticks(at: flicks)
      case .frames(let frames): map.ticks(at: frames.flicks(at: rate))
      case .musical(let ticks): ticks
      case .barBeatTick(let place): try map.ticks(at: place)
      }
    guard place <= .timelineEnd else { throw .beyondEnd(description) }
    return place
  }

  /// The position in a time base.
  /// - Throws: where the bar has no such beat or tick, or the place is after the timeline's end.
  public func position(in map: TempoMap, rate: SampleRate, as timeBase: TimeBase) throws(TimelineError)
    -> TimelinePosition
  {
    switch timeBase {
    case .absolute: .absolute(try flicks(in: map, rate: rate))
    case .musical: .musical(try ticks(in: map, rate: rate))
    }
  }
}

extension PositionExpression: CustomStringConvertible {
  /// A text that parses to the same expression.
  public var description: String {
    switch self {
    case .absolute(let flicks): "\(flicks)"
    case .frames(let frames): "\(frames)"
    case .musical(let ticks): "\(ticks)"
    case .barBeatTick(let place): "\(place)"
    }
  }
}
