extension TempoMap {
  /// The flick nearest to a tick, ties to even.
  public func flicks(at position: TickPosition) -> FlickPosition {
    let tick = position.withinReach
    let segment = segments[lastIndex(of: segments) { $0.startTick <= tick }]
    return FlickPosition(flicks: segment.flicks(at: tick))
  }

  /// The tick nearest to a flick, ties to even.
  public func ticks(at position: FlickPosition) -> TickPosition {
    let reach: Int64 = 1 << 62
    let flick = min(max(position.flicks, -reach), reach)
    let segment = segments[lastIndex(of: segments) { $0.startFlick <= flick }]
    return TickPosition(ticks: segment.ticks(at: flick))
  }

  /// The position on the absolute timeline: of a musical one the nearest flick, ties to even.
  public func flicks(at position: TimelinePosition) -> FlickPosition {
    switch position {
    case .musical(let ticks): flicks(at: ticks)
    case .absolute(let flicks): flicks
    }
  }

  /// The position on the musical timeline: of an absolute one the nearest tick, ties to even.
  public func ticks(at position: TimelinePosition) -> TickPosition {
    switch position {
    case .musical(let ticks): ticks
    case .absolute(let flicks): ticks(at: flicks)
    }
  }

  /// The tempo at a tick; within a ramp, to the nearest 10⁻⁹ BPM.
  public func tempo(at position: TickPosition) -> Tempo {
    let index = lastIndex(of: tempos) { $0.position <= position }
    let change = tempos[index]
    guard change.isRamp, position > change.position, index + 1 < tempos.count else { return change.tempo }
    let next = tempos[index + 1]
    let ramp = TempoRamp(from: change.tempo, to: next.tempo, length: (next.position - change.position).ticks)
    return ramp.tempo(at: (position - change.position).ticks)
  }
}

extension TickPosition {
  /// The tick, clamped to ±2⁴³, within which no conversion overflows.
  var withinReach: Int64 {
    let reach: Int64 = 1 << 43
    return min(max(ticks, -reach), reach)
  }
}

/// The last element for which `isBegun` is true, else the first. A binary search.
/// - Parameter isBegun: true for a leading part of `elements`, which are in order.
@inline(__always)
func lastIndex<Element>(of elements: [Element], where isBegun: (Element) -> Bool) -> Int {
  var (low, high) = (0, elements.count)
  while high - low > 1 {
    let middle = (low + high) / 2
    if isBegun(elements[middle]) { low = middle } else { high = middle }
  }
  return low
}
