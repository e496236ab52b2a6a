import DAWEngine
import DAWTime
import Foundation

/// A curve by the C library's functions, from its definition.
public struct CurveReference {
  private let scale: Curve.Scale
  private let points: [Curve.Point]
  /// The points' frames.
  private let frames: [Int]
  private let isLinear: Bool
  private let isLogarithmic: Bool

  public init(_ curve: Curve) {
    (scale, points, frames) = (curve.scale, curve.points, curve.points.map(\.frame.number))
    (isLinear, isLogarithmic) = (scale == .linear, scale == .logarithmic)
  }

  /// Straight between the knots around a frame.
  public func value(at frame: TimelineFrame) -> Double { value(at: frame.number) }

  /// How far a curve that was found is from this one at most, and where; at the first value that is no number.
  /// - Parameter first: the frame of the first value.
  public func greatestError(of found: [Double], from first: TimelineFrame) -> (error: Double, frame: TimelineFrame) {
    var greatest = (error: 0.0, frame: first)
    for (index, number) in found.enumerated() {
      let error = abs(number - value(at: first.number + index))
      guard error > greatest.error || error.isNaN else { continue }
      greatest = (error, first + index)
      if error.isNaN { break }
    }
    return greatest
  }

  private func value(at frame: Int) -> Double {
    guard let place = frames.lastIndex(where: { $0 <= frame }) else { return points[0].value }
    let knot16 = frame - ((frame % 16) + 16) % 16
    let begin = max(frames[place], knot16)
    let end = min(knot16 + 16, place + 1 < frames.count ? frames[place + 1] : .max)
    let (a, b) = (knot(begin, after: place), knot(end, after: place))
    let straight = a + (b - a) * Double(frame - begin) / Double(end - begin)
    // A side rests from the knot behind its last jump on.
    return isSide ? straight : straight + jump(at: frame, after: place)
  }

  /// The curve itself at a frame, not straight between knots.
  public func exactValue(at frame: TimelineFrame) -> Double {
    guard let place = frames.lastIndex(where: { $0 <= frame.number }) else { return points[0].value }
    let value = knot(frame.number, after: place)
    return isSide ? value : value + jump(at: frame.number, after: place)
  }

  private var isSide: Bool { !isLinear && !isLogarithmic }

  private func knot(_ frame: Int, after place: Int) -> Double {
    let next = place + 1 < points.count ? place + 1 : place
    let (p, q) = (points[place], points[next])
    let x = frames[next] > frames[place] ? Double(frame - frames[place]) / Double(frames[next] - frames[place]) : 0
    let share = Self.share(p.shape, x)
    if isLinear || isLogarithmic && (p.value == 0 || q.value == 0) {
      return p.value + (q.value - p.value) * share
    }
    let argument = p.argument + (q.argument - p.argument) * share
    return Self.value(of: isSide ? argument + jump(at: frame, after: place) : argument, 0, scale)
  }

  private func jump(at frame: Int, after place: Int) -> Double {
    guard place > 0 else { return 0 }
    return (1...place).reduce(0) { sum, index in
      let passed = frame - frames[index]
      let (p, q) = (points[index - 1], points[index])
      guard passed < 64, p.shape == .hold || frames[index - 1] == frames[index] else { return sum }
      return sum + (isSide ? p.argument - q.argument : p.value - q.value) * (1 - Double(passed) / 64)
    }
  }

  public static func share(_ shape: Curve.Shape, _ x: Double) -> Double {
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
  public static func value(of argument: Double, _ value: Double, _ scale: Curve.Scale) -> Double {
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
