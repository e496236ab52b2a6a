import DAWModel
import DAWTime

/// A position or a length as JSON gives it: in seconds, and as the exact integer of its own clock. When they are read,
/// that integer takes precedence, then the one of the other clock, then the seconds.
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
    if timeBase == .musical, let ticks { return .musical(TickPosition(ticks: ticks)) }
    let place = FlickPosition.zero + (try distance(from: .zero, in: map) ?? .zero)
    return timeBase == .musical ? .musical(map.ticks(at: place)) : .absolute(place)
  }

  /// - Returns: `nil` without a length.
  /// - Throws: `RuleViolation` beyond the timeline's end.
  func length(from start: TimelinePosition, in map: TempoMap) throws -> TimelineDistance? {
    switch start {
    case .absolute(let start):
      return try distance(from: map.ticks(at: start), in: map).map(TimelineDistance.absolute)
    case .musical(let start):
      if let ticks { return .musical(TickCount(ticks: ticks)) }
      return try distance(from: start, in: map).map { .musical(map.ticks(at: map.flicks(at: start) + $0) - start) }
    }
  }

  /// The flicks, else the ticks from `start` on, else the seconds.
  private func distance(from start: TickPosition, in map: TempoMap) throws -> FlickCount? {
    if let flicks { return FlickCount(flicks: flicks) }
    guard let ticks else { return try seconds.map(FlickCount.init(written:)) }
    // Beyond, a tempo map would take it for the farthest tick that it converts.
    guard ticks.magnitude <= TickPosition.timelineEnd.ticks.magnitude else {
      throw RuleViolation(.timelineEnd, value: "a place at \(ticks) ticks")
    }
    return map.flicks(at: start + TickCount(ticks: ticks)) - map.flicks(at: start)
  }
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
