/// A plan's controls as the arrays that `PlanMemory` holds. A curve that several controls share is there once.
struct LinkedControls {
  private(set) var curves: [LinkedCurve] = []
  private(set) var points: [LinkedPoint] = []
  private(set) var factors: [LinkedFactor] = []
  /// The controls that a passage leads from.
  private(set) var earlier: [LinkedControl] = []
  private var known: [CurveKey: Int] = [:]

  /// Arrays of points that share their storage are the same. The plan keeps them while it is linked.
  private struct CurveKey: Hashable {
    var points: UnsafePointer<Curve.Point>?
    var scale: Curve.Scale
    var smoothsJumps: Bool
  }

  mutating func add(_ left: Control, _ right: Control) -> LinkedSides {
    let sides = (add(left), add(right))
    var common: Int32 = 0
    if !sides.0.isOfPassage, !sides.1.isOfPassage {
      for (i, k) in zip(sides.0.factors, sides.1.factors) {
        let (a, b) = (factors[i], factors[k])
        guard a.curve == b.curve, a.constant == b.constant else { break }
        common += 1
      }
    }
    return LinkedSides(left: sides.0, right: sides.1, commonCount: common)
  }

  mutating func add(_ shape: StripShape) -> LinkedShape {
    LinkedShape(
      trim: add(shape.trim), invertsLeft: shape.invertsLeft, invertsRight: shape.invertsRight,
      hasWidth: shape.stereoWidth != nil, stereoWidth: add(shape.stereoWidth ?? .unity))
  }

  mutating func add(_ control: Control) -> LinkedControl {
    switch control {
    case .constant(let gain):
      return LinkedControl(constant: gain, firstFactor: 0, factorCount: 0, earlier: -1, isOfPlanBefore: false)
    case .product(let added):
      let first = factors.count
      for factor in added {
        switch factor {
        case .constant(let value): factors.append(LinkedFactor(constant: value, curve: -1))
        case .curve(let curve): factors.append(LinkedFactor(constant: 1, curve: Int32(add(curve))))
        }
      }
      return LinkedControl(
        constant: 0, firstFactor: Int32(first), factorCount: Int32(added.count), earlier: -1, isOfPlanBefore: false)
    case .ofPlanBefore(let control):
      var control = add(control)
      control.isOfPlanBefore = true
      return control
    case .passage(let from, let to):
      earlier.append(add(from))
      var control = add(to)
      control.earlier = Int32(earlier.count - 1)
      return control
    }
  }

  /// - Returns: the curve's index.
  mutating func add(_ curve: Curve) -> Int {
    let key = CurveKey(
      points: curve.points.withUnsafeBufferPointer { $0.baseAddress }, scale: curve.scale,
      smoothsJumps: curve.smoothsJumps)
    if let index = known[key] { return index }
    var linked = LinkedCurve(
      firstPoint: points.count, pointCount: 0, scale: curve.scale, hasJumps: curve.hasJumps, least: .infinity,
      greatest: -.infinity)
    for (index, point) in curve.points.enumerated() {
      (linked.least, linked.greatest) = (min(linked.least, point.value), max(linked.greatest, point.value))
      if linked.hasJumps || !curve.isResting(around: index) { points.append(point) }
    }
    linked.pointCount = points.count - linked.firstPoint
    curves.append(linked)
    known[key] = curves.count - 1
    return curves.count - 1
  }
}

extension Curve {
  /// Whether something jumps and is spread over frames.
  fileprivate var hasJumps: Bool {
    smoothsJumps
      && zip(points, points.dropFirst()).contains { before, point in
        (before.shape == .hold || before.frame == point.frame) && !before.isLevel(with: point)
      }
  }

  /// Whether a point lies in the middle of a rest, where it changes nothing.
  fileprivate func isResting(around index: Int) -> Bool {
    guard index > 0, index + 1 < points.count else { return false }
    return points[index].isLevel(with: points[index - 1]) && points[index].isLevel(with: points[index + 1])
  }
}

extension Curve.Point {
  fileprivate func isLevel(with other: Curve.Point) -> Bool { value == other.value && argument == other.argument }
}
