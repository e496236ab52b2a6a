/// Why changes of tempo and meter are not a valid map.
public enum TempoMapError: Error, Hashable, Sendable {
  /// There is no tempo, or the first does not begin at tick 0.
  case noTempoAtStart
  /// There is no meter, or the first does not begin at tick 0.
  case noMeterAtStart
  /// Not 5 … 999 BPM.
  case tempo(TempoPoint)
  /// Not 1 … 64 over 1, 2, 4, 8, 16, 32 or 64.
  case meter(MeterPoint)
  case twoTempos(at: TickPosition)
  case twoMeters(at: TickPosition)
  /// A change before the start or after the end of the timeline.
  case outsideTimeline(TickPosition)
  /// A meter begins inside a bar. `barLine` is the last bar line before it.
  case meterInsideBar(MeterPoint, barLine: TickPosition)
}

extension TempoMapError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noTempoAtStart: "A tempo map needs a tempo at its start, tick 0."
    case .noMeterAtStart: "A tempo map needs a time signature at its start, tick 0."
    case .tempo(let change):
      "The tempo of \(change.tempo) BPM at \(change.position) is out of range. A tempo is 5 … 999 BPM."
    case .meter(let change):
      "The time signature \(change.timeSignature) at \(change.position) is not valid. "
        + "A time signature is 1 … 64 over 1, 2, 4, 8, 16, 32 or 64."
    case .twoTempos(let position): "There are two tempos at \(position)."
    case .twoMeters(let position): "There are two time signatures at \(position)."
    case .outsideTimeline(let position):
      "A change at \(position) is outside the timeline, which is 0b … \(TickPosition.timelineEnd)."
    case .meterInsideBar(let change, let barLine):
      "The time signature \(change.timeSignature) at \(change.position) begins inside a bar. "
        + "The bar line before it is at \(barLine)."
    }
  }
}
