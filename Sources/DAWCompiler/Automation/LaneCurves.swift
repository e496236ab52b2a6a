import DAWEngine
import DAWModel

/// The curves of a project's lanes, made where a step first needs them.
struct LaneCurves {
  private let project: Project
  private let clock: FrameClock
  private let earlier: CompiledParts?
  private(set) var lanes: [LaneID: LanePart] = [:]
  private(set) var pans: [LaneID: PanPart] = [:]

  init(_ project: Project, _ clock: FrameClock, reusing earlier: CompiledParts?) {
    self.project = project
    self.clock = clock
    self.earlier = earlier
  }

  /// - Parameter id: of a lane with points.
  /// - Parameter unit: `nil` for a strip's, a send's or a group's parameter.
  mutating func curve(of id: LaneID, as unit: LaneUnit? = nil) -> Curve { part(of: id, unit).curve }

  /// Both sides' gains.
  /// - Parameters:
  ///   - id: a pan's.
  ///   - width: of the strip whose signal is panned.
  mutating func sides(of id: LaneID, width: ChannelWidth) -> (left: Curve, right: Curve) {
    let (part, law) = (part(of: id, .plain), project.settings.panLaw)
    let known = pans[id] ?? earlier?.pans[id]
    let pan = known.flatMap { $0.isMade(of: part, law, width) ? $0 : nil } ?? PanPart(part, law, width)
    pans[id] = pan
    return (pan.left, pan.right)
  }

  private mutating func part(of id: LaneID, _ unit: LaneUnit?) -> LanePart {
    if let known = lanes[id] { return known }
    guard let lane = project.lanes[id], let points = project.lanePoints[id], !points.isEmpty else {
      preconditionFailure("The lane \(id) has no points.")
    }
    let unit = unit ?? LaneUnit(ofMixer: lane.parameter)
    let known = earlier?.lanes[id].flatMap { $0.isMade(of: lane, points, unit) ? $0 : nil }
    let part = known ?? LanePart(lane, points, unit, clock)
    lanes[id] = part
    return part
  }
}
