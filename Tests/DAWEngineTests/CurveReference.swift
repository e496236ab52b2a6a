import DAWEngine
import DAWTime
import Foundation

/// A curve by the C library's functions, from its definition.
struct CurveReference {
  private let curve: Curve

  init(_ curve: Curve) { self.curve = curve }

  /// Straight between the knots around a frame.
  func value(at frame: TimelineFrame) -> Double {
    let points = curve.points
    guard let place = points.lastIndex(where: { $0.frame <= frame }) else { return points[0].value }
    let knot16 = frame - ((frame.number % 16) + 16) % 16
    let begin = max(points[place].frame, knot16)
    let end = min(knot16 + 16, place + 1 < points.count ? points[place + 1].frame : .max)
    let (a, b) = (knot(begin, after: place), knot(end, after: place))
    let straight = a + (b - a) * Double(frame - begin) / Double(end - begin)
    // A side rests from the knot behind its last jump on.
    return isSide ? straight : straight + jump(at: frame, after: place)
  }

  /// The curve itself at a frame, not straight between knots.
  func exactValue(at frame: TimelineFrame) -> Double {
    guard let place = curve.points.lastIndex(where: { $0.frame <= frame }) else { return curve.points[0].value }
    let value = knot(frame, after: place)
    return isSide ? value : value + jump(at: frame, after: place)
  }

  private var isSide: Bool { if case .linear = curve.scale { false } else { curve.scale != .logarithmic } }

  private func knot(_ frame: TimelineFrame, after place: Int) -> Double {
    let p = curve.points[place]
    let q = place + 1 < curve.points.count ? curve.points[place + 1] : p
    let x = q.frame > p.frame ? Double(frame - p.frame) / Double(q.frame - p.frame) : 0
    let share = Self.share(p.shape, x)
    if curve.scale == .linear || curve.scale == .logarithmic && (p.value == 0 || q.value == 0) {
      return p.value + (q.value - p.value) * share
    }
    let argument = p.argument + (q.argument - p.argument) * share
    return Self.value(of: isSide ? argument + jump(at: frame, after: place) : argument, 0, curve.scale)
  }

  private func jump(at frame: TimelineFrame, after place: Int) -> Double {
    guard place > 0 else { return 0 }
    return (1...place).reduce(0) { sum, index in
      let (p, q) = (curve.points[index - 1], curve.points[index])
      let passed = frame - q.frame
      guard p.shape == .hold || p.frame == q.frame, passed < 64 else { return sum }
      return sum + (isSide ? p.argument - q.argument : p.value - q.value) * (1 - Double(passed) / 64)
    }
  }

  static func share(_ shape: Curve.Shape, _ x: Double) -> Double {
    func rise(_ x: Double) -> Double { (exp(4 * x) - 1) / (exp(4) - 1) }
    return switch shape {
    case .hold: 0
    case .linear: x
    case .equalPower: sin(.pi / 2 * x)
    case .mirroredEqualPower: 1 - sin(.pi / 2 * (1 - x))
    case .exponential: rise(x)
    case .mirroredExponential: 1 - rise(1 - x)
    case .sCurve: 3 * x * x - 2 * x * x * x
    }
  }

  /// The value that follows from an argument; `value` for those that have none.
  static func value(of argument: Double, _ value: Double, _ scale: Curve.Scale) -> Double {
    switch scale {
    case .linear: value
    case .logarithmic: argument.isFinite ? Foundation.exp2(argument) : value
    case .left(let law): gain(law, (1 - argument) / 2)
    case .right(let law): gain(law, (1 + argument) / 2)
    }
  }

  private static func gain(_ law: Curve.PanLaw, _ share: Double) -> Double {
    let u = min(max(share, 0), 1)
    return switch law {
    case .constantPowerMinus3dB: sin(.pi / 2 * u)
    case .linearMinus6dB: u
    case .compromiseMinus4_5dB: (u * sin(.pi / 2 * u)).squareRoot()
    case .balance0dB: min(1, 2 * u)
    }
  }
}
