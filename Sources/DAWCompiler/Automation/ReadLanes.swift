import DAWModel

/// The lanes of a project that are read, and the project as they leave it.
///
/// A lane whose points all have one value is as good as the value set by hand: it stands in `project`, so both compile
/// to the same plan. The others move. What no command writes, another program may have written: a value outside of the
/// parameter's range is taken as the nearest one in it, and a lane of an unknown parameter is left out.
struct ReadLanes {
  /// With the values of lanes that rest throughout in place of the set ones.
  private(set) var project: Project
  /// By owner and parameter, the lanes that move; of effects all.
  private(set) var moving: [Lane.Owner: [String: MovingLane]] = [:]

  init(_ project: Project) {
    self.project = project
    for lane in project.lanes.values where lane.isRead {
      guard let owner = lane.owner, let parameter = project.parameter(lane.parameter, of: owner),
        let points = project.lanePoints[lane.id]?.limited(to: parameter), let first = points.first
      else { continue }
      if lane.effect == nil, points.allSatisfy({ $0.value == first.value }) {
        set(lane.parameter, of: owner, to: first.value)
      } else {
        moving[owner, default: [:]][lane.parameter] = MovingLane(lane: lane, points: points)
      }
    }
  }

  private mutating func set(_ parameter: String, of owner: Lane.Owner, to value: Double) {
    switch (owner, parameter) {
    case (.track(let id), "volume"): project.tracks[id]?.volume = Level(decibels: value)
    case (.track(let id), "pan"): project.tracks[id]?.pan = Pan(position: value)
    case (.track(let id), "mute"): project.tracks[id]?.isMuted = value != 0
    case (.track(let id), "trim"): project.tracks[id]?.trim = Level(decibels: value)
    case (.track(let id), "stereoWidth"): project.tracks[id]?.stereoWidth = value
    case (.send(let id), "level"): project.sends[id]?.level = Level(decibels: value)
    case (.send(let id), "pan"): project.sends[id]?.pan = Pan(position: value)
    case (.send(let id), "mute"): project.sends[id]?.isMuted = value != 0
    case (.group(let id), "volume"): project.groups[id]?.volume = Level(decibels: value)
    case (.group(let id), "mute"): project.groups[id]?.isMuted = value != 0
    default: break
    }
  }

  /// The lane that moves a parameter.
  func lane(_ parameter: String, of track: TrackID) -> MovingLane? { moving[.track(track)]?[parameter] }
  func lane(_ parameter: String, of send: SendID) -> MovingLane? { moving[.send(send)]?[parameter] }
  func lane(_ parameter: String, of group: TrackGroupID) -> MovingLane? { moving[.group(group)]?[parameter] }
  func lane(_ parameter: String, of effect: EffectID) -> MovingLane? { moving[.effect(effect)]?[parameter] }
}

extension Project {
  fileprivate func parameter(_ name: String, of owner: Lane.Owner) -> LaneParameter? {
    guard case .effect(let id) = owner else { return LaneParameter.ofOwner(owner).first { $0.name == name } }
    return effects[id].flatMap { LaneParameter.named(name, of: $0.kind) }
  }
}

extension [LanePoint] {
  fileprivate func limited(to parameter: LaneParameter) -> [LanePoint] {
    guard !allSatisfy({ parameter.accepts($0.value) }) else { return self }
    return map { point in
      var point = point
      if !parameter.accepts(point.value) {
        point.value = Swift.min(Swift.max(point.value, parameter.range.lowerBound), parameter.range.upperBound)
      }
      return point
    }
  }
}

/// A lane with its points.
struct MovingLane: Sendable {
  var lane: Lane
  /// At least one, in order of position.
  var points: [LanePoint]

  /// The value that all points have.
  var restingValue: Double? {
    let first = points[0].value
    return points.allSatisfy { $0.value == first } ? first : nil
  }
}

/// A gain before it is compiled: the product of constants and lanes, in this order.
struct MixGain: Sendable {
  enum Factor: Sendable {
    /// Linear, ≥ 0.
    case constant(Double)
    case lane(MovingLane)
  }

  /// The first is a constant.
  private(set) var factors: [Factor]

  init(_ gain: Double) { factors = [.constant(gain)] }

  static let closed = MixGain(0)

  mutating func multiply(by gain: Double) {
    if factors.count == 1, case .constant(let first) = factors[0] {
      factors[0] = .constant(first * gain)
    } else if gain != 1 {
      factors.append(.constant(gain))
    }
  }

  mutating func multiply(by lane: MovingLane) { factors.append(.lane(lane)) }

  /// By a lane, or by what is set where there is none.
  mutating func multiply(by lane: MovingLane?, or gain: @autoclosure () -> Double) {
    if let lane { multiply(by: lane) } else { multiply(by: gain()) }
  }

  func times(_ other: MixGain) -> MixGain {
    var gain = self
    for factor in other.factors {
      switch factor {
      case .constant(let value): gain.multiply(by: value)
      case .lane(let lane): gain.multiply(by: lane)
      }
    }
    return gain
  }

  /// - Parameter gates: mutes that move.
  func times(_ gates: [MovingLane]) -> MixGain {
    var gain = self
    for gate in gates { gain.multiply(by: gate) }
    return gain
  }

  /// Whether it is not 0 throughout.
  var isAudible: Bool {
    var product = 1.0
    for case .constant(let gain) in factors { product *= gain }
    return Float(product) > 0
  }
}
