/// The clock that a position or distance is kept in, and so what it follows when the tempo changes.
public enum TimeBase: String, Hashable, Sendable, CaseIterable, Codable {
  /// Flicks: stays at its second.
  case absolute
  /// Ticks: stays at its bar and beat.
  case musical
}

/// A place on the timeline together with the clock that it is kept in.
public enum TimelinePosition: Hashable, Sendable, Codable {
  case musical(TickPosition)
  case absolute(FlickPosition)

  public var timeBase: TimeBase {
    switch self {
    case .musical: .musical
    case .absolute: .absolute
    }
  }
}

/// A distance together with the clock that it is kept in.
public enum TimelineDistance: Hashable, Sendable, Codable {
  case musical(TickCount)
  case absolute(FlickCount)
}
