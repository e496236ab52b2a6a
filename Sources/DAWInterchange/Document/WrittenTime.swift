import DAWModel
import DAWTime

/// A position or a length as JSON gives it: in seconds, and as the exact integer of its own clock, which takes
/// precedence when both are read.
public struct WrittenTime: Equatable {
  public var seconds: Double?
  public var ticks: Int64?
  public var flicks: Int64?

  init(seconds: Double?) { self.seconds = seconds }

  init(_ position: TimelinePosition, in map: TempoMap) {
    seconds = map.flicks(at: position).seconds
    switch position {
    case .musical(let position): ticks = position.ticks
    case .absolute(let position): flicks = position.flicks
    }
  }

  /// - Parameter seconds: the length, which depends on its start.
  init(_ length: TimelineDistance?, seconds: FlickCount) {
    self.seconds = length.map { _ in seconds.seconds }
    switch length {
    case .musical(let length): ticks = length.ticks
    case .absolute(let length): flicks = length.flicks
    case nil: break
    }
  }

  /// - Throws: `RuleViolation` beyond the timeline's end.
  func position(_ timeBase: TimeBase, in map: TempoMap) throws -> TimelinePosition {
    switch (timeBase, ticks, flicks) {
    case (.musical, let ticks?, _): return .musical(TickPosition(ticks: ticks))
    case (.absolute, _, let flicks?): return .absolute(FlickPosition(flicks: flicks))
    case (.musical, nil, _): return .musical(map.ticks(at: .zero + (try distance() ?? .zero)))
    case (.absolute, _, nil): return .absolute(.zero + (try distance() ?? .zero))
    }
  }

  /// - Returns: `nil` without a length.
  /// - Throws: `RuleViolation` beyond the timeline's end.
  func length(from start: TimelinePosition, in map: TempoMap) throws -> TimelineDistance? {
    switch start {
    case .absolute:
      return try (flicks.map(FlickCount.init(flicks:)) ?? distance()).map(TimelineDistance.absolute)
    case .musical(let start):
      if let ticks { return .musical(TickCount(ticks: ticks)) }
      return try distance().map { .musical(map.ticks(at: map.flicks(at: start) + $0) - start) }
    }
  }

  /// The seconds.
  private func distance() throws -> FlickCount? { try seconds.map(FlickCount.init(written:)) }
}

extension FlickCount {
  /// The length nearest to a number of seconds.
  /// - Throws: `RuleViolation` beyond the timeline's end.
  init(written seconds: Double) throws {
    guard let count = FlickCount(seconds: seconds) else {
      throw RuleViolation(.timelineEnd, value: "a time of \(seconds) s")
    }
    self = count
  }
}

extension JSONMember {
  /// `startTime`, `startTicks` and `startFlicks`.
  static func start(_ path: any WritableKeyPath<Object, WrittenTime> & Sendable) -> [JSONMember] {
    members(path, "startTime", "startTicks", "startFlicks")
  }

  /// `duration`, `durationTicks` and `durationFlicks`.
  static func length(_ path: any WritableKeyPath<Object, WrittenTime> & Sendable) -> [JSONMember] {
    members(path, "duration", "durationTicks", "durationFlicks")
  }

  private static func members(
    _ path: any WritableKeyPath<Object, WrittenTime> & Sendable, _ seconds: String, _ ticks: String, _ flicks: String
  ) -> [JSONMember] {
    let members: JSONMembers<WrittenTime> = [
      JSONMember<WrittenTime>(seconds, \.seconds),
      JSONMember<WrittenTime>(ifPresent: ticks, \.ticks),
      JSONMember<WrittenTime>(ifPresent: flicks, \.flicks),
    ]
    return members.within(path)
  }
}
