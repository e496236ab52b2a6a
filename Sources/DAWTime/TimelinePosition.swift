/// The time base in which a position or distance is stored, and so what it follows when the tempo changes.
public enum TimeBase: String, Hashable, Sendable, CaseIterable {
  /// Flicks: keeps its time in seconds.
  case absolute
  /// Ticks: keeps its bar and beat.
  case musical
}

/// A position on the timeline in either time base.
public enum TimelinePosition: Hashable, Sendable {
  case musical(TickPosition)
  case absolute(FlickPosition)

  public var timeBase: TimeBase {
    switch self {
    case .musical: .musical
    case .absolute: .absolute
    }
  }
}

/// A distance in either time base.
public enum TimelineDistance: Hashable, Sendable {
  case musical(TickCount)
  case absolute(FlickCount)
}
