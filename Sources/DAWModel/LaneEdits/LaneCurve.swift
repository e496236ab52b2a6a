import DAWTime

/// The values of a lane over time, as its points and their shapes give them.
///
/// v₀ + (v₁ − v₀) × s(x) between two points, x from 0 to 1; to or from −∞ dB the same in gain. Outside the points, the
/// nearest one's value.
public struct LaneCurve {
  /// In order of position.
  public let points: [LanePoint]
  /// The points' places in seconds, or anything else that is proportional: x is measured on it.
  private let places: [Double]

  /// - Parameters:
  ///   - points: of one lane, in order of position.
  ///   - timeBase: of the lane.
  public init(_ points: [LanePoint], _ timeBase: TimeBase, in map: TempoMap) {
    self.points = points
    places = points.map { Self.place($0.position, timeBase, map) }
    self.timeBase = timeBase
    self.map = map
  }

  private let timeBase: TimeBase
  private let map: TempoMap

  private static func place(_ position: Int64, _ timeBase: TimeBase, _ map: TempoMap) -> Double {
    Double(map.flicks(at: TimelinePosition(position, in: timeBase)).flicks)
  }

  /// The index of the last point at or before a position; `nil` before the first.
  public func index(at position: Int64) -> Int? {
    var (low, high) = (0, points.count)
    while low < high {
      let middle = (low + high) / 2
      if points[middle].position <= position { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }

  /// The value at a position, in ticks or flicks by the lane's time base.
  /// - Returns: `nil` for a lane without points.
  public func value(at position: Int64) -> Double? {
    guard let index = index(at: position) else { return points.first?.value }
    let (point, next) = (points[index], index + 1)
    guard next < points.count, point.position < position, point.shape != .hold else { return point.value }
    let x = (Self.place(position, timeBase, map) - places[index]) / (places[next] - places[index])
    return Self.value(from: point.value, to: points[next].value, point.shape.part(x))
  }

  /// The value at a position, coming from before it: that of the point that holds where another follows at once.
  public func value(before position: Int64) -> Double? {
    guard let index = index(at: position), points[index].position == position else { return value(at: position) }
    guard index > 0 else { return points[index].value }
    return points[index - 1].shape == .hold ? points[index - 1].value : points[index].value
  }

  /// Whether the curve is on its way from one point to the next just before a position.
  func isMoving(before position: Int64) -> Bool {
    guard position > 0, let index = index(at: position - 1), index + 1 < points.count else { return false }
    return points[index].shape != .hold
  }

  /// - Parameter part: s(x), 0 … 1.
  private static func value(from first: Double, to last: Double, _ part: Double) -> Double {
    if first.isFinite, last.isFinite { return first + (last - first) * part }
    let (start, end) = (ReproducibleMath.gain(decibels: first), ReproducibleMath.gain(decibels: last))
    let level = ReproducibleMath.decibels(gain: start + (end - start) * part)
    return level < Level.acceptedDecibels.lowerBound ? -.infinity : level
  }
}

extension LaneShape {
  /// s(x): how much of the way is done when x of the time has passed, both 0 … 1.
  func part(_ x: Double) -> Double {
    switch self {
    case .hold: 0
    case .linear: x
    case .exponential: Self.exponential(x)
    case .logarithmic: 1 - Self.exponential(1 - x)
    case .sCurve: x * x * (3 - 2 * x)
    }
  }

  private static func exponential(_ x: Double) -> Double {
    (ReproducibleMath.exp(4 * x) - 1) / (ReproducibleMath.exp(4) - 1)
  }
}

extension LaneCurve {
  /// The points that can go without moving the curve by more than a tolerance: straight runs by Ramer, Douglas and
  /// Peucker, by the distance in value; steps that repeat the value before them. The ends of other shapes, and the ends
  /// of a way to or from silence, stay.
  /// - Parameter tolerance: in the parameter's unit, ≥ 0.
  /// - SeeAlso: D. Douglas, T. Peucker, "Algorithms for the reduction of the number of points", 1973
  public func removable(within range: Range<Int64>, tolerance: Double) -> [LanePoint] {
    var removed: [LanePoint] = []
    var start = 0
    let isStraight = { (index: Int) in
      self.points[index].shape == .linear && self.points[index].value.isFinite
        && range.contains(self.points[index].position)
    }
    while start < points.count {
      var end = start
      // A run of straight lines, and the point where the last of them arrives.
      while end + 1 < points.count, isStraight(end), points[end + 1].value.isFinite,
        range.contains(points[end + 1].position)
      { end += 1 }
      if end > start + 1 { removed += simplified(start...end, tolerance) }
      start = max(end, start + 1)
    }
    var held: LanePoint?
    for point in points {
      if let before = held, point.shape == .hold, range.contains(point.position),
        before.value == point.value || abs(before.value - point.value) <= tolerance
      {
        removed.append(point)
        continue
      }
      held = point.shape == .hold ? point : nil
    }
    return removed.sorted { $0.position < $1.position }
  }

  private func simplified(_ run: ClosedRange<Int>, _ tolerance: Double) -> [LanePoint] {
    var removed: [LanePoint] = []
    var open = [run]
    while let part = open.popLast() {
      let (first, last) = (part.lowerBound, part.upperBound)
      guard last > first + 1 else { continue }
      let rise = (points[last].value - points[first].value) / (places[last] - places[first])
      func error(_ index: Int) -> Double {
        abs(points[index].value - (points[first].value + rise * (places[index] - places[first])))
      }
      let inner = first + 1..<last
      guard let worst = inner.max(by: { error($0) < error($1) }) else { continue }
      if error(worst) <= tolerance { removed += points[inner] } else { open += [first...worst, worst...last] }
    }
    return removed
  }
}
