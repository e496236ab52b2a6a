import DAWModel
import Foundation

/// A lane by its definition, with the C library's functions: what the engine's curves are compared with.
public struct ReferenceLane {
  public struct Point {
    public var frame: Int
    /// In the parameter's unit; −∞ is silence.
    public var value: Double
    public var shape: LaneShape

    public init(frame: Int, value: Double, shape: LaneShape) {
      self.frame = frame
      self.value = value
      self.shape = shape
    }
  }

  /// What a lane's values become.
  public enum Unit {
    /// dB, which become a linear gain.
    case level
    /// 1 becomes the gain 0, and 0 the gain 1.
    case mute
    case plain
    /// A position, which becomes this gain of one side.
    case pan((Double) -> Double)
  }

  /// The points of one frame.
  private struct Stop {
    var frame: Int
    /// Where the way from the stop before ends.
    var arrival: Double
    var value: Double
    var shape: LaneShape
  }

  private let stops: [Stop]

  /// - Parameter points: at least one, in order of position.
  public init(_ points: [Point]) {
    var stops: [Stop] = []
    for point in points {
      if let last = stops.last, last.frame == point.frame {
        (stops[stops.count - 1].value, stops[stops.count - 1].shape) = (point.value, point.shape)
      } else {
        let arrival = stops.last.flatMap { $0.shape == .hold ? $0.value : nil } ?? point.value
        stops.append(Stop(frame: point.frame, arrival: arrival, value: point.value, shape: point.shape))
      }
    }
    self.stops = stops
  }

  public func value(at frame: Int, in unit: Unit) -> Double { values(frame..<frame + 1, in: unit)[0] }

  /// The value of each frame of a range that does not begin before 0. Values are computed at knots, which are the
  /// frames that 16 divides and the points, and go straight between.
  public func values(_ range: Range<Int>, in unit: Unit) -> [Double] {
    var values: [Double] = []
    values.reserveCapacity(range.count)
    while values.count < range.count {
      let first = range.lowerBound + values.count
      let place = stops.lastIndex { $0.frame <= first }
      let next = place.map { $0 + 1 } ?? 0
      let knots = (
        max(first / 16 * 16, place.map { stops[$0].frame } ?? 0),
        min(first / 16 * 16 + 16, next < stops.count ? stops[next].frame : .max)
      )
      let ends = (knot(knots.0, behind: place, unit), knot(knots.1, behind: place, unit))
      for frame in first..<min(knots.1, range.upperBound) {
        let way = Double(frame - knots.0) / Double(knots.1 - knots.0)
        var value = ends.0 + (ends.1 - ends.0) * way
        // A pan jumps in its position, which its knots have.
        if case .pan = unit {} else { value += jumps(at: frame, behind: place) { Self.heard($0, unit) } }
        values.append(value)
      }
    }
    return values
  }

  private static func heard(_ value: Double, _ unit: Unit) -> Double {
    switch unit {
    case .level: value == 0 ? 1 : pow(10, value / 20)
    case .mute: 1 - value
    case .plain: value
    case .pan(let gain): gain(min(max(value, -1), 1))
    }
  }

  /// - Parameter place: of the last stop not behind the stretch in which the knot is looked at.
  private func knot(_ frame: Int, behind place: Int?, _ unit: Unit) -> Double {
    guard let place else { return Self.heard(stops[0].arrival, unit) }
    let (from, to, share) = stretch(at: frame, behind: place)
    if case .level = unit, !from.isFinite || !to.isFinite {
      let ends = (Self.heard(from, unit), Self.heard(to, unit))
      return ends.0 + (ends.1 - ends.0) * share
    }
    var value = from + (to - from) * share
    if case .pan = unit { value += jumps(at: frame, behind: place) { $0 } }
    return Self.heard(value, unit)
  }

  private func stretch(at frame: Int, behind place: Int) -> (from: Double, to: Double, share: Double) {
    let from = stops[place]
    guard place + 1 < stops.count, from.shape != .hold else { return (from.value, from.value, 0) }
    let to = stops[place + 1]
    let x = Double(frame - from.frame) / Double(to.frame - from.frame)
    return (from.value, to.arrival, Self.share(x, of: from.shape))
  }

  /// How much of the way lies behind, at x from 0 to 1.
  private static func share(_ x: Double, of shape: LaneShape) -> Double {
    func rise(_ x: Double) -> Double { (exp(4 * x) - 1) / (exp(4) - 1) }
    switch shape {
    case .hold: return 0
    case .linear: return x
    case .exponential: return rise(x)
    case .logarithmic: return 1 - rise(1 - x)
    case .sCurve: return x * x * (3 - 2 * x)
    }
  }

  /// A jump from a to b adds (a − b) × (1 − (n − f) ÷ 64) for 64 frames.
  private func jumps(at frame: Int, behind place: Int?, _ heard: (Double) -> Double) -> Double {
    guard let place else { return 0 }
    return stops[...place].reduce(0) { sum, stop in
      let passed = frame - stop.frame
      guard passed < 64, stop.arrival != stop.value else { return sum }
      return sum + (heard(stop.arrival) - heard(stop.value)) * (1 - Double(passed) / 64)
    }
  }
}
