import DAWEngine
import DAWModel
import DAWTime

/// The curves of a project's lanes, made where a step first needs them.
struct LaneCurves {
  private let panLaw: PanLaw
  private let clock: FrameClock
  private let earlier: CompiledParts?
  private(set) var lanes: [LaneID: LanePart] = [:]
  private(set) var pans: [LaneID: PanPart] = [:]

  init(_ panLaw: PanLaw, _ clock: FrameClock, reusing earlier: CompiledParts?) {
    self.panLaw = panLaw
    self.clock = clock
    self.earlier = earlier
  }

  /// - Parameter unit: `nil` for a strip's, a send's or a group's parameter.
  mutating func curve(of lane: MovingLane, as unit: LaneUnit? = nil) -> Curve { part(of: lane, unit).curve }

  /// A parameter of an effect: a constant where the lane never moves.
  mutating func parameter(of lane: MovingLane, as unit: LaneUnit) -> PlannedInsert.Parameter {
    lane.restingValue.map(PlannedInsert.Parameter.constant) ?? .curve(curve(of: lane, as: unit))
  }

  /// The share of an effect that a lane of its bypass leaves: each change is a line over 256 frames.
  mutating func share(ofBypass lane: MovingLane) -> Control {
    if let value = lane.restingValue { return .constant(value == 0 ? 1 : 0) }
    var points: [Curve.Point] = []
    for point in curve(of: lane, as: .gate).points {
      guard let last = points.last else {
        points.append(Curve.Point(point.frame, point.value))
        continue
      }
      guard point.value != last.value else { continue }
      var value = last.value
      if point.frame < last.frame, points.count > 1 {
        // It turns round before the last line is over.
        let first = points[points.count - 2]
        value = first.value + (last.value - first.value) * Double(point.frame - first.frame) / 256
        points.removeLast()
        if first.frame == point.frame { points.removeLast() }
      }
      if points.last?.frame != point.frame { points.append(Curve.Point(point.frame, value)) }
      points.append(Curve.Point(point.frame + 256, point.value))
    }
    return .product([.curve(Curve(points))])
  }

  /// Both sides' gains.
  /// - Parameters:
  ///   - lane: a pan's.
  ///   - width: of the strip whose signal is panned.
  mutating func sides(of lane: MovingLane, width: ChannelWidth) -> (left: Curve, right: Curve) {
    let (id, part) = (lane.lane.id, part(of: lane, .plain))
    let known = pans[id] ?? earlier?.pans[id]
    let pan = known.flatMap { $0.isMade(of: part, panLaw, width) ? $0 : nil } ?? PanPart(part, panLaw, width)
    pans[id] = pan
    return (pan.left, pan.right)
  }

  private mutating func part(of moving: MovingLane, _ unit: LaneUnit?) -> LanePart {
    let (lane, points) = (moving.lane, moving.points)
    if let known = lanes[lane.id] { return known }
    let unit = unit ?? LaneUnit(ofMixer: lane.parameter)
    let known = earlier?.lanes[lane.id].flatMap { $0.isMade(of: lane, points, unit) ? $0 : nil }
    let part = known ?? LanePart(lane, points, unit, clock)
    lanes[lane.id] = part
    return part
  }
}
