/// Why a position or distance that was parsed is not valid in a project.
public enum TimelineError: Error, Hashable, Sendable {
  case noSuchBeat(BarBeatTick, TimeSignature)
  case noSuchTick(BarBeatTick, TimeSignature)
  /// After the end of the timeline, or longer than it. The text is the expression.
  case beyondEnd(String)
}

extension TimelineError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noSuchBeat(let place, let meter):
      "\(place) has no beat \(place.beat): bar \(place.bar) is in \(meter), with beats 1 … \(meter.numerator)."
    case .noSuchTick(let place, let meter):
      "\(place) has no tick \(place.tick): a beat of \(meter) has ticks 0 … \(meter.beat.ticks - 1)."
    case .beyondEnd(let text):
      "\(text) is beyond the end of the timeline, \(FlickPosition.timelineEnd) or \(TickPosition.timelineEnd)."
    }
  }
}
