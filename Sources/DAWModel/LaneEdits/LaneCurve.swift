import DAWTime

/// The values of a lane over time, as its points and their shapes give them.
///
/// v₀ + (v₁ − v₀) × s(x) between two points, x from 0 to 1; to or from −∞ dB the same in gain, and of frequencies and
/// times in their logarithm. Outside the points, the nearest one's value.
public struct LaneCurve {
  /// In order of position.
  public let points: [LanePoint]
  /// The points' places in seconds, or anything else that is proportional: x is measured on it.
  private let places: [Double]

  /// - Parameters:
  ///   - points: of one lane, in order of position.
  ///   - timeBase: of the lane.
  ///   - interpolation: of the parameter. From and to 0 there is no logarithm.
  public init(
    _ points: [LanePoint], _ timeBase: TimeBase, in map: TempoMap,
    _ interpolation: EffectParameter.Interpolation = .plain
  ) {
    self.points = points
    isLogarithmic = interpolation == .logarithmic && points.allSatisfy { $0.value > 0 }
    places = points.map { Self.place($0.position, timeBase, map) }
    self.timeBase = timeBase
    self.map = map
  }

  private let timeBase: TimeBase
  private let map: TempoMap
  private let isLogarithmic: Bool

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
    return value(from: point.value, to: points[next].value, point.shape.part(x))
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
  private func value(from first: Double, to last: Double, _ part: Double) -> Double {
    if isLogarithmic {
      let (start, end) = (ReproducibleMath.log(first), ReproducibleMath.log(last))
      // What is rounded would lie beyond the end of a parameter's range where a way rests at it.
      let value = min(max(ReproducibleMath.exp(start + (end - start) * part), min(first, last)), max(first, last))
      return part == 0 ? first : part == 1 ? last : value
    }
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
    var open = [(part: run, depth: 0)]
    while let (part, depth) = open.popLast() {
      let (first, last) = (part.lowerBound, part.upperBound)
      guard last > first + 1 else { continue }
      var worst = (index: first, error: -Double.infinity)
      for index in first + 1..<last {
        let x = (places[index] - places[first]) / (places[last] - places[first])
        let error = abs(points[index].value - value(from: points[first].value, to: points[last].value, x))
        if error > worst.error { worst = (index: index, error: error) }
      }
      if worst.error <= tolerance {
        removed += points[first + 1..<last]
        continue
      }
      // The worst point of a zigzag is one of its ends each time, which takes the square of the number of points. What
      // is still long after many divisions is halved: at most one point in 256 is kept for that.
      let isLopsided = depth > 32 && last - first > 512
      let middle = isLopsided ? first + (last - first) / 2 : worst.index
      open += [(part: first...middle, depth: depth + 1), (part: middle...last, depth: depth + 1)]
    }
    return removed
  }
}

extension LaneCurve {
  /// How far a straight way may be from the curved one in whose place it stands, as a share of what that one goes.
  private static let straightTolerance = 0.0005

  /// The points with each curved way that a cut divides as straight ones, near enough: a part of such a way has none of
  /// the shapes. So has a way to or from silence, which goes in gain: a part of it would go in decibels. What is new
  /// has the id 0.
  func straightened(at cuts: Set<Int64>) -> LaneCurve {
    var result: [LanePoint] = []
    for (index, point) in points.enumerated() {
      let inside =
        index + 1 < points.count && isCurved(behind: index)
        ? cuts.filter { $0 > point.position && $0 < points[index + 1].position }.sorted() : []
      guard !inside.isEmpty else {
        result.append(point)
        continue
      }
      var first = point
      first.shape = .linear
      result.append(first)
      for position in bends(behind: index, inside) {
        guard let value = value(at: position) else { continue }
        result.append(
          LanePoint(
            id: LanePointID(rawValue: 0), lane: point.lane, position: position, value: value, shape: .linear))
      }
    }
    return LaneCurve(result, timeBase, in: map, isLogarithmic ? .logarithmic : .plain)
  }

  private func isCurved(behind index: Int) -> Bool {
    let (point, next) = (points[index], points[index + 1])
    guard point.value != next.value, point.shape != .hold else { return false }
    return point.shape != .linear || !point.value.isFinite || !next.value.isFinite
  }

  /// Where a curved way is divided so that straight ones in its place are near enough: at the cuts, and between.
  private func bends(behind index: Int, _ cuts: [Int64]) -> [Int64] {
    let (from, to) = (points[index].value, points[index + 1].value)
    // What is interpolated: of a way to or from silence the gain.
    func level(_ value: Double) -> Double {
      if isLogarithmic { return ReproducibleMath.log(value) }
      return from.isFinite && to.isFinite ? value : ReproducibleMath.gain(decibels: value)
    }
    let tolerance = Self.straightTolerance * abs(level(to) - level(from))
    func isNear(_ part: ClosedRange<Int64>) -> Bool {
      let (start, end) = (Self.place(part.lowerBound, timeBase, map), Self.place(part.upperBound, timeBase, map))
      guard let first = value(at: part.lowerBound), let last = value(before: part.upperBound) else { return true }
      return (1..<8).allSatisfy { eighth in
        let position = part.lowerBound + Int64(Double(part.upperBound - part.lowerBound) * Double(eighth) / 8)
        guard let wanted = value(at: position) else { return true }
        let x = (Self.place(position, timeBase, map) - start) / (end - start)
        return abs(level(value(from: first, to: last, x)) - level(wanted)) <= tolerance
      }
    }
    var bends: [Int64] = []
    func divide(_ part: ClosedRange<Int64>, _ depth: Int) {
      guard depth > 0, part.upperBound - part.lowerBound > 1, !isNear(part) else { return }
      let middle = part.lowerBound + (part.upperBound - part.lowerBound) / 2
      divide(part.lowerBound...middle, depth - 1)
      bends.append(middle)
      divide(middle...part.upperBound, depth - 1)
    }
    let edges = [points[index].position] + cuts + [points[index + 1].position]
    for (edge, next) in zip(edges, edges.dropFirst()) {
      divide(edge...next, 10)
      bends.append(next)
    }
    return bends.dropLast()
  }
}
