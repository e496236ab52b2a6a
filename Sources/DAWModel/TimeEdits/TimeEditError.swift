import DAWErrors
import DAWTime

/// Why time was not inserted, deleted or copied. Nothing was changed.
public enum TimeEditError: Error, Hashable, Sendable {
  /// A ramp ends at the cut, and the music would go on at another tempo: a change of tempo has only one.
  case rampIsCut(at: TickPosition, from: Tempo, to: Tempo)
  /// A meter would begin inside a bar. `barLine` is the last bar line before it.
  case meterInsideBar(TimeSignature, barLine: TickPosition)
  /// A change of tempo or meter would lie behind the end of the timeline.
  case beyondTimeline
  /// Copies would have more notes, events, points and marks than one edit makes.
  case tooManyCopies
}

extension TimeEditError: DAWError {
  public var kind: ErrorKind { .invalid }

  public var code: String {
    switch self {
    case .rampIsCut: "tempoRampCut"
    case .meterInsideBar: Rule.meterBar.rawValue
    case .beyondTimeline: Rule.timelineEnd.rawValue
    case .tooManyCopies: "tooManyCopies"
    }
  }

  public var message: String {
    switch self {
    case .rampIsCut(_, let from, let to):
      "A tempo ramp would be cut at \(from) BPM, where the music goes on at \(to) BPM. Nothing was changed."
    case .meterInsideBar(let meter, _): "The time signature \(meter) would begin inside a bar. Nothing was changed."
    case .beyondTimeline: "A change of tempo or meter would lie behind the end of the timeline. Nothing was changed."
    case .tooManyCopies:
      "That would make more than \(TimeEdit.maximumCopiedRowCount) notes, events, points and marks at once. Nothing "
        + "was changed."
    }
  }

  public var hint: String? {
    switch self {
    case .rampIsCut:
      "End the ramp before it with 'daw set-tempo --no-ramp', or choose a range whose ends have one tempo."
    case .meterInsideBar: "Choose a length of whole bars, from a bar line on."
    case .beyondTimeline: Rule.timelineEnd.accepted
    case .tooManyCopies: "Choose a shorter range or a smaller --count."
    }
  }
}
