import DAWEngine
import DAWModel
import DAWTime
import Foundation

/// A lane by its definition, with the C library's functions.
struct ExpectedLane {
  private let points: [(frame: TimelineFrame, value: Double, shape: LaneShape)]

  /// Of a project at 120 BPM and 48,000 Hz.
  init(_ lane: Lane, _ points: [LanePoint]) {
    let perFrame = lane.timeBase == .musical ? 0.64 : 14_700
    self.points = points.map {
      (TimelineFrame(Int((Double($0.position) / perFrame).rounded(.toNearestOrEven))), $0.value, $0.shape)
    }
  }

  var isMoving: Bool { points.contains { $0.value != points[0].value } }
  var firstValue: Double { points[0].value }

  /// The linear gain of a level's lane.
  func gain(at frame: TimelineFrame) -> Double {
    straight(at: frame, Self.gain) { knot, place in
      let (p, q, share) = stretch(knot, place)
      guard p.isFinite, q.isFinite else { return Self.gain(p) + (Self.gain(q) - Self.gain(p)) * share }
      return Self.gain(p + (q - p) * share)
    }
  }

  /// The gain of a mute's lane.
  func gate(at frame: TimelineFrame) -> Double {
    straight(at: frame, { 1 - $0 }) { knot, place in 1 - stretch(knot, place).p }
  }

  /// The value itself.
  func value(at frame: TimelineFrame) -> Double {
    straight(at: frame, { $0 }) { knot, place in
      let (p, q, share) = stretch(knot, place)
      return p + (q - p) * share
    }
  }

  /// What a pan's lane makes of the position at knots, straight between.
  func side(at frame: TimelineFrame, _ gain: (Double) -> Double) -> Double {
    straight(at: frame, nil) { knot, place in
      let (p, q, share) = stretch(knot, place)
      return gain(p + (q - p) * share + jumps(at: knot, place) { $0 })
    }
  }

  private static func gain(_ decibels: Double) -> Double { decibels == 0 ? 1 : pow(10, decibels / 20) }

  /// - Parameter jumped: a value in the unit in which jumps are added at each frame; `nil` if they are in the knots.
  private func straight(
    at frame: TimelineFrame, _ jumped: ((Double) -> Double)?, _ knot: (TimelineFrame, Int) -> Double
  ) -> Double {
    let place = points.lastIndex { $0.frame <= frame } ?? -1
    let begin = max(frame.roundedDown(to: 16), place < 0 ? 0 : points[place].frame)
    let end = min(frame.roundedDown(to: 16) + 16, place + 1 < points.count ? points[place + 1].frame : .max)
    let (a, b) = (knot(begin, place), knot(end, place))
    let value = a + (b - a) * Double(frame - begin) / Double(end - begin)
    return jumped.map { value + jumps(at: frame, place, $0) } ?? value
  }

  private func stretch(_ frame: TimelineFrame, _ place: Int) -> (p: Double, q: Double, share: Double) {
    let p = points[max(0, place)]
    guard place >= 0, place + 1 < points.count else { return (p.value, p.value, 0) }
    let q = points[place + 1]
    let x = Double(frame - p.frame) / Double(q.frame - p.frame)
    func rise(_ x: Double) -> Double { (exp(4 * x) - 1) / (exp(4) - 1) }
    switch p.shape {
    case .hold: return (p.value, p.value, 0)
    case .linear: return (p.value, q.value, x)
    case .exponential: return (p.value, q.value, rise(x))
    case .logarithmic: return (p.value, q.value, 1 - rise(1 - x))
    case .sCurve: return (p.value, q.value, x * x * (3 - 2 * x))
    }
  }

  private func jumps(at frame: TimelineFrame, _ place: Int, _ unit: (Double) -> Double) -> Double {
    guard place > 0 else { return 0 }
    return (1...place).reduce(0) { sum, index in
      let passed = frame - points[index].frame
      guard points[index - 1].shape == .hold, passed < 64 else { return sum }
      return sum + (unit(points[index - 1].value) - unit(points[index].value)) * (1 - Double(passed) / 64)
    }
  }
}
