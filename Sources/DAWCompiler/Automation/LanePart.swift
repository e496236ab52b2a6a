import DAWEngine
import DAWModel
import DAWTime

/// What a lane's values are, and what is interpolated between them.
enum LaneUnit: Hashable, Sendable {
  /// dB, which become a linear gain: interpolated in dB.
  case level
  /// Straight: pan positions, widths, and the dB of effects.
  case plain
  /// Frequencies and times: interpolated in their logarithm.
  case logarithmic
  /// A mute: 1 becomes the gain 0, and 0 the gain 1.
  case gate
  /// A switch or a choice of an effect; its jumps are sudden.
  case steps

  /// For a parameter of a strip, a send or a group.
  init(ofMixer parameter: String) {
    switch parameter {
    case "volume", "trim", "level": self = .level
    case "mute": self = .gate
    default: self = .plain
    }
  }
}

/// A lane in frames.
final class LanePart: Sendable {
  private let timeBase: TimeBase
  private let unit: LaneUnit
  private let points: [LanePoint]
  /// For a pan, of positions.
  let curve: Curve

  /// - Parameter points: at least one, in order of position.
  init(_ lane: Lane, _ points: [LanePoint], _ unit: LaneUnit, _ clock: FrameClock) {
    timeBase = lane.timeBase
    self.unit = unit
    self.points = points
    var made: [Curve.Point] = []
    made.reserveCapacity(points.count)
    for point in points {
      let frame =
        lane.timeBase == .musical
        ? clock.frame(at: TickPosition(ticks: point.position)) : clock.frame(at: FlickPosition(flicks: point.position))
      Self.append(Curve.Point(frame, point, unit), to: &made)
    }
    let isLogarithmic = unit == .level || unit == .logarithmic
    curve = Curve(made, scale: isLogarithmic ? .logarithmic : .linear, smoothsJumps: unit != .steps)
  }

  func isMade(of lane: Lane, _ points: [LanePoint], _ unit: LaneUnit) -> Bool {
    timeBase == lane.timeBase && self.unit == unit && self.points == points
  }

  /// Of the points that round to one frame, the first and the last are kept: the curve jumps there, unless it jumps by
  /// the hold before.
  private static func append(_ point: Curve.Point, to made: inout [Curve.Point]) {
    let count = made.count
    guard count > 0, made[count - 1].frame == point.frame else { return made.append(point) }
    let hasTwo = count > 1 && made[count - 2].frame == point.frame
    let comesFromHold = count > 1 && made[count - 2].shape == .hold
    if hasTwo || comesFromHold { made[count - 1] = point } else { made.append(point) }
  }
}

extension Curve.Point {
  fileprivate init(_ frame: TimelineFrame, _ point: LanePoint, _ unit: LaneUnit) {
    let shape = Curve.Shape(point.shape)
    switch unit {
    case .level:
      // log₂ of the gain: dB × log₂(10) ÷ 20.
      self.init(
        frame, ReproducibleMath.gain(decibels: point.value), argument: point.value * 0.166_096_404_744_368_13, shape)
    case .logarithmic:
      self.init(frame, point.value, argument: ReproducibleMath.log(point.value) * 1.442_695_040_888_963_4, shape)
    case .plain: self.init(frame, point.value, shape)
    case .gate: self.init(frame, point.value == 0 ? 1 : 0, .hold)
    case .steps: self.init(frame, point.value, .hold)
    }
  }
}

extension Curve.Shape {
  fileprivate init(_ shape: LaneShape) {
    switch shape {
    case .hold: self = .hold
    case .linear: self = .linear
    case .exponential: self = .exponential
    case .logarithmic: self = .mirroredExponential
    case .sCurve: self = .sCurve
    }
  }
}

/// A pan lane as the gains of both sides.
final class PanPart: Sendable {
  private let part: LanePart
  private let law: PanLaw
  private let width: ChannelWidth
  let left: Curve
  let right: Curve

  /// - Parameter width: of the strip whose signal is panned: a stereo one is balanced.
  init(_ part: LanePart, _ law: PanLaw, _ width: ChannelWidth) {
    self.part = part
    self.law = law
    self.width = width
    let gains = part.curve.points.map { point in
      let pan = Pan(position: point.value)
      return width == .mono ? PanGains(mono: pan, law: law) : PanGains(stereo: pan)
    }
    let law = width == .mono ? Curve.PanLaw(law) : .balance0dB
    func side(_ gain: KeyPath<PanGains, Double>) -> [Curve.Point] {
      zip(part.curve.points, gains).map { point, gains in
        Curve.Point(point.frame, gains[keyPath: gain], argument: point.value, point.shape)
      }
    }
    left = Curve(side(\.left), scale: .left(law))
    right = Curve(side(\.right), scale: .right(law))
  }

  func isMade(of part: LanePart, _ law: PanLaw, _ width: ChannelWidth) -> Bool {
    self.part === part && self.law == law && self.width == width
  }
}

extension Curve.PanLaw {
  fileprivate init(_ law: PanLaw) {
    switch law {
    case .constantPowerMinus3dB: self = .constantPowerMinus3dB
    case .linearMinus6dB: self = .linearMinus6dB
    case .compromiseMinus4_5dB: self = .compromiseMinus4_5dB
    case .balance0dB: self = .balance0dB
    }
  }
}
