import DAWEngine
import DAWModel
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

  /// By which a part finds the one that it continues.
  private struct Joint: Hashable {
    var source: Int
    var anchor: TimelineFrame
    var channels: ChannelPick
    var frame: TimelineFrame
    /// `nil`: whatever it is.
    var gain: Level?

    init(_ planned: PlannedRegion, at frame: TimelineFrame, gain: Level?) {
      (source, anchor, channels) = (planned.source, planned.anchor, planned.channels)
      (self.frame, self.gain) = (frame, gain)
    }
  }

  /// The wholes that ended at a joint, in order.
  private struct Ends {
    var wholes: [Int] = []
    private var next = 0

    /// The first that has not been continued.
    mutating func first(of all: [Whole], at frame: TimelineFrame) -> Int? {
      while next < wholes.count, all[wholes[next]].frames.upperBound != frame { next += 1 }
      return next < wholes.count ? wholes[next] : nil
    }
  }

  /// What is one region: a part continues one that ends where it begins, of the same gain if there is one. An edge with
  /// a fade of its own is none of a split.
  /// - Parameters:
  ///   - regions: in order of id.
  ///   - planned: the same.
  /// - Returns: in order of the ids of their first parts.
  static func wholes(_ regions: [Region], _ planned: ArraySlice<PlannedRegion>) -> [Whole] {
    let base = planned.startIndex
    var wholes: [Whole] = []
    var ends: [Joint: Ends] = [:]
    let inTime = planned.indices.sorted { (planned[$0].frames.lowerBound, $0) < (planned[$1].frames.lowerBound, $1) }
    for place in inTime {
      let (part, frames) = (place - base, planned[place].frames)
      let region = regions[part]
      let gains: [Level?] = [region.gain, nil]
      var whole = wholes.count
      if region.fadeIn.length == .zero || region.fadeIn.cut > .zero {
        for gain in gains where whole == wholes.count {
          let joint = Joint(planned[place], at: frames.lowerBound, gain: gain)
          whole = ends[joint]?.first(of: wholes, at: frames.lowerBound) ?? whole
        }
      }
      if whole < wholes.count {
        wholes[whole].parts.append(part)
        wholes[whole].last = part
        wholes[whole].frames = wholes[whole].frames.lowerBound..<frames.upperBound
      } else {
        wholes.append(Whole(parts: [part], first: part, last: part, frames: frames))
      }
      if region.fadeOut.length == .zero || region.fadeOut.cut > .zero {
        for gain in gains {
          ends[Joint(planned[place], at: frames.upperBound, gain: gain), default: Ends()].wholes.append(whole)
        }
      }
    }
    return wholes.sorted { $0.first < $1.first }
  }

  /// For each region that takes part, its curves.
  private(set) var curves: [Int: [Curve]] = [:]

  /// Pairs of overlapping regions that are looked at: a bound for projects that are made to take for ever.
  private static let maximumPairs = 10_000_000

  /// - Parameters:
  ///   - regions: in order of id.
  ///   - isSeam: whether two of them, by their indices, have fades of their own over their overlap. Asked for those of
  ///     which the second one begins within the first and outlasts it.
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
