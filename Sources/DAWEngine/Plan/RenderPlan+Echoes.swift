extension RenderPlan {
  /// The longest time from a strip's sound to its first echo at the output, in frames ≥ 0: what all delays on the way
  /// take together. For so long it may be silent before an echo, and between two.
  public var longestEcho: Int {
    var longest = [Int](repeating: 0, count: bufferCount)
    for step in steps {
      switch step {
      case .clear(_, let buffer), .sumRegions(_, _, let buffer, _), .playInstrument(_, _, let buffer):
        longest[buffer] = 0
      case .insert(_, let index, let buffer, _, _): longest[buffer] += inserts[index].longestEcho
      case .delay(_, let source, let target, _, _): longest[target] = longest[source]
      case .mix(_, let source, _, let target, _, _): longest[target] = max(longest[target], longest[source])
      case .output(_, let buffer, _, _): return longest[buffer]
      case .monitor, .shape, .widen: break
      }
    }
    return 0
  }
}

extension PlannedInsert {
  /// Frames; 0 for what is no delay.
  fileprivate var longestEcho: Int {
    // The first parameter is the time.
    guard setup.kind == .delay, let time = parameters.first, let range = setup.kind.ranges.first else { return 0 }
    let milliseconds = min(max(time.greatest, range.lowerBound), range.upperBound)
    return Int((milliseconds * Double(setup.sampleRate) / 1_000).rounded(.up))
  }
}

extension PlannedInsert.Parameter {
  /// The greatest value that it has.
  fileprivate var greatest: Double {
    switch self {
    case .constant(let value): value
    case .curve(let curve): curve.points.map(\.value).max() ?? 0
    case .passage(let from, let to): max(from.greatest, to.greatest)
    }
  }
}
