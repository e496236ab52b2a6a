import DAWEngine
import DAWTime

/// Crossfades of a track's overlapping regions. The region that starts later, or of two that start together the one
/// with the higher id, lies on top.
///
/// Where two overlap and the upper one outlasts the lower, the upper fades in over the overlap and the lower out, both
/// by `equalPower`: a region fades in over its overlap with the region below it that lasts longest, and out over that
/// with the first one above it that outlasts it. A region that lies within another silences it, with 10 ms at each end,
/// or half its length if it is shorter than 20 ms; what lies within without a gap silences it as one. Two of which the
/// one's own fade out is over where the other's fade in is, as at a seam of a comp, are crossfaded by these alone.
struct Crossfades {
  private struct Span {
    /// Index into the regions.
    var index: Int
    var frames: Range<TimelineFrame>
  }

  /// What is one region here: one alone, or parts of a file that go on without a gap, as a split leaves them.
  struct Whole {
    /// Indices into the regions, in order of time; none is missing.
    fileprivate(set) var parts: [Int]
    fileprivate(set) var first: Int
    fileprivate(set) var last: Int
    fileprivate(set) var frames: Range<TimelineFrame>
  }

  /// What a part has that goes on where another one ends.
  private struct Joint: Hashable {
    var source: Int
    var anchor: TimelineFrame
    var channels: ChannelPick
    var frame: TimelineFrame

    init(_ region: PlannedRegion, at frame: TimelineFrame) {
      (source, anchor, channels, self.frame) = (region.source, region.anchor, region.channels, frame)
    }
  }

  /// - Parameter regions: in order of id.
  /// - Returns: in order of the ids of their first parts.
  static func wholes(_ regions: ArraySlice<PlannedRegion>) -> [Whole] {
    let base = regions.startIndex
    var wholes: [Whole] = []
    /// The wholes that end there and are not continued yet, in order.
    var ends: [Joint: [Int]] = [:]
    let inTime = regions.indices.sorted { (regions[$0].frames.lowerBound, $0) < (regions[$1].frames.lowerBound, $1) }
    for place in inTime {
      let (region, part) = (regions[place], place - base)
      let joint = Joint(region, at: region.frames.lowerBound)
      let whole = ends[joint]?.first ?? wholes.count
      if whole < wholes.count {
        ends[joint]?.removeFirst()
        wholes[whole].parts.append(part)
        wholes[whole].last = part
        wholes[whole].frames = wholes[whole].frames.lowerBound..<region.frames.upperBound
      } else {
        wholes.append(Whole(parts: [part], first: part, last: part, frames: region.frames))
      }
      ends[Joint(region, at: region.frames.upperBound), default: []].append(whole)
    }
    return wholes.sorted { $0.first < $1.first }
  }

  /// For each region that takes part, its curves.
  private(set) var curves: [Int: [Curve]] = [:]

  /// Pairs of overlapping regions that are looked at: a bound for projects that are made to take for ever.
  private static let maximumPairs = 10_000_000

  /// - Parameters:
  ///   - regions: in order of id.
  ///   - isSeam: whether two of them, by their indices, have fades of their own over their overlap. Asked for those of which
  ///     the second one begins within the first and outlasts it.
  /// - Returns: `nil` if too many regions overlap.
  init?(of regions: [Range<TimelineFrame>], rate: SampleRate, isSeam: (Int, Int) -> Bool = { _, _ in false }) {
    let spans = regions.enumerated().map { Span(index: $0.offset, frames: $0.element) }
      .sorted { ($0.frames.lowerBound, $0.index) < ($1.frames.lowerBound, $1.index) }
    let edge = rate.hertz / 100
    var pairs = 0
    /// For each region, the end of the region below it that lasts longest of those that it outlasts.
    var lowerEnds: [Int: TimelineFrame] = [:]
    for (place, lower) in spans.enumerated() {
      var within: [Range<TimelineFrame>] = []
      var fadesOutFrom: TimelineFrame?
      for upper in spans[(place + 1)...] {
        guard upper.frames.lowerBound < lower.frames.upperBound else { break }
        pairs += 1
        guard pairs <= Self.maximumPairs else { return nil }
        if upper.frames.upperBound > lower.frames.upperBound {
          if isSeam(lower.index, upper.index) { continue }
          fadesOutFrom = fadesOutFrom ?? upper.frames.lowerBound
          lowerEnds[upper.index] = max(lowerEnds[upper.index] ?? .min, lower.frames.upperBound)
        } else if let last = within.last, upper.frames.lowerBound <= last.upperBound {
          within[within.count - 1] = last.lowerBound..<max(last.upperBound, upper.frames.upperBound)
        } else {
          within.append(upper.frames)
        }
      }
      if let end = lowerEnds[lower.index], end > lower.frames.lowerBound {
        curves[lower.index, default: []].append(
          Curve([.init(lower.frames.lowerBound, 0, .equalPower), .init(end, 1)]))
      }
      if let first = fadesOutFrom {
        curves[lower.index, default: []].append(
          Curve([.init(first, 1, .mirroredEqualPower), .init(lower.frames.upperBound, 0)]))
      }
      if !within.isEmpty { curves[lower.index, default: []].append(Self.silence(within, edge)) }
    }
  }

  private static func silence(_ spans: [Range<TimelineFrame>], _ edge: Int) -> Curve {
    var points: [Curve.Point] = []
    for span in spans {
      let ramp = min(edge, span.count / 2)
      if ramp == 0 {
        // One frame: there is no room to fade.
        if points.last?.frame != span.lowerBound - 1 { points.append(.init(span.lowerBound - 1, 1)) }
        points += [.init(span.lowerBound, 0), .init(span.upperBound, 1)]
        continue
      }
      points.append(.init(span.lowerBound, 1, .mirroredEqualPower))
      points.append(.init(span.lowerBound + ramp, 0))
      if span.upperBound - ramp > span.lowerBound + ramp { points.append(.init(span.upperBound - ramp, 0)) }
      points[points.count - 1].shape = .equalPower
      points.append(.init(span.upperBound, 1))
    }
    return Curve(points)
  }
}
