import DAWErrors
import DAWModel
import DAWStore
import DAWTime

/// What names a lane: an owner and one of its parameters.
public struct LaneReference: Sendable {
  /// A track's, or a group's, name or id.
  public var owner: String
  /// `volume`; `send:Reverb.level`, `eq.band2.gain` and `compressor 2.bypass` of a track.
  public var parameter: String
  public var isOfGroup: Bool

  public init(_ owner: String, _ parameter: String, isOfGroup: Bool = false) {
    self.owner = owner
    self.parameter = parameter
    self.isOfGroup = isOfGroup
  }
}

/// A parameter that a lane can move, with what it is called.
public struct LaneTarget: Sendable {
  public var owner: Lane.Owner
  public var parameter: LaneParameter
  /// The name of the track or group.
  public var ownerName: String
  public var isOfGroup: Bool
  /// As a user types it: `volume`, `send:Reverb.level`.
  public var name: String

  /// "Vocal volume".
  public var title: String { "\(ownerName) \(name)" }
}

/// A lane with what it moves.
public struct LaneEntry: Sendable {
  public var lane: Lane
  public var target: LaneTarget
  public var pointCount: Int
  /// Whether all of it is −∞ dB.
  public var isSilent: Bool
  /// Why a lane that is read moves nothing, as a sentence; `nil` if it moves something or is not read.
  public var idleReason: String?
}

/// What copying points came to.
public struct CopiedPoints: Sendable {
  /// What they were copied to.
  public var target: LaneTarget
  /// Its lane; `nil` if it has none, since there was nothing to copy.
  public var entry: LaneEntry?
  public var points: [LanePoint] = []
  public var replacedCount = 0
}

/// The value of a point.
public enum PointValue: Equatable, Sendable {
  /// In the parameter's unit; −∞ for silence.
  case number(Double)
  /// As a user types it: `on`, `off`, or a number with a unit behind it, such as `-6dB`, `2.5k`, `10ms`.
  case typed(String)
}

/// A new point.
public struct PointDraft: Sendable {
  public var position: TimelinePosition
  public var value: PointValue
  /// `nil`: `hold` where only steps are possible, else `linear`.
  public var shape: LaneShape?

  public init(position: TimelinePosition, value: PointValue, shape: LaneShape? = nil) {
    self.position = position
    self.value = value
    self.shape = shape
  }
}

extension Editor {
  /// Adds points to a lane, which is made if it is not there.
  /// - Throws: `Failure`, and what the rules refuse: nothing is added then.
  public func addPoints(_ reference: LaneReference, _ drafts: [PointDraft]) throws -> (LaneEntry, [LanePoint]) {
    let target = try view.laneTarget(reference)
    var lane = try view.lane(of: target)
    if lane == nil, !drafts.isEmpty {
      let new = Lane(id: try newID(), of: target.owner, parameter: target.parameter.name)
      try apply(.add(new))
      lane = new
    }
    guard let lane else { throw ProjectView.laneNotFound(target) }
    let map = try tempoMap()
    let first = try newID(of: LanePoint.self)
    let points = try drafts.enumerated().map { index, draft in
      LanePoint(
        id: first.advanced(by: index), lane: lane.id, position: lane.number(of: draft.position, in: map),
        value: try number(draft.value, for: target),
        shape: draft.shape ?? (target.parameter.isStepped ? .hold : .linear))
    }
    try naming(points.map(\.subject), "point") { try apply(.add(points)) }
    note("Added \(counted(points.count, "point")) to \(target.title)")
    return (try view.entry(of: lane, target), points)
  }

  /// Changes the point at a position.
  public func setPoint(
    _ reference: LaneReference, at position: TimelinePosition, to moved: TimelinePosition?, value: PointValue?,
    shape: LaneShape?
  ) throws -> (LaneEntry, LanePoint) {
    let entry = try view.lane(calledBy: reference)
    let map = try tempoMap()
    var point = try view.point(of: entry, at: position)
    let old = point
    if let moved { point.position = entry.lane.number(of: moved, in: map) }
    if let number = try value.map({ try number($0, for: entry.target) }) { point.value = number == 0 ? 0 : number }
    if let shape { point.shape = shape }
    if point != old { try apply(.set(point)) }
    note("Changed a point of \(entry.target.title)")
    return (entry, point)
  }

  /// Removes the points of a range.
  public func removePoints(_ reference: LaneReference, _ range: LaneRange) throws -> (LaneEntry, [LanePoint]) {
    let entry = try view.lane(calledBy: reference)
    let points = try chosen(entry, range)
    if !points.isEmpty { try apply(.remove(points.map(\.id))) }
    note("Removed \(counted(points.count, "point")) of \(entry.target.title)")
    return (entry, points)
  }

  /// Moves the points of a range; those that are not moved stay.
  public func movePoints(
    _ reference: LaneReference, _ range: LaneRange, by shift: (TimelinePosition) throws -> RegionShift
  ) throws -> (LaneEntry, [LanePoint]) {
    let entry = try view.lane(calledBy: reference)
    let map = try tempoMap()
    let points = try chosen(entry, range)
    guard let first = points.first else { return (entry, []) }
    let distance = try shift(entry.lane.place(of: first))
    let moved = points.map { point in
      var point = point
      point.position = entry.lane.place(of: point).moved(by: distance, in: map).number(as: entry.lane.timeBase)
      return point
    }
    try apply(.set(moved))
    note("Moved \(counted(moved.count, "point")) of \(entry.target.title)")
    return (entry, moved)
  }

  /// Multiplies the values of the points of a range, then adds to them, in the parameter's unit. −∞ stays.
  /// - Parameters:
  ///   - factor: finite.
  ///   - sum: finite.
  public func scalePoints(
    _ reference: LaneReference, _ range: LaneRange, by factor: Double, adding sum: Double
  ) throws -> (LaneEntry, [LanePoint]) {
    let entry = try view.lane(calledBy: reference)
    let points = try chosen(entry, range)
    let scaled = points.map { point in
      var point = point
      if point.value.isFinite {
        // Beyond all numbers is not silence: the rule of values refuses it.
        let greatest = Double.greatestFiniteMagnitude
        point.value = min(max(point.value * factor + sum, -greatest), greatest)
      }
      if point.value == 0 { point.value = 0 }
      return point
    }
    if scaled != points { try apply(.set(scaled)) }
    note("Scaled \(counted(points.count, "point")) of \(entry.target.title)")
    return (entry, scaled)
  }

  /// Copies the points of a range, so that the first lies at `position`. Points of the other lane that lie from the
  /// first to the last copy are replaced.
  /// - Parameters:
  ///   - target: the lane that they are copied to; it is made if it is not there.
  ///   - position: `nil`: where they are.
  public func copyPoints(
    _ reference: LaneReference, _ range: LaneRange, to target: LaneReference, at position: TimelinePosition?
  ) throws -> CopiedPoints {
    let entry = try view.lane(calledBy: reference)
    var result = CopiedPoints(target: try view.laneTarget(target))
    let other = try view.lane(of: result.target)
    let map = try tempoMap()
    let points = try chosen(entry, range)
    guard let first = points.first, let last = points.last else {
      result.entry = try other.map { try view.entry(of: $0, result.target) }
      return result
    }
    let start = entry.lane.place(of: first)
    let shift = position.map { RegionShift(from: start, to: $0, in: map) }
    func place(_ point: LanePoint) -> TimelinePosition {
      let place = entry.lane.place(of: point)
      return shift.map { place.moved(by: $0, in: map) } ?? place
    }
    if let other {
      let begin = other.number(of: place(first), in: map)
      let span = begin...max(begin, other.number(of: place(last), in: map))
      let replaced = try view.points(of: other.id, within: span)
      if !replaced.isEmpty { try apply(.remove(replaced.map(\.id))) }
      result.replacedCount = replaced.count
    }
    let drafts = points.map { PointDraft(position: place($0), value: .number($0.value), shape: $0.shape) }
    let (copied, new) = try addPoints(target, drafts)
    (result.entry, result.points) = (copied, new)
    return result
  }

  /// Removes points that the curve hardly needs.
  /// - Parameter tolerance: how far the curve may move, in the parameter's unit.
  public func thinPoints(
    _ reference: LaneReference, _ range: LaneRange, tolerance: Double
  ) throws -> (LaneEntry, removed: Int, left: Int) {
    let entry = try view.lane(calledBy: reference)
    let map = try tempoMap()
    let points = try view.points(of: entry.lane.id)
    let removed = LaneCurve(points, entry.lane.timeBase, in: map, view.interpolation(of: entry.lane))
      .removable(within: range.numbers(entry.lane, map), tolerance: tolerance)
    if !removed.isEmpty { try apply(.remove(removed.map(\.id))) }
    note("Thinned out \(entry.target.title) by \(counted(removed.count, "point"))")
    return (entry, removed.count, points.count - removed.count)
  }

  /// Changes a lane's settings. With another time base, its points keep their places, to the nearest tick or flick.
  /// - Throws: `Failure`; `RuleViolation` if two points would lie at one tick.
  public func setLane(_ reference: LaneReference, isRead: Bool?, timeBase: TimeBase?) throws -> LaneEntry {
    let old = try view.lane(calledBy: reference)
    var lane = old.lane
    if let isRead { lane.isRead = isRead }
    if let timeBase, timeBase != lane.timeBase {
      let map = try tempoMap()
      let points = try view.points(of: lane.id)
      lane.timeBase = timeBase
      let placed = points.map { point in
        var new = point
        new.position = lane.number(of: old.lane.place(of: point), in: map)
        return new
      }
      guard Set(placed.map(\.position)).count == placed.count else {
        throw RuleViolation(
          .pointIsOnce, value: "points within one tick of each other", subject: "lane '\(old.target.name)'",
          accepted: "A lane has one point at a position: remove one of them, or thin them out with 'daw thin-points'.")
      }
      // First, so that the points are checked as what they count now: the timeline has fewer ticks than flicks.
      try apply(.set(lane))
      if !placed.isEmpty { try apply(.set(placed)) }
    }
    if lane != (try view.row(lane.id)) { try apply(.set(lane)) }
    note("Changed \(old.target.title)")
    return try view.entry(of: lane, old.target)
  }

  /// Removes a lane with its points; the set value holds again.
  public func removeLane(_ reference: LaneReference) throws -> LaneEntry {
    let entry = try view.lane(calledBy: reference)
    try apply(.remove(entry.lane.id))
    note("Removed the lane of \(entry.target.title)")
    return entry
  }

  /// The number that a value is. Whether it lies in the parameter's range is a rule of the model.
  /// - Throws: `RuleViolation` if the text is no value of this parameter.
  private func number(_ value: PointValue, for target: LaneTarget) throws -> Double {
    let text: String
    switch value {
    case .number(let number): return number
    case .typed(let typed): text = typed
    }
    let (parameter, lowered) = (target.parameter, text.lowercased())
    var number: Double?
    if parameter.isStepped {
      number = ["on": 1, "off": 0][lowered]
    } else if case .effect(let id) = target.owner {
      number = try view.row(id)?.kind.parameter(parameter.name)?.value(of: text)
    } else if !parameter.unit.isEmpty, lowered.hasSuffix("db") {
      number = Double(lowered.dropLast(2))
    }
    guard let number else {
      throw RuleViolation(
        .pointValue, value: "a value of '\(text)'", subject: "lane '\(target.name)'", accepted: parameter.acceptedValues
      )
    }
    return number
  }

  private func chosen(_ entry: LaneEntry, _ range: LaneRange) throws -> [LanePoint] {
    if case .at(let position) = range { return [try view.point(of: entry, at: position)] }
    return try view.points(of: entry, range)
  }
}

/// Which points of a lane are meant.
public enum LaneRange: Sendable {
  case at(TimelinePosition)
  /// From the first position on, and before the second.
  case span(from: TickPosition?, to: TickPosition?)

  func numbers(_ lane: Lane, _ map: TempoMap) -> Range<Int64> {
    switch self {
    case .at(let position):
      let number = lane.number(of: position, in: map)
      return number..<number + 1
    case .span(let from, let to):
      let start = from.map { lane.number(of: .musical($0), in: map) } ?? 0
      return start..<max(start, to.map { lane.number(of: .musical($0), in: map) } ?? .max)
    }
  }
}

extension Lane {
  /// A place as its points count it.
  func number(of place: TimelinePosition, in map: TempoMap) -> Int64 {
    switch timeBase {
    case .musical: map.ticks(at: place).ticks
    case .absolute: map.flicks(at: place).flicks
    }
  }
}

extension TimelinePosition {
  /// Ticks or flicks of a position that is in this time base.
  fileprivate func number(as timeBase: TimeBase) -> Int64 {
    switch self {
    case .musical(let ticks): ticks.ticks
    case .absolute(let flicks): flicks.flicks
    }
  }
}
