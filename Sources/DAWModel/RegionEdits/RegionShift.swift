import DAWTime

/// How far regions are moved along the timeline; negative is earlier.
///
/// It moves each region on the clock of the shift, whatever the region's own time base: regions that begin together
/// still do afterwards, and a bar stays a bar where the tempo changes.
public enum RegionShift: Hashable, Sendable {
  /// - remainder: flicks to take away from regions in absolute time, which may lie between two ticks.
  case musical(TickCount, remainder: FlickCount = .zero)
  case absolute(FlickCount)

  /// The shift from a region's start to exactly `place`, on the clock of `place`.
  public init(from start: TimelinePosition, to place: TimelinePosition, in map: TempoMap) {
    switch place {
    case .absolute(let flicks): self = .absolute(flicks - map.flicks(at: start))
    case .musical(let ticks):
      let first = map.ticks(at: start)
      self = .musical(ticks - first, remainder: map.flicks(at: start) - map.flicks(at: first))
    }
  }
}

extension RegionShift {
  /// As far that many times.
  public static func * (shift: Self, times: Int) -> Self {
    switch shift {
    case .musical(let ticks, let remainder): .musical(ticks * times, remainder: remainder * times)
    case .absolute(let flicks): .absolute(flicks * times)
    }
  }
}

extension TimelinePosition {
  /// In its own time base; negative before the start of the timeline.
  public func moved(by shift: RegionShift, in map: TempoMap) -> TimelinePosition {
    switch (self, shift) {
    case (.musical(let start), .musical(let count, _)): return .musical(start + count)
    case (.musical(let start), .absolute(let count)): return .musical(map.ticks(at: map.flicks(at: start) + count))
    case (.absolute(let start), .absolute(let count)): return .absolute(start + count)
    case (.absolute(let start), .musical(let count, let remainder)):
      let tick = map.ticks(at: start)
      return .absolute(start + (map.flicks(at: tick + count) - map.flicks(at: tick)) - remainder)
    }
  }
}

extension [Region] {
  /// Each keeps its time base.
  public func moved(by shift: RegionShift, in map: TempoMap) -> [Region] {
    self.map { region in
      var region = region
      region.start = region.start.moved(by: shift, in: map)
      return region
    }
  }

  /// The shift that brings copies of all of them behind the last of them: by ticks if any of them is bound to them.
  /// - Returns: `nil` if there are none.
  public func shiftToEnd(in tempoMap: TempoMap) -> RegionShift? {
    let starts = lazy.map { $0.startFlicks(in: tempoMap) }
    let ends = lazy.map { $0.endFlicks(in: tempoMap) }
    guard let start = starts.min(), let end = ends.max() else { return nil }
    return contains { $0.start.timeBase == .musical }
      ? .musical(tempoMap.ticks(at: end) - tempoMap.ticks(at: start)) : .absolute(end - start)
  }
}
